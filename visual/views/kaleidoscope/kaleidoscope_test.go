package kaleidoscope

import (
	"context"
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/visual/backend/raster"
	"whorl/visual/layout/radial"
	"whorl/visual/palette"
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

// angleOf holds the angles of tasks of quick sort in degrees, from sectors computed by hand in the paper and in NUMBERS.
var angleOf = map[uint64]struct {
	level int
	angle float64
}{
	1: {0, 0}, 2: {1, 180}, 3: {2, 37.5}, 4: {2, 75 + 85.0/2}, 5: {2, 160 + 100}, 10: {3, 160 + 9.0/35*100}, 12: {3, 360 - 13.0/35*100},
}

func TestHitAndLocateQuickSort(t *testing.T) {
	g, f := shown(t, quickSortTrace(), 500)
	for task, want := range angleOf {
		sin, cos := math.Sincos(want.angle * math.Pi / 180)
		x, y := f.ToPixel(float64(want.level)*cos, float64(want.level)*sin)
		for _, off := range [][2]float64{{0, 0}, {7, -4}, {-5, 6}} {
			got, ok := g.Hit(f, x+off[0], y+off[1])
			if !ok || !got.Equal(view.Subtree("t", task)) {
				t.Errorf("task %d at %.0f,%.0f%+v: hit %+v", task, x, y, off, got)
			}
		}
		places := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: task}}})
		if len(places) != 1 || !places[0].Contains(x, y) || places[0].W() > 3 {
			t.Errorf("task %d at %.1f,%.1f is located at %v", task, x, y, places)
		}
	}
	if s, ok := g.Hit(f, 499, 1); !ok || !s.Equal(view.Subtree("t", 19)) {
		t.Errorf("in the corner: hit %+v, %v; want the nearest node, task 19", s, ok)
	}
	places := func(s view.Selection) int { s.Trace = "t"; return len(g.Locate(f, s)) }
	for _, c := range []struct {
		name string
		s    view.Selection
		want int
	}{
		{"subtree of the larger half", view.Subtree("t", 5), 12},
		{"tasks in a row, twice", view.Selection{Tasks: []view.Tasks{{First: 3, Last: 7}, {First: 5, Last: 9}}}, 7},
		{"a subtree and a task in it", view.Selection{Tasks: []view.Tasks{{First: 5, Subtree: true}, {First: 12}}}, 12},
		{"PE 3", view.Selection{PEs: []view.Span{{First: 3, Last: 3}}}, 4},
		{"PEs 1 to 2", view.Selection{PEs: []view.Span{{First: 1, Last: 2}}}, 12},
		{"a time", view.Selection{Time: &view.Span{First: 1000, Last: 3999}}, 3},
		{"the procedure main", view.Selection{Codes: []uint32{1}}, 1},
		{"the clause of main", view.Selection{Codes: []uint32{2}}, 1},
		{"subtree and PE", view.Selection{Tasks: []view.Tasks{{First: 5, Subtree: true}}, PEs: []view.Span{{First: 1, Last: 1}}}, 4},
		{"no such task", view.Subtree("t", 99), 0},
		{"nothing", view.Selection{}, 0},
	} {
		if got := places(c.s); got != c.want {
			t.Errorf("%s: %d places, want %d", c.name, got, c.want)
		}
	}
	if n := len(g.Locate(f, view.Subtree("another trace", 5))); n != 0 {
		t.Errorf("%d places for a selection in another trace", n)
	}
}

func TestHitAmongCondensedNodes(t *testing.T) {
	// A star: child k of n is in the middle of its share of the circle.
	const n = 100_000
	g, f := shown(t, star(n+1, 4), 500)
	for _, k := range []int{0, 1, 777, n / 2, n - 1} {
		angle := (float64(k) + 0.5) / n * 2 * math.Pi
		x, y := f.ToPixel(math.Cos(angle), math.Sin(angle))
		got, ok := g.Hit(f, x, y)
		if !ok || !got.Equal(view.Subtree("t", uint64(k+2))) {
			t.Errorf("child %d: hit %+v", k, got)
		}
		places := g.Locate(f, view.Subtree("t", uint64(k+2)))
		if len(places) != 1 || !places[0].Grow(1).Contains(x, y) {
			t.Errorf("child %d at %.1f,%.1f: places %v", k, x, y, places)
		}
	}
	// A chain with condensed levels: remaining level number o is drawn on circle o, to the west.
	g, f = shown(t, chain(1000, 4), 400)
	if !g.levels.fit.Needed() || g.layout.Len() == 1000 {
		t.Fatal("nothing is condensed")
	}
	for level := range int32(1000) {
		ordinal, drawn := g.levels.fit.Drawn(level)
		x, y := f.ToPixel(-float64(ordinal), 0)
		if got, ok := g.Hit(f, x, y); drawn && (!ok || !got.Equal(view.Subtree("t", uint64(level+1)))) {
			t.Errorf("level %d: hit %+v", level, got)
		}
		// A node of a level that is left out is located at the node that represents it.
		places := g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: uint64(level + 1)}}})
		if len(places) != 1 || !places[0].Contains(x, y) {
			t.Errorf("level %d at %.1f,%.1f: places %v", level, x, y, places)
		}
	}
}

