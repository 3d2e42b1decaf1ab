package dts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// CostModel names the cost formulas of simulated runs.
const CostModel = "dts 1"

// Costs on the simulated machine, in abstract instructions; see docs/cost-model.md.
const (
	forkInstructions = 20
	joinInstructions = 20
	idBytes          = 16 // of the message that moves a thread, without its argument
)

// A replay is the graph of a program as a program for the simulated machine. A sim.Work is the number of a thread
// plus 1.
type replay struct {
	graph   *graph
	threads []running
	more    map[uint32][]uint32 // further waiters of a thread
	left    int                 // threads that have not ended
	steps   int64               // forks and joins
	machine *sim.Machine
	codes   []uint32 // dictionary entries of graph.callees
	lines   []uint32 // dictionary entries of graph.calls
	why     error
	cut     error
}

// running is the state of a thread in the replay.
type running struct {
	pc     uint64
	waiter uint32 // number of the thread that joins it, plus 1
	pe     int32  // PE that forked it; once started, the PE that runs it
	state  uint8
}

const (
	unstarted uint8 = iota
	started
	blocked // in a join
	over
)

// replay runs the graph on the machine of the options. Cut is the reason why the recording stopped early, nil if it
// is complete.
func (e *recording) replay(ctx context.Context, root *thread, cut error) error {
	cfg := sim.Config{
		PEs: e.PEs, Policy: e.policy, PolicyName: e.Policy, Network: e.net, Model: e.preset.Model, MachineName: e.preset.Name,
		Seed: e.Seed, Recorder: e.Recorder,
	}
	r := &replay{graph: &e.graph, threads: make([]running, len(e.graph.threads)), left: len(e.graph.threads), cut: cut}
	var wrong error
	if root.failed != nil {
		r.why = root.failed
	} else if cut == nil {
		if wrong = e.check(root); wrong != nil {
			r.why = wrong
		} else if e.lost != nil {
			r.why = e.lost
		}
	}
	m, err := sim.New(cfg, r)
	if err != nil {
		return err
	}
	if b := e.book; b != nil {
		for _, code := range e.graph.callees {
			r.codes = append(r.codes, b.function(code))
		}
		for _, pc := range e.graph.calls {
			r.lines = append(r.lines, b.line(pc))
		}
		meta := cfg.Meta()
		meta.CostModel = CostModel
		b.describe(&meta)
		e.Recorder.SetMeta(meta)
	}
	r.machine = m
	m.Boot(0, 1, 1)
	for more := true; more && err == nil; {
		steps := r.steps
		more, err = m.Advance(ctx, e.Control.allowance(1<<16))
		e.Control.spent(r, r.steps-steps, time.Duration(m.Now()))
		e.breathe()
	}
	if ctx.Err() != nil {
		if err = context.Cause(ctx); cut != nil {
			err = cut
		}
		m.Exit(outcomeOf(err))
	}
	s := m.Stats()
	e.elapsed = time.Duration(s.Elapsed)
	e.steals.Store(int64(s.Steals))
	switch {
	case wrong != nil && errors.Is(err, wrong):
		return wrong
	case r.why != nil && errors.Is(err, r.why):
		return nil // carryOut returns it
	}
	return err
}

