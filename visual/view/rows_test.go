package view

import (
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/scene"
)

// TestRows checks that rows scroll to a camera, leave no unnecessary room below the last one, and fill the body without gaps.
func TestRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, line := rapid.IntRange(0, 1000).Draw(t, "rows"), float64(rapid.IntRange(1, 40).Draw(t, "line"))
		body := scene.Rect{X0: 3, Y0: 50, X1: 90, Y1: 50 + rapid.Float64Range(0, 900).Draw(t, "height")}
		fresh := NewRows(body, line, n, Camera{})
		asked := rapid.IntRange(-2000, 2000).Draw(t, "scroll")
		want := max(0, min(asked, n-fresh.Visible))
		r := NewRows(body, line, n, fresh.CameraAt(asked))
		if r.Scroll != want || fresh.Scroll != 0 {
			t.Fatalf("scrolled to %d, requested %d of %d rows, with room for %d", r.Scroll, asked, n, r.Visible)
		}
		if acts := r.ScrollTo(asked, 7); acts != nil {
			t.Fatalf("scrolling to the current row returns %+v, want nil", acts)
		}
		if acts := fresh.ScrollTo(asked, 7); (acts != nil) != (want != 0) {
			t.Fatalf("scrolling to %d returns %+v", want, acts)
		}
		if i := rapid.IntRange(0, max(n-1, 0)).Draw(t, "row"); r.Visible > 0 && n > 0 {
			to := r.Scroll
			if acts := r.ScrollInto(i, 7); acts != nil {
				moved := NewRows(body, line, n, *acts[0].Camera)
				to = moved.Scroll
			}
			if i < to || i >= to+r.Visible || to != r.Scroll && i != to && i != to+r.Visible-1 || (to != r.Scroll) == (i >= r.Scroll && i < r.Scroll+r.Visible) {
				t.Fatalf("row %d of rows from %d to %d: scrolled to %d", i, r.Scroll, r.Scroll+r.Visible, to)
			}
		}
		top := body.Y0
		first, end := r.Shown()
		for i := first; i < end; i++ {
			if got := r.Row(i); got.Y0 != top || got.Y1 != top+line || got.Y1 > body.Y1+1 || got.X0 != body.X0 || got.X1 != body.X1 {
				t.Fatalf("row %d is at %+v, want the top at %g", i, got, top)
			}
			top += line
		}
	})
	r := NewRows(scene.Rect{Y1: 100}, 10, 50, Camera{})
	for _, c := range []struct {
		in   Input
		want int
	}{{Input{Kind: Wheel, DY: -2}, 6}, {Input{Kind: Wheel, DY: 1}, -3}, {Input{Kind: Drag, Y: 15, DY: -20}, 2}, {Input{Kind: Drag, Y: 39, DY: 5}, 0}} {
		if got := r.Turned(c.in); got != c.want {
			t.Errorf("%+v scrolls %d rows, want %d", c.in, got, c.want)
		}
	}
}
