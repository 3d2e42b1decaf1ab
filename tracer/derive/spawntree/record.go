package spawntree

import (
	"whorl/internal/packed"
	"whorl/tracer"
)

// A record holds the events of one node.
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
	goal    state = 1 << iota // a goal, known by its Reduce
	started                   // a thread that has had a Start
	alive                     // a thread that has not ended since its last Start
	running                   // a thread that is alive and not in a join: the time of its end is still to be added to its cost
)

// reduction, fork and mainThread return the record of a new node without its place in the tree: a goal from its Reduce, a thread from its Fork,
// the main thread from its Start.

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

// final returns the cost of the record at the time of the last event.
func (r *record) final(last int64) int64 {
	if r.state&running != 0 {
		return r.cost + last
	}
	return r.cost
}

// run and rest record that a thread begins and stops running.
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

// ranges are the ranges of the fields of some records.
type ranges struct {
	task            packed.Range[uint64]
	time, cost      packed.Range[int64]
	level, pe, from packed.Range[int32]
	code            packed.Range[uint32]
}

// add extends the ranges to a record. last is the time of the last event.
func (g *ranges) add(r *record, last int64) {
	g.task.Add(r.task)
	g.time.Add(r.time)
	g.cost.Add(r.final(last))
	g.level.Add(r.level)
	g.pe.Add(r.pe)
	g.from.Add(r.from)
	g.code.Add(r.code)
}

// join extends the ranges to others.
func (g *ranges) join(o *ranges) {
	g.task.Join(o.task)
	g.time.Join(o.time)
	g.cost.Join(o.cost)
	g.level.Join(o.level)
	g.pe.Join(o.pe)
	g.from.Join(o.from)
	g.code.Join(o.code)
}
