package replay

import (
	"iter"
	"math"

	"whorl/sim"
)

// Paths holds the work and the span of a program, without tasks that it does not wait for.
type Paths struct {
	Work int64 // T1: ns of all computations
	Span int64 // T-infinity: ns of the longest chain of operations that depend on each other, locks not counted

	system int64 // ns that the system of real PEs took because there were several PEs
	aside  int64 // ns of the computations of tasks that the program does not wait for
	delays int64 // ns of all delays, in which a task needs no PE
	shared bool  // tasks wait for locks and elements of channels, which the span does not count
}

// Bound returns a time in ns that no schedule on a number of PEs falls below: max(T1/P, T-infinity).
func (p Paths) Bound(pes int) int64 {
	return max(plus(p.Work, int64(pes)-1)/int64(pes), p.Span)
}

// Alone returns a time in ns that no replay on one PE exceeds.
func (p Paths) Alone() int64 { return plus(plus(p.Work, p.aside), plus(p.system, p.delays)) }

// Greedy returns a time in ns that no schedule exceeds in which no PE is idle while a task is ready, without costs of communication: T1/P +
// T-infinity (1 - 1/P) (R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969). Delays count in full, since no PE works meanwhile. ok is
// false if tasks wait for locks or channels, which the span does not count, or if the system works for several PEs.
func (p Paths) Greedy(pes int) (ns int64, ok bool) {
	n := int64(pes)
	return plus(plus(p.Work, p.aside)/n, p.Span-max(0, p.Span-p.delays)/n), !p.shared && p.system == 0
}

// plus adds times in ns. A sum that an int64 does not hold is the longest time.
func plus(a, b int64) int64 {
	if sum := a + b; sum >= 0 {
		return sum
	}
	return math.MaxInt64
}

// all iterates over the tasks and the indices of operations, in the order of the list, without jumps.
func (g *Graph) all() iter.Seq2[uint32, int] {
	return func(yield func(n uint32, i int) bool) {
		run := 0
		for i, o := range g.ops {
			switch o.kind() {
			case opJump:
				run++
				continue
			case opEnd, opHalt:
				if !yield(g.owners[run], i) {
					return
				}
				run++
				continue
			}
			if !yield(g.owners[run], i) {
				return
			}
		}
	}
}

// Paths computes the work and the span in one pass, on a machine whose forks and joins take the time of the model, with
// speeds by function, where nil is the usual speed of all, and without the waits of the setup.
func (g *Graph) Paths(m sim.Model, speeds []*sim.Speed, s Setup) Paths {
	p := Paths{shared: len(g.locks) > 0 || len(g.channels) > 0}
	cost := func(n, part uint32, instructions int64) sim.Time { // of a fork or a join in a part of a task
		if g.measured {
			return 0
		}
		m := m
		if speed := g.speed(speeds, n, part); speed != nil {
			m.InstructionPs = speed.Time(m.InstructionPs)
		}
		ns, _ := m.Scale(instructions, 0)
		return ns
	}
	forkTime := m.Fork
	if g.measured {
		forkTime = 0
	}
	at := make([]int64, len(g.tasks)) // by task: earliest time after its operations so far
	ends := make([]int64, len(g.tasks))
	gates := make([]int64, len(g.gates))
	meets := make([]uint32, len(g.tasks)) // by task: gate at which it meets others, plus 1
	sent := make([]int64, len(g.messages))
	parts := make([]uint32, len(g.tasks))
	groups := make([]int64, g.groups)
	put, closed := make([]int64, len(g.elements)), make([]int64, len(g.channels))
	for n, i := range g.all() {
		o := g.ops[i]
		operand := o.operand()
		t := at[n]
		if m := meets[n]; m > 0 {
			t = max(t, gates[m-1])
			meets[n] = 0
		}
		switch o.kind() {
		case opCompute:
			d := s.scaled(int64(operand))
			if speed := g.speed(speeds, n, parts[n]); speed != nil {
				d = speed.Time(d)
			}
			if g.tasks[n].aside {
				p.aside = plus(p.aside, d)
			} else {
				p.Work = plus(p.Work, d)
			}
			t = plus(t, d)
		case opSystem:
			p.system = plus(p.system, int64(operand))
		case opPart:
			parts[n] = uint32(operand)
		case opFork:
			fork := cost(n, parts[n], forkInstructions) + forkTime
			p.Work = plus(p.Work, fork)
			t = plus(t, fork)
			at[operand] = t
		case opJoin:
			join := cost(n, parts[n], joinInstructions)
			p.Work = plus(p.Work, join)
			t = plus(max(t, ends[uint32(operand)]), join)
		case opEnd:
			ends[n] = t
		case opWait:
			switch q := &g.pauses[operand]; {
			case s.skips(q.reason):
			case q.ends:
				t = max(t, ends[q.gate])
			default:
				t = max(t, gates[q.gate])
			}
		case opSignal:
			gates[operand] = max(gates[operand], t)
		case opMeet:
			gate := g.pauses[operand].gate
			gates[gate] = max(gates[gate], t)
			if !s.skips(g.pauses[operand].reason) {
				meets[n] = gate + 1
			}
		case opSend:
			sent[operand] = t
		case opReceive:
			if !s.skips(g.messages[operand].reason) {
				t = max(t, sent[operand])
			}
		case opAdd:
			groups[uint32(operand)] = max(groups[uint32(operand)], t)
		case opGroup:
			t = max(t, groups[operand])
		case opPut:
			put[operand] = t
		case opTake:
			if g.channels[g.elements[operand].channel].pool {
				t = 0 // another task may have taken the elements before
			}
			t = max(t, put[operand])
		case opClose:
			closed[operand] = t
		case opDrain:
			if g.channels[operand].pool {
				t = 0
			}
			t = max(t, closed[operand])
		case opDelay:
			if q := &g.pauses[operand]; !s.skips(q.reason) {
				t = plus(t, q.ns)
				p.delays = plus(p.delays, q.ns)
			}
		}
		at[n] = t
		if !g.tasks[n].aside {
			p.Span = max(p.Span, t)
		}
	}
	return p
}

