package workspan

import (
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
)

// TestNoBurden checks for any events, damaged traces and early wakes included, that the span with a burden of 0 is that of the first pass, and that a
// burden does not shorten it.
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
		span := func(burden int64) (first, second int64) {
			var g Goals
			for i := range events {
				g.Event(&events[i])
			}
			b := g.Burdened(burden)
			for i := range events {
				b.Event(&events[i])
			}
			return g.Span, b.Span
		}
		first, second := span(0)
		if second != first {
			t.Fatalf("span %d with a burden of 0, want %d", second, first)
		}
		if _, burdened := span(5); burdened < first {
			t.Fatalf("span %d with a burden of 5, %d without", burdened, first)
		}
	})
}
