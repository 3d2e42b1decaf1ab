package view

import (
	"testing"

	"whorl/visual/glyph"
	"whorl/visual/scene"
)

// TestInsideLegend checks that a legend inside the picture takes the corner where least is drawn, for each sort of op, and
// that it stays inside the picture.
func TestInsideLegend(t *testing.T) {
	const w, h = 600, 500
	ops := []struct {
		name string
		draw func(l *scene.List, x, y float32)
	}{
		{"rectangle", func(l *scene.List, x, y float32) { l.Rect(x-150, y-150, x+150, y+150, scene.Hex(0)) }},
		{"polyline", func(l *scene.List, x, y float32) { l.Line(x-150, y-150, x+150, y+150, 1, scene.Hex(0)) }},
		{"polygon", func(l *scene.List, x, y float32) {
			l.Polygon([]float32{x - 150, y - 150, x + 150, y - 150, x + 150, y + 150}, scene.NonZero, scene.Hex(0))
		}},
		{"marks", func(l *scene.List, x, y float32) { l.Mark(scene.Disc, 5, x, y, scene.Hex(0)) }},
		{"mesh", func(l *scene.List, x, y float32) {
			l.Mesh([]float32{x - 50, y, x + 50, y, x, y + 50}, make([]scene.Color, 3))
		}},
		{"circle", func(l *scene.List, x, y float32) { l.Circle(x, y, 20, scene.Hex(0)) }},
		{"arc", func(l *scene.List, x, y float32) { l.Arc(x, y, 10, 20, 0, 7, scene.Hex(0)) }},
		{"text", func(l *scene.List, x, y float32) { l.Text(x, y, "x", scene.TextStyle{Size: 12}) }},
	}
	corners := [4][2]float32{{540, 60}, {540, 440}, {60, 440}, {60, 120}}
	legend := Legend{Title: "t", Blocks: []Block{{Title: "Run", Facts: []Fact{{"PEs", "4"}, {"Seed", "1"}, {"Mode", "sim"}}}}}
	for _, op := range ops {
		for free := range corners {
			p := newPage(w, h, false, LegendInside, glyph.New())
			l := scene.New(w, h)
			l.Rect(0, 0, w, h, p.style.Ground)
			for k, c := range corners {
				if k != free {
					op.draw(l, c[0], c[1])
				}
			}
			drawn := l.Len()
			p.drawPanel(l, legend)
			o := l.Op(drawn) // the ground of the legend
			x0, y0, x1, y1 := o.Rect()
			if c := corners[free]; c[0] < x0 || c[0] > x1 || c[1] < y0-60 || c[1] > y1+60 {
				t.Errorf("%s in three corners: the legend covers %g,%g to %g,%g, want the corner %d", op.name, x0, y0, x1, y1, free)
			}
			if x0 < 0 || y0 < 0 || x1 > w || y1 > h {
				t.Errorf("%s: the legend is at %g,%g to %g,%g", op.name, x0, y0, x1, y1)
			}
		}
	}
}
