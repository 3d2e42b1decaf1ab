package view

import (
	"cmp"
	"slices"
)

// Spans are spans in order, none of which touches another: PEs that are looked up one by one are many, and so may be the spans.
type Spans []Span

// Joined are spans in order, those that share anything as one.
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

// Has says whether any of them has a number.
func (s Spans) Has(n int64) bool { return s.Meets(n, n) }

// Meets says whether any of them has one of the numbers from first to last.
func (s Spans) Meets(first, last int64) bool {
	i, _ := slices.BinarySearchFunc(s, first, func(s Span, n int64) int { return cmp.Compare(s.Last, n) })
	return i < len(s) && s[i].First <= last
}
