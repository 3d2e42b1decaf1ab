package workspan

import (
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
)

// TestNoBurden checks for any events, damaged traces and early wakes included, that the span with a burden of 0 is that of the first pass, that a
// burden does not shorten it, and that the first pass agrees with the second if it knows the burdened span.
func TestNoBurden(t *testing.T) {
	kinds := []tracer.Kind{tracer.Reduce, tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Resume, tracer.Resume, tracer.Start, tracer.End}
	rapid.Check(t, func(t *rapid.T) {
		var events []tracer.Event
		id := rapid.Uint64Range(0, 6)
		for i := range rapid.IntRange(0, 60).Draw(t, "events") {
			events = append(events, tracer.Event{
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Time: int64(10 * i), Task: id.Draw(t, "task"), Ref: id.Draw(t, "ref"),
				PE: rapid.Int32Range(-1, 2).Draw(t, "pe"), Value: rapid.Int64Range(-1, 30).Draw(t, "cost"), Code: 1,
			})
		}
		span := func(burden int64) (first *Measure, second int64) {
			var g Goals
			for i := range events {
				g.Event(&events[i])
			}
			first = g.Measure()
			b := g.Burdened(burden)
			for i := range events {
				b.Event(&events[i])
			}
			return first, b.Span
		}
		first, second := span(0)
		if second != first.Span {
			t.Fatalf("span %d with a burden of 0, want %d", second, first.Span)
		}
		if _, burdened := span(5); burdened < first.Span {
			t.Fatalf("span %d with a burden of 5, %d without", burdened, first.Span)
		}
		if _, burdened := span(first.Burden); first.BurdenedSpan >= 0 && first.BurdenedSpan != burdened {
			t.Fatalf("burdened span %d, with a second pass %d", first.BurdenedSpan, burdened)
		}
	})
}
