package dts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whorl/dts/symbol"
	"whorl/internal/numbering"
	"whorl/replay"
	"whorl/sim"
)

// The recording engine runs the program once, depth first, each thread at its fork, and records its operations in a
// graph. Declared durations take no time. Afterwards it replays the graph on the simulated machine.
type recording struct {
	*system
	graph   replay.Graph
	callees numbering.List[uintptr] // entry points of functions
	calls   numbering.List[uintptr] // program counters of joins
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
	s.workers = make([]Worker, 1)
	s.workers[0].sys, s.workers[0].hooks = s, hookQueued
	return &recording{system: s}
}

func (e *recording) run(root *thread) error {
	e.graph.Task(uint32(e.callees.Number(root.code)), -1)
	e.carry(&e.workers[0], root)
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
	outer, task := w.cur, w.log.Task
	w.cur, w.log.Task = t, t.id
	done := false
	defer func() {
		v := recover()
		if !done && v == nil {
			e.refuse(t.code, t.site, "a thread ends its goroutine (runtime.Goexit)")
			return
		}
		e.graph.End(uint32(t.id), t.fail(v))
		t.waiter.Store(&hasEnded)
		w.cur, w.log.Task = outer, task
	}()
	if e.Cost != nil {
		e.graph.Compute(uint32(t.id), max(0, e.Cost(symbol.Function(t.code), t.body.argument())))
	}
	t.body.run(w)
	done = true
}

func (e *recording) fork(w *Worker, t *thread, hint int) {
	e.Control.pass(w, false)
	e.halt()
	if e.graph.Full() {
		panic(errors.New("dts: a simulated run has at most 2^31 threads"))
	}
	e.countFork()
	n := e.graph.Fork(uint32(w.log.Task), uint32(e.callees.Number(t.code)), t.bytes, hint)
	t.id = uint64(n)
	if e.depth++; e.depth%stackThreads != 0 {
		e.carry(w, t)
	} else {
		e.carryElsewhere(w, t)
	}
	e.depth--
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

func (e *recording) join(w *Worker, t *thread, pc uintptr) joining {
	e.halt()
	if !t.ended() {
		joiner := symbol.Function(w.cur.code)
		e.refuse(w.cur.code, pc, joiner+" waits for "+symbol.Function(t.code)+", which has not ended when each thread is run at its fork")
	}
	e.graph.Join(uint32(w.log.Task), uint32(t.id), uint32(e.calls.Number(pc)))
	return ended
}

func (e *recording) compute(w *Worker, d time.Duration) {
	e.halt()
	e.graph.Compute(uint32(w.log.Task), d)
}

func (e *recording) finish(*thread) {}
func (e *recording) hold(*Worker)   {}

func (e *recording) where(w *Worker) int {
	e.refuse(w.cur.code, callPC(), symbol.Function(w.cur.code)+" asks on which PE it runs")
	return 0
}

// refuse ends the run with a RefusedError.
func (e *recording) refuse(code, pc uintptr, why string) {
	if e.refused == nil {
		e.refused = &RefusedError{symbol.Locate(pc, code).String(), why}
	}
	panic(errCancelled)
}

// replay runs the graph on the machine of the options. Cut is the reason why the recording stopped early, nil if it
// is complete.
func (e *recording) replay(ctx context.Context, root *thread, cut error) error {
	cfg := sim.Config{
		PEs: e.PEs, Policy: e.policy, PolicyName: e.Policy, Network: e.net, Model: e.preset.Model, MachineName: e.preset.Name,
		Seed: e.Seed, Speeds: e.Speeds, Recorder: e.Recorder,
	}
	var failure, wrong error
	if root.failed != nil {
		failure = root.failed
	} else if cut == nil {
		if wrong = e.check(root); wrong != nil {
			failure = wrong
		} else if e.lost != nil {
			failure = e.lost
		}
	}
	names := replay.Names{Functions: make([]string, len(e.callees.Keys))}
	for i, entry := range e.callees.Keys {
		names.Functions[i] = symbol.Function(entry)
	}
	if e.book != nil {
		names.Codes, names.Lines = entries(e.callees.Keys, e.book.Symbols.Function), entries(e.calls.Keys, e.book.Symbols.Line)
	}
	r, err := replay.New(cfg, &e.graph, names, replay.Setup{Failure: failure, Cut: outcomeOf(cut)})
	if err != nil {
		return err
	}
	if e.book != nil {
		meta := cfg.Meta()
		meta.CostModel = replay.CostModel
		e.describe(&meta)
		e.Recorder.SetMeta(meta)
	}
	m := r.Machine
	for more := true; more && err == nil; {
		steps := r.Steps
		more, err = m.Advance(ctx, e.Control.allowance(1<<16))
		e.Control.spent(r, r.Steps-steps, time.Duration(m.Now()))
		e.breathe()
	}
	if ctx.Err() != nil {
		if err = context.Cause(ctx); cut != nil {
			err = cut
		}
		m.Exit(int64(outcomeOf(err)))
	}
	s := m.Stats()
	e.elapsed = time.Duration(s.Elapsed)
	e.steals.Store(int64(s.Steals))
	switch {
	case wrong != nil && errors.Is(err, wrong):
		return wrong
	case failure != nil && errors.Is(err, failure):
		return nil // carryOut returns it
	}
	return err
}

// entries returns the dictionary entry of each program counter.
func entries(pcs []uintptr, entry func(pc uintptr) uint32) []uint32 {
	all := make([]uint32, len(pcs))
	for i, pc := range pcs {
		all[i] = entry(pc)
	}
	return all
}

// stateOf describes a thread of a replay at the join that it performs next, or at the beginning of its function.
func (e *recording) stateOf(x replay.Thread) Pending {
	t := &thread{id: uint64(x.Number) + 1, code: e.callees.Keys[x.Function]}
	p := e.forkedAt(t, int(x.PE))
	if x.Joins {
		call := e.pending(e.calls.Keys[x.Line], t, int(x.PE))
		p.File, p.Line = call.File, call.Line
	}
	return p
}

// Simulated returns the machine of a paused simulated run, nil before its program has been recorded. The function
// thread describes a work of the machine; waiting returns at most most threads that wait in joins, and their number.
func (c *Control) Simulated() (m *sim.Machine, thread func(sim.Work) Pending, waiting func(most int) ([]Pending, int)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.replay
	if r == nil || !c.pauses.On() {
		return nil, nil, nil
	}
	e := c.sys.engine.(*recording)
	return r.Machine, func(w sim.Work) Pending { return e.stateOf(r.Thread(w)) }, func(most int) (all []Pending, n int) {
		for t, joined := range r.Waiting {
			if n++; n <= most {
				p := e.stateOf(t)
				p.On = []Pending{e.stateOf(joined)}
				all = append(all, p)
			}
		}
		return all, n
	}
}
