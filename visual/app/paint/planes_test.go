//go:build window || js || browser

package paint

import (
	"image"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/visual/app"
	"whorl/visual/app/painter"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/views"
)

// TestPlanes moves the cameras of all views whose old pixels stand in for new ones. The moved pixels are much nearer to the new picture than those of the
// old camera.
func TestPlanes(t *testing.T) {
	run := experiment.Defaults("fghc/pascal")
	run.PEs = 4
	src := experimenttest.Trace(t, run)
	text := glyph.New()
	const w, h = 700, 500
	box := scene.Rect{X1: w, Y1: h}
	planes := 0
	for _, k := range views.All {
		o, err := view.Open(k, src, text)
		if err != nil {
			continue // it needs other events
		}
		r, err := o.Geometry(t.Context(), 0, h)
		if err != nil {
			t.Fatal(err)
		}
		plane, ok := r.Value.(view.Plane)
		if !ok {
			o.Close()
			continue
		}
		planes++
		f := &view.Frame{Area: box, Clip: box, Style: view.NewStyle(false, 12), Text: text, Trace: "t"}
		f.Camera = view.Fit(view.BoundsAt(r.Value, nil), box, 6)
		whole, area := plane.Mapping(f)
		begin := view.Camera{ // twice as large, so that no camera is clamped
			X: ((area.X0+area.X1)/2 - whole.X) / whole.ScaleX, Y: ((area.Y0+area.Y1)/2 - whole.Y) / whole.ScaleY,
			Scale: 2 * whole.ScaleX, ScaleY: 2 * whole.ScaleY,
		}
		mapping := func(c view.Camera) view.Mapping {
			f.Camera = c
			m, at := plane.Mapping(f)
			if at != area {
				t.Fatalf("%s: the part that moves is %v with one camera and %v with another", k.Name, area, at)
			}
			return m
		}
		layer := func(revision uint64, drawn, shown view.Camera) app.Layer {
			p := painter.Plane{Subject: 1, Area: area, Ground: f.Style.Ground, Drawn: mapping(drawn), Shown: mapping(shown)}
			l := scene.New(w, h)
			l.Fill(box, f.Style.Ground)
			f.Camera = drawn
			view.Draw(r.Value, f, l)
			return app.Layer{Rect: box, Revision: revision, List: l, Opaque: true, Plane: p}
		}
		for _, c := range []struct {
			name   string
			dx, dy float64 // pixels
			zoom   float64
		}{{"pan", 40, -25, 1}, {"zoom in", 0, 0, 1.3}, {"zoom out", 0, 0, 0.8}} {
			now := begin
			now.X, now.Y, now.Scale, now.ScaleY = now.X+c.dx/now.Scale, now.Y+c.dy/now.ScaleY, now.Scale*c.zoom, now.ScaleY*c.zoom
			p := New(text)
			p.clock = new(slowClock).now
			old, _ := p.Paint([]app.Layer{layer(1, begin, begin)}, w, h)
			still := clone(old)
			moved, _ := p.Paint([]app.Layer{layer(1, begin, now)}, w, h)
			want, _ := New(text).Paint([]app.Layer{layer(2, now, now)}, w, h)
			if a, b := difference(moved, want), difference(still, want); a > 0.6*b {
				t.Errorf("%s, %s: the moved pixels differ by %.3f from the new picture, the old ones by %.3f", k.Name, c.name, a, b)
			}
		}
		o.Close()
	}
	if planes == 0 {
		t.Error("no view is a plane")
	}
}

func clone(m *image.RGBA) *image.RGBA {
	c := image.NewRGBA(m.Rect)
	copy(c.Pix, m.Pix)
	return c
}

// difference returns the mean difference of colours in the common parts of two pictures, within an edge that a moved picture lacks.
func difference(a, b *image.RGBA) float64 {
	sum, n := 0, 0
	for y := 80; y < a.Rect.Dy()-80; y++ {
		for x := 4 * 80; x < 4*(a.Rect.Dx()-80); x++ {
			d := int(a.Pix[a.PixOffset(0, y)+x]) - int(b.Pix[b.PixOffset(0, y)+x])
			sum += max(d, -d)
			n++
		}
	}
	return float64(sum) / float64(n)
}

// BenchmarkStandIn moves the camera of a picture of 2560 by 1440 pixels for which old pixels stand in.
func BenchmarkStandIn(b *testing.B) {
	const w, h = 2560, 1440
	box := scene.Rect{X1: w, Y1: h}
	for _, c := range []struct {
		name string
		zoom float64
	}{{"pan", 1}, {"zoom", 1.25}} {
		b.Run(c.name, func(b *testing.B) {
			l := scene.New(w, h)
			l.Fill(box, blue)
			p := New(glyph.New())
			p.clock = new(slowClock).now
			at := view.Mapping{ScaleX: 1, ScaleY: 1}
			layer := app.Layer{Rect: box, Revision: 1, List: l, Opaque: true, Plane: painter.Plane{Subject: 1, Area: box, Drawn: at, Shown: at}}
			p.Paint([]app.Layer{layer}, w, h)
			for i := 0; b.Loop(); i++ {
				layer.Plane.Shown = view.Mapping{X: float64(i % 50), ScaleX: c.zoom, ScaleY: c.zoom}
				p.Paint([]app.Layer{layer}, w, h)
			}
		})
	}
}
