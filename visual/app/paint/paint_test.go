//go:build window || js || browser

package paint

import (
	"bytes"
	"image"
	"testing"

	"pgregory.net/rapid"

	"whorl/visual/app"
	"whorl/visual/glyph"
	"whorl/visual/scene"
)

func box(x0, y0, x1, y1 float32, c scene.Color) *scene.List {
	l := scene.New(100, 100)
	l.Rect(x0, y0, x1, y1, c)
	return l
}

var (
	red   = scene.RGB(255, 0, 0)
	green = scene.RGB(0, 255, 0)
	blue  = scene.RGB(0, 0, 255)
)

func TestOnlyWhatChangedIsPainted(t *testing.T) {
	p := New(glyph.New())
	ground := app.Layer{Rect: scene.Rect{X1: 100, Y1: 100}, Revision: 1, List: box(0, 0, 100, 100, red), Opaque: true}
	pane := app.Layer{Rect: scene.Rect{X0: 10, Y0: 10, X1: 60, Y1: 60}, Revision: 2, List: box(0, 0, 100, 100, green), Opaque: true}
	mark := app.Layer{Rect: scene.Rect{X0: 20, Y0: 20, X1: 30, Y1: 30}, Revision: 3, List: box(22, 22, 28, 28, blue)}
	for _, c := range []struct {
		name   string
		layers []app.Layer
		w      int
		dirty  image.Rectangle
		pixel  image.Point
		want   scene.Color
	}{
		{"first", []app.Layer{ground, pane}, 100, image.Rect(0, 0, 100, 100), image.Pt(25, 25), green},
		{"again", []app.Layer{ground, pane}, 100, image.Rectangle{}, image.Pt(5, 5), red},
		{"overlay", []app.Layer{ground, pane, mark}, 100, image.Rect(20, 20, 30, 30), image.Pt(25, 25), blue},
		{"beside the overlay's shape", []app.Layer{ground, pane, mark}, 100, image.Rectangle{}, image.Pt(21, 21), green},
		{"overlay gone", []app.Layer{ground, pane}, 100, image.Rect(20, 20, 30, 30), image.Pt(25, 25), green},
		{"order", []app.Layer{pane, ground}, 100, image.Rect(0, 0, 100, 100), image.Pt(25, 25), red},
		{"smaller", []app.Layer{ground}, 50, image.Rect(0, 0, 50, 100), image.Pt(25, 25), red},
		{"no size", []app.Layer{ground}, 0, image.Rectangle{}, image.Point{}, red},
		{"larger again", []app.Layer{ground}, 100, image.Rect(0, 0, 100, 100), image.Pt(99, 99), red},
	} {
		m, dirty := p.Paint(c.layers, c.w, 100)
		if dirty != c.dirty {
			t.Errorf("%s: %v was painted, want %v", c.name, dirty, c.dirty)
		}
		if m.Rect.Empty() {
			continue
		}
		if got := m.RGBAAt(c.pixel.X, c.pixel.Y); got.R != c.want.R || got.G != c.want.G || got.B != c.want.B {
			t.Errorf("%s: %v at %v, want %v", c.name, got, c.pixel, c.want)
		}
	}
}

// TestKeptPixels compares a painter that keeps pixels with new ones, over random changes of layers.
func TestKeptPixels(t *testing.T) {
	g := glyph.New()
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.Float64Range(-20, 120)
		revision := uint64(0)
		layer := rapid.Custom(func(t *rapid.T) app.Layer {
			revision++
			x, y := side.Draw(t, "x"), side.Draw(t, "y")
			l := app.Layer{
				Rect: scene.Rect{X0: x, Y0: y, X1: x + side.Draw(t, "w"), Y1: y + side.Draw(t, "h")}, Revision: revision,
				List: scene.New(100, 100), Opaque: rapid.Bool().Draw(t, "opaque"),
			}
			c := scene.Color{R: uint8(revision * 40), G: uint8(revision * 70), B: 90, A: uint8(rapid.IntRange(0, 255).Draw(t, "alpha"))}
			l.List.Circle(float32(x)+30, float32(y)+30, 30, c)
			if l.Opaque {
				l.List.Rect(-200, -200, 300, 300, c.Alpha(255))
			}
			return l
		})
		var layers []app.Layer
		p := New(g)
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch n := len(layers); {
			case n == 0 || rapid.Bool().Draw(t, "add"):
				i := rapid.IntRange(0, n).Draw(t, "where")
				layers = append(layers[:i:i], append([]app.Layer{layer.Draw(t, "layer")}, layers[i:]...)...)
			case rapid.Bool().Draw(t, "swap"):
				i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
				layers[i], layers[j] = layers[j], layers[i]
			default:
				i := rapid.IntRange(0, n-1).Draw(t, "gone")
				layers = append(layers[:i:i], layers[i+1:]...)
			}
			w := rapid.SampledFrom([]int{100, 100, 100, 60}).Draw(t, "width")
			got, _ := p.Paint(layers, w, 100)
			want, _ := New(g).Paint(layers, w, 100)
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Fatalf("a picture that was kept differs from a new one, %d layers", len(layers))
			}
		}
	})
}
