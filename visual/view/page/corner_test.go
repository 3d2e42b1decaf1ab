package page

import (
	"testing"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// TestInsideLegend checks that a legend inside the picture takes the corner where nothing is drawn, for each sort of op, and
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
			l.Mesh([]float32{x - 50, y, x + 50, y, x, y + 50}, []scene.Color{scene.Hex(0), scene.Hex(0), scene.Hex(0)})
		}},
		{"circle", func(l *scene.List, x, y float32) { l.Circle(x, y, 20, scene.Hex(0)) }},
		{"arc", func(l *scene.List, x, y float32) { l.Arc(x, y, 10, 20, 0, 7, scene.Hex(0)) }},
		{"text", func(l *scene.List, x, y float32) { l.Text(x, y, "x", scene.TextStyle{Size: 12, Color: scene.Hex(0)}) }},
	}
	corners := [4][2]float32{{540, 60}, {540, 440}, {60, 440}, {60, 120}}
	legend := view.Legend{Title: "t", Blocks: []view.Block{{Title: "Run", Facts: []view.Fact{{Label: "PEs", Value: "4"}, {Label: "Seed", Value: "1"}, {Label: "Mode", Value: "sim"}}}}}
	for _, op := range ops {
		for free := range corners {
			p := newPage(w, h, 0, false, LegendInside, glyph.New())
			l := scene.New(w, h)
			l.Rect(0, 0, w, h, p.style.Ground)
			for k, c := range corners {
				if k != free {
					op.draw(l, c[0], c[1])
				}
			}
			for p.over && !p.settle(l, legend) { // the title may first take its place above the picture
			}
			if !p.over {
				t.Errorf("%s in three corners: the legend is not over the picture", op.name)
			}
			x0, y0, x1, y1 := float32(p.panel.X0), float32(p.panel.Y0), float32(p.panel.X1), float32(p.panel.Y1)
			if c := corners[free]; c[0] < x0 || c[0] > x1 || c[1] < y0-60 || c[1] > y1+60 {
				t.Errorf("%s in three corners: the legend covers %g,%g to %g,%g, want the corner %d", op.name, x0, y0, x1, y1, free)
			}
			if x0 < 0 || y0 < 0 || x1 > w || y1 > h {
				t.Errorf("%s: the legend is at %g,%g to %g,%g", op.name, x0, y0, x1, y1)
			}
		}
	}
}

// TestLegendWithoutCorner draws texts everywhere. The legend takes its place beside the picture, or below a picture that is higher than wide.
func TestLegendWithoutCorner(t *testing.T) {
	legend := view.Legend{Title: "t", Blocks: []view.Block{{Title: "Run", Facts: []view.Fact{{Label: "PEs", Value: "4"}}}}}
	for _, size := range [][2]float32{{600, 450}, {450, 800}} {
		w, h := size[0], size[1]
		for _, turn := range []float32{0, 1.5} {
			p := newPage(w, h, 0, false, LegendInside, glyph.New())
			l := scene.New(w, h)
			l.Rect(0, 0, w, h, p.style.Ground)
			for i, anchor := range []scene.Anchor{scene.Start, scene.Middle, scene.End} {
				for y := float32(10); y < h; y += 20 {
					l.Text(w/2*float32(i), y, "a long name", scene.TextStyle{Size: 12, Anchor: anchor, Rotation: turn, Color: scene.Hex(0)})
				}
			}
			wide := p.picture
			first, second := p.settle(l, legend), p.settle(l, legend)
			if first || second || p.over || p.picture.W() >= wide.W() && p.picture.H() >= wide.H()-float64(p.title) || p.picture.Meets(p.panel) {
				t.Errorf("%g x %g, turned by %g: the picture is at %v, the legend at %v", w, h, turn, p.picture, p.panel)
			}
		}
	}
}

