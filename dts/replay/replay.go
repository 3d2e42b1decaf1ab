package replay

import (
	"fmt"

	"whorl/dts/symbol"
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

// A Replay is a Graph as a program of the simulated machine. A sim.Work is the number of a thread plus 1.
type Replay struct {
	Machine *sim.Machine
	Steps   int64 // forks and joins so far

	graph     *Graph
	threads   []running
	more      map[uint32][]uint32 // further waiters of a thread
	left      int                 // threads that have not ended
	functions []uint32            // dictionary entries of graph.callees
	lines     []uint32            // dictionary entries of graph.calls
	speeds    []*sim.Speed        // by callee; nil if all have the usual speed
	failure   error
	cut       tracer.Outcome
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

// New returns a machine that has not begun to run the graph. The table has the dictionary of the trace; it is nil
// without a trace. The machine ends with failure, if that is not nil, when all threads have ended. If the recording
// stopped early, cut is the outcome of the run; otherwise cut is tracer.Done.
func New(cfg sim.Config, g *Graph, table *symbol.Table, failure error, cut tracer.Outcome) (*Replay, error) {
	r := &Replay{graph: g, threads: make([]running, len(g.threads)), left: len(g.threads), failure: failure, cut: cut}
	names := make([]string, len(g.callees.Keys))
	for i, entry := range g.callees.Keys {
		names[i] = symbol.Function(entry)
	}
	var err error
	if r.speeds, err = sim.SpeedsOf(cfg.Speeds, names); err != nil {
		return nil, err
	}
	if r.Machine, err = sim.New(cfg, r); err != nil {
		return nil, err
	}
	if table != nil {
		r.functions, r.lines = entries(g.callees.Keys, table.Function), entries(g.calls.Keys, table.Line)
	}
	r.Machine.Boot(0, 1, 1)
	return r, nil
}

// Step runs a thread until it spends time, waits or ends.
func (r *Replay) Step(p *sim.PE, w sim.Work) (cost sim.Time, next sim.Work) {
	n := uint32(w - 1)
	t := &r.threads[n]
	s := p.Stream()
	if t.state == unstarted {
		if s != nil {
			from := t.pe
			if n == 0 {
				from = tracer.None
			}
			*s.Slot() = tracer.Event{Time: p.Now(), Kind: tracer.Start, PE: p.ID(), Peer: from, Task: uint64(n) + 1, Code: r.function(n), Value: 1}
		}
		t.pe = p.ID()
	}
	var speed *sim.Speed
	if r.speeds != nil {
		speed = r.speeds[r.graph.threads[n].callee]
	}
	resumed := t.state == blocked
	t.state = started
	forked := false
	for {
		o := r.graph.ops[t.pc]
		operand := o.operand()
		switch o.kind() {
		case opCompute:
			if forked { // other PEs see the new thread when the time up to here is spent
				return cost, w
			}
			if speed != nil {
				operand = uint64(speed.Time(int64(operand)))
			}
			cost += sim.Time(operand)
			t.pc++
			continue
		case opFork:
			if cost > 0 {
				return cost, w
			}
			r.threads[operand].pc = t.pc + 1
			t.pc = r.graph.threads[operand].after
			r.fork(p, n, uint32(operand))
			forked = true
			cost += p.CostAt(forkInstructions, speed) + p.Forks(1)
		case opJoin:
			if cost > 0 {
				return cost, w
			}
			if !r.join(p, n, uint32(operand), uint32(operand>>32), resumed) {
				t.state = blocked
				return 0, 0
			}
			resumed = false
			t.pc++
			cost += p.CostAt(joinInstructions, speed)
		case opEnd:
			if cost > 0 {
				return cost, w
			}
			r.end(p, n, int64(operand))
			return 0, 0
		}
	}
}

func (r *Replay) fork(p *sim.PE, parent, n uint32) {
	r.Steps++
	shape := &r.graph.threads[n]
	t := &r.threads[n]
	t.pe = p.ID()
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{
			Time: p.Now(), Kind: tracer.Fork, PE: p.ID(), Peer: p.ID(), Task: uint64(n) + 1, Ref: uint64(parent) + 1, Code: r.function(n), Value: int64(shape.bytes),
		}
	}
	p.Spawn(sim.Work(n)+1, uint64(n)+1, int(shape.hint))
}

// join reports whether the joined thread has ended.
func (r *Replay) join(p *sim.PE, joiner, n, call uint32, resumed bool) bool {
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
	r.Steps++
	if !resumed {
		note(tracer.JoinBegin, t.pe)
	}
	note(tracer.JoinEnd, t.pe)
	return true
}

func (r *Replay) end(p *sim.PE, n uint32, status int64) {
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{Time: p.Now(), Kind: tracer.End, PE: p.ID(), Peer: tracer.None, Task: uint64(n) + 1, Code: r.function(n), Value: status}
	}
	t := &r.threads[n]
	t.state = over
	if r.left--; r.left == 0 && r.cut != tracer.Done {
		p.Machine().Exit(int64(r.cut))
	}
	if t.waiter != 0 {
		r.wake(p, t.waiter)
		for _, w := range r.more[n] {
			r.wake(p, w)
		}
	}
}

func (r *Replay) wake(p *sim.PE, waiter uint32) {
	p.Wake(sim.Work(waiter), uint64(waiter), r.threads[waiter-1].pe)
}

// function returns the dictionary entry of the function of a thread.
func (r *Replay) function(n uint32) uint32 { return r.functions[r.graph.threads[n].callee] }

// Deliver is never called, since threads send no messages.
func (r *Replay) Deliver(*sim.PE, sim.Message) sim.Time { return 0 }

// Bytes returns the size of the message that moves a thread.
func (r *Replay) Bytes(w sim.Work) int { return idBytes + int(r.graph.threads[w-1].bytes) }

// Quiet returns the error of the run.
func (r *Replay) Quiet(*sim.Machine) error {
	if r.left > 0 {
		return fmt.Errorf("dts: %d threads have not ended", r.left)
	}
	return r.failure
}

// A Thread is a thread of a Replay that has not ended.
type Thread struct {
	Number uint32
	Entry  uintptr // entry point of its function
	Call   uintptr // program counter of the join that it performs next, 0 if it does something else
	PE     int32
}

// Thread describes a work of the machine.
func (r *Replay) Thread(w sim.Work) Thread {
	n := uint32(w - 1)
	t := &r.threads[n]
	x := Thread{Number: n, Entry: r.graph.callees.Keys[r.graph.threads[n].callee], PE: t.pe}
	if o := r.graph.ops[t.pc]; t.state != unstarted && o.kind() == opJoin {
		x.Call = r.graph.calls.Keys[o.operand()>>32]
	}
	return x
}

// Waiting calls yield for each thread that waits in a join, with the thread that it joins.
func (r *Replay) Waiting(yield func(t, joined Thread) bool) {
	for i := range r.threads {
		if r.threads[i].state != blocked {
			continue
		}
		joined := uint32(r.graph.ops[r.threads[i].pc].operand())
		if r.threads[joined].state == over { // it is in a queue or being moved
			continue
		}
		if !yield(r.Thread(sim.Work(i)+1), r.Thread(sim.Work(joined)+1)) {
			return
		}
	}
}
