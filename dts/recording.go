package dts

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The recording engine runs the program once, depth first, each thread at its fork, and records its operations in a
// graph. Declared durations take no time. Afterwards it replays the graph on the simulated machine.
type recording struct {
	*system
	graph   graph
	callees map[uintptr]uint32
	calls   map[uintptr]uint32
	refused error
	depth   int // number of nested threads
}

// A RefusedError reports why a program cannot be simulated: its behavior depends on the schedule, which the
// simulation has yet to compute.
type RefusedError struct {
	Place  string // file:line
	Reason string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: %s; a program that depends on the schedule cannot be simulated: run it live", e.Place, e.Reason)
}

func newRecording(s *system) *recording {
	e := &recording{system: s, callees: map[uintptr]uint32{}, calls: map[uintptr]uint32{}}
	s.workers = make([]Worker, 1)
	s.workers[0].sys, s.workers[0].hooks = s, hookQueued
	return e
}

func (e *recording) run(root *thread) error {
	w := &e.workers[0]
	e.graph.threads = append(e.graph.threads, shape{callee: e.callee(root.code), hint: -1})
	e.carry(w, root)
	if e.refused != nil {
		root.failed = nil
		return e.refused
	}
	e.count()
	if e.ctx.Err() == nil {
		return e.replay(e.ctx, root, nil)
	}
	// A cancelled run shows the operations up to that point, if their replay is short.
	cut := context.Cause(e.ctx)
	if e.book != nil {
		ctx, cancel := context.WithTimeout(context.Background(), cutReplay)
		defer cancel()
		_ = e.replay(ctx, root, cut)
	}
	return cut
}

// cutReplay bounds the replay of a cancelled program.
const cutReplay = 2 * time.Second

// carry runs a thread to its end.
func (e *recording) carry(w *Worker, t *thread) {
	outer, task := w.cur, w.task
	w.cur, w.task = t, t.id
	done := false
	defer func() {
		v := recover()
		if !done && v == nil {
			e.refuse(t.code, t.site, "a thread ends its goroutine (runtime.Goexit)")
			return
		}
		status := uint64(0)
		if v != nil {
			if t.failed, status = recovered(v, t.code), 1; t.failed == nil {
				status = 2
			}
		}
		e.graph.add(opEnd, status)
		t.waiter.Store(&hasEnded)
		w.cur, w.task = outer, task
	}()
	if e.Cost != nil {
		e.graph.compute(max(0, e.Cost(functionName(t.code), t.body.argument())))
	}
	t.body.run(w)
	done = true
}

func (e *recording) fork(w *Worker, t *thread, hint int) {
	e.Control.pass(w, false)
	e.halt()
	n := len(e.graph.threads)
	if n == maxThreads {
		panic(errors.New("dts: a simulated run has at most 2^31 threads"))
	}
	e.countFork()
	t.id = uint64(n)
	e.graph.threads = append(e.graph.threads, shape{parent: uint32(w.task), callee: e.callee(t.code), bytes: t.bytes, hint: int32(min(hint, 1<<30))})
	e.graph.add(opFork, uint64(n))
	if e.depth++; e.depth%stackThreads != 0 {
		e.carry(w, t)
	} else {
		e.carryElsewhere(w, t)
	}
	e.depth--
	e.graph.threads[n].after = uint64(len(e.graph.ops))
	e.halt()
}

// stackThreads is the maximum number of nested threads on one stack. Go limits a stack to 1 GB.
const stackThreads = 10_000

// carryElsewhere runs a thread on a new stack.
func (e *recording) carryElsewhere(w *Worker, t *thread) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { _ = recover() }() // e.refused already has the reason
		e.carry(w, t)
	}()
	<-done
}

// halt unwinds the program if it is refused or cancelled.
func (e *recording) halt() {
	if e.refused != nil || e.ctx.Err() != nil {
		panic(errCancelled)
	}
}

func (e *recording) join(w *Worker, t *thread, pc uintptr) (inline bool) {
	e.halt()
	if !t.ended() {
		e.refuse(w.cur.code, pc, fmt.Sprintf("%s waits for %s, which has not ended when each thread is run at its fork", functionName(w.cur.code), functionName(t.code)))
	}
	e.graph.add(opJoin, t.id|uint64(e.call(pc))<<32)
	return false
}

func (e *recording) compute(_ *Worker, d time.Duration) {
	e.halt()
	e.graph.compute(d)
}

func (e *recording) finish(*thread) {}
func (e *recording) hold(*Worker)   {}

func (e *recording) where(w *Worker) int {
	e.refuse(w.cur.code, callPC(), functionName(w.cur.code)+" asks on which PE it runs")
	return 0
}

// refuse ends the run with a RefusedError.
func (e *recording) refuse(code, pc uintptr, why string) {
	if e.refused == nil {
		e.refused = &RefusedError{place(pc, &thread{code: code}), why}
	}
	panic(errCancelled)
}

// callee returns the number of a function.
func (e *recording) callee(code uintptr) uint32 { return number(e.callees, &e.graph.callees, code) }

// call returns the number of the place of a join.
func (e *recording) call(pc uintptr) uint32 { return number(e.calls, &e.graph.calls, pc) }

func number(numbers map[uintptr]uint32, list *[]uintptr, x uintptr) uint32 {
	n, ok := numbers[x]
	if !ok {
		n = uint32(len(*list))
		numbers[x] = n
		*list = append(*list, x)
	}
	return n
}
