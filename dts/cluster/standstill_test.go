package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"whorl/dts"
	"whorl/testdata/must"
)

// callOn lets a wait for a call of a function on another node. The channel is closed when the result has arrived.
func callOn(t *testing.T, a *fakeNode, to, function string) chan bool {
	t.Helper()
	a.step(0, 0, 1)
	over := make(chan bool)
	k := call{id: rootID(function + to), function: function}
	if !a.caller.fork(k, to, false, func(result) { a.step(0, 0, -1); close(over) }, func(int) { t.Error("a call came back") }) {
		t.Error("a call was not sent")
	}
	return over
}

// All nodes wait for a call that never ends. The node that waits for the answer finds this out within two seconds, also
// over a net that loses every eighth message. It does not as long as a call runs anywhere.
func TestStandstill(t *testing.T) {
	for _, lossy := range []bool{false, true} {
		inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
			a.answers.Store(true)
			c.works = func(k *call) (time.Duration, result) { return time.Minute, result{} }
			over := callOn(t, a, "c", "long")
			callOn(t, a, "b", "stuck")
			<-over
			if len(a.found) > 0 {
				t.Error("a deadlock was found while a call ran")
			}
			if lossy {
				r := rand.New(rand.NewPCG(1, 1))
				net.lose(func(string, string, uint8) bool { return r.IntN(8) == 0 })
			}
			began := time.Now()
			all := <-a.found
			if d := time.Since(began); !lossy && d > 2*time.Second || all.Total != 2 || len(all.Waiting) != 2 || all.Waiting[0].Host != "a" || all.Waiting[1].Host != "b" {
				t.Errorf("after %s: %v", d, all)
			}
			a.caller.mu.Lock()
			clear(a.caller.calls)
			a.caller.mu.Unlock()
		})
	}
}

// A call from a to b, or its result, is on its way for 5 s. The call is sent to c in the meantime, where it is stuck. No
// node runs anything until the message arrives, and c waits for an answer. Then the call ends. No deadlock is found.
func TestStandstillLate(t *testing.T) {
	for _, late := range []struct {
		from, to string
		kind     uint8
	}{{"a", "b", msgCall}, {"b", "a", msgResult}} {
		inCluster(t, func(t *testing.T, net *fakeNet, a, b, c *fakeNode) {
			c.answers.Store(true)
			c.callee.run = func(*call, func(result)) { c.step(0, 1, 0) }
			net.late = func(from, to string, kind uint8) time.Duration {
				if from == late.from && to == late.to && kind == late.kind {
					return 5 * time.Second
				}
				return 0
			}
			<-callOn(t, a, "b", "echo")
			if len(c.found) > 0 || b.count() != 1 || a.caller.counts.redone != 1 {
				t.Errorf("%s late: %d deadlocks; %d calls ran on b, %d were sent again", msgNames[late.kind], len(c.found), b.count(), a.caller.counts.redone)
			}
		})
	}
}

// Functions that wait for each other on two nodes, and one that waits for a channel of its node.
var (
	slot  = make(chan dts.Handle[int], 1)
	back  = dts.Register(&funcs, "back", func(w *dts.Worker, _ int) int { return (<-slot).Join(w) })
	there = dts.Register(&funcs, "there", func(w *dts.Worker, _ int) int { return back.ForkOn(w, "main", 0).Join(w) })
	mute  = dts.Register(&funcs, "mute", func(*dts.Worker, int) int { return <-make(chan int) })
)

// Threads of two nodes wait for each other. The run ends with an error that contains their nodes and places.
func TestDeadlock(t *testing.T) {
	s := startServer(t, Host{})
	startNode(t, s.URL(), "other")
	awaitNodes(t, dial(t, Options{Server: s, timing: haste}), 1)
	attached(t, s)
	_, err := dts.Run(soon(t), dts.Options{Funcs: &funcs, PEs: 2}, func(w *dts.Worker) int {
		slot <- there.ForkOn(w, "other", 0)
		return 1
	})
	var dead *dts.DeadlockError
	if !errors.As(err, &dead) || dead.Total != 2 {
		t.Fatal(err)
	}
	for _, want := range []string{"on main: cluster.", "on other: cluster.", "standstill_test.go:", "deadlock: 2 threads wait for each other"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

// attached lets dts.Run join the cluster of a server as the node main.
func attached(t *testing.T, s *Server) {
	t.Helper()
	t.Setenv(EnvJoin, s.URL())
	t.Setenv(EnvMain, "main")
	t.Cleanup(dts.Attach(joiner()))
}

// The root of a job waits for a channel that nobody fills. Its node says where.
func TestBlocked(t *testing.T) {
	t.Parallel()
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s, timing: haste})
	nodes := []*process{startNode(t, s.URL(), "n0", "TEST_HASTE=1"), startNode(t, s.URL(), "n1", "TEST_HASTE=1")}
	awaitNodes(t, c, 2)
	arg := must.Get(mute.Encode(0))(t)
	must.Do(t, c.Submit(t.Context(), Job{ID: "mute", Function: "mute", Arg: arg}))
	for ctx := soon(t); ; time.Sleep(10 * time.Millisecond) {
		log := nodes[0].log.String() + nodes[1].log.String()
		if strings.Contains(log, "no thread has run for 1s") && strings.Contains(log, "standstill_test.go:") && strings.Contains(log, "waits (chan receive)") {
			return
		} else if ctx.Err() != nil {
			t.Fatal(context.Cause(ctx))
		}
	}
}
