package cut

import (
	"whorl/tracer"
	"whorl/tracer/taskindex"
)

// A family holds for each task its parent, its code, and whether the result has it.
type family struct {
	taskindex.Table[member]
}

// member is a task.
type member struct {
	parent uint64
	code   uint32 // clause of a goal, function of a thread
	known  bool   // it has an entry
	goal   bool
	forked bool // it has a Fork event
	keep   bool // the result has events of it
	own    bool // it has a selected event, not only a descendant with one
	begun  bool // the result has its Fork
}

// note takes the parent and the code of a task from an event.
func (f *family) note(e *tracer.Event) {
	switch e.Kind {
	case tracer.Fork, tracer.Reduce, tracer.Start:
	default:
		return
	}
	m := f.Place(e.Task)
	m.known = true
	switch e.Kind {
	case tracer.Fork:
		m.parent, m.forked = e.Ref, true
	case tracer.Reduce:
		m.parent, m.goal = e.Ref, true
	}
	if e.Code != 0 {
		m.code = e.Code
	}
}

// code returns the code of a task, 0 for none.
func (f *family) code(task uint64) uint32 {
	if m := f.Find(task); m != nil {
		return m.code
	}
	return 0
}

// keep notes that the result has a task.
func (f *family) keep(task uint64) {
	if task != 0 {
		m := f.Place(task)
		m.known, m.keep = true, true
	}
}

// keeps reports whether the result has a task.
func (f *family) keeps(task uint64) bool {
	m := f.Find(task)
	return m != nil && m.keep
}

// adopt keeps the ancestors of a task.
func (f *family) adopt(task uint64) {
	for m := f.Find(task); m != nil && m.parent != 0 && m.parent != task; m = f.Find(task) {
		if task = m.parent; f.keeps(task) {
			return
		}
		f.keep(task)
	}
}
