package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestAgainst compares a run with none, with itself and with another one, in each view that can. Compared with itself it differs nowhere: no colour of
// more or of less is drawn. The key of comparison ends it.
func TestAgainst(t *testing.T) {
	run, other := viewtest.Called(), viewtest.Calls(60, 5, 1)
	text := glyph.New()
	strong := []scene.Color{view.Diverging{}.Color(-1), view.Diverging{}.Color(1)}
	for _, k := range All {
		if _, err := k.Param(view.Against); err != nil {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			o, err := view.Open(k, run, text)
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			if err := o.Set(view.Against, view.AgainstTrace); err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				name string
				src  tracer.Source
				want string // in the legend
			}{{"alone", nil, "No other run is open beside this one"}, {"itself", run, ""}, {"other", other, ""}} {
				o.Data.Compare(c.name, c.src)
				r, err := o.Geometry(context.Background(), 0, 700)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				f := &view.Frame{Area: scene.Rect{X1: 900, Y1: 700}, Clip: scene.Rect{X1: 900, Y1: 700}, Style: view.NewStyle(false, 13), Text: text, Trace: "t", State: &view.State{}}
				f.Camera = view.Fit(r.Value.Bounds(), f.Area, 6)
				legend := r.Value.Legend(f)
				if !strings.HasPrefix(legend.Warning, c.want) || c.want == "" && legend.Warning != "" {
					t.Errorf("%s: the legend warns: %q", c.name, legend.Warning)
				}
				var out scene.List
				r.Value.Base(f, &out)
				if o, ok := r.Value.(view.Overlayer); ok {
					o.Overlay(f, &out)
				}
				differs := false
				for i := range out.Len() {
					op := out.Op(i)
					differs = differs || slices.Contains(strong, op.Color)
				}
				if differs && c.name != "other" {
					t.Errorf("%s: something differs", c.name)
				}
				ends := false
				for _, a := range r.Value.(view.Responder).Input(f, view.Input{Kind: view.Press, Key: "d"}) {
					ends = ends || a.Do == view.SetParam && a.Name == view.Against && a.Value != view.AgainstTrace
				}
				if !ends {
					t.Errorf("%s: the key d does not end the comparison", c.name)
				}
			}
		})
	}
}
