package actions

import (
	"cmp"
	"slices"

	"whorl/internal/slots"
	"whorl/tracer"
)

// An instant is the fork, the start or the end of an action.
type instant struct {
	time   int64
	kind   tracer.Kind
	action *Action
	pe     int32
	parent step
	left   int32 // PE of the parent: which it leaves, or on which it goes on
}

// A step is the effect of an instant on the parent of an action.
type step uint8

const (
	stays     step = iota
	suspended      // at the start of a part
	resumed        // at the end of a part
)

// rank orders instants of the same time. Ends come first: ends of parts before the end of the whole, and each end after the forks by the action that ends.
// Then come forks by parents, and starts.
func (x *instant) rank() int {
	a := x.action
	switch {
	case x.kind == tracer.Fork && a.last != nil && a.last.From < x.time:
		return 2 * (mostDepth - a.last.depth)
	case x.kind == tracer.End && a.From < x.time:
		return 2*(mostDepth-a.depth) + 1
	case x.kind == tracer.Fork && a.Parent != nil && a.born > a.Parent.From:
		return 2*mostDepth + 2
	}
	return 2*mostDepth + 3 // an action without a length forks and ends after its start
}

// instants returns the instants of actions in the order of time.
func instants(ran []*Action) []instant {
	all := make([]instant, 0, 3*len(ran))
	for _, a := range ran {
		all = append(all, instant{time: a.born, kind: tracer.Fork, action: a}, instant{time: a.From, kind: tracer.Start, action: a},
			instant{time: a.To, kind: tracer.End, action: a})
	}
	slices.SortStableFunc(all, func(x, y instant) int { return cmp.Or(cmp.Compare(x.time, y.time), x.rank()-y.rank()) })
	return all
}

// place gives each action a PE and returns their number. An action whose parts run is on none.
func place(all []instant) (pes int) {
	var taken slots.Slots
	takeSlot := func(a *Action) int32 {
		slot, _ := taken.Acquire(mostSlots)
		a.pe = int32(slot)
		return a.pe
	}
	for i := range all {
		x := &all[i]
		a, p := x.action, x.action.Parent
		switch x.kind {
		case tracer.Fork:
			switch {
			case a.last != nil:
				x.pe = a.last.pe
			case p != nil:
				x.pe = p.pe
			}
			a.forked = x
		case tracer.Start:
			if p != nil {
				if p.parts++; p.parts == 1 {
					x.parent, x.left = suspended, p.pe
					taken.Release(int(p.pe))
				}
			}
			if x.pe = takeSlot(a); a.last == nil && p == nil {
				a.forked.pe = x.pe
			}
		case tracer.End:
			x.pe = a.pe
			taken.Release(int(a.pe))
			if p != nil {
				if p.parts--; p.parts == 0 {
					x.parent, x.left = resumed, takeSlot(p)
				}
			}
		}
	}
	return taken.Len()
}

// write records the instants.
func write(rec tracer.Recorder, all []instant, pes int) {
	dict := rec.Dict()
	idle := dict.Add(tracer.Code{Type: tracer.Reason, Name: tracer.ReasonNoWork})
	var parts uint32 // the reason of waits for parts
	s := rec.Stream(tracer.StreamInfo{Name: "actions"})
	busy := make([]int, pes) // actions on each PE
	emit := func(e tracer.Event) {
		e.Peer = tracer.None
		*s.Slot() = e
	}
	begins := func(a *Action, at int64, pe int32) {
		busy[pe]++
		emit(tracer.Event{Kind: tracer.Busy, Time: at, Task: a.task, PE: pe, Code: a.code})
	}
	leaves := func(at int64, pe int32) {
		if busy[pe]--; busy[pe] == 0 {
			emit(tracer.Event{Kind: tracer.Idle, Time: at, PE: pe, Code: idle})
		}
	}
	for i := range all {
		x := &all[i]
		a, p := x.action, x.action.Parent
		e := tracer.Event{Kind: x.kind, Time: x.time, Task: a.task, PE: x.pe}
		switch x.kind {
		case tracer.Fork:
			a.code = dict.Add(tracer.Code{Type: tracer.Function, Name: a.Name})
			switch {
			case a.last != nil:
				e.Ref = a.last.task
			case p != nil:
				e.Ref = p.task
			}
		case tracer.Start:
			if x.parent == suspended {
				if parts == 0 {
					parts = dict.Add(tracer.Code{Type: tracer.Reason, Name: "parts"})
				}
				emit(tracer.Event{Kind: tracer.Wait, Time: x.time, Task: p.task, PE: x.left, Code: parts})
				leaves(x.time, x.left)
			}
			begins(a, x.time, x.pe)
		case tracer.End:
			if a.Failed {
				e.Value = 1
			}
			if x.parent == resumed {
				emit(tracer.Event{Kind: tracer.Wake, Time: x.time, Task: p.task, Ref: a.task, PE: x.pe})
			}
		}
		e.Code = a.code
		emit(e)
		if x.kind == tracer.End {
			leaves(x.time, x.pe)
			if x.parent == resumed {
				begins(p, x.time, x.left)
			}
		}
	}
}