// TestHiddenTexts checks that a text outside its clip counts as free space, and one in a group does not.
func TestHiddenTexts(t *testing.T) {
	white := scene.Hex(0xffffff)
	l := scene.New(100, 100)
	l.Rect(0, 0, 100, 100, white)
	l.Clip(0, 0, 50, 50)
	l.Text(60, 60, "hidden", scene.TextStyle{Size: 12, Color: scene.Hex(0)})
	l.Pop()
	l.Group(1, "g")
	l.Text(10, 90, "seen", scene.TextStyle{Size: 12, Color: scene.Hex(0)})
	l.Pop()
	c := newCoverage(l, white)
	if hidden, seen := (scene.Rect{X0: 55, Y0: 30, X1: 100, Y1: 70}), (scene.Rect{Y0: 80, X1: 30, Y1: 100}); !c.free(hidden) || c.free(seen) {
		t.Errorf("%v is free: %v; %v is free: %v", hidden, c.free(hidden), seen, c.free(seen))
	}
}

// TestCrowdedPicture fills a picture with rectangles. The legend is over the picture while there is room for it.
func TestCrowdedPicture(t *testing.T) {
	const w, h = 600, 450
	legend := view.Legend{Title: "t", Blocks: []view.Block{{Title: "Run", Facts: []view.Fact{{Label: "PEs", Value: "4"}}}}}
	for _, c := range []struct {
		right float32 // of the rectangles
		over  bool
	}{{w - 10, false}, {w - 50, false}, {w - 240, true}} {
		p := newPage(w, h, 0, false, LegendInside, glyph.New())
		l := scene.New(w, h)
		l.Rect(0, 0, w, h, p.style.Ground)
		for y := float32(10); y < h; y += 10 {
			l.Rect(10, y, c.right, y+9, scene.Hex(0))
		}
		for p.over && !p.settle(l, legend) {
		}
		if p.over != c.over {
			t.Errorf("rectangles until %g: the legend is over the picture: %v", c.right, p.over)
		}
	}
}

// TestNodesInCorners draws a disc with nodes on its rim, which passes each corner. The legend is not over the picture.
func TestNodesInCorners(t *testing.T) {
	legend := view.Legend{Title: "t", Blocks: []view.Block{{Title: "Run", Facts: []view.Fact{{Label: "PEs", Value: "4"}, {Label: "Seed", Value: "1"}, {Label: "Mode", Value: "sim"}, {Label: "Goal", Value: "go"}, {Label: "Machine", Value: "m"}, {Label: "Network", Value: "bus"}}}}}
	p := newPage(700, 700, 0, false, LegendInside, glyph.New())
	l := scene.New(700, 700)
	l.Rect(0, 0, 700, 700, p.style.Ground)
	l.Arc(350, 375, 0, 305, 0, 6, scene.Hex(0))
	for p.over && !p.settle(l, legend) {
	}
	if p.over {
		t.Errorf("the legend at %v covers nodes", p.panel)
	}
}

// TestStrayMarks puts marks of one pixel into the corners. The legend takes the place between them, or beside the picture if the marks leave none.
func TestStrayMarks(t *testing.T) {
	legend := view.Legend{Title: "t", Blocks: []view.Block{{Title: "Run", Facts: []view.Fact{{Label: "PEs", Value: "4"}}}}}
	for _, c := range []struct {
		step float32 // between marks, along the right and the left
		over bool
	}{{400, true}, {200, true}, {20, false}} {
		p := newPage(600, 500, 0, false, LegendInside, glyph.New())
		l := scene.New(600, 500)
		l.Rect(0, 0, 600, 500, p.style.Ground)
		for y := float32(50); y < 500; y += c.step {
			l.Rect(60, y, 61, y+1, scene.Hex(0))
			l.Rect(540, y, 541, y+1, scene.Hex(0))
		}
		for p.over && !p.settle(l, legend) {
		}
		if p.over != c.over {
			t.Errorf("marks each %g pixels: the legend is over the picture: %v", c.step, p.over)
		}
		for y := 50.0; p.over && y < 500; y += float64(c.step) {
			if p.panel.Meets(scene.Rect{X0: 60, Y0: y, X1: 61, Y1: y + 1}) || p.panel.Meets(scene.Rect{X0: 540, Y0: y, X1: 541, Y1: y + 1}) {
				t.Errorf("marks each %g pixels: the legend at %v covers that at %g", c.step, p.panel, y)
			}
		}
	}
}
