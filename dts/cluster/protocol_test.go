package cluster

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestForksGoToOthers(t *testing.T) {
	inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
		values, took := a.forkAll(t, 12)
		allRight(t, values)
		if b.count() == 0 || c.count() == 0 || a.count()+b.count()+c.count() != 12 {
			t.Errorf("%d ran on a, %d on b, %d on c", a.count(), b.count(), c.count())
		}
		if slices.Max(took) > 15*time.Millisecond {
			t.Errorf("a call took %s", slices.Max(took))
		}
		if net.sent[msgAccept] > 0 {
			t.Error("short calls were accepted by separate messages")
		}
	})
}

// The number of outstanding calls to a node is bounded. The remaining calls stay.
func TestBound(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
		a.caller.mu.Lock()
		a.caller.bound = 2 // for each of 4 PEs
		a.caller.mu.Unlock()
		a.caller.recount()
		values, _ := a.forkAll(t, 100)
		allRight(t, values)
		if most := 2 * 2 * 4; b.count()+c.count() > most || a.count() < 100-most {
			t.Errorf("%d ran on b, %d on c, %d on a; want at most 8 on b and c", b.count(), c.count(), a.count())
		}
	})
}

// Forks that name a node go there beyond the usual bound, up to another one.
func TestNamed(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
		b.works = func(k *call) (time.Duration, result) { return time.Second, result{value: k.arg} }
		most := namedFactor * a.caller.bound * 4
		var wait sync.WaitGroup
		for i := range most + 1 {
			k := call{id: rootID(fmt.Sprint("named ", i)), function: "echo"}
			wait.Add(1)
			sent := a.caller.fork(k, "b", false, func(result) { wait.Done() }, nil)
			if sent != (i < most) {
				t.Errorf("call %d to b is sent: %v, with a bound of %d", i, sent, most)
			}
			if !sent {
				wait.Done()
			}
		}
		wait.Wait()
		if a.count() > 0 || b.count() != most || c.count() > 0 {
			t.Errorf("%d ran on a, %d on b, %d on c", a.count(), b.count(), c.count())
		}
	})
}

// A node with calls is killed. They run elsewhere after its silence, or at once if its end is announced.
func TestNodeDies(t *testing.T) {
	for _, told := range []bool{false, true} {
		t.Run(fmt.Sprint("told=", told), func(t *testing.T) {
			inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
				for _, n := range []*fakeNode{a, b, c} {
					n.works = func(k *call) (time.Duration, result) { return 300 * time.Millisecond, result{value: k.arg} }
				}
				go func() {
					time.Sleep(100 * time.Millisecond)
					b.kill()
					if told {
						a.group.died("b", false)
						c.group.died("b", false)
					}
				}()
				values, took := a.forkAll(t, 8)
				allRight(t, values)
				if b.count() == 0 {
					t.Fatal("no call ran on b")
				}
				longest := slices.Max(took)
				if least, most := 300*time.Millisecond, 450*time.Millisecond; told && (longest < least || longest > most) {
					t.Errorf("after an announced death, the last result arrived after %s", longest)
				}
				if least := defaultTiming.silence; !told && (longest < least || longest > least+time.Second) {
					t.Errorf("after an unannounced death, the last result arrived after %s", longest)
				}
				if a.caller.counts.redone != int64(b.count()) {
					t.Errorf("%d calls redone, %d ran on b", a.caller.counts.redone, b.count())
				}
			})
		})
	}
}

// Calls to a node are lost while its beats arrive.
func TestNotAccepted(t *testing.T) {
	inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
		net.lose(func(_, to string, kind uint8) bool { return to == "b" && kind == msgCall })
		values, took := a.forkAll(t, 8)
		allRight(t, values)
		if d := slices.Max(took); d < defaultTiming.accept || d > defaultTiming.accept+2*defaultTiming.beat {
			t.Errorf("the last result arrived after %s; calls are sent elsewhere after %s", d, defaultTiming.accept)
		}
		if b.count() > 0 {
			t.Error("calls ran on b")
		}
	})
}

// Long calls are accepted and not sent again.
func TestAccepted(t *testing.T) {
	inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
		for _, n := range []*fakeNode{b, c} {
			n.works = func(k *call) (time.Duration, result) { return time.Minute, result{value: k.arg} }
		}
		values, _ := a.forkAll(t, 4)
		allRight(t, values)
		if a.caller.counts.redone > 0 {
			t.Errorf("%d calls were sent again", a.caller.counts.redone)
		}
		if net.sent[msgAsk] == 0 {
			t.Error("the parent did not ask for calls of a minute")
		}
	})
}

