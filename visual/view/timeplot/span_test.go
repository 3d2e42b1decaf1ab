package timeplot

import (
	"testing"

	"whorl/visual/view"
)

// TestSpan checks that an axis covers both the time of its trace and Frame.Span.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		start, end int64
		span       view.Span
		from, to   float64
	}{
		{0, 100, view.Span{}, 0, 100},
		{0, 100, view.Span{Last: 250}, 0, 250},
		{0, 100, view.Span{Last: 60}, 0, 100},
		{-20, 100, view.Span{First: -5, Last: 250}, -20, 250},
		{0, 100, view.Span{First: -50, Last: 60}, -50, 100},
		{40, 100, view.Span{}, 40, 100},
		{0, 0, view.Span{Last: 10}, 0, 10},
	} {
		f := frame(600, 300)
		f.Span = c.span
		p := New(f, c.start, c.end, 40, 3)
		if p.From != c.from || p.To != c.to || !p.Whole() {
			t.Errorf("%d to %d with %v shows %g to %g", c.start, c.end, c.span, p.From, p.To)
		}
		if x, want := p.X(c.end), p.In.X0+(float64(c.end)-c.from)/(c.to-c.from)*p.In.W(); x != want {
			t.Errorf("%d to %d with %v ends at %g, want %g", c.start, c.end, c.span, x, want)
		}
		for _, b := range p.Bounds(c.end) { // nothing is drawn after the end of the trace
			if b > c.end {
				t.Fatalf("%d to %d with %v has a column that ends at %d", c.start, c.end, c.span, b)
			}
		}
		if f.Key(1) == frame(600, 300).Key(1) != (c.span == view.Span{}) {
			t.Errorf("the key of a frame does not depend on span %v", c.span)
		}
	}
}
