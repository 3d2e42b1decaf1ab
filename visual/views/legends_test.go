package views

import (
	"fmt"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestLegendsCoverNothing draws all views of several traces in many sizes with each place of the legend. Neither the title nor the legend, with their
// grounds, covers a text or any other mark of the picture. Each view of each trace gets a third of the sizes; in a soak it gets all.
func TestLegendsCoverNothing(t *testing.T) {
	text := glyph.New()
	run := func(program string, pes int, args ...string) tracer.Source {
		r := experiment.Defaults(program)
		r.Args, r.PEs, r.Machine = args, pes, "cluster"
		return experimenttest.Trace(t, r)
	}
	traces := []struct {
		name string
		src  tracer.Source
	}{
		{"goals", run("fghc/pascal", 4, "8")},
		{"many PEs", run("fghc/queens", 64, "4")},
		{"threads", run("dts/fibonacci", 4, "7")},
		{"HPF", run("hpf/jacobi", 4, "16", "2")},
		{"samples", viewtest.Sampled()},
		{"contexts", viewtest.Called()},
		{"small", viewtest.Small()},
	}
	sizes := [][2]int{{400, 300}, {600, 450}, {640, 640}, {450, 800}, {1200, 900}, {1600, 1000}}
	drawn, inside, part := 0, 0, 0
	for _, k := range All {
		for _, c := range traces {
			if k.CanOpen(c.src) != nil {
				continue
			}
			o, err := view.Open(k, c.src, text)
			if err != nil {
				t.Fatal(err)
			}
			part++
			for i, size := range sizes {
				if i%3 != part%3 && !testenv.Soak() {
					continue
				}
				for _, legend := range page.LegendPlaces {
					l, err := page.Shoot(t.Context(), o, size[0], size[1], page.Shot{Legend: legend})
					if err != nil {
						t.Fatal(err)
					}
					drawn++
					for _, wrong := range append(coveredTexts(l.List, text), coveredMarks(l.List, text)...) {
						t.Errorf("%s of %s, %dx%d, legend %s: %s", k.Name, c.name, size[0], size[1], legend, wrong)
					}
					if _, grounds := overlay(l.List); len(grounds) > 0 {
						inside++
					}
				}
			}
			o.Close()
		}
	}
	if least := len(sizes) * len(All); drawn < least {
		t.Errorf("%d pictures, want at least %d", drawn, least)
	}
	if inside < drawn/20 {
		t.Errorf("%d of %d pictures have a legend over them", inside, drawn)
	}
}

// overlay returns the index of the first op of the title and the legend of a picture, and their grounds if they lie over it. The title is the largest
// bold text; all that is drawn from it on, or from the ground before it on, belongs to title and legend.
func overlay(l *scene.List) (title int, grounds []scene.Rect) {
	title, largest := l.Len(), float32(0)
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpText {
			if _, _, _, style := o.Text(); style.Face == scene.Bold && style.Size > largest {
				title, largest = i, style.Size
			}
		}
	}
	for title > 0 {
		o := l.Op(title - 1)
		if o.Kind != scene.OpRect || o.Color.A != 215 {
			break
		}
		x0, y0, x1, y1 := o.Rect()
		grounds = append(grounds, scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)})
		title--
	}
	return title, grounds
}

// coveredMarks returns a message for each ground of title or legend that covers a pixel of the picture which differs from the picture's own ground.
func coveredMarks(l *scene.List, glyphs *glyph.Set) (wrong []string) {
	title, grounds := overlay(l)
	if len(grounds) == 0 {
		return nil
	}
	img := raster.New(glyphs).Picture(firstOps(l, title), 1)
	own := l.Op(0).Color
	for _, g := range grounds {
		covered := 0
		for y := int(g.Y0); y < int(g.Y1); y++ {
			for x := int(g.X0); x < int(g.X1); x++ {
				if p := img.RGBAAt(x, y); p.R != own.R || p.G != own.G || p.B != own.B {
					covered++
				}
			}
		}
		if covered > 0 {
			wrong = append(wrong, fmt.Sprintf("the ground at %.1f covers %d pixels", g, covered))
		}
	}
	return wrong
}

