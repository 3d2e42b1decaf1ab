// Package toy holds small programs for tests of the machine and its policies.
package toy

import (
	"fmt"

	"whorl/sim"
	"whorl/tracer"
)

// A Tree is a program that spawns a tree of tasks. Task ids are assigned in order of creation, from 1. Under policies
// that keep work, a task continues with its first child in place and spawns the others from last to first, as the FGHC
// engine does.
type Tree struct {
	Kids  func(depth, index int) int // number of children of the index-th child at a depth; the root is 0, 0
	Cost  func(depth int) int64      // in instructions
	Hint  func(depth, index int) int // nil for no hints
	Size  int                        // bytes of a task
	Want  int                        // number of tasks that Quiet expects, 0 for any
	Limit int                        // depth of the leaves

	Keep  bool  // keep all tasks in Ran
	Ran   []Run // in order of execution
	Count int   // number of tasks executed

	tasks []task
	free  []uint32
	ids   uint64
	code  uint32
}

// A Run is an executed task.
type Run struct {
	Task, Parent uint64
	Depth, Index int
	PE, From     int32 // From is the PE of its parent
	Time         sim.Time
}

type task struct {
	id, parent   uint64
	depth, index int32
	from         int32
}

// Start boots the root on PE 0.
func (t *Tree) Start(m *sim.Machine) { m.Boot(0, t.add(task{from: -1}), 1) }

func (t *Tree) add(x task) sim.Work {
	t.ids++
	x.id = t.ids
	if n := len(t.free); n > 0 {
		i := t.free[n-1]
		t.free = t.free[:n-1]
		t.tasks[i] = x
		return sim.Work(i)
	}
	if len(t.tasks) == 0 {
		t.tasks = append(t.tasks, task{})
	}
	t.tasks = append(t.tasks, x)
	return sim.Work(len(t.tasks) - 1)
}

// Step executes a task.
func (t *Tree) Step(p *sim.PE, w sim.Work) (sim.Time, sim.Work) {
	x := t.tasks[w]
	t.free = append(t.free, uint32(w))
	t.Count++
	if t.Keep {
		t.Ran = append(t.Ran, Run{x.id, x.parent, int(x.depth), int(x.index), p.ID(), x.from, p.Now()})
	}
	cost := p.Cost(t.Cost(int(x.depth)))
	if s := p.Stream(); s != nil {
		*s.Slot() = tracer.Event{
			Time: p.Now(), Kind: tracer.Reduce, PE: p.ID(), Peer: x.from, Task: x.id, Ref: x.parent, Code: t.code, Value: cost,
		}
	}
	kids := 0
	if int(x.depth) < t.Limit {
		kids = t.Kids(int(x.depth), int(x.index))
	}
	stays := p.Machine().Traits().Stays
	var next sim.Work
	first := t.ids + 1
	t.ids += uint64(kids)
	for k := range kids {
		if stays {
			k = kids - 1 - k
		}
		c := task{parent: x.id, depth: x.depth + 1, index: int32(k), from: p.ID()}
		last := t.ids
		t.ids = first + uint64(k) - 1
		cw := t.add(c)
		t.ids = last
		hint := -1
		if t.Hint != nil {
			hint = t.Hint(int(c.depth), k)
		}
		if stays && k == 0 && hint < 0 {
			next = cw
			continue
		}
		p.Spawn(cw, first+uint64(k), hint)
	}
	return cost, next
}

// Deliver is never called: a Tree sends no messages.
func (t *Tree) Deliver(*sim.PE, sim.Message) sim.Time { return 0 }

// Bytes returns t.Size.
func (t *Tree) Bytes(sim.Work) int { return t.Size }

// Quiet checks the number of tasks.
func (t *Tree) Quiet(*sim.Machine) error {
	if t.Want != 0 && t.Count != t.Want {
		return fmt.Errorf("%d tasks ran, want %d", t.Count, t.Want)
	}
	return nil
}

// Binary returns a complete binary tree with leaves at a depth: 1<<(depth+1) - 1 tasks.
func Binary(depth int) *Tree {
	return &Tree{
		Kids: func(int, int) int { return 2 }, Cost: func(int) int64 { return 300 }, Size: 64, Limit: depth, Want: 1<<(depth+1) - 1,
	}
}

// Fan returns a root with n children.
func Fan(n int, cost int64) *Tree {
	return &Tree{Kids: func(int, int) int { return n }, Cost: func(int) int64 { return cost }, Size: 64, Limit: 1, Want: n + 1}
}