// Step runs a thread until it spends time, waits or ends.
func (r *replay) Step(p *sim.PE, w sim.Work) (cost sim.Time, next sim.Work) {
	n := uint32(w - 1)
	t := &r.threads[n]
	s := p.Stream()
	if t.state == unstarted {
		if s != nil {
			from := t.pe
			if n == 0 {
				from = tracer.None
			}
			*s.Slot() = tracer.Event{Time: p.Now(), Kind: tracer.Start, PE: p.ID(), Peer: from, Task: uint64(n) + 1, Code: r.code(n), Value: 1}
		}
		t.pe = p.ID()
	}
	resumed := t.state == blocked
	t.state = started
	forked := false
	for {
		o := r.graph.ops[t.pc]
		about := o.about()
		switch o.kind() {
		case opCompute:
			if forked { // other PEs see the new thread when the time up to here is spent
				return cost, w
			}
			cost += sim.Time(about)
			t.pc++
			continue
		case opFork:
			if cost > 0 {
				return cost, w
			}
			r.threads[about].pc = t.pc + 1
			t.pc = r.graph.threads[about].after
			r.fork(p, n, uint32(about))
			forked = true
			cost += p.Cost(forkInstructions)
		case opJoin:
			if cost > 0 {
				return cost, w
			}
			if !r.join(p, n, uint32(about), uint32(about>>32), resumed) {
				t.state = blocked
				return 0, 0
			}
			resumed = false
			t.pc++
			cost += p.Cost(joinInstructions)
		case opEnd:
			if cost > 0 {
				return cost, w
			}
			r.end(p, n, int64(about))
			return 0, 0
		}
	}
}

func (r *replay) fork(p *sim.PE, parent, n uint32) {
	r.steps++
	shape := &r.graph.threads[n]
	t := &r.threads[n]
	t.pe = p.ID()
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{
			Time: p.Now(), Kind: tracer.Fork, PE: p.ID(), Peer: p.ID(), Task: uint64(n) + 1, Ref: uint64(parent) + 1, Code: r.code(n), Value: int64(shape.bytes),
		}
	}
	p.Spawn(sim.Work(n)+1, uint64(n)+1, int(shape.hint))
}

// join reports whether the joined thread has ended.
func (r *replay) join(p *sim.PE, joiner, n, call uint32, resumed bool) bool {
	s := p.Stream()
	t := &r.threads[n]
	note := func(k tracer.Kind, peer int32) {
		if s != nil {
			*s.Slot() = tracer.Event{Time: p.Now(), Kind: k, PE: p.ID(), Peer: peer, Task: uint64(joiner) + 1, Ref: uint64(n) + 1, Code: r.lines[call]}
		}
	}
	if t.state != over {
		note(tracer.JoinBegin, tracer.None)
		if t.waiter == 0 {
			t.waiter = joiner + 1
		} else {
			if r.more == nil {
				r.more = map[uint32][]uint32{}
			}
			r.more[n] = append(r.more[n], joiner+1)
		}
		return false
	}
	r.steps++
	if !resumed {
		note(tracer.JoinBegin, t.pe)
	}
	note(tracer.JoinEnd, t.pe)
	return true
}

func (r *replay) end(p *sim.PE, n uint32, status int64) {
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{Time: p.Now(), Kind: tracer.End, PE: p.ID(), Peer: tracer.None, Task: uint64(n) + 1, Code: r.code(n), Value: status}
	}
	t := &r.threads[n]
	t.state = over
	if r.left--; r.left == 0 && r.cut != nil {
		p.Machine().Exit(outcomeOf(r.cut))
	}
	if t.waiter != 0 {
		r.wake(p, t.waiter)
		for _, w := range r.more[n] {
			r.wake(p, w)
		}
	}
}

func (r *replay) wake(p *sim.PE, waiter uint32) {
	p.Wake(sim.Work(waiter), uint64(waiter), r.threads[waiter-1].pe)
}

func (r *replay) code(n uint32) uint32 { return r.codes[r.graph.threads[n].callee] }

// Deliver is never called, since threads send no messages.
func (r *replay) Deliver(*sim.PE, sim.Message) sim.Time { return 0 }

// Bytes returns the size of the message that moves a thread.
func (r *replay) Bytes(w sim.Work) int { return idBytes + int(r.graph.threads[w-1].bytes) }

// Quiet returns the error of the run.
func (r *replay) Quiet(*sim.Machine) error {
	if r.left > 0 {
		return fmt.Errorf("dts: %d threads have not ended", r.left)
	}
	return r.why
}
