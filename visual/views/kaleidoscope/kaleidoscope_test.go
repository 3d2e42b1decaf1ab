package kaleidoscope

import (
	"context"
	"image"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

var glyphs = kindtest.Glyphs

func open(t testing.TB, src tracer.Source, params ...string) *view.Opened {
	t.Helper()
	return kindtest.Open(t, Kind(), src, params...)
}

// shown opens a trace and returns its geometry and a frame, with sides of the given number of pixels, that shows all of it.
func shown(t testing.TB, src tracer.Source, side int, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	r, err := open(t, src, params...).Geometry(context.Background(), 0, side)
	if err != nil {
		t.Fatal(err)
	}
	g := r.Value.(*Geometry)
	area := scene.Rect{X1: float64(side), Y1: float64(side)}
	f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: glyphs, Trace: "t"}
	f.Camera = view.Fit(g.Bounds(), area, 10)
	return g, f
}

func render(t testing.TB, src tracer.Source, w, h int, params map[string]string) *scene.List {
	t.Helper()
	l, err := drawtest.Render(context.Background(), Kind(), src, params, w, h, glyphs)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func texts(l *scene.List) string {
	var b strings.Builder
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpText {
			_, _, s, _ := o.Text()
			b.Write(s)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestQuickSortGolden(t *testing.T) {
	for _, by := range colorBy.Choices {
		kindtest.Golden(t, "qsort-"+by+".scene", Kind(), quickSortTrace(), 640, 480, map[string]string{"color": by})
	}
}

func TestShapesThatTryTheLayout(t *testing.T) {
	testenv.Sequential(t)
	const n = 1_000_000
	heavy := grown{n: 200_000, pes: 8, proc: func(t, _ int) int { return t }, kids: func(task, level int) int {
		switch {
		case level == 0:
			return 8
		case task == 5 || level > 1 && task%3 > 0: // only one child of the root has children
			return 2
		}
		return 0
	}}.trace()
	for _, c := range []struct {
		name string
		src  tracer.Source
		want []string // in its texts
		not  []string
	}{
		{"chain", chain(n, 4), []string{"1,000,000\n", "999,999\n", "are left out"}, []string{"spoke"}},
		{"star", star(n, 4), []string{"999,999 reductions too thin", "spokes."}, []string{"levels"}},
		{"heavy arm", heavy, []string{"200,000\n", "too thin to distinguish"}, nil},
		{"several roots", roots(300), []string{"Roots\n", "300\n"}, []string{"Condensed"}},
		{"many roots", roots(100_000), []string{"100,000\n", "spokes."}, nil},
		{"one node", chain(1, 1), []string{"Reductions\n1\n", "Height\n0\n"}, []string{"Condensed"}},
	} {
		l := render(t, c.src, 800, 600, map[string]string{"color": byTime})
		// Notes may wrap anywhere.
		said := strings.ReplaceAll(texts(l), "\n", " ")
		for _, w := range c.want {
			if !strings.Contains(said, strings.ReplaceAll(w, "\n", " ")) {
				t.Errorf("%s does not say %q:\n%s", c.name, w, said)
			}
		}
		for _, w := range c.not {
			if strings.Contains(said, w) {
				t.Errorf("%s says %q:\n%s", c.name, w, said)
			}
		}
		if wrong := viewtest.Texts(l, glyphs); wrong != nil {
			t.Errorf("%s:\n%s", c.name, strings.Join(wrong, "\n"))
		}
		if inked(l) < 5 {
			t.Errorf("%s: the picture is empty", c.name)
		}
		if l.Len() > 50_000 {
			t.Errorf("%s: %d ops", c.name, l.Len())
		}
	}
}

// roots returns a trace of n goals of a query, each with a child.
func roots(n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "roots", PEs: 4})
	s := m.Stream(tracer.StreamInfo{})
	for i := range uint64(n) {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(i), Task: 2*i + 1, PE: int32(i % 4), Peer: tracer.None}
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(i), Task: 2*i + 2, Ref: 2*i + 1, PE: int32(i % 4)}
	}
	s.Sync()
	return m
}

// inked counts the pixels of the drawing that are not white.
func inked(l *scene.List) (n int) {
	im := raster.New(glyphs).Picture(l, 1)
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpClip {
			x0, y0, x1, y1 := o.Rect()
			for y := int(y0); y < int(y1); y++ {
				for x := int(x0); x < int(x1); x++ {
					if p := im.RGBAAt(x, y); p.R != 255 || p.G != 255 || p.B != 255 {
						n++
					}
				}
			}
		}
	}
	return n
}

