package cluster

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/derive/threadgraph"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// collected returns the trace of the nodes of a run that was interrupted.
func collected(t *testing.T, c *Conn) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	must.Do(t, c.Collect(soon(t), m, time.Time{}, tracer.Interrupted, nil))
	must.Do(t, m.Close())
	return m
}

// stopped ends nodes in good order.
func stopped(t *testing.T, nodes ...*process) {
	t.Helper()
	for _, n := range nodes {
		_ = n.Process.Signal(syscall.SIGTERM)
	}
	for _, n := range nodes {
		if log, err := n.ended(t); err != nil {
			t.Errorf("%s: %v: %s", n.name, err, log)
		}
	}
}

// The traces of three nodes become one: every thread is forked once, starts on a PE of its node and ends. With
// aligned clocks no thread starts before its fork.
func TestTrace(t *testing.T) {
	c, nodes := threeNodes(t, EnvNodeTrace+"=1")
	rightAnswer(t, c, 12)
	stopped(t, nodes...)
	m := collected(t, c)
	meta := m.Meta()
	if meta.PEs != 6 || len(meta.PEInfo) != 6 || meta.Substrate != "dts" {
		t.Fatalf("%+v", meta)
	}
	processes := map[string]bool{}
	for _, pe := range meta.PEInfo {
		processes[pe.Process] = true
	}
	if len(processes) != 3 {
		t.Errorf("PEs belong to %v", processes)
	}
	forked, started, ended, elsewhere := map[uint64]int32{}, map[uint64]bool{}, map[uint64]bool{}, 0
	forks, top, again := 0, uint64(0), false
	worked := map[int32]bool{} // PEs without an Exit
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		if e.PE < 0 || int(e.PE) >= meta.PEs {
			t.Errorf("event on PE %d", e.PE)
		}
		top = max(top, e.Task)
		switch e.Kind {
		case tracer.Init:
			worked[e.PE] = true
		case tracer.Exit:
			if !worked[e.PE] || e.Value != int64(tracer.Interrupted) {
				t.Errorf("PE %d exits with status %d", e.PE, e.Value)
			}
			delete(worked, e.PE)
		case tracer.Fork:
			forks++
			forked[e.Task] = e.PE
		case tracer.Start:
			started[e.Task] = true
			again = again || e.Value > 1
		case tracer.End:
			ended[e.Task] = true
		}
	}
	if len(worked) > 0 {
		t.Errorf("PEs without an Exit: %v", worked)
	}
	for _, e := range tracertest.Events(t, m, tracer.Kinds(tracer.Start)) {
		if from, ok := forked[e.Task]; ok && meta.PEInfo[from].Process != meta.PEInfo[e.PE].Process {
			elsewhere++
			if e.Peer != from {
				t.Errorf("a thread forked on PE %d comes from PE %d", from, e.Peer)
			}
		}
	}
	// fib(n) forks once in each call with n of at least 2, which makes F(n+1) - 1 forks. On a busy machine some are
	// done again.
	if want := fibonacci(13) - 1; !again && (forks != want || len(forked) != want || len(started) != want+1 || len(ended) != want+1) {
		t.Errorf("%d forks of %d threads, %d started, %d ended; want %d and the root", forks, len(forked), len(started), len(ended), want)
	}
	if elsewhere == 0 {
		t.Error("no thread started on another node")
	}
	if most := uint64(6 * 2 * 4096); top > most {
		t.Errorf("the largest id is %d", top)
	}
	if !clocks.Needed(m) {
		t.Error("the trace has a single clock")
	}
	aligned := must.Get(clocks.Aligned(m))(t)
	times := map[uint64]int64{}
	bad := 0
	for _, e := range tracertest.Events(t, aligned, tracer.Kinds(tracer.Fork)) {
		times[e.Task] = e.Time
	}
	for _, e := range tracertest.Events(t, aligned, tracer.Kinds(tracer.Start)) {
		if at, ok := times[e.Task]; ok && e.Time < at {
			bad++
		}
	}
	if bad > 0 {
		t.Errorf("%d threads start before their fork", bad)
	}
	g, err := threadgraph.Build(aligned)
	if err != nil || !again && (g.Len() != len(started) || g.Unjoined > 0) {
		t.Errorf("the thread graph has %d threads, %d not joined; %v", g.Len(), g.Unjoined, err)
	}
}