// firstOps returns a list of the first n ops of a list.
func firstOps(l *scene.List, n int) *scene.List {
	out := scene.New(l.W, l.H)
	for i := range n {
		o := l.Op(i)
		colors := func(points []float32) (c []scene.Color) {
			for k := range len(points) / 2 {
				c = append(c, o.ColorAt(k))
			}
			return c
		}
		switch o.Kind {
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			out.Rect(x0, y0, x1, y1, o.Color)
		case scene.OpPolyline:
			out.Polyline(o.Polyline())
		case scene.OpPolygon:
			points, rule := o.Polygon()
			var lengths []int
			o.Contours(func(points []float32) { lengths = append(lengths, len(points)/2) })
			out.Polygons(points, lengths, rule, o.Color)
		case scene.OpArc:
			x, y, inner, outer, start, sweep := o.Arc()
			out.Arc(x, y, inner, outer, start, sweep, o.Color)
		case scene.OpCircle:
			x, y, r := o.Circle()
			out.Circle(x, y, r, o.Color)
		case scene.OpText:
			x, y, s, style := o.Text()
			out.Text(x, y, string(s), style)
		case scene.OpMarks:
			shape, size, points := o.Marks()
			out.Marks(shape, size, points, colors(points))
		case scene.OpMesh:
			points := o.Mesh()
			out.Mesh(points, colors(points))
		case scene.OpClip:
			out.Clip(o.Rect())
		case scene.OpGroup:
			out.Group(0, "")
		case scene.OpPop:
			out.Pop()
		}
	}
	return out
}

// coveredTexts returns a message for each text of a picture that its title or its legend covers.
func coveredTexts(l *scene.List, m scene.Measurer) (wrong []string) {
	title, grounds := overlay(l)
	type box struct {
		text string
		r    scene.Rect
	}
	var below []box
	clip := scene.Rect{X1: float64(l.W), Y1: float64(l.H)}
	var around []scene.Rect
	for i := range l.Len() {
		var r scene.Rect
		name := ""
		switch o := l.Op(i); o.Kind {
		case scene.OpClip, scene.OpGroup:
			around = append(around, clip)
			if o.Kind == scene.OpClip {
				x0, y0, x1, y1 := o.Rect()
				clip = clip.Cut(scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)})
			}
			continue
		case scene.OpPop:
			clip, around = around[len(around)-1], around[:len(around)-1]
			continue
		case scene.OpText:
			x, y, s, style := o.Text()
			if style.Rotation != 0 {
				continue
			}
			w, h := m.Width(string(s), style.Size, style.Face), m.Metrics(style.Size, style.Face)
			y += h.Shift(style.VAlign)
			x -= w * []float32{scene.Start: 0, scene.Middle: 0.5, scene.End: 1}[style.Anchor]
			r, name = scene.Rect{X0: float64(x), Y0: float64(y - h.CapHeight), X1: float64(x + w), Y1: float64(y)}, string(s)
		case scene.OpRect:
			if i < title || i >= title+len(grounds) {
				continue
			}
			x0, y0, x1, y1 := o.Rect()
			r, name = scene.Rect{X0: float64(x0), Y0: float64(y0), X1: float64(x1), Y1: float64(y1)}, "the ground"
		default:
			continue
		}
		if r = r.Cut(clip); r.W() <= 0 || r.H() <= 0 {
			continue
		}
		if i < title {
			below = append(below, box{name, r})
			continue
		}
		for _, b := range below {
			if o := b.r.Cut(r); o.W() > 0.25 && o.H() > 0.25 {
				wrong = append(wrong, fmt.Sprintf("%s at %.1f covers %s at %.1f", name, r, b.text, b.r))
			}
		}
	}
	return wrong
}