// TestTilesMakeTheWhole draws a picture in tiles and compares the pixels with the whole picture.
func TestTilesMakeTheWhole(t *testing.T) {
	for _, c := range []struct {
		name string
		src  tracer.Source
	}{{"snail", snail(20, 5, false)}, {"star", star(5000, 3)}, {"bushy", bushy(4000, 7, false)}} {
		g, f := shown(t, c.src, 384, "color", byTime)
		draw := func(clip scene.Rect, im *image.RGBA) {
			h := *f
			h.Clip = clip
			l := scene.New(384, 384)
			view.Draw(g, &h, l)
			raster.New(glyphs).Draw(im.SubImage(image.Rect(int(clip.X0), int(clip.Y0), int(clip.X1), int(clip.Y1))).(*image.RGBA), l, raster.View{})
		}
		whole, tiled := image.NewRGBA(image.Rect(0, 0, 384, 384)), image.NewRGBA(image.Rect(0, 0, 384, 384))
		draw(f.Clip, whole)
		for y := 0.0; y < 384; y += 128 {
			for x := 0.0; x < 384; x += 128 {
				draw(scene.Rect{X0: x, Y0: y, X1: x + 128, Y1: y + 128}, tiled)
			}
		}
		differ := 0
		for i := range whole.Pix {
			if d := int(whole.Pix[i]) - int(tiled.Pix[i]); d > 24 || d < -24 {
				differ++
			}
		}
		if differ > len(whole.Pix)/1000 { // spokes may be merged differently
			t.Errorf("%s: %d of %d values differ between tiles and whole", c.name, differ, len(whole.Pix))
		}
	}
}

func TestBaseDoesNotSeeTheUser(t *testing.T) {
	g, f := shown(t, quickSortTrace(), 400)
	a, b := scene.New(400, 400), scene.New(400, 400)
	view.Draw(g, f, a)
	f.State = &view.State{Shared: view.Shared{Selection: view.Subtree("t", 5)}, Personal: view.Personal{Hover: view.Subtree("t", 12)}}
	view.Draw(g, f, b)
	if d := viewtest.Diff(a, b); d != "" {
		t.Errorf("hovering changed the picture: %s", d)
	}
	over := scene.New(400, 400)
	g.Overlay(f, over)
	if wrong := viewtest.Texts(over, glyphs); wrong != nil {
		t.Error(strings.Join(wrong, "\n"))
	}
	if over.Len() < 12 {
		t.Errorf("only %d ops mark 12 selected nodes", over.Len())
	}
}

func TestSubtree(t *testing.T) {
	g, f := shown(t, quickSortTrace(), 400, "root", "5", "color", "time")
	if g.tree.Len() != 12 || g.tree.Height != 3 || g.part != 5 {
		t.Errorf("subtree of 5 has %d nodes and height %d", g.tree.Len(), g.tree.Height)
	}
	// The colours of time are fitted to the subtree: they begin at its root.
	if c := g.colours.class[0]; c != 0 {
		t.Errorf("its root has time class %d", c)
	}
	if l := g.Legend(f); !strings.Contains(l.Subtitle, "task 5") || l.Blocks[0].Ramp.Ticks[0] != "4 µs" {
		t.Errorf("legend %q, %v", l.Subtitle, l.Blocks[0].Ramp.Ticks)
	}
	if _, err := open(t, quickSortTrace(), "root", "77").Geometry(context.Background(), 0, 400); err == nil || err.Error() != "the tree has no task 77" {
		t.Error(err)
	}
}

// TestSemigroupCondensing checks the example of section 3.1: of 174 levels, 1 to 38 are drawn 1:1 and the others 2:1.
func TestSemigroupCondensing(t *testing.T) {
	g, f := shown(t, chain(175, 5), 850)
	said := strings.Join(g.condensed(f), " ")
	if want := "Levels 39–174 are shown 2:1; 68 reductions are left out."; said != want {
		t.Errorf("%q, want %q", said, want)
	}
	g, f = shown(t, chain(107, 5), 850)
	if said := g.condensed(f); len(said) > 0 {
		t.Errorf("106 levels fit, but %q", said)
	}
}

// TestHostileTraces draws random trees with impossible PEs, codes and times.
func TestHostileTraces(t *testing.T) {
	testenv.Sequential(t)
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{PEs: rapid.Int().Draw(t, "PEs")})
		for range rapid.IntRange(0, 3).Draw(t, "codes") {
			m.Dict().Add(tracer.Code{Type: tracer.CodeType(rapid.Byte().Draw(t, "type")), Parent: rapid.Uint32().Draw(t, "parent"), Name: rapid.String().Draw(t, "name")})
		}
		s := m.Stream(tracer.StreamInfo{})
		n := rapid.IntRange(1, 30).Draw(t, "events")
		for i := range n {
			*s.Slot() = tracer.Event{
				Kind: tracer.Reduce, Time: rapid.Int64().Draw(t, "time"), Task: uint64(i + 1), Ref: uint64(rapid.IntRange(0, i).Draw(t, "parent")),
				PE: rapid.Int32().Draw(t, "PE"), Code: rapid.Uint32().Draw(t, "code"), Value: rapid.Int64().Draw(t, "cost"),
			}
		}
		s.Sync()
		for _, by := range colorBy.Choices {
			l, err := drawtest.Render(context.Background(), Kind(), m, map[string]string{"color": by}, 300, 200, glyphs)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := viewtest.Texts(l, glyphs); wrong != nil {
				t.Fatal(strings.Join(wrong, "\n"))
			}
		}
	})
}
