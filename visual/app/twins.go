package app

import (
	"slices"

	"whorl/tracer"
	"whorl/visual/view"
)

// What is selected in one of the runs that are compared is lit in the others, too: there it is the same goals of the program, whatever
// their numbers, the same procedures, PEs and times.

// maxTwins is how many entries of a selection are looked for in another run.
const maxTwins = 100

// translated is the state as the overlay of a pane shows it: with what is selected and hovered in the names of its trace.
func (a *App) translated(p *pane) *view.State {
	d := a.docs[p.trace]
	s := a.State
	s.Shared.Until, s.Shared.Window = a.untilOf(p.trace), a.windowOf(p.trace)
	if a.compared(d) == nil {
		return &s
	}
	s.Shared.Selection = a.twin(s.Shared.Selection, d)
	s.Personal.Hover = a.twin(s.Personal.Hover, d)
	return &s
}

// twin is what a selection of one run is in another one that it is compared with; empty where that has nothing like it.
func (a *App) twin(s view.Selection, d *document) view.Selection {
	e := a.docs[s.Trace]
	if s.Empty() || e == nil || e == d || !slices.Contains(a.compared(d), e) {
		return s
	}
	out := view.Selection{Trace: d.name, PEs: s.PEs, Time: a.twinTime(s.Time, e, d), Lines: s.Lines, Contexts: s.Contexts, Codes: sameCodes(s.Codes, e.src.Dict().Codes(), d.src.Dict().Codes())}
	for _, t := range s.Tasks[:min(len(s.Tasks), maxTwins)] {
		first, last := t.First, max(t.First, t.Last)
		if t.Subtree {
			last = first
		}
		for task := first; task <= last && task-first < maxTwins; task++ {
			if u, ok := a.twinTask(task, e, d); ok {
				out.Tasks = append(out.Tasks, view.Tasks{First: u, Subtree: t.Subtree})
			}
		}
	}
	if len(out.Codes) == 0 && len(s.Codes) > 0 || len(out.Tasks) == 0 && len(s.Tasks) > 0 {
		return view.Selection{}
	}
	return out
}

// twinTask is the task of another run that has the same place in the tree and the same name.
func (a *App) twinTask(task uint64, from, to *document) (uint64, bool) {
	v, w := a.genealogy(from), a.genealogy(to)
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

// genealogy returns a picture of a trace that knows its tree, nil where none is open.
func (a *App) genealogy(d *document) view.Genealogy {
	for _, id := range a.IDs {
		p := a.panes[id]
		if p == nil || p.trace != d.name || p.shows != d.name {
			continue
		}
		if g, ok := p.result.Value.(view.Genealogy); ok {
			return g
		}
	}
	return nil
}

// sameCodes are the entries of one code table that another has too: of the same type and name, and the how-manieth of these.
func sameCodes(codes []uint32, from, to []tracer.Code) (same []uint32) {
	for _, c := range codes[:min(len(codes), maxTwins)] {
		if int(c) >= len(from) {
			continue
		}
		alike := func(k tracer.Code) bool { return k.Type == from[c].Type && k.Name == from[c].Name }
		before := 0
		for _, k := range from[:c] {
			if alike(k) {
				before++
			}
		}
		for i, k := range to {
			if !alike(k) {
				continue
			}
			if before == 0 {
				same = append(same, uint32(i))
				break
			}
			before--
		}
	}
	return same
}
