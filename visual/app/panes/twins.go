package panes

import (
	"slices"

	"whorl/visual/documents"
	"whorl/visual/view"
)

// A selection in one of the compared runs is lit in the others too: the same goals of the program, whatever their numbers, and the same
// procedures, PEs and times.

// fewTwins is the number of tasks of a selection that are looked for one by one in another run.
const fewTwins = 100

// A twinKey tells large selections of tasks apart.
type twinKey struct {
	from, to view.Genealogy
	entries  int
	first    view.Tasks
}

// twinned are the tasks of a large selection, and those of another run at the same places.
type twinned struct{ tasks, twins []view.Tasks }

// Translated returns the state as the overlay of a pane shows it: times, selection and hovered thing are those of the pane's trace.
func (l *Links) Translated(p *Pane) *view.State {
	d := l.model.Document(p)
	s := l.model.State
	s.Shared.Until, s.Shared.Window = l.model.Clock.Until(p.Trace), l.model.Clock.Window(p.Trace)
	if l.Compared(d) == nil {
		return &s
	}
	s.Shared.Selection = l.Twin(s.Shared.Selection, d)
	s.Personal.Hover = l.Twin(s.Personal.Hover, d)
	return &s
}

// Twin translates a selection in a run that d is compared with into one in d. It is empty if d has nothing of that kind.
func (l *Links) Twin(s view.Selection, d *documents.Document) view.Selection {
	e := l.model.Docs.Get(s.Trace)
	if s.Empty() || e == nil || e == d || !slices.Contains(l.Compared(d), e) {
		return s
	}
	out := view.Selection{
		Trace: d.Name, PEs: s.PEs, Time: l.twinTime(s.Time, e, d), Lines: s.Lines, Contexts: s.Contexts,
		Codes: documents.SameCodes(s.Codes, e.Source.Dict().Codes(), d.Source.Dict().Codes()),
	}
	out.Tasks = l.twinTasks(s.Tasks, e, d)
	if len(out.Codes) == 0 && len(s.Codes) > 0 || len(out.Tasks) == 0 && len(s.Tasks) > 0 {
		return view.Selection{}
	}
	return out
}

// twinTime returns a time of one run as a time of another.
func (l *Links) twinTime(t *view.Span, from, to *documents.Document) *view.Span {
	if t == nil || !l.model.Clock.InParts() {
		return t
	}
	return &view.Span{First: l.model.Clock.OnTrace(l.model.Clock.OnClock(t.First, from), to), Last: l.model.Clock.OnTrace(l.model.Clock.OnClock(t.Last, from), to)}
}

// twinTasks returns the tasks of another run with the same ways from the root and the same names. Few tasks do not need a walk through both trees.
func (l *Links) twinTasks(tasks []view.Tasks, from, to *documents.Document) (twins []view.Tasks) {
	n := uint64(0)
	for _, t := range tasks {
		if !t.Subtree && t.Last > t.First {
			n += min(t.Last-t.First, fewTwins)
		}
		n++
	}
	if n <= fewTwins {
		for _, t := range tasks {
			last := t.First
			if !t.Subtree {
				last = max(last, t.Last)
			}
			for task := t.First; task <= last; task++ {
				if u, ok := l.twinTask(task, from, to); ok {
					twins = append(twins, view.Tasks{First: u, Subtree: t.Subtree})
				}
			}
		}
		return twins
	}
	v, w := l.genealogy(from), l.genealogy(to)
	if v == nil || w == nil {
		return nil
	}
	key := twinKey{v, w, len(tasks), tasks[0]}
	if known, ok := l.twins[key]; ok && slices.Equal(known.tasks, tasks) {
		return known.twins
	}
	if l.twins == nil || len(l.twins) > 16 { // pictures that are gone
		l.twins = map[twinKey]twinned{}
	}
	twins = v.Twins(tasks, w)
	l.twins[key] = twinned{tasks, twins}
	return twins
}

// twinTask returns the task of another run with the same way from the root and the same name.
func (l *Links) twinTask(task uint64, from, to *documents.Document) (uint64, bool) {
	v, w := l.genealogy(from), l.genealogy(to)
	if v == nil || w == nil {
		return 0, false
	}
	way, name, ok := v.Way(task)
	if !ok {
		return 0, false
	}
	twin, called, ok := w.TaskAt(way)
	return twin, ok && called == name
}

// genealogy returns a picture that knows the tree of a trace, nil if no pane has one.
func (l *Links) genealogy(d *documents.Document) view.Genealogy {
	for _, id := range l.model.IDs {
		p := l.model.Panes[id]
		if p == nil || p.Trace != d.Name || p.shows != d.Name {
			continue
		}
		if g, ok := p.result.Value.(view.Genealogy); ok {
			return g
		}
	}
	return nil
}
