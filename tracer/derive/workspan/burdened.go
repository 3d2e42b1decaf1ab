package workspan

import "whorl/tracer"

// A Burdened finds the span of the goals of a run if each structural edge takes a burden. It reads the kind, the task, the reference and the value of
// each event; and the code if costs are Shared, since each step then takes the typical cost of its clause in all events.
type Burdened struct {
	Span int64

	burden int64
	goals  Goals
}

// Burdened returns the Burdened for another pass over the events that g has measured. It takes the memory of g, whose measures are lost.
func (g *Goals) Burdened(burden int64) *Burdened {
	return &Burdened{burden: burden, goals: Goals{Shared: g.Shared, costs: g.typicalCosts(), goals: g.goals, wakes: g.wakes[:0]}}
}

// Event adds an event of BurdenedKinds.
func (b *Burdened) Event(e *tracer.Event) {
	if e.Task == 0 {
		return
	}
	own := b.goal(e.Task)
	switch e.Kind {
	case tracer.Reduce, tracer.Suspend, tracer.Fail:
		b.try(e, own)
	case tracer.Resume:
		b.resume(e, own)
	case tracer.Start, tracer.End:
		b.goals.forget(own)
		own.state |= goalEnded
	}
}

// goal returns the state of a task in this pass. It keeps the finding of the first pass whether the goal begins a thread.
func (b *Burdened) goal(task uint64) *goal {
	s := b.goals.goals.Place(task)
	if s.state&goalAgain == 0 {
		*s = goal{state: goalAgain | s.state&goalForked}
	}
	return s
}

func (b *Burdened) try(e *tracer.Event, own *goal) {
	if own.state&goalPE == 0 {
		own.state |= goalPE // any PE
		if e.Ref != 0 && e.Ref != e.Task {
			b.begin(own, b.goal(e.Ref))
		}
	}
	if e.Kind == tracer.Suspend {
		return
	}
	cost := max(e.Value, 0)
	if b.goals.Shared {
		cost = b.goals.typical(e.Code, cost)
	}
	own.sum = add(own.sum, cost)
	b.Span = max(b.Span, own.sum)
	if e.Kind == tracer.Fail {
		return
	}
	early := b.goals.release(own)
	own.level = 1
	for n := early; n > 0; n = b.goals.drop(n) {
		w := &b.goals.wakes[n-1]
		woken := b.goal(w.task)
		b.raise(woken, add(own.sum, woken.sum-w.sum))
	}
}

// begin continues the longest path of the parent with the first try of a goal.
func (b *Burdened) begin(own, parent *goal) {
	if parent.state&goalPE == 0 {
		return
	}
	if own.sum = parent.sum; own.state&goalForked != 0 {
		own.sum = add(own.sum, b.burden)
		b.Span = max(b.Span, own.sum)
	}
}

func (b *Burdened) resume(e *tracer.Event, own *goal) {
	if own.state&goalPE == 0 || e.Ref == 0 || e.Ref == e.Task {
		return
	}
	by := b.goal(e.Ref)
	if by.state&goalPE != 0 {
		b.raise(own, by.sum)
	}
	if !by.reduced() && by.state&goalEnded == 0 {
		b.goals.await(by, wake{task: e.Task, sum: own.sum, next: by.level})
	}
}

// raise replaces the path to a goal by the path of a wake-up if that is longer.
func (b *Burdened) raise(own *goal, sum int64) {
	own.sum = max(own.sum, add(sum, b.burden))
	b.Span = max(b.Span, own.sum)
}
