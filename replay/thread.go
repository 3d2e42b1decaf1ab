package replay

import (
	"whorl/sim"
)

// A Thread is a task of a Replay that has not ended.
type Thread struct {
	Number   uint32
	Function uint32 // number of its function
	Line     uint32 // number of the line of the join that it performs next
	Joins    bool   // it performs a join next
	PE       int32
}

// Thread describes a work of the machine.
func (r *Replay) Thread(w sim.Work) Thread {
	n := uint32(w - 1)
	t := &r.tasks[n]
	x := Thread{Number: n, Function: r.graph.tasks[n].function, PE: t.pe}
	if o := r.graph.ops[r.skip(t.pc)]; t.state != unstarted && o.kind() == opJoin {
		x.Joins, x.Line = true, uint32(o.operand()>>32)
	}
	return x
}

// skip follows jumps.
func (r *Replay) skip(pc uint64) uint64 {
	for r.graph.ops[pc].kind() == opJump {
		pc = r.graph.ops[pc].operand()
	}
	return pc
}

// Waiting calls yield for each task that waits in a join, with the task that it joins.
func (r *Replay) Waiting(yield func(t, joined Thread) bool) {
	for i := range r.tasks {
		if r.tasks[i].state != blocked {
			continue
		}
		o := r.graph.ops[r.skip(r.tasks[i].pc)]
		joined := uint32(o.operand())
		if o.kind() != opJoin || r.tasks[joined].state == over { // it is in a queue or being moved
			continue
		}
		if !yield(r.Thread(sim.Work(i)+1), r.Thread(sim.Work(joined)+1)) {
			return
		}
	}
}
