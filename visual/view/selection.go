package view

import "slices"

// A Selection selects parts of one trace. Each list that is not empty narrows it: to tasks, codes, source lines, PEs and a
// span of time. The zero Selection selects nothing.
type Selection struct {
	Trace string   `json:"trace,omitempty"`
	Tasks []Tasks  `json:"tasks,omitempty"`
	Codes []uint32 `json:"codes,omitempty"`
	Lines []Lines  `json:"lines,omitempty"`
	PEs   []Span   `json:"pes,omitempty"`
	Time  *Span    `json:"time,omitempty"` // ns
	// Contexts are nodes of the calling context tree. visual/view/contexts computes their numbers from the names on the
	// path to them. Codes has their procedures, for views without contexts.
	Contexts []uint64 `json:"contexts,omitempty"`
	// Expr is the expression that the user wrote for the selection (visual/view/selector), "" for one made by hand.
	Expr string `json:"expr,omitempty"`
}

// Tasks are the tasks from First to Last, or First and its descendants.
type Tasks struct {
	First   uint64 `json:"first"`
	Last    uint64 `json:"last,omitempty"`
	Subtree bool   `json:"subtree,omitempty"`
}

// A Span is the range of integers from First to Last, inclusive: PEs or nanoseconds.
type Span struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// Same reports whether two spans are equal or both nil.
func (s *Span) Same(t *Span) bool { return s == t || s != nil && t != nil && *s == *t }

// Contains reports whether the span contains n.
func (s Span) Contains(n int64) bool { return s.First <= n && n <= s.Last }

// Empty reports whether nothing is selected.
func (s Selection) Empty() bool {
	return len(s.Tasks) == 0 && len(s.Codes) == 0 && len(s.Lines) == 0 && len(s.PEs) == 0 && s.Time == nil && len(s.Contexts) == 0
}

// Unknown reports whether the selection has contexts but no procedures, so that views without contexts cannot show it.
func (s Selection) Unknown() bool { return len(s.Contexts) > 0 && len(s.Codes) == 0 }

// Equal reports whether two selections have the same lists, in the same order. Their expressions do not matter.
func (s Selection) Equal(t Selection) bool {
	return s.Time.Same(t.Time) && s.Trace == t.Trace && slices.Equal(s.Contexts, t.Contexts) && slices.Equal(s.Tasks, t.Tasks) && slices.Equal(s.Codes, t.Codes) &&
		slices.Equal(s.Lines, t.Lines) && slices.Equal(s.PEs, t.PEs)
}

// Subtree returns the selection of a task and its descendants.
func Subtree(trace string, task uint64) Selection {
	return Selection{Trace: trace, Tasks: []Tasks{{First: task, Subtree: true}}}
}

// With returns s with the entries of t added. If t is of another trace or has other lists than s, With returns t.
func (s Selection) With(t Selection) Selection {
	same := s.Trace == t.Trace && (len(s.Contexts) > 0) == (len(t.Contexts) > 0) && s.Time == nil && t.Time == nil && (len(s.Tasks) > 0) == (len(t.Tasks) > 0) &&
		(len(s.Codes) > 0) == (len(t.Codes) > 0) && (len(s.Lines) > 0) == (len(t.Lines) > 0) && (len(s.PEs) > 0) == (len(t.PEs) > 0)
	switch {
	case t.Empty():
		return s
	case !same || s.Empty():
		return t
	}
	s.Tasks, s.Codes, s.Lines, s.PEs = union(s.Tasks, t.Tasks), union(s.Codes, t.Codes), union(s.Lines, t.Lines), Joined(union(s.PEs, t.PEs))
	s.Contexts, s.Expr = union(s.Contexts, t.Contexts), ""
	return s
}

