package replay

import (
	"slices"

	"whorl/sim"
	"whorl/tracer"
)

// CostModel names the cost formulas of simulated runs of threads.
const CostModel = "dts 1"

// Costs on the simulated machine, in abstract instructions; see docs/cost-model.md.
const (
	forkInstructions = 20
	joinInstructions = 20
	idBytes          = 16 // of the message that moves a task, without its argument
)

// Oracle is the name of the policy that knows how long the path from each task to the end of the program is: an idle PE
// takes the ready task with the longest one. It is list scheduling by levels (T. C. Hu, "Parallel Sequencing and
// Assembly Line Problems", 1961), which takes at most twice the least time (R. L. Graham, "Bounds on Multiprocessing
// Timing Anomalies", 1969). The sim.Config of a Replay with this PolicyName has the policy on-demand.
const Oracle = "oracle"

// A Replay is a Graph as a program of the simulated machine. A sim.Work is the number of a task plus 1.
type Replay struct {
	Machine *sim.Machine
	Steps   int64 // forks, joins and other synchronization so far

	graph     *Graph
	names     Names
	setup     Setup
	tasks     []running
	gates     []gate // of the ends of tasks, then those of the graph
	locks     []lock
	groups    []group
	chans     []passage
	arrived   []bool              // messages
	expects   []uint32            // by message: the task that waits for it, plus 1
	more      map[uint32][]uint32 // further waiters of a gate
	left      int                 // tasks that have not ended and that the program waits for
	aside     bool                // there are others
	system    bool                // the work of the system takes the recorded time
	onReceipt bool                // receivers spend the overhead of a message when they take it (sim.Model.Uncontended)
	speeds    []*sim.Speed        // by function; nil if all have the usual speed
	reasons   reasons
	rank      []int64  // by operation, of the policy oracle; nil for others
	births    []uint32 // tasks whose creation is not recorded yet
}

// Names are the entries of the trace's dictionary for the numbers of a graph.
type Names struct {
	Functions []string // names by number, for the speeds of a sim.Config
	Codes     []uint32 // dictionary entries of functions by number; nil if the numbers are entries
	Lines     []uint32 // dictionary entries of the lines of joins; nil if the numbers are entries
}

// A Setup holds the changes that a replay makes in the program, and the end of the program.
type Setup struct {
	Zero    []uint32        // reasons, as entries of the code table, for which tasks do not wait
	Open    map[uint32]bool // ids of locks for which tasks do not wait
	Homes   []int32         // by task: the PE that the program asks for, -1 for none; nil for those of the graph
	Failure error           // with which the machine ends when all tasks have ended; nil for none
	Cut     tracer.Outcome  // of a program whose recording stopped early, otherwise tracer.Done
	// Computations take Instruction / RecordedInstruction of their recorded time: the times of an instruction in ps on the machine of the replay and on
	// the one of the recording. Both are 0 for real PEs, whose instructions have no time of their own.
	Instruction, RecordedInstruction int64
}

// skips reports whether tasks do not wait for a reason or a class of messages.
func (s *Setup) skips(code uint32) bool { return slices.Contains(s.Zero, code) }

// running is the state of a task in the replay.
type running struct {
	pc    uint64
	since sim.Time // when it began to wait
	part  uint32   // number of its part plus 1, 0 for its function
	pe    int32    // PE that forked it; once started, the PE that runs it
	state uint8
}

const (
	unstarted uint8 = iota
	arriving        // a root that arrives at a time
	started
	blocked // in a join or a wait
	over
)

// A gate is a condition for which tasks wait.
type gate struct {
	left   int32  // signals that it needs
	waiter uint32 // number of the task that waits, plus 1
}

