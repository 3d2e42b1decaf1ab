package shown

import (
	"slices"

	"whorl/visual/view"
)

// meets reports whether a thing, without a trace, is part of a selection or has a part of it. Each kind of thing that both name has to agree, and
// one has to be named by both.
func meets(t, s view.Selection) bool {
	common := false
	agree := func(both, some bool) bool {
		common = common || both
		return !both || some
	}
	ok := agree(len(t.PEs) > 0 && len(s.PEs) > 0, slices.ContainsFunc(t.PEs, func(a view.Span) bool {
		return slices.ContainsFunc(s.PEs, func(b view.Span) bool { return a.First <= b.Last && b.First <= a.Last })
	}))
	ok = ok && agree(t.Time != nil && s.Time != nil, t.Time != nil && s.Time != nil && t.Time.First <= s.Time.Last && s.Time.First <= t.Time.Last)
	ok = ok && agree(len(t.Codes) > 0 && len(s.Codes) > 0, slices.ContainsFunc(t.Codes, func(c uint32) bool { return slices.Contains(s.Codes, c) }))
	ok = ok && agree(len(t.Lines) > 0 && len(s.Lines) > 0, slices.ContainsFunc(t.Lines, func(a view.Lines) bool {
		return slices.ContainsFunc(s.Lines, func(b view.Lines) bool {
			return view.SameFile(a.File, b.File) && a.First <= b.End() && b.First <= a.End()
		})
	}))
	return ok && common
}
