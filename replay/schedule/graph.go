package schedule

import (
	"errors"
	"fmt"
	"slices"

	"whorl/replay"
)

// mostRequired is the largest number of operations that one requires.
const mostRequired = 64

// controlBytes is the length of the messages that replace other waits of the processes of a recording.
const controlBytes = 16

// FromRecording returns a recorded program as a schedule, with a rank for each PE. The tasks of the program must stay on their PEs.
//
// A wait for a task of another rank becomes a message of 16 bytes. A place where tasks meet becomes a
// barrier of such messages by dissemination (D. Hensgen, R. Finkel, U. Manber, "Two Algorithms for Barrier
// Synchronization", 1988). A delay becomes a calc.
func FromRecording(r *replay.Recording) (*Schedule, error) {
	if !r.Pinned {
		return nil, errors.New("its tasks do not stay on their PEs and send messages: a schedule is for processes, such as those of MPI and HPF")
	}
	w := &writer{
		g: r.Graph, s: &Schedule{Ranks: r.PEs}, fronts: make([][]int, r.Graph.Tasks()), gates: map[uint32][]arrival{}, sent: make([]int, r.Graph.Messages()),
		pairs: map[[2]int32]*pair{}, waiters: map[uint32][]uint32{},
	}
	w.s.Where = func(op int) string { return fmt.Sprintf("operation %d", op) }
	for o := range r.Graph.Operations() {
		if o.Action == replay.Waits {
			w.waiters[o.Other] = append(w.waiters[o.Other], o.Task)
		}
	}
	w.calc, w.send, w.recv = w.s.Name("calc"), w.s.Name("send"), w.s.Name("recv")
	for o := range r.Graph.Operations() {
		if err := w.operation(o); err != nil {
			return nil, err
		}
	}
	w.tag()
	return w.s, nil
}

// A writer makes the schedule of a graph.
type writer struct {
	g                *replay.Graph
	s                *Schedule
	fronts           [][]int // by task: the operations that its next one requires
	gates            map[uint32][]arrival
	waiters          map[uint32][]uint32 // by gate: tasks
	sent             []int               // by message: its Send plus 1
	pairs            map[[2]int32]*pair
	calc, send, recv uint32
}

// An arrival is a task at a gate, with its last operations and the messages that it has sent to tasks of other ranks.
type arrival struct {
	task  uint32
	front []int
	sends map[uint32]int // by receiver
}

// A pair has the messages from one rank to another.
type pair struct {
	sends, recvs []int // operations, in order
	from, to     uint32
	mixed        bool // several tasks send or receive, or the orders differ
}

func (w *writer) rank(n uint32) int32 { return int32(w.g.Home(n)) }

// add appends an operation to a task.
func (w *writer) add(n uint32, o Op) int {
	o.Rank = w.rank(n)
	op := w.s.Add(o)
	for _, required := range w.fronts[n] {
		w.s.Require(op, required)
	}
	w.fronts[n] = append(w.fronts[n][:0:0], op)
	return op
}

func (w *writer) operation(o replay.Operation) error {
	n := o.Task
	if home := w.g.Home(n); home < 0 || home >= w.s.Ranks {
		return errors.New("some of its tasks do not stay on their PEs: a schedule is for processes, such as those of MPI and HPF")
	}
	switch o.Action {
	case replay.Computes, replay.Delays:
		w.add(n, Op{Kind: Calc, Size: o.Ns, Name: w.calc})
	case replay.Forks:
		w.receive(w.arrive(n, []uint32{o.Other}), o.Other)
	case replay.Joins, replay.WaitsOfEnd:
		w.receive(w.arrive(o.Other, []uint32{n}), n)
	case replay.Signals:
		w.gates[o.Other] = append(w.gates[o.Other], w.arrive(n, w.waiters[o.Other]))
	case replay.Waits:
		for _, a := range w.gates[o.Other] {
			w.receive(a, n)
		}
	case replay.Meets:
		w.waiters[o.Other] = append(w.waiters[o.Other], n)
		if all := w.waiters[o.Other]; len(all) == w.g.Needs(o.Other) {
			w.meet(all)
		}
	case replay.Sends:
		bytes, _, to := w.g.Message(o.Other)
		if to == n { // nobody receives it
			return nil
		}
		w.sent[o.Other] = w.add(n, Op{Kind: Send, Size: bytes, Peer: w.rank(to), Name: w.send}) + 1
	case replay.Receives:
		bytes, from, _ := w.g.Message(o.Other)
		if sent := w.sent[o.Other]; sent > 0 {
			w.message(from, n, sent-1, w.add(n, Op{Kind: Recv, Size: bytes, Peer: w.rank(from), Name: w.recv}))
		}
	case replay.Ends:
	default:
		return errors.New("its tasks wait for locks, groups or channels, which a schedule has no operations for")
	}
	return nil
}

// arrive notes the last operations of a task, and sends empty messages to those of the tasks that are on other ranks.
func (w *writer) arrive(n uint32, tasks []uint32) arrival {
	a := arrival{task: n, front: w.fronts[n], sends: map[uint32]int{}}
	for _, to := range tasks {
		if _, sent := a.sends[to]; !sent && w.rank(to) != w.rank(n) {
			a.sends[to] = w.add(n, Op{Kind: Send, Size: controlBytes, Peer: w.rank(to), Name: w.send})
		}
	}
	return a
}

// receive makes a task wait for the operations of an arrival.
func (w *writer) receive(a arrival, n uint32) {
	if w.rank(a.task) == w.rank(n) {
		front := slices.Concat(w.fronts[n], a.front)
		slices.Sort(front)
		w.fronts[n] = slices.Compact(front)
		if len(w.fronts[n]) > mostRequired { // an empty calc stands for all of them, for tasks may pass them on to each other
			w.add(n, Op{Kind: Calc, Name: w.calc})
		}
		return
	}
	if sent, ok := a.sends[n]; ok {
		delete(a.sends, n)
		w.message(a.task, n, sent, w.add(n, Op{Kind: Recv, Size: controlBytes, Peer: w.rank(a.task), Name: w.recv}))
	}
}

// meet makes tasks wait for each other.
func (w *writer) meet(all []uint32) {
	for k := 1; k < len(all); k *= 2 {
		arrivals := make([]arrival, len(all))
		for i, n := range all {
			arrivals[i] = w.arrive(n, []uint32{all[(i+k)%len(all)]})
		}
		for i, a := range arrivals {
			w.receive(a, all[(i+k)%len(all)])
		}
	}
}

// message notes a message for its tag.
func (w *writer) message(from, to uint32, send, recv int) {
	key := [2]int32{w.rank(from), w.rank(to)}
	p := w.pairs[key]
	if p == nil {
		p = &pair{from: from, to: to}
		w.pairs[key] = p
	}
	p.mixed = p.mixed || p.from != from || p.to != to || len(p.sends) > 0 && p.sends[len(p.sends)-1] > send
	p.sends, p.recvs = append(p.sends, send), append(p.recvs, recv)
}

// tag gives the messages between two ranks different tags if their order does not determine which receive takes which message.
func (w *writer) tag() {
	for _, p := range w.pairs {
		if !p.mixed {
			continue
		}
		for i := range p.sends {
			w.s.Ops[p.sends[i]].Tag, w.s.Ops[p.recvs[i]].Tag = int64(i), int64(i)
		}
	}
}