// New returns a machine that has not begun to run the graph.
func New(cfg sim.Config, g *Graph, names Names, s Setup) (*Replay, error) {
	r := &Replay{
		graph: g, names: names, tasks: make([]running, len(g.tasks)), gates: make([]gate, len(g.tasks)+len(g.gates)),
		locks: make([]lock, len(g.locks)), groups: make([]group, g.groups), chans: make([]passage, len(g.channels)),
		arrived: make([]bool, len(g.messages)), expects: make([]uint32, len(g.messages)),
		left: len(g.tasks), setup: s, onReceipt: cfg.Model.Uncontended, system: g.settled && cfg.PEs > 1,
	}
	for i := range g.tasks {
		r.tasks[i].pc = g.tasks[i].first
		if g.tasks[i].aside {
			r.left--
			r.aside = true
		}
		r.gates[i].left = 1
	}
	for i, n := range g.gates {
		r.gates[len(g.tasks)+i].left = n
	}
	for i, id := range g.locks {
		r.locks[i].open = s.Open[id]
	}
	var err error
	if r.speeds, err = sim.SpeedsOf(cfg.Speeds, names.Functions); err != nil {
		return nil, err
	}
	if cfg.PolicyName == Oracle {
		r.rank = g.remaining()
		cfg.Rank = func(w sim.Work) int64 { return r.rank[r.skip(r.tasks[w-1].pc)] }
	}
	if g.woken {
		cfg.Running = func(w sim.Work) (uint64, uint32) { return g.id(uint32(w - 1)), r.function(uint32(w - 1)) }
		if cfg.Recorder != nil {
			r.reasons = newReasons(cfg.Recorder.Dict())
		}
	}
	if r.Machine, err = sim.New(cfg, r); err != nil {
		return nil, err
	}
	for n := range g.tasks {
		if t := &g.tasks[n]; t.root {
			pe := max(0, r.hint(uint32(n))) % cfg.PEs
			r.tasks[n].pe = int32(pe)
			if o := g.ops[t.first]; o.kind() == opWait && g.pauses[o.operand()].begins {
				r.tasks[n].state = arriving
				r.tasks[n].pc++
				r.await(r.gate(g.pauses[o.operand()].gate), uint32(n))
				continue
			}
			if at := r.arrival(uint32(n)); at > 0 {
				r.Machine.BootAt(pe, sim.Work(n)+1, g.id(uint32(n)), at)
				continue
			}
			r.Machine.Boot(pe, sim.Work(n)+1, g.id(uint32(n)))
		}
	}
	return r, nil
}

// Step runs a task until it spends time, waits or ends.
func (r *Replay) Step(p *sim.PE, w sim.Work) (cost sim.Time, next sim.Work) {
	n := uint32(w - 1)
	t := &r.tasks[n]
	if t.state <= arriving && !r.start(p, n) {
		return 0, 0
	}
	t.pe = p.ID()
	resumed := t.state == blocked
	t.state = started
	acted := false // other PEs see forks, wake-ups and messages of the task when the time up to here is spent
	for {
		o := r.graph.ops[t.pc]
		operand := o.operand()
		switch o.kind() {
		case opCompute:
			if acted {
				return cost, w
			}
			d := r.duration(n, operand)
			if t.part > 0 && r.graph.woken {
				if cost > 0 {
					return cost, w
				}
				r.region(p, n, d)
			}
			cost = plus(cost, d)
			t.pc++
			continue
		case opSystem:
			if r.system {
				if acted {
					return cost, w
				}
				cost = plus(cost, int64(operand))
			}
			t.pc++
			continue
		case opJump:
			t.pc = operand
			continue
		}
		if cost > 0 {
			return cost, w
		}
		switch o.kind() {
		case opPart:
			t.part = uint32(operand)
		case opFork:
			t.pc++
			r.fork(p, n, uint32(operand))
			acted = true
			if !r.graph.measured {
				cost += p.CostAt(forkInstructions, r.speed(n)) + p.Forks(1)
			}
			continue
		case opJoin:
			if !r.join(p, n, uint32(operand), uint32(operand>>32), resumed) {
				t.state = blocked
				return 0, 0
			}
			if !r.graph.measured {
				cost += p.CostAt(joinInstructions, r.speed(n))
			}
		case opEnd:
			r.end(p, n, int64(operand))
			return 0, 0
		case opHalt:
			if operand > 0 {
				q := &r.graph.pauses[operand-1]
				r.suspend(p, n, q.reason, q.context)
			}
			r.over(p, n)
			return 0, 0
		case opSend:
			t.pc++
			r.send(p, uint32(operand))
			return 0, w // the message leaves before the next operations
		case opSignal:
			r.Steps++
			acted = r.signal(p, n, uint32(operand)) || acted
			if k := r.graph.ops[r.skip(t.pc+1)].kind(); k != opSignal && k != opEnd {
				r.recordBirths(p, n)
			}
		case opNote:
			r.note(p, n, &r.graph.notes[operand])
		default:
			if !r.pass(p, n, o, resumed) {
				t.state = blocked
				return 0, 0
			}
			if o.kind() == opReceive && r.onReceipt && !r.setup.skips(r.graph.messages[operand].reason) {
				t.pc++
				p.Receive()
				return 0, w
			}
			acted = acted || o.kind() >= opMeet && o.kind() != opDelay
		}
		resumed = false
		t.pc++
	}
}

