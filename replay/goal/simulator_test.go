package goal

import (
	"cmp"
	"slices"

	"whorl/sim"
)

// An order holds the operations that are still to come.
type order struct {
	ops          []refOp
	left         []int
	after, begun [][]int // by operation: those that need its end, its start
}

func newOrder(ops []refOp) *order {
	x := &order{ops: ops, left: make([]int, len(ops)), after: make([][]int, len(ops)), begun: make([][]int, len(ops))}
	for i, o := range ops {
		x.left[i] = len(o.needs) + len(o.starts)
		for _, n := range o.needs {
			x.after[n] = append(x.after[n], i)
		}
		for _, n := range o.starts {
			x.begun[n] = append(x.begun[n], i)
		}
	}
	return x
}

// free counts down the operations of a list and returns those that can run now: sends before receives before calcs.
func (x *order) free(list []int) (ready []int) {
	for _, i := range list {
		if x.left[i]--; x.left[i] == 0 {
			ready = append(ready, i)
		}
	}
	return x.sorted(ready)
}

func (x *order) sorted(ready []int) []int {
	kinds := []string{"send", "recv", "calc"}
	slices.SortStableFunc(ready, func(a, b int) int {
		return cmp.Or(cmp.Compare(slices.Index(kinds, x.ops[a].kind), slices.Index(kinds, x.ops[b].kind)), cmp.Compare(a, b))
	})
	return ready
}

func (x *order) roots(rank int) (ready []int) {
	for i, o := range x.ops {
		if o.rank == rank && x.left[i] == 0 {
			ready = append(ready, i)
		}
	}
	return x.sorted(ready)
}

// A mailbox matches the messages of a rank with its receives.
type mailbox struct{ messages, receives []int }

func match(ops []refOp, list []int, op int) (found int, rest []int) {
	i := slices.IndexFunc(list, func(j int) bool {
		a, b := &ops[op], &ops[j]
		return a.tag == b.tag && a.peer == b.rank && a.rank == b.peer
	})
	if i < 0 {
		return -1, list
	}
	found = list[i]
	return found, slices.Delete(list, i, i+1)
}

// logGOPSim returns the finish time of each rank by the rules of LogGOPSim with one cpu and one nic for each rank, O = 0 and messages that are all
// eager: a queue of operations and messages by time and order of entry. One that finds its rank or its interface busy enters it again, in its old
// order. A message takes its rank for o and the time of its bytes, whether or not its receive waits for it.
func logGOPSim(m sim.Model, ranks int, ops []refOp) []int64 {
	type event struct {
		time, order int64
		op          int
		message     bool
	}
	var queue []event
	x := newOrder(ops)
	entered := int64(0)
	free, sends, receives := make([]int64, ranks), make([]int64, ranks), make([]int64, ranks)
	boxes := make([]mailbox, ranks)
	push := func(t int64, op int, message bool) {
		queue = append(queue, event{t, entered, op, message})
		entered++
	}
	enter := func(rank int, ready []int) {
		for _, i := range ready {
			t := free[rank]
			if ops[i].kind == "send" {
				t = max(t, sends[rank])
			}
			push(t, i, false)
		}
	}
	for r := range ranks {
		enter(r, x.roots(r))
	}
	for len(queue) > 0 {
		at := 0
		for i, e := range queue {
			if cmp.Or(cmp.Compare(e.time, queue[at].time), cmp.Compare(e.order, queue[at].order)) < 0 {
				at = i
			}
		}
		e := queue[at]
		queue = slices.Delete(queue, at, at+1)
		o := &ops[e.op]
		wire := max(0, o.size-1) * m.BytePs / 1000
		again := func(t int64) {
			e.time = t
			queue = append(queue, e)
		}
		switch {
		case e.message:
			r := o.peer
			if t := max(free[r], receives[r]); t > e.time {
				again(t)
				continue
			}
			free[r] = e.time + m.Overhead + wire
			receives[r] = e.time + m.Gap + wire
			var recv int
			if recv, boxes[r].receives = match(ops, boxes[r].receives, e.op); recv < 0 {
				boxes[r].messages = append(boxes[r].messages, e.op)
				continue
			}
			enter(r, x.free(x.after[recv]))
		case o.kind == "recv":
			r := o.rank
			ready := x.free(x.begun[e.op])
			var sent int
			if sent, boxes[r].messages = match(ops, boxes[r].messages, e.op); sent < 0 {
				boxes[r].receives = append(boxes[r].receives, e.op)
			} else {
				ready = append(ready, x.free(x.after[e.op])...)
			}
			enter(r, x.sorted(ready))
		case o.kind == "calc":
			r := o.rank
			if free[r] > e.time {
				again(free[r])
				continue
			}
			free[r] = e.time + o.size
			enter(r, x.sorted(append(x.free(x.begun[e.op]), x.free(x.after[e.op])...)))
		default:
			r := o.rank
			if t := max(free[r], sends[r]); t > e.time {
				again(t)
				continue
			}
			free[r] = e.time + m.Overhead
			sends[r] = e.time + m.Gap + wire
			push(e.time+m.Overhead+m.Latency, e.op, true)
			enter(r, x.sorted(append(x.free(x.begun[e.op]), x.free(x.after[e.op])...)))
		}
	}
	return free
}