// union returns a followed by the elements of b that are not in a.
func union[T comparable](a, b []T) []T {
	a = slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// Without returns s without the entries of t, for a t of the same trace. Only lists that differ between s and t lose entries, so that a PE can be
// taken from those of a procedure. A list that loses all of its entries leaves nothing selected, since an empty list would select more. A subtree
// only goes as a whole.
func (s Selection) Without(t Selection) Selection {
	if s.Trace != t.Trace || t.Empty() {
		return s
	}
	out, differs, gone := s, false, false
	for _, list := range []struct {
		both, equal bool
		remove      func() (left int)
	}{
		{len(s.Tasks) > 0 && len(t.Tasks) > 0, slices.Equal(s.Tasks, t.Tasks), func() int { out.Tasks = tasksWithout(s.Tasks, t.Tasks); return len(out.Tasks) }},
		{len(s.Contexts) > 0 && len(t.Contexts) > 0, slices.Equal(s.Contexts, t.Contexts), func() int {
			out.Contexts = difference(s.Contexts, t.Contexts)
			if codes := difference(s.Codes, t.Codes); len(codes) > 0 { // otherwise another context has the same procedure
				out.Codes = codes
			}
			return len(out.Contexts)
		}},
		{len(s.Codes) > 0 && len(t.Codes) > 0 && len(s.Contexts) == 0, slices.Equal(s.Codes, t.Codes), func() int { out.Codes = difference(s.Codes, t.Codes); return len(out.Codes) }},
		{len(s.Lines) > 0 && len(t.Lines) > 0, slices.Equal(s.Lines, t.Lines), func() int { out.Lines = linesWithout(s.Lines, t.Lines); return len(out.Lines) }},
		{len(s.PEs) > 0 && len(t.PEs) > 0, slices.Equal(s.PEs, t.PEs), func() int { out.PEs = spansWithout(s.PEs, t.PEs); return len(out.PEs) }},
	} {
		if list.both && !list.equal {
			differs = true
			gone = gone || list.remove() == 0
		}
	}
	if gone || !differs && s.Equal(t) {
		return Selection{}
	}
	if !out.Equal(s) {
		out.Expr = ""
	}
	return out
}

// difference returns the elements of a that are not in b.
func difference[T comparable](a, b []T) (out []T) {
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// spansWithout returns the parts of some spans that others do not cover.
func spansWithout(spans, others []Span) []Span {
	for _, o := range others {
		var left []Span
		for _, s := range spans {
			if before := (Span{s.First, min(s.Last, o.First-1)}); before.First <= before.Last {
				left = append(left, before)
			}
			if after := (Span{max(s.First, o.Last+1), s.Last}); after.First <= after.Last {
				left = append(left, after)
			}
		}
		spans = left
	}
	return spans
}

// tasksWithout returns the parts of some ranges of tasks that others do not cover. A subtree only goes as a whole.
func tasksWithout(tasks, others []Tasks) (out []Tasks) {
	var spans []Span
	for _, o := range others {
		if !o.Subtree {
			spans = append(spans, Span{int64(o.First), int64(max(o.First, o.Last))})
		}
	}
	for _, t := range tasks {
		if t.Subtree {
			if !slices.Contains(others, t) {
				out = append(out, t)
			}
			continue
		}
		for _, left := range spansWithout([]Span{{int64(t.First), int64(max(t.First, t.Last))}}, spans) {
			r := Tasks{First: uint64(left.First), Last: uint64(left.Last)}
			if r.First == r.Last {
				r.Last = 0
			}
			out = append(out, r)
		}
	}
	return out
}

// linesWithout returns the parts of some lines that others do not cover.
func linesWithout(lines, others []Lines) (out []Lines) {
	for _, l := range lines {
		var spans []Span
		for _, o := range others {
			if SameFile(l.File, o.File) {
				spans = append(spans, Span{int64(o.First), int64(o.End())})
			}
		}
		for _, left := range spansWithout([]Span{{int64(l.First), int64(l.End())}}, spans) {
			r := Lines{File: l.File, First: int32(left.First), Last: int32(left.Last)}
			if r.First == r.Last {
				r.Last = 0
			}
			out = append(out, r)
		}
	}
	return out
}