func TestRecolouringKeepsTheLayout(t *testing.T) {
	o := open(t, bushy(3000, 5, false))
	draw := func(name, value string) *scene.List {
		t.Helper()
		if err := o.Set(name, value); err != nil {
			t.Fatal(err)
		}
		l, err := o.Picture(context.Background(), 700, 500)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first := draw("color", "pe")
	for i, c := range []string{"time", "procedure", "petime"} {
		if viewtest.Diff(first, draw("color", c)) == "" {
			t.Errorf("%s looks like pe", c)
		}
		if n := o.Data.Runs("colours"); n != i+2 {
			t.Errorf("colours ran %d times, want %d", n, i+2)
		}
	}
	draw("palette", "safe")
	draw("background", "dark")
	for _, s := range []string{"run", "spawntree", "subtree", "levels", "sectors", "tally"} {
		if n := o.Data.Runs(s); n != 1 {
			t.Errorf("stage %s ran %d times, want once", s, n)
		}
	}
	draw("distance", "20") // this changes the layout
	if o.Data.Runs("levels") != 2 || o.Data.Runs("sectors") != 2 || o.Data.Runs("spawntree") != 1 {
		t.Errorf("another distance: levels ran %d times, sectors %d, spawntree %d", o.Data.Runs("levels"), o.Data.Runs("sectors"), o.Data.Runs("spawntree"))
	}
	draw("distance", "4")
	draw("palette", "spectrum")
	draw("background", "light")
	if d := viewtest.Diff(first, draw("color", "pe")); d != "" {
		t.Errorf("with the first parameters again the picture differs: %s", d)
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

func TestEmptyTraceSaysSo(t *testing.T) {
	m := tracer.NewMemory()
	_, err := drawtest.Render(context.Background(), Kind(), m, nil, 400, 300, glyphs)
	if err == nil || err.Error() != "the kaleidoscope view needs Reduce or Fork events; this trace is empty" {
		t.Error(err)
	}
}

// TestNoTextOverlaps draws real legends at many sizes.
func TestNoTextOverlaps(t *testing.T) {
	testenv.Sequential(t)
	traces := []tracer.Source{quickSortTrace(), bushy(5000, 64, false), star(20_000, 12), procedures(40)}
	for i, src := range traces {
		for _, size := range [][2]int{{400, 300}, {300, 400}, {640, 480}, {1200, 900}, {900, 1600}, {2500, 700}, {4000, 3000}, {100, 100}, {64, 64}} {
			for _, by := range colorBy.Choices {
				l := render(t, src, size[0], size[1], map[string]string{"color": by})
				if wrong := viewtest.Texts(l, glyphs); wrong != nil {
					t.Errorf("trace %d, %dx%d by %s:\n%s", i, size[0], size[1], by, strings.Join(wrong, "\n"))
				}
			}
		}
	}
}

// procedures returns a trace with n procedures; procedure k has 2k+1 reductions.
func procedures(n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "procedures", PEs: 2})
	s := m.Stream(tracer.StreamInfo{})
	task := uint64(0)
	for k := range n {
		code := m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: fmt.Sprintf("a_procedure_with_a_rather_long_name_%d/3", k)})
		for range 2*k + 1 {
			task++
			*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(task), Task: task, Ref: task / 3, PE: -1, Code: code, Value: 10}
		}
	}
	s.Sync()
	return m
}