// Results are lost. The parent asks for them and gets the kept ones.
func TestResultLost(t *testing.T) {
	inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
		for _, n := range []*fakeNode{b, c} {
			n.works = func(k *call) (time.Duration, result) { return 50 * time.Millisecond, result{value: k.arg} }
		}
		lost := map[string]int{}
		net.lose(func(from, _ string, kind uint8) bool {
			if kind == msgResult {
				lost[from]++
			}
			return kind == msgResult && lost[from] <= 2
		})
		values, _ := a.forkAll(t, 6)
		allRight(t, values)
		if b.count()+c.count() > 6 {
			t.Errorf("%d calls ran for 6, though their results were kept", b.count()+c.count())
		}
	})
}

// The parent is cut off from both other nodes for a while. It goes on alone, and afterwards with them.
func TestPartition(t *testing.T) {
	inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
		for _, n := range []*fakeNode{a, b, c} {
			n.works = func(k *call) (time.Duration, result) { return time.Second, result{value: k.arg} }
		}
		cut := false
		net.lose(func(from, to string, _ uint8) bool { return cut && (from == "a" || to == "a") })
		go func() {
			time.Sleep(500 * time.Millisecond)
			net.mu.Lock()
			cut = true
			net.mu.Unlock()
		}()
		values, _ := a.forkAll(t, 8)
		allRight(t, values)
		if n := len(a.group.list()); n != 1 {
			t.Errorf("a has %d members while it is cut off", n)
		}
		net.mu.Lock()
		cut = false
		net.mu.Unlock()
		time.Sleep(3 * defaultTiming.beat)
		if n := len(a.group.list()); n != 3 {
			t.Errorf("a has %d members after it was cut off", n)
		}
		before := b.count() + c.count()
		values, _ = a.forkAll(t, 8)
		allRight(t, values)
		if b.count()+c.count() == before {
			t.Error("no call is sent any more")
		}
	})
}

// A call that is sent twice to a node runs once, and the second sender gets the result.
func TestTwice(t *testing.T) {
	inCluster(t, func(t *testing.T, _ *fakeNet, a, b, c *fakeNode) {
		k := call{id: callID{1}, attempt: 1, function: "echo", arg: []byte("x")}
		b.callee.received(&message{kind: msgCall, from: "c", call: k})
		time.Sleep(5 * time.Millisecond)
		b.callee.received(&message{kind: msgCall, from: "a", call: k})
		a.caller.mu.Lock()
		got := make(chan result, 1)
		p := &pending{call: k, done: func(r result) { got <- r }}
		a.caller.assign(p, "b")
		a.caller.mu.Unlock()
		if r := <-got; string(r.value) != "x" {
			t.Errorf("the result is %q", r.value)
		}
		if b.count() != 1 {
			t.Errorf("it ran %d times", b.count())
		}
	})
}

// Nodes fork over a net that loses a third of all messages, while nodes die and return, with different seeds.
func TestBadNet(t *testing.T) { badNet(t, 5) }

func badNet(t *testing.T, seeds uint64) {
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
				r := rand.New(rand.NewPCG(seed, 1))
				net.lose(func(string, string, uint8) bool { return r.IntN(3) == 0 })
				works := func(*call) (time.Duration, result) {
					net.mu.Lock()
					defer net.mu.Unlock()
					return time.Duration(r.IntN(1000)) * time.Millisecond, result{}
				}
				for _, n := range []*fakeNode{a, b, c} {
					n.works = func(k *call) (time.Duration, result) {
						d, _ := works(k)
						return d, result{value: k.arg}
					}
				}
				go func() {
					time.Sleep(time.Second)
					b.kill()
					time.Sleep(time.Second)
					d := net.add("d", 4)
					time.Sleep(time.Minute)
					d.kill()
				}()
				for range 3 {
					values, _ := a.forkAll(t, 30)
					allRight(t, values)
				}
				net.lose(nil)
				time.Sleep(time.Minute)
			})
		})
	}
}

// A parent is killed, and another node forks the same calls. It finds them, running or done, and they run once.
func TestOrphans(t *testing.T) {
	inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
		d := net.add("d", 4)
		time.Sleep(2 * defaultTiming.beat)
		for _, n := range []*fakeNode{a, b, c, d} {
			n.works = func(k *call) (time.Duration, result) {
				return time.Duration(k.arg[7]) * 400 * time.Millisecond, result{value: k.arg}
			}
		}
		for i := range uint64(6) {
			arg := binary.BigEndian.AppendUint64(nil, i)
			k := call{id: rootID(fmt.Sprint("1 ", i)), function: "echo", arg: arg} // like forkAll
			to := "b"
			if i%2 > 0 {
				to = "c"
			}
			net.nodes[to].callee.received(&message{kind: msgCall, from: "d", call: k})
		}
		time.Sleep(time.Second)
		d.kill()
		time.Sleep(defaultTiming.silence + 2*defaultTiming.beat)
		values, _ := a.forkAll(t, 6)
		allRight(t, values)
		if n := a.count() + b.count() + c.count(); n != 6 {
			t.Errorf("%d calls ran for 6", n)
		}
		if a.caller.counts.found != 6 {
			t.Errorf("%d of 6 were found", a.caller.counts.found)
		}
	})
}
