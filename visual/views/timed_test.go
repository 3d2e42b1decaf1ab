package views

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestTimed checks in areas of random sizes that See returns a camera for the requested time, in each view with a time axis.
func TestTimed(t *testing.T) {
	n, text := 0, glyph.New()
	for _, k := range All {
		if !view.Implements[view.Timed](k) {
			continue
		}
		n++
		o, err := view.Open(k, viewtest.Small(), text)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		r, err := o.Geometry(context.Background(), 0, 300)
		if err != nil {
			t.Fatal(err)
		}
		v := r.Value.(view.Timed)
		rapid.Check(t, func(t *rapid.T) {
			area := scene.Rect{X1: rapid.Float64Range(50, 2000).Draw(t, "w"), Y1: rapid.Float64Range(50, 900).Draw(t, "h")}
			f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: text, Trace: "t", State: &view.State{}}
			f.Span = view.Span{Last: rapid.Int64Range(0, 1_000_000).Draw(t, "span")}
			f.Camera = view.Fit(r.Value.Bounds(), area, 6)
			from, all := v.Seen(f)
			if from != 0 || all != float64(max(f.Span.Last, 100)) {
				t.Fatalf("%s shows %g to %g of %v", k.Name, from, all, f.Span)
			}
			want := [2]float64{rapid.Float64Range(0, all).Draw(t, "from"), 0}
			want[1] = want[0] + max((all-want[0])*rapid.Float64Range(0, 1).Draw(t, "part"), all/2)
			if want[1] > all {
				want[0], want[1] = want[0]-(want[1]-all), all
			}
			f.Camera = v.See(f, want[0], want[1])
			least := area.X1 / 50 // ns in a fiftieth of the width, near the zoom limit
			if from, to := v.Seen(f); want[1]-want[0] > least && max(math.Abs(from-want[0]), math.Abs(to-want[1])) > 1e-6*all {
				t.Fatalf("%s shows %g to %g, want %v", k.Name, from, to, want)
			}
		})
	}
	if n < 2 {
		t.Errorf("%d views have a time axis, want at least 2", n)
	}
}