func TestLegendAddsUp(t *testing.T) {
	const patterned = "Patterns tell PEs of one colour apart. Shapes narrower than 6 pixels and mixtures show the colour alone."
	for _, c := range []struct {
		name     string
		src      tracer.Source
		by       string
		swatches int
		first    string
		total    int64
		note     string
	}{
		{"four PEs", quickSortTrace(), byPE, 4, "PE 0", 23, ""},
		{"by procedure", quickSortTrace(), byProcedure, 3, "part/4", 23, ""},
		{"64 PEs", bushy(5000, 64, false), byPE, 17, "PE 0", 5000, patterned},
		{"64 PEs and time", bushy(5000, 64, false), byPETime, 17, "PE 0", 5000, patterned},
		{"8 PEs and time", bushy(5000, 8, false), byPETime, 3, "PE 0", 5000, ""},
		{"128 PEs and time", bushy(5000, 128, true), byPETime, 3, "PEs 0–36", 5000, "Each colour stands for up to 11 of the 33 PEs with reductions."},
		{"a million PEs", withPEs(1<<20, 3), byPE, 1, "PE 0", 3, ""},
		{"40 procedures", procedures(40), byProcedure, 13, "a_procedure_with_a_rather_long_name_39/3", 1600, ""},
		{"no PEs", procedures(2), byPE, 3, "PE 0", 4, ""},
	} {
		g, f := shown(t, c.src, 500, "color", c.by)
		b := g.Legend(f).Blocks[0]
		if len(b.Swatches) != c.swatches || b.Swatches[0].Label != c.first {
			t.Errorf("%s: %d swatches from %q on, want %d from %q", c.name, len(b.Swatches), b.Swatches[0].Label, c.swatches, c.first)
		}
		var sum int64
		for _, s := range b.Swatches {
			var n int64
			if _, err := fmt.Sscan(strings.ReplaceAll(s.Values[0], ",", ""), &n); err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if sum != c.total {
			t.Errorf("%s: the swatches count %d, want %d", c.name, sum, c.total)
		}
		if got := strings.Join(b.Notes, " "); got != c.note {
			t.Errorf("%s: notes %q, want %q", c.name, got, c.note)
		}
	}
}

func withPEs(pes, n int) *tracer.Memory {
	m := chain(n, 1)
	meta := m.Meta()
	meta.PEs = pes
	m.SetMeta(meta)
	return m
}

// TestColours compares the colours of nodes with their PE, procedure and time.
func TestColours(t *testing.T) {
	scheme := palette.Schemes[0]
	set := scheme.Set(false)
	color := func(g *Geometry, node int) scene.Color { return g.colours.color[g.colours.class[node]] }
	for _, q := range quickSort {
		for _, by := range colorBy.Choices {
			g, _ := shown(t, quickSortTrace(), 500, "color", by)
			node := g.tree.Task.Index(q.task)
			var want scene.Color
			at := float64(q.task-1) / 22
			switch by {
			case byPE:
				want = scene.NRGBA(set[q.pe])
			case byProcedure:
				want = scene.NRGBA(set[map[string]int{"part/4": 0, "qsort/3": 1, "main/1": 2}[q.proc]])
			case byTime:
				want = scene.NRGBA(scheme.Ramp(math.Min(math.Floor(at*timeSteps), timeSteps-1)/(timeSteps-1), false))
			case byPETime:
				want = scene.NRGBA(scheme.Shade(int(q.pe), math.Min(math.Floor(at*shadeSteps), shadeSteps-1)/(shadeSteps-1), false))
			}
			if got := color(g, node); got != want {
				t.Errorf("task %d by %s: %v, want %v", q.task, by, got, want)
			}
		}
	}
}

// TestSpokesConserve checks that items contain every node once, and that a spoke has the mixture of its nodes' colours.
func TestSpokesConserve(t *testing.T) {
	g, f := shown(t, star(30_000, 3), 300)
	set := palette.Schemes[0].Set(false)
	nodes, spokes := 0, 0
	b := newBrush(f, g)
	for it := range g.layout.Items(b.sight) {
		nodes += it.Count()
		if it.Shape != radial.Spoke {
			continue
		}
		spokes++
		var mix palette.Mix
		for n := it.First; n < it.End; n++ {
			mix.Add(palette.ToLight(set[g.tree.PE.At(int(g.levels.Original(n)))]), 1)
		}
		if got, want := (&mixer{brush: b}).colors(&it, 1, nil)[0], scene.NRGBA(mix.Color()); got != want {
			t.Fatalf("spoke of %d nodes: %v, want %v", it.Count(), got, want)
		}
	}
	if nodes != 30_000 || spokes < 100 || spokes > 3000 {
		t.Errorf("%d nodes in %d spokes and others", nodes, spokes)
	}
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
