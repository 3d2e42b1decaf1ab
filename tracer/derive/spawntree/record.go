package spawntree

import "whorl/tracer"

// A record is what a trace says of one node.
type record struct {
	task       uint64
	time, cost int64
	pe, from   int32
	code       uint32
	level      int32
	parent     int32 // index of the parent's record, -1 for a root
	state      state
}

type state uint8

const (
	goal    state = 1 << iota // known by its Reduce
	started                   // a thread of which a Start came
	alive                     // a thread that has not ended since its last Start
	running                   // a thread that is alive and waits in no join: its cost lacks the time when it stops
)

// The records of a new node, without its place in the tree: a goal's by its Reduce, a thread's by its Fork, the main thread's by its Start.

func reduction(e *tracer.Event) record {
	return record{task: e.Task, time: e.Time, cost: e.Value, pe: e.PE, from: e.Peer, code: e.Code, state: goal}
}

func fork(e *tracer.Event) record {
	pe := e.Peer
	if pe < 0 {
		pe = e.PE
	}
	return record{task: e.Task, time: e.Time, pe: pe, from: e.PE, code: e.Code}
}

func mainThread(e *tracer.Event) record {
	return record{task: e.Task, time: e.Time, pe: e.PE, from: tracer.None, code: e.Code}
}

func (r *record) start(e *tracer.Event) {
	if r.state&started == 0 {
		r.time, r.pe = e.Time, e.PE
		r.state |= started
	}
	r.state |= alive
	r.run(e.Time)
}

func (r *record) end(t int64) {
	r.rest(t)
	r.state &^= alive
}

// run and rest begin and end a time in which a thread runs.
func (r *record) run(t int64) {
	if r.state&(alive|running) == alive {
		r.cost -= t
		r.state |= running
	}
}

func (r *record) rest(t int64) {
	if r.state&running != 0 {
		r.cost += t
		r.state &^= running
	}
}
