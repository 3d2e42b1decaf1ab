package view

import (
	"cmp"
	"slices"
)

// Spans are ascending spans that do not overlap. Lookups are binary searches, since there may be many spans.
type Spans []Span

// Joined returns spans in ascending order, with overlapping ones merged.
func Joined(spans []Span) Spans {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b Span) int { return cmp.Compare(a.First, b.First) })
	out := sorted[:0]
	for _, s := range sorted {
		if n := len(out); n > 0 && s.First <= out[n-1].Last {
			out[n-1].Last = max(out[n-1].Last, s.Last)
		} else if s.First <= s.Last {
			out = append(out, s)
		}
	}
	return Spans(out)
}

// JoinedTasks sorts ranges of tasks, which have a Last, and merges overlapping ones. It reuses the slice.
func JoinedTasks(tasks []Tasks) []Tasks {
	slices.SortFunc(tasks, func(a, b Tasks) int { return cmp.Compare(a.First, b.First) })
	out := tasks[:0]
	for _, t := range tasks {
		if n := len(out); n > 0 && t.First <= out[n-1].Last {
			out[n-1].Last = max(out[n-1].Last, t.Last)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// Contains reports whether a span contains n.
func (s Spans) Contains(n int64) bool { return s.Meets(n, n) }

// Meets reports whether a span contains a number from first to last.
func (s Spans) Meets(first, last int64) bool {
	i, _ := slices.BinarySearchFunc(s, first, func(s Span, n int64) int { return cmp.Compare(s.Last, n) })
	return i < len(s) && s[i].First <= last
}