// The trace contains what a killed node had sent, and its threads again on other nodes.
func TestTraceOfKilled(t *testing.T) {
	c, nodes := threeNodes(t, EnvNodeTrace+"=1")
	go func() {
		defer nodes[0].Process.Kill()
		for ctx := soon(t); ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
			traces, err := c.logs(ctx, time.Time{})
			if err == nil && slices.ContainsFunc(traces, func(n *nodeTrace) bool {
				return memberName(n.Node) == nodes[0].name && n.trace.Counts()[tracer.Start] > 20
			}) {
				return
			}
		}
	}()
	got, err := Do(soon(t), c, "", fibFunc, fibArg{15, 8 * time.Millisecond})
	if err != nil || got != fibonacci(15) {
		t.Fatalf("fib(15) = %d, %v", got, err)
	}
	nodes[0].kill()
	stopped(t, nodes[1:]...)
	m := collected(t, c)
	byNode := map[string]int{}
	attempts := int64(0)
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		byNode[m.Meta().PEInfo[e.PE].Process]++
		if e.Kind == tracer.Start {
			attempts = max(attempts, e.Value)
		}
	}
	for _, n := range nodes {
		if byNode[n.name] == 0 {
			t.Errorf("the trace has no events of %s: %v", n.name, byNode)
		}
	}
	if attempts < 2 {
		t.Error("no thread ran again")
	}
}

// PEs and ids are renumbered. Missing pieces are reported.
func TestMerge(t *testing.T) {
	s := startServer(t, Host{})
	c := dial(t, Options{Server: s})
	for i, name := range []string{"x", "y"} {
		number := uint64(i + 1)
		h := logHeader{Node: nodeID(name, "1"), Host: "h", Number: number, PEs: 3, Started: time.Unix(100, int64(i)*1000)}
		l := newTraceLog(c.streams.js, c.streams.subjectLog(h.Node), h, t.Logf)
		l.SetMeta(tracer.Meta{Substrate: "dts", Program: "p", PEs: 3})
		for range i { // so that a name has another number on y
			l.Dict().Add(tracer.Code{Type: tracer.Function, Name: "other"})
		}
		code := l.Dict().Add(tracer.Code{Type: tracer.Function, Name: "f"})
		stream := l.Stream(tracer.StreamInfo{Name: "PE 2"})
		for k := range uint64(600) { // more than a worker buffers
			other := firstPE(uint64(2 - i))
			*stream.Slot() = tracer.Event{
				Time: int64(k), Kind: tracer.Fork, PE: int32(firstPE(number) + 2), Peer: int32(other + 1), Task: firstTask(number) + 4096*k/300 + k, Ref: firstTask(1) + 5, Code: code,
			}
			if k == 100 {
				stream.Sync()
				must.Do(t, l.flush())
				must.Do(t, l.sendAll(t.Context()))
			}
		}
		must.Do(t, l.finish(t.Context()))
		if l.next < 2 {
			t.Errorf("the trace was sent in %d pieces", l.next)
		}
	}
	m := collected(t, c)
	var b bytes.Buffer
	n := 0
	for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
		if n++; n == 1 || n == 1200 {
			fmt.Fprintf(&b, "%d PE %d to %d task %d of %d %s\n", e.Time, e.PE, e.Peer, e.Task, e.Ref, m.Dict().Code(e.Code).Name)
		}
	}
	// The first event of x is at 0, the last of y at 599 + 1000, since y began a microsecond later. The ids of x are
	// in blocks 1, 3, 4 and those of y in 2, 5, 6 or so.
	lines := strings.Split(b.String(), "\n")
	if !strings.HasPrefix(lines[0], "0 PE 2 to 4 task 4096 of 4101 f") || !strings.HasPrefix(lines[1], "1599 PE 5 to 1 task ") || !strings.HasSuffix(lines[1], " of 4101 f") {
		t.Errorf("the trace is\n%s", b.String())
	}
	if n != 1200 {
		t.Errorf("%d events of 1200", n)
	}
}

// A worker writes while its events are sent. Each event is in the trace once.
func TestFlushWhileWritten(t *testing.T) {
	l := newTraceLog(nil, "", logHeader{}, t.Logf)
	l.SetMeta(tracer.Meta{PEs: 1})
	stream := l.Stream(tracer.StreamInfo{})
	const events = 200_000
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range int64(events) {
			*stream.Slot() = tracer.Event{Time: i, Kind: tracer.Mark}
			if i%7 == 0 {
				stream.Sync()
			}
		}
	}()
	for open := true; open; {
		select {
		case <-done:
			open = false
		default:
			must.Do(t, l.flush())
		}
	}
	must.Do(t, l.Close())
	g := store.NewGrowing()
	must.Get(g.Write(l.bytes.data))(t)
	next := int64(0)
	if err := g.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for _, e := range es {
			if e.Time != next {
				return fmt.Errorf("event %d is followed by event %d", next-1, e.Time)
			}
			next++
		}
		return nil
	}); err != nil || next != events {
		t.Errorf("%d of %d events, %v", next, events, err)
	}
}
