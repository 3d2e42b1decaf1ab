package cluster

import (
	"fmt"
	"testing"
	"time"
)

// TestSmallStay has forks kept that are known to take less time than a message.
func TestSmallStay(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
		for _, n := range []*fakeNode{a, b, c} {
			n.works = func(k *call) (time.Duration, result) {
				d := 100 * time.Microsecond
				if k.arg[7] == 3 { // one of them is large
					d = time.Second
				}
				return d, result{value: k.arg}
			}
		}
		for range 3 {
			values, _ := a.forkAll(t, 8)
			allRight(t, values)
		}
		before := b.count() + c.count()
		values, _ := a.forkAll(t, 8)
		allRight(t, values)
		if n := b.count() + c.count() - before; n != 1 {
			t.Errorf("%d of 8 calls were sent; one is worth it", n)
		}
	})
}

// TestEstimates has forks kept that the program says to take less than two round trips, whatever was measured, but for those that another node has.
func TestEstimates(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
		small := func(d time.Duration) bool { return a.caller.tooSmall(callID{7}, "", d) }
		if !small(1) || !small(2*usualTrip-1) || small(2*usualTrip) || small(0) || a.caller.tooSmall(callID{7}, "b", 1) {
			t.Error("before any call has come back 100 µs are taken for a round trip")
		}
		values, _ := a.forkAll(t, 4) // over a net that takes a millisecond each way
		allRight(t, values)
		if !small(4*time.Millisecond-1) || small(4*time.Millisecond) {
			t.Errorf("a round trip is taken for %s", a.caller.costs.trip)
		}
		a.caller.received(&message{kind: msgOrphans, from: "b", ids: []callID{{7}}})
		if small(1) {
			t.Error("what another node has is not asked for")
		}
		// Measured as small, and told to be large.
		arg := []byte("x")
		a.caller.costs.took("echo", arg, 1)
		for _, told := range []bool{false, true} {
			done := make(chan result, 1)
			k := call{id: rootID(fmt.Sprint("told ", told)), function: "echo", arg: arg}
			if sent := a.caller.fork(k, "", told, func(r result) { done <- r }, nil); sent != told {
				t.Errorf("sent: %v, with an estimate: %v", sent, told)
			} else if sent {
				<-done
			}
		}
	})
}
