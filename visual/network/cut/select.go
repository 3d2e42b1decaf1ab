package cut

import "whorl/tracer"

// A Selection says which events a part of a trace keeps.
type Selection struct {
	What    string // it selects, for the metadata
	Keep    Test
	States  bool // the test decides about the states of PEs; otherwise none stays, and PEs work while selected tasks do
	Threads bool // a thread with a selected event runs and waits as it did: its Start, End, JoinBegin and JoinEnd events stay
}

// A Test decides which events a selection keeps. It sees the task's code (of an event without a task the event's own), 0 for none.
type Test func(e *tracer.Event, code uint32) bool

// Select returns the events that pass the test, the tasks of these events, and their ancestors. An event that is not selected stays if the tree
// needs it: the Fork of a task, or the Reduce of a goal, whose cost is then 0. A PE is idle while it worked for tasks that are not
// selected. Where only some tasks of a PE are selected, its states would be wrong.
func Select(src tracer.Source, s Selection, tick Tick) (tracer.StreamSource, error) {
	n := events(src)
	var f family
	err := scan(src, tick, 0, 3*n, func(_ int, _ int64, e *tracer.Event) { f.note(e) })
	if err != nil {
		return nil, err
	}
	selected := func(e *tracer.Event) bool {
		code := e.Code
		if c := f.code(e.Task); c != 0 {
			code = c
		} else if e.Kind == tracer.Sample {
			code = src.Dict().Context(uint32(e.Ref)).Code
		}
		return s.Keep(e, code)
	}
	var seen []uint64
	err = scan(src, tick, n, 3*n, func(_ int, _ int64, e *tracer.Event) {
		if e.Task != 0 && !f.keeps(e.Task) && selected(e) {
			f.keep(e.Task)
			f.Find(e.Task).own = true
			seen = append(seen, e.Task)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, task := range seen {
		f.adopt(task)
	}
	c := newCopier()
	code, context := c.tables(src.Dict())
	c.w.SetMeta(note(src.Meta(), s.What))
	c.begin(src)
	err = scan(src, tick, 2*n, 3*n, func(stream int, _ int64, e *tracer.Event) {
		if out := f.pick(e, selected(e) || s.Threads && f.runs(e), s.States); out.Kind != tracer.KindInvalid {
			record(c.streams[stream], out, code, context)
		}
	})
	if err != nil {
		return nil, err
	}
	return c.finish()
}

// runs reports whether an event is about when a selected thread runs.
func (f *family) runs(e *tracer.Event) bool {
	m := f.Find(e.Task)
	return m != nil && m.own && tracer.Kinds(tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd).Contains(e.Kind)
}

// record records an event with the new ids of its code, its context and its labels.
func record(s *tracer.Stream, e tracer.Event, code, context []uint32) {
	e.Code = translate(code, e.Code)
	if e.Kind == tracer.Sample {
		e.Ref = uint64(translate(context, uint32(e.Ref)))
		if e.Peer > 0 {
			e.Peer = int32(translate(context, uint32(e.Peer)))
		}
	}
	*s.Slot() = e
}

// pick returns what the result has of an event, the zero Event for nothing.
func (f *family) pick(e *tracer.Event, selected, states bool) tracer.Event {
	switch {
	case tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead).Contains(e.Kind):
		if !states || !selected {
			return tracer.Event{}
		}
		return *e
	case selected:
		return f.free(*e)
	case e.Kind == tracer.Init || e.Kind == tracer.Exit:
		return *e
	case !f.keeps(e.Task):
		return tracer.Event{}
	}
	m := f.Find(e.Task)
	switch {
	case e.Kind == tracer.Fork:
		m.begun = true
		return *e
	case e.Kind == tracer.Reduce:
		out := *e
		out.Value = 0
		return out
	case e.Kind == tracer.Start && !m.forked && !m.begun: // the main thread
		m.begun = true
		return tracer.Event{Kind: tracer.Fork, Time: e.Time, PE: e.PE, Task: e.Task, Peer: e.PE, Code: e.Code}
	}
	return tracer.Event{}
}

// free returns an event without a joiner that the result does not have running.
func (f *family) free(e tracer.Event) tracer.Event {
	if (e.Kind == tracer.Start || e.Kind == tracer.End) && e.Peer == tracer.Inline {
		joiner := e.Ref
		if joiner == 0 {
			joiner = f.parent(e.Task)
		}
		if !f.keeps(joiner) {
			e.Peer, e.Ref = tracer.None, 0
		}
	}
	return e
}

func (f *family) parent(task uint64) uint64 {
	if m := f.Find(task); m != nil {
		return m.parent
	}
	return 0
}
