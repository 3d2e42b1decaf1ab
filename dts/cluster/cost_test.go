package cluster

import (
	"fmt"
	"testing"
	"time"
)

// Forks known to be shorter than a message are kept.
func TestSmallStay(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
		for _, n := range []*fakeNode{a, b, c} {
			n.works = func(k *call) (time.Duration, result) {
				d := 100 * time.Microsecond
				if k.arg[7] == 3 { // one of them is long
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
			t.Errorf("%d of 8 calls were sent, want 1", n)
		}
	})
}

// Forks that the program estimates at less than two round trips are kept whatever was measured, unless another node
// has them already.
func TestEstimates(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
		small := func(d time.Duration) bool { return a.caller.tooSmall(callID{7}, "", d) }
		if !small(1) || !small(2*usualTrip-1) || small(2*usualTrip) || small(0) || a.caller.tooSmall(callID{7}, "b", 1) {
			t.Error("the initial round trip is not 100 µs")
		}
		values, _ := a.forkAll(t, 4) // over a net with a delay of a millisecond
		allRight(t, values)
		if !small(4*time.Millisecond-1) || small(4*time.Millisecond) {
			t.Errorf("the estimated round trip is %s", a.caller.costs.trip)
		}
		a.caller.received(&message{kind: msgOrphans, from: "b", ids: []callID{{7}}})
		if small(1) {
			t.Error("a call that another node has was not sent there")
		}
		// Measured as short, estimated as long.
		arg := []byte("x")
		a.caller.costs.observe("echo", arg, 1)
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
