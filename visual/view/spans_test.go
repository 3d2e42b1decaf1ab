package view

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestJoined(t *testing.T) {
	in := []Span{{First: 5, Last: 9}, {First: 1, Last: 2}, {First: 2, Last: 6}, {First: 20, Last: 20}, {First: 12, Last: 11}}
	want := Spans{{First: 1, Last: 9}, {First: 20, Last: 20}}
	if got := Joined(in); !slices.Equal(got, want) || in[0].First != 5 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestJoinedHas compares lookups in joined spans with lookups in each span.
func TestJoinedHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var spans []Span
		for range rapid.IntRange(0, 8).Draw(t, "spans") {
			first := rapid.Int64Range(-3, 45).Draw(t, "first")
			spans = append(spans, Span{First: first, Last: first + rapid.Int64Range(-2, 9).Draw(t, "more")})
		}
		joined := Joined(spans)
		for n := int64(-6); n < 60; n++ {
			if has := slices.ContainsFunc(spans, func(s Span) bool { return s.Contains(n) }); joined.Contains(n) != has {
				t.Errorf("spans %v, joined %v: Has(%d) = %v, want %v", spans, joined, n, !has, has)
			}
		}
		from := rapid.Int64Range(-6, 60).Draw(t, "from")
		to := from + rapid.Int64Range(0, 20).Draw(t, "to")
		if meets := slices.ContainsFunc(spans, func(s Span) bool { return s.First <= min(s.Last, to) && s.Last >= from }); joined.Meets(from, to) != meets {
			t.Errorf("spans %v, joined %v: Meets(%d, %d) = %v, want %v", spans, joined, from, to, !meets, meets)
		}
	})
}
