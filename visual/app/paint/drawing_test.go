//go:build window || js || browser

package paint

import (
	"bytes"
	"image"
	"testing"
	"time"

	"pgregory.net/rapid"

	"whorl/visual/app"
	"whorl/visual/app/painter"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A slowClock says that everything takes a second.
type slowClock struct{ t time.Time }

func (c *slowClock) now() time.Time {
	c.t = c.t.Add(time.Second)
	return c.t
}

// plane returns a layer of 100 by 200 pixels with a disc of the world in its upper 160 rows, and a legend below that stays.
func plane(revision uint64, drawn, shown view.Mapping) app.Layer {
	l := scene.New(100, 200)
	l.Rect(0, 0, 100, 200, blue)
	l.Clip(0, 0, 100, 160)
	l.Circle(float32(drawn.X+20*drawn.ScaleX), float32(drawn.Y+30*drawn.ScaleY), float32(10*drawn.ScaleX), red)
	l.Pop()
	l.Rect(0, 160, 100, 200, green)
	return app.Layer{
		Rect: scene.Rect{X1: 100, Y1: 200}, Revision: revision, List: l, Opaque: true,
		Plane: painter.Plane{Subject: 1, Area: scene.Rect{X1: 100, Y1: 160}, Ground: blue, Drawn: drawn, Shown: shown},
	}
}

// TestOldPixelsStandIn pans and zooms a picture that takes long to draw. Its old pixels show the disc at its new place at once, and further calls
// complete the picture.
func TestOldPixelsStandIn(t *testing.T) {
	at := view.Mapping{ScaleX: 1, ScaleY: 1}
	for _, c := range []struct {
		name            string
		now             view.Mapping
		inside, outside image.Point // of the disc
		legend          image.Point
	}{
		{"nothing", at, image.Pt(20, 30), image.Pt(40, 30), image.Pt(50, 180)},
		{"pan", view.Mapping{X: 40, Y: 7, ScaleX: 1, ScaleY: 1}, image.Pt(60, 37), image.Pt(20, 30), image.Pt(50, 180)},
		{"pan out of the area", view.Mapping{Y: 130, ScaleX: 1, ScaleY: 1}, image.Pt(20, 157), image.Pt(20, 161), image.Pt(20, 161)},
		{"zoom in", view.Mapping{ScaleX: 3, ScaleY: 3}, image.Pt(85, 90), image.Pt(20, 30), image.Pt(50, 180)},
		{"zoom out", view.Mapping{X: 50, Y: 50, ScaleX: 0.5, ScaleY: 0.5}, image.Pt(60, 65), image.Pt(20, 30), image.Pt(50, 180)},
		{"stretch", view.Mapping{ScaleX: 3, ScaleY: 1}, image.Pt(80, 30), image.Pt(40, 12), image.Pt(50, 180)},
		{"far away", view.Mapping{X: 1e9, ScaleX: 1e-3, ScaleY: 1e9}, image.Pt(-1, -1), image.Pt(20, 30), image.Pt(50, 180)},
	} {
		p := New(glyph.New())
		p.clock = new(slowClock).now
		p.Paint([]app.Layer{plane(1, at, at)}, 100, 200)
		if p.Behind() {
			t.Fatalf("%s: older pixels stand for the first picture", c.name)
		}
		// The list of the old camera stays while the camera moves, as after a step with Input.Behind.
		for _, layer := range []app.Layer{plane(1, at, c.now), plane(2, c.now, c.now)} {
			m, dirty := p.Paint([]app.Layer{layer}, 100, 200)
			if got := m.RGBAAt(c.inside.X, c.inside.Y); c.inside.X >= 0 && got.R != 255 {
				t.Errorf("%s, list %d: %v at %v inside the disc", c.name, layer.Revision, got, c.inside)
			}
			if got := m.RGBAAt(c.outside.X, c.outside.Y); got.R != 0 {
				t.Errorf("%s, list %d: %v at %v outside the disc", c.name, layer.Revision, got, c.outside)
			}
			if got := m.RGBAAt(c.legend.X, c.legend.Y); got.G != 255 {
				t.Errorf("%s, list %d: the legend is gone: %v at %v", c.name, layer.Revision, got, c.legend)
			}
			if whole := image.Rect(0, 0, 100, 200); layer.Revision == 1 && c.now != at && dirty != whole {
				t.Errorf("%s: %v is dirty, want %v", c.name, dirty, whole)
			}
			if behind := layer.Revision == 2; p.Behind() != behind {
				t.Errorf("%s, list %d: older pixels stand for it: %v, want %v", c.name, layer.Revision, p.Behind(), behind)
			}
		}
		complete(t, p, []app.Layer{plane(2, c.now, c.now)})
	}
}

// complete paints until no older pixels stand for layers, and compares the picture with that of a new painter.
func complete(t rapid.TB, p *Painter, layers []app.Layer) {
	t.Helper()
	for i := 0; i == 0 || p.Behind() && i < 40; i++ {
		p.Paint(layers, 100, 200)
	}
	got, dirty := p.Paint(layers, 100, 200)
	want, _ := New(glyph.New()).Paint(layers, 100, 200)
	if p.Behind() || !dirty.Empty() || !bytes.Equal(got.Pix, want.Pix) {
		t.Fatalf("the picture is not that of a new painter; older pixels: %v, dirty: %v", p.Behind(), dirty)
	}
}

// TestStandInsEnd moves a camera at random, with and without new lists and with other subjects between. The picture is complete in the end.
func TestStandInsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New(glyph.New())
		p.clock = new(slowClock).now
		var layer app.Layer
		for i := range rapid.IntRange(1, 12).Draw(t, "steps") {
			scale := rapid.Float64Range(0.3, 4).Draw(t, "scale")
			now := view.Mapping{X: rapid.Float64Range(-90, 90).Draw(t, "x"), Y: rapid.Float64Range(-90, 90).Draw(t, "y"), ScaleX: scale, ScaleY: scale}
			switch {
			case i > 0 && rapid.Bool().Draw(t, "keep the list"):
				layer.Plane.Shown = now
			default:
				layer = plane(uint64(i+1), now, now)
				layer.Plane.Subject = rapid.Uint64Range(1, 2).Draw(t, "subject")
			}
			p.Paint([]app.Layer{layer}, 100, 200)
		}
		complete(t, p, []app.Layer{plane(100, layer.Plane.Shown, layer.Plane.Shown)})
	})
}
