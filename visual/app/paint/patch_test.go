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

// A stroke appends an op or a few to a list.
type stroke func(l *scene.List)

// strokes draws random shapes and texts, some of them in clips.
func strokes() *rapid.Generator[stroke] {
	at := rapid.Float32Range(-20, 220)
	color := rapid.Custom(func(t *rapid.T) scene.Color {
		n := func(name string) uint8 { return uint8(rapid.IntRange(0, 255).Draw(t, name)) }
		return scene.Color{R: n("r"), G: n("g"), B: n("b"), A: n("a")}
	})
	return rapid.Custom(func(t *rapid.T) stroke {
		x, y, w, h := at.Draw(t, "x"), at.Draw(t, "y"), rapid.Float32Range(0, 60).Draw(t, "w"), rapid.Float32Range(0, 60).Draw(t, "h")
		c := color.Draw(t, "c")
		switch rapid.IntRange(0, 8).Draw(t, "kind") {
		case 0:
			return func(l *scene.List) { l.Rect(x, y, x+w, y+h, c) }
		case 1:
			return func(l *scene.List) { l.Circle(x, y, w, c) }
		case 2:
			return func(l *scene.List) { l.Line(x, y, x+w, y+h, h/4, c) }
		case 3:
			s := scene.Stroke{Width: h / 6, Color: c, Join: scene.Join(rapid.IntRange(0, 2).Draw(t, "join")), Closed: w > 30}
			return func(l *scene.List) { l.Polyline([]float32{x, y, x + w, y + h, x - h, y + w, x, y - w}, s) }
		case 4:
			style := scene.TextStyle{
				Size: 6 + h/3, Color: c, Anchor: scene.Anchor(rapid.IntRange(0, 2).Draw(t, "anchor")), VAlign: scene.VAlign(rapid.IntRange(0, 3).Draw(t, "align")),
				Face: scene.Face(rapid.IntRange(0, 3).Draw(t, "face")), Rotation: rapid.SampledFrom([]float32{0, 0, 1, -1.6}).Draw(t, "turn"),
			}
			text := rapid.SampledFrom([]string{"j", "WWW fj", "%|Ég", "進む", "a long text, far"}).Draw(t, "text")
			return func(l *scene.List) { l.Text(x, y, text, style) }
		case 5:
			return func(l *scene.List) { l.Arc(x, y, w/2, w, h/10, w/10, c) }
		case 6:
			shape := scene.Shape(rapid.IntRange(0, 3).Draw(t, "shape"))
			return func(l *scene.List) {
				l.Marks(shape, 2+h/4, []float32{x, y, x + w, y, x, y + h}, []scene.Color{c})
			}
		case 7:
			return func(l *scene.List) {
				l.Clip(x, y, x+w, y+h)
				l.Circle(x, y, 40, c)
				l.Pop()
			}
		}
		return func(l *scene.List) {
			l.Group(uint64(w), "g")
			l.Clip(x-30, y-30, x+w, y+h)
			l.Rect(x-20, y, x+2*w, y+h/2, c)
			l.Text(x, y, "inside", scene.TextStyle{Size: 14, Color: c})
			l.Pop()
			l.Pop()
		}
	})
}

// TestPatches changes some strokes of layers. The patched picture is that of a new painter, and only the dirty part has changed.
func TestPatches(t *testing.T) {
	g := glyph.New()
	const side = 200
	rapid.Check(t, func(t *rapid.T) {
		draw := strokes()
		var own [3][]stroke
		for i := range own {
			own[i] = rapid.SliceOfN(draw, 0, 8).Draw(t, "strokes")
		}
		clips := rapid.Bool().Draw(t, "clips")
		p, revision := New(g), uint64(0)
		layers := make([]app.Layer, len(own))
		for step := range rapid.IntRange(2, 5).Draw(t, "steps") {
			for i := range own {
				n := rapid.IntRange(-1, len(own[i])-1).Draw(t, "which")
				switch rapid.IntRange(0, 4).Draw(t, "change") {
				case 0:
					if n >= 0 {
						own[i] = append(own[i][:n:n], own[i][n+1:]...)
					}
				case 1:
					own[i] = append(own[i][:n+1:n+1], append([]stroke{draw.Draw(t, "new")}, own[i][n+1:]...)...)
				case 2:
					if n >= 0 {
						own[i] = append([]stroke(nil), own[i]...)
						own[i][n] = draw.Draw(t, "other")
					}
				case 3:
					clips = !clips
				default:
					if step > 0 {
						continue
					}
				}
				revision++
				l := scene.New(side, side)
				r := scene.Rect{X1: side, Y1: side}
				if i == 1 {
					r = scene.Rect{X0: 50, Y0: 30, X1: 160, Y1: 170}
				}
				if i < 2 {
					l.Rect(0, 0, side, side, scene.RGB(20, uint8(90*i), 40))
				}
				if clips {
					l.Clip(10, 20, 150, 190)
				}
				for _, s := range own[i] {
					s(l)
				}
				layers[i] = app.Layer{Rect: r, Revision: revision, List: l, Opaque: i < 2}
			}
			var before []byte
			if p.frame != nil {
				before = bytes.Clone(p.frame.Pix)
			}
			got, dirty := p.Paint(layers, side, side)
			want, _ := New(g).Paint(layers, side, side)
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Fatalf("step %d: the patched picture differs from a new one", step)
			}
			for k := 0; before != nil && k < len(before); k += 4 {
				if at := image.Pt(k/4%side, k/4/side); !at.In(dirty) && !bytes.Equal(before[k:k+4], got.Pix[k:k+4]) {
					t.Fatalf("step %d: %v has changed outside of %v", step, at, dirty)
				}
			}
		}
	})
}

// TestPatchIsSmall: a change of a small shape is a small dirty part, in layers with and without pixels.
func TestPatchIsSmall(t *testing.T) {
	for _, opaque := range []bool{true, false} {
		p := New(glyph.New())
		layer := func(revision uint64, x float32) app.Layer {
			l := scene.New(200, 200)
			l.Rect(0, 0, 200, 200, blue)
			for y := range 20 {
				l.Text(10, float32(10*y), "some text", scene.TextStyle{Size: 10, Color: red})
			}
			l.Rect(x, 100, x+10, 110, green)
			l.Text(150, 190, "more", scene.TextStyle{Size: 10, Color: red})
			return app.Layer{Rect: scene.Rect{X1: 200, Y1: 200}, Revision: revision, List: l, Opaque: opaque}
		}
		p.Paint([]app.Layer{layer(1, 100)}, 200, 200)
		_, dirty := p.Paint([]app.Layer{layer(2, 105)}, 200, 200)
		if want := image.Rect(98, 98, 117, 112); dirty != want {
			t.Errorf("opaque %v: %v is dirty, want %v", opaque, dirty, want)
		}
	}
}
