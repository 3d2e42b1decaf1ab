package halo

import (
	"image"
	"testing"

	"whorl/visual/backend/raster"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// BenchmarkFrame draws 3,000 contexts of 256 processes in a window of 1,900 by 1,000 pixels, as lists and as pixels: the whole picture, and
// the overlay after a move of the pointer or another selection of processes.
func BenchmarkFrame(b *testing.B) {
	g, f := shownOf(b, viewtest.Calls(3000, 256, 1), 1900, 1000, "least", "0")
	if len(g.nodes) < 3000 {
		b.Fatalf("%d nodes", len(g.nodes))
	}
	l := scene.New(1920, 1010)
	painter, img := raster.New(kindtest.Glyphs), image.NewRGBA(image.Rect(0, 0, 1920, 1010))
	paint := func() { painter.Draw(img, l, raster.View{Scale: 1}) }
	near := *f // most halos have rings and names
	near.Camera = view.Camera{X: g.width / 4, Y: g.depth / 2, Scale: 30, ScaleY: 60}
	for _, c := range []struct {
		name string
		f    *view.Frame
	}{{"whole", f}, {"near", &near}} {
		b.Run("base/"+c.name, func(b *testing.B) {
			for b.Loop() {
				l.Reset(1920, 1010)
				view.Draw(g, c.f, l)
				paint()
			}
		})
		b.Run("hover/"+c.name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				i++
				f := *c.f
				f.State = &view.State{}
				f.State.Personal.Hover = g.Select("t", g.nodes[i%len(g.nodes)])
				g.Hit(&f, 300+float64(i%1000), 400)
				l.Reset(1920, 1010)
				g.Overlay(&f, l)
				paint()
			}
		})
		b.Run("processes/"+c.name, func(b *testing.B) {
			i := int64(0)
			for b.Loop() {
				i++
				f := *c.f
				f.State = &view.State{}
				f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: i % 200, Last: i%200 + 50}}}
				l.Reset(1920, 1010)
				g.Overlay(&f, l)
				paint()
			}
		})
	}
}

// BenchmarkFilter lays out the tree, as moving the slider of the filter does.
func BenchmarkFilter(b *testing.B) {
	o := kindtest.Open(b, Kind(), viewtest.Calls(3000, 256, 1))
	i := 0
	for b.Loop() {
		i++
		if err := o.Set("least", []string{"0", "0.01"}[i%2]); err != nil {
			b.Fatal(err)
		}
		if _, err := o.Geometry(b.Context(), 0, 1000); err != nil {
			b.Fatal(err)
		}
	}
}