// arrival returns the time at which a task without a parent arrives, which is a delay at the beginning of its operations.
func (r *Replay) arrival(n uint32) sim.Time {
	t := &r.tasks[n]
	o := r.graph.ops[t.pc]
	if !r.graph.woken || o.kind() != opDelay {
		return 0
	}
	t.pc++
	q := &r.graph.pauses[o.operand()]
	if r.setup.skips(q.reason) {
		return 0
	}
	t.state = arriving
	return q.ns
}

// start records that a task starts, and reports whether it does: a root that comes later waits for its time.
func (r *Replay) start(p *sim.PE, n uint32) bool {
	t, shape := &r.tasks[n], &r.graph.tasks[n]
	if t.state == unstarted && shape.root && r.graph.woken {
		if o := r.graph.ops[t.pc]; o.kind() == opWait {
			if q := &r.graph.pauses[o.operand()]; q.ends {
				t.state = arriving
				t.pc++
				if r.tasks[q.gate].state != over {
					r.await(q.gate, n)
					return false
				}
			}
		}
		r.born(p, p.Now(), n, none)
	}
	if s := p.Stream(); s != nil {
		from := t.pe
		if shape.root {
			from = tracer.None
		}
		*s.Slot() = tracer.Event{Time: p.Now(), Kind: tracer.Start, PE: p.ID(), Peer: from, Task: r.graph.id(n), Code: r.function(n), Value: 1}
	}
	return true
}

// hint returns the PE that a task asks for, -1 for none.
func (r *Replay) hint(n uint32) int {
	if r.setup.Homes != nil {
		return int(r.setup.Homes[n])
	}
	return int(r.graph.tasks[n].hint)
}

func (r *Replay) fork(p *sim.PE, parent, n uint32) {
	r.Steps++
	shape := &r.graph.tasks[n]
	r.tasks[n].pe = p.ID()
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{
			Time: p.Now(), Kind: tracer.Fork, PE: p.ID(), Peer: p.ID(), Task: r.graph.id(n), Ref: r.graph.id(parent), Code: r.function(n), Value: int64(shape.bytes),
		}
	}
	p.Spawn(sim.Work(n)+1, r.graph.id(n), r.hint(n))
}

// join reports whether the joined task has ended.
func (r *Replay) join(p *sim.PE, joiner, n, line uint32, resumed bool) bool {
	s := p.Stream()
	note := func(k tracer.Kind, peer int32) {
		if s != nil {
			*s.Slot() = tracer.Event{Time: p.Now(), Kind: k, PE: p.ID(), Peer: peer, Task: r.graph.id(joiner), Ref: r.graph.id(n), Code: entry(r.names.Lines, line)}
		}
	}
	if r.tasks[n].state != over {
		note(tracer.JoinBegin, tracer.None)
		r.await(n, joiner)
		return false
	}
	r.Steps++
	if !resumed {
		note(tracer.JoinBegin, r.tasks[n].pe)
	}
	note(tracer.JoinEnd, r.tasks[n].pe)
	return true
}

func (r *Replay) end(p *sim.PE, n uint32, status int64) {
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{Time: p.Now(), Kind: tracer.End, PE: p.ID(), Peer: tracer.None, Task: r.graph.id(n), Code: r.function(n), Value: status}
	}
	r.recordBirths(p, n)
	r.over(p, n)
	r.gates[n].left = 0
	for w := range r.waiters(n) {
		switch {
		case r.tasks[w].state == arriving:
			r.born(p, p.Now(), w, n)
		case r.graph.ops[r.skip(r.tasks[w].pc)].kind() == opWait:
			r.woke(p, p.Now(), w, r.graph.id(n), 0)
		}
		r.wake(p, w)
	}
}

// over counts a task that has no further operation.
func (r *Replay) over(p *sim.PE, n uint32) {
	r.tasks[n].state = over
	if r.graph.tasks[n].aside {
		return
	}
	if r.left--; r.left == 0 && (r.setup.Cut != tracer.Done || r.aside) {
		p.Machine().Exit(int64(r.setup.Cut))
	}
}

// function returns the dictionary entry of the function of a task.
func (r *Replay) function(n uint32) uint32 { return entry(r.names.Codes, r.graph.tasks[n].function) }

func entry(codes []uint32, number uint32) uint32 {
	if codes == nil {
		return number
	}
	return codes[number]
}

// Bytes returns the size of the message that moves a task.
func (r *Replay) Bytes(w sim.Work) int { return idBytes + int(r.graph.tasks[w-1].bytes) }

// Quiet returns the error of the run.
func (r *Replay) Quiet(*sim.Machine) error {
	if r.left > 0 {
		return r.standstill()
	}
	return r.setup.Failure
}
