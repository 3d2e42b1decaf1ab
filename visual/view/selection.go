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
	s.Tasks, s.Codes, s.Lines, s.PEs = union(s.Tasks, t.Tasks), union(s.Codes, t.Codes), union(s.Lines, t.Lines), union(s.PEs, t.PEs)
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
