package view

import "slices"

// A Selection names things of one trace. Each list that is not empty narrows it: tasks of these ranges, with these codes, at these lines of
// the program, on these PEs, within this time. The zero Selection selects nothing.
type Selection struct {
	Trace string   `json:"trace,omitempty"`
	Tasks []Tasks  `json:"tasks,omitempty"`
	Codes []uint32 `json:"codes,omitempty"`
	Lines []Lines  `json:"lines,omitempty"`
	PEs   []Span   `json:"pes,omitempty"`
	Time  *Span    `json:"time,omitempty"` // ns
	// Contexts are nodes of the tree of calling contexts, by numbers that visual/view/contexts makes of the names on the way to them. Codes
	// has their procedures: what views show of it that know no contexts.
	Contexts []uint64 `json:"contexts,omitempty"`
}

// Tasks are the tasks from First to Last, or First with everything that descends from it.
type Tasks struct {
	First   uint64 `json:"first"`
	Last    uint64 `json:"last,omitempty"`
	Subtree bool   `json:"subtree,omitempty"`
}

// A Span is the whole numbers from First to Last: PEs, or nanoseconds.
type Span struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// Same says whether two spans are alike, or both nil.
func (s *Span) Same(t *Span) bool { return s == t || s != nil && t != nil && *s == *t }

// Has says whether n lies in the span.
func (s Span) Has(n int64) bool { return s.First <= n && n <= s.Last }

// Empty says whether nothing is selected.
func (s Selection) Empty() bool {
	return len(s.Tasks) == 0 && len(s.Codes) == 0 && len(s.Lines) == 0 && len(s.PEs) == 0 && s.Time == nil && len(s.Contexts) == 0
}

// Unknown says whether views that know no calling contexts have nothing to show of a selection: it names contexts without procedures.
func (s Selection) Unknown() bool { return len(s.Contexts) > 0 && len(s.Codes) == 0 }

// Equal says whether two selections are written the same.
func (s Selection) Equal(t Selection) bool {
	return s.Time.Same(t.Time) && s.Trace == t.Trace && slices.Equal(s.Contexts, t.Contexts) && slices.Equal(s.Tasks, t.Tasks) && slices.Equal(s.Codes, t.Codes) &&
		slices.Equal(s.Lines, t.Lines) && slices.Equal(s.PEs, t.PEs)
}

// Subtree selects a task and everything that descends from it.
func Subtree(trace string, task uint64) Selection {
	return Selection{Trace: trace, Tasks: []Tasks{{First: task, Subtree: true}}}
}

// With adds what t selects to s. Things of another trace, or of another sort than s has, take the place of s.
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
	s.Contexts = union(s.Contexts, t.Contexts)
	return s
}

// union is a with those of b that it has not.
func union[T comparable](a, b []T) []T {
	a = slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}
