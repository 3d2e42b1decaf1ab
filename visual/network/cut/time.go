package cut

import (
	"errors"

	"whorl/internal/figures"
	"whorl/tracer"
)

// Time returns the part of a trace from one time to another, both of the run and in ns. What began before begins at from, what ends later does not
// end, and a cost counts only inside. Ancestors of tasks that ended before keep their Fork or Reduce, at from and without cost. The part of a trace
// without states of the PEs has them, so that a PE without any events in the part is known to be idle.
func Time(src tracer.Source, from, to int64, tick Tick) (tracer.StreamSource, error) {
	if _, separate := tracer.ProcessTimes(src); separate {
		return nil, errors.New("the clocks of the processes of this trace cannot be compared, so there is no common time to select")
	}
	n := events(src)
	described, err := statesOf(src, from, to, tick)
	if err != nil {
		return nil, err
	}
	var f family
	alive := map[uint64]bool{}         // threads that run or wait at from
	var inside []uint64                // tasks with events in the range, each at least once
	states := map[int32]tracer.Event{} // by PE
	price := described.pricer()
	err = scan(src, tick, 0, 2*n, func(_ int, offset int64, e *tracer.Event) {
		f.note(e)
		at := e.Time + offset
		switch cost := price(e).Value; {
		case at > to:
		case at >= from, costs(e.Kind) && at+cost > from:
			if e.Task != 0 && !f.keeps(e.Task) {
				f.keep(e.Task)
				inside = append(inside, e.Task)
			}
		case e.Kind == tracer.Start:
			alive[e.Task] = true
		case e.Kind == tracer.End:
			delete(alive, e.Task)
		case e.Kind == tracer.Busy || e.Kind == tracer.Idle || e.Kind == tracer.Overhead:
			states[e.PE] = *e
		}
	})
	if err != nil {
		return nil, err
	}
	for task := range alive { // the result does not depend on the order
		f.keep(task)
		inside = append(inside, task)
	}
	for _, task := range inside {
		f.adopt(task)
	}
	c := newCopier()
	code, context := c.tables(src.Dict())
	first, _ := src.Span()
	c.w.SetMeta(note(src.Meta(), "time from "+figures.Duration(max(from-first, 0))+" to "+figures.Duration(to-first)))
	if described != nil { // before the events of the same times
		s := c.w.Stream(tracer.StreamInfo{Name: "states"})
		for i := range described.changes {
			record(s, described.changes[i], code, context)
		}
	}
	c.begin(src)
	last := c.w.Stream(tracer.StreamInfo{Name: "bounds"})
	*last.Slot() = tracer.Event{Kind: tracer.Mark, Time: from, Peer: tracer.None}
	*last.Slot() = tracer.Event{Kind: tracer.Mark, Time: to, Peer: tracer.None}
	price = described.pricer()
	err = scan(src, tick, n, 2*n, func(stream int, offset int64, e *tracer.Event) {
		out, at := price(e), e.Time+offset
		switch {
		case at > to:
			return
		case at < from:
			if !f.before(&out, alive, states) {
				return
			}
			if costs(out.Kind) {
				out.Value = max(at+out.Value-from, 0)
			}
			out.Time, at = from-offset, from
		}
		if costs(out.Kind) {
			out.Value = min(out.Value, to-at)
		}
		record(c.streams[stream], f.free(out), code, context)
	})
	if err != nil {
		return nil, err
	}
	return c.finish()
}

// costs reports whether the value of a kind is a cost in ns.
func costs(k tracer.Kind) bool {
	return k == tracer.Reduce || k == tracer.Suspend || k == tracer.Fail
}

// before reports whether the part of a trace has an event before its beginning, at its beginning. It changes the Start of an ancestor that has
// ended, and has no Fork, to one.
func (f *family) before(e *tracer.Event, alive map[uint64]bool, states map[int32]tracer.Event) bool {
	switch e.Kind {
	case tracer.Init:
		return true
	case tracer.Busy, tracer.Idle, tracer.Overhead:
		return states[e.PE] == *e
	case tracer.Fork, tracer.Reduce:
		return f.keeps(e.Task)
	case tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd:
		m := f.Find(e.Task)
		switch {
		case alive[e.Task]:
			return true
		case e.Kind == tracer.Start && m != nil && m.keep && !m.forked && !m.begun:
			m.begun = true
			*e = tracer.Event{Kind: tracer.Fork, Time: e.Time, PE: e.PE, Task: e.Task, Peer: e.PE, Code: e.Code}
			return true
		}
		return false
	case tracer.Suspend:
		return f.keeps(e.Task) // a Resume inside needs it
	}
	return false
}