// WorkBy returns the ns of computation of each function, by its number.
func (g *Graph) WorkBy() map[uint32]int64 {
	sum := map[uint32]int64{}
	parts := make([]uint32, len(g.tasks))
	for n, i := range g.all() {
		switch o := g.ops[i]; o.kind() {
		case opCompute:
			f := g.function(n, parts[n])
			sum[f] = plus(sum[f], int64(o.operand()))
		case opPart:
			parts[n] = uint32(o.operand())
		}
	}
	return sum
}

// Reasons returns the reasons for which tasks wait and the classes of the messages that they receive, as entries of the
// code table, with their numbers.
func (g *Graph) Reasons() map[uint32]int64 {
	count := map[uint32]int64{}
	for i := range g.pauses {
		count[g.pauses[i].reason]++
	}
	for i := range g.messages {
		count[g.messages[i].reason]++
	}
	delete(count, 0)
	return count
}

// Locks returns how often tasks acquire each lock, by its id.
func (g *Graph) Locks() map[uint32]int64 {
	count := map[uint32]int64{}
	for _, o := range g.ops {
		if o.kind() == opAcquire {
			count[g.locks[o.operand()>>1]]++
		}
	}
	return count
}

// remaining returns, for each operation, the ns of the longest chain of operations that begins with it.
func (g *Graph) remaining() []int64 {
	left := make([]int64, len(g.ops))
	at := make([]int64, len(g.tasks)) // by task: the longest path from its operations on
	ends := make([]int64, len(g.tasks))
	gates := make([]int64, len(g.gates))
	sent := make([]int64, len(g.messages))
	groups, put := make([]int64, g.groups), make([]int64, len(g.elements))
	run := len(g.owners) - 1
	for i := len(g.ops) - 1; i >= 0; i-- {
		o := g.ops[i]
		operand := o.operand()
		if k := o.kind(); (k == opJump || k == opEnd || k == opHalt) && i < len(g.ops)-1 {
			run--
		}
		n := g.owners[run]
		t := at[n]
		switch o.kind() {
		case opCompute:
			t = plus(t, int64(operand))
		case opFork:
			t = max(t, at[operand])
		case opJoin:
			ends[uint32(operand)] = max(ends[uint32(operand)], t)
		case opEnd:
			t = ends[n]
		case opWait:
			if q := &g.pauses[operand]; q.ends {
				ends[q.gate] = max(ends[q.gate], t)
			} else {
				gates[q.gate] = max(gates[q.gate], t)
			}
		case opSignal:
			t = max(t, gates[operand])
		case opMeet:
			gate := g.pauses[operand].gate
			if gates[gate] == 0 {
				gates[gate] = g.met(i, run, gate, at)
			}
			t = max(t, gates[gate])
		case opSend:
			t = max(t, sent[operand])
		case opReceive:
			sent[operand] = max(sent[operand], t)
		case opPut:
			t = max(t, put[operand])
		case opTake:
			put[operand] = max(put[operand], t)
		case opAdd:
			t = max(t, groups[uint32(operand)])
		case opGroup:
			groups[operand] = max(groups[operand], t)
		case opDelay:
			t = plus(t, g.pauses[operand].ns)
		}
		at[n], left[i] = t, t
	}
	return left
}

// met returns the longest of the remaining paths of the tasks that meet at a gate. Their operations lie side by side; i is the last of them, in the
// given run.
func (g *Graph) met(i, run int, gate uint32, at []int64) (left int64) {
	for ; i >= 0; i-- {
		switch o := g.ops[i]; {
		case o.kind() == opJump:
			run--
		case o.kind() == opMeet && g.pauses[o.operand()].gate == gate:
			left = max(left, at[g.owners[run]])
		default:
			return left
		}
	}
	return left
}
