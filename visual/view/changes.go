package view

import "slices"

// Steps returns the actions that give another viewer of the same traces what differs between two shared states: the selection, the time, the detail, the
// speed, the palette, how runs are aligned, the filters, and the annotations of the traces.
func (s *Shared) Steps(to *Shared) (all []Action) {
	flag := func(on bool) int {
		if on {
			return 1
		}
		return 0
	}
	same := func(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
	if !s.Selection.Equal(to.Selection) {
		all = append(all, Action{Do: Select, Selection: &to.Selection})
	}
	if a, b := s.Window, to.Window; a != b && (a == nil || b == nil || *a != *b) {
		all = append(all, Action{Do: SetWindow, Window: b})
	}
	if !same(s.Until, to.Until) {
		all = append(all, Action{Do: SetUntil, Until: to.Until, More: true})
	}
	if a, b := s.Detail, to.Detail; a != b && (a == nil || b == nil || *a != *b) {
		all = append(all, Action{Do: SetDetail, Lines: b})
	}
	if s.Speed != to.Speed {
		all = append(all, Action{Do: SetSpeed, Index: to.Speed})
	}
	if s.Parts != to.Parts {
		all = append(all, Action{Do: SetParts, Index: flag(to.Parts)})
	}
	if s.Apart != to.Apart {
		all = append(all, Action{Do: SetApart, Index: flag(to.Apart)})
	}
	if s.Palette != to.Palette {
		all = append(all, Action{Do: SetPalette, Name: to.Palette})
	}
	for _, f := range s.Filters {
		if to.Filter(f.Trace) == "" {
			all = append(all, Action{Do: SetFilter, Name: f.Trace})
		}
	}
	for _, f := range to.Filters {
		if s.Filter(f.Trace) != f.Where {
			all = append(all, Action{Do: SetFilter, Name: f.Trace, Value: f.Where})
		}
	}
	for _, n := range s.Annotations {
		if !slices.ContainsFunc(to.Annotations, func(m Annotation) bool { return m.Trace == n.Trace && m.Task == n.Task }) {
			all = append(all, Action{Do: Unannotate, Name: n.Trace, Task: n.Task})
		}
	}
	for _, n := range to.Annotations {
		if !slices.Contains(s.Annotations, n) {
			all = append(all, Action{Do: Annotate, Name: n.Trace, Task: n.Task, Value: n.Text})
		}
	}
	return all
}
