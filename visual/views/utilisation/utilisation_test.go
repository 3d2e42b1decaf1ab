package utilisation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/waits"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

// exact returns a frame with a whole number of columns for each ns of Small.
func exact(t testing.TB, params ...string) (*Geometry, *view.Frame, *curve) {
	t.Helper()
	g, f := shown(t, viewtest.Small(), 600, 300, params...)
	c := layout(f, g)
	f.Area.X1 += 1000 - c.In.W()
	f.Area.Y1 += 300 - c.In.H()
	f.Clip = f.Area
	if c = layout(f, g); c.In.W() != 1000 || c.In.H() != 300 {
		t.Fatalf("the data is %v", c.In)
	}
	return g, f, c
}

// part is an expected rectangle: a time, and a height in PEs out of 3.
type part struct {
	from, to int64
	pes      float64
}

func TestLocate(t *testing.T) {
	g, f, c := exact(t)
	for _, k := range []struct {
		name string
		s    view.Selection
		want []part
	}{
		{"nothing", view.Selection{}, nil},
		{"a time", view.Selection{Time: &view.Span{First: 10, Last: 30}}, []part{{10, 30, 3}}},
		{"PE 1", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, []part{{25, 65, 1}}},
		{"PE 2, which never works", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, nil},
		{"PEs 0 to 2", view.Selection{PEs: []view.Span{{First: 0, Last: 2}, {First: 1, Last: 1}}}, []part{{0, 25, 1}, {25, 45, 2}, {45, 65, 1}, {80, 100, 1}}},
		{"PEs 0 to 1 within a time", view.Selection{PEs: []view.Span{{First: 0, Last: 1}}, Time: &view.Span{First: 30, Last: 50}}, []part{{30, 45, 2}, {45, 50, 1}}},
		{"task 2", view.Selection{Tasks: []view.Tasks{{First: 2}}}, []part{{20, 40, 1}}},
		{"the subtree of 3", view.Subtree("", 3), []part{{25, 40, 1}, {40, 45, 2}, {45, 65, 1}, {80, 100, 1}}},
		{"the procedure main", view.Selection{Codes: []uint32{viewtest.Main}}, []part{{0, 20, 1}}},
		{"work on PE 0", view.Selection{Codes: []uint32{viewtest.Work}, PEs: []view.Span{{First: 0, Last: 0}}}, []part{{20, 45, 1}, {80, 100, 1}}},
		{"no such task", view.Subtree("", 50), nil},
	} {
		k.s.Trace = "t"
		got := g.Locate(f, k.s)
		var want []scene.Rect
		for _, w := range k.want {
			want = append(want, scene.Rect{X0: c.In.X0 + float64(w.from*10), X1: c.In.X0 + float64(w.to*10), Y0: c.In.Y1 - w.pes*100, Y1: c.In.Y1})
		}
		if !slices.EqualFunc(got, want, func(a, b scene.Rect) bool {
			return max(math.Abs(a.X0-b.X0), math.Abs(a.X1-b.X1), math.Abs(a.Y0-b.Y0), math.Abs(a.Y1-b.Y1)) < 1e-6
		}) {
			t.Errorf("%s: %v, want %v", k.name, got, want)
		}
		k.s.Trace = "another"
		if got := g.Locate(f, k.s); len(got) != 0 {
			t.Errorf("%s in another trace: %v", k.name, got)
		}
	}
}

// columns counts the pixels of each colour in the column at an instant.
func columns(f *view.Frame, g *Geometry, c *curve, instant int64) map[scene.Color]float64 {
	l := scene.New(2000, 1000)
	view.Draw(g, f, l)
	x := math.Floor(c.X(instant)) + 0.5
	sum := map[scene.Color]float64{}
	for i := range l.Len() {
		o := l.Op(i)
		for _, r := range drawtest.Boxes(o) {
			if r.X0 <= x && x < r.X1 {
				sum[o.Color] += r.H()
			}
		}
	}
	return sum
}

func TestAreas(t *testing.T) {
	g, f, c := exact(t)
	for _, point := range []struct {
		instant int64
		want    [2]float64
	}{{10, [2]float64{100, 0}}, {30, [2]float64{200, 0}}, {50, [2]float64{100, 0}}, {70, [2]float64{0, 100}}, {78, [2]float64{0, 0}}, {90, [2]float64{100, 0}}} {
		if got := columns(f, g, c, point.instant); got[c.states.Busy] != point.want[0] || got[c.states.Over] != point.want[1] {
			t.Errorf("at %d: %v, want %v", point.instant, got, point.want)
		}
	}
	g, f, c = exact(t, "color", "pe")
	for _, point := range []struct {
		instant int64
		want    [2]float64
	}{{10, [2]float64{100, 0}}, {30, [2]float64{100, 100}}, {50, [2]float64{0, 100}}, {90, [2]float64{100, 0}}} {
		if got := columns(f, g, c, point.instant); got[c.colors[0]] != point.want[0] || got[c.colors[1]] != point.want[1] {
			t.Errorf("by PE at %d: %v, want %v", point.instant, got, point.want)
		}
	}
}

func TestHit(t *testing.T) {
	g, f, c := exact(t)
	x, y := c.In.X0+305, c.In.Y0+20
	got, ok := g.Hit(f, x, y)
	if !ok || got.Time == nil || *got.Time != (view.Span{First: 30, Last: 30}) || len(got.PEs) != 0 {
		t.Errorf("hit %+v", got)
	}
	tip, _ := g.Tip(f, x, y)
	if s := strings.Join(tip.Lines, "|"); s != "at 30 ns|67 % of 3 PEs busy|33 % idle" {
		t.Errorf("tip %q", s)
	}
	if _, ok := g.Hit(f, c.In.X0-5, y); ok {
		t.Error("hit beside the data")
	}
	g, f, c = exact(t, "color", "pe")
	for pe := range int64(2) {
		got, ok = g.Hit(f, c.In.X0+305, c.In.Y1-50-100*float64(pe))
		if !ok || len(got.PEs) != 1 || got.PEs[0] != (view.Span{First: pe, Last: pe}) {
			t.Errorf("layer %d: hit %+v", pe, got)
		}
	}
}

func TestInput(t *testing.T) {
	g, f, c := exact(t)
	for i, kind := range []view.InputKind{view.DragStart, view.Drag, view.DragEnd} {
		as := g.Input(f, view.Input{Kind: kind, FromX: c.In.X0 + 705, X: c.In.X0 + 205, FromY: c.In.Y0 + 5})
		if len(as) != 1 || as[0].Do != view.Select || *as[0].Selection.Time != (view.Span{First: 20, Last: 70}) || as[0].Selection.Trace != "t" || as[0].More != (i > 0) {
			t.Fatalf("a sweep gives %+v", as)
		}
		f.State.Shared.Selection = *as[0].Selection
	}
	as := g.Input(f, view.Input{Kind: view.DoubleClick})
	if len(as) != 1 {
		t.Fatalf("a double click gives %+v", as)
	}
	f.Camera = *as[0].Camera
	if c = layout(f, g); math.Abs(c.From-20) > 1e-9 || math.Abs(c.To-70) > 1e-9 {
		t.Errorf("%g to %g ns is visible, want 20 to 70", c.From, c.To)
	}
	f.Camera = *g.Input(f, view.Input{Kind: view.Press, Key: "ArrowRight"})[0].Camera
	if c = layout(f, g); math.Abs(c.From-25) > 1e-9 {
		t.Errorf("the arrow shows %g to %g", c.From, c.To)
	}
	if as = g.Input(f, view.Input{Kind: view.Press, Key: "0"}); len(as) != 1 || as[0].Do != view.SetCamera || as[0].Camera != nil {
		t.Errorf("0 gives %+v", as)
	}
}

func TestGoldens(t *testing.T) {
	for _, c := range []struct {
		name   string
		params map[string]string
	}{{"state", map[string]string{}}, {"pe-dark", map[string]string{"color": "pe", "background": "dark"}}} {
		kindtest.Golden(t, "small-"+c.name+".scene", Kind(), viewtest.Small(), 640, 360, c.params)
	}
}

func TestTexts(t *testing.T) {
	for _, color := range timeplot.ColorBy.Choices {
		kindtest.Texts(t, Kind(), map[string]string{"color": color}, viewtest.Small(), viewtest.Many(6400, 64, 1000, 1, 1))
	}
}

func TestAnyFrame(t *testing.T) {
	for _, color := range timeplot.ColorBy.Choices {
		g, _ := shown(t, viewtest.Small(), 600, 300, "color", color)
		kindtest.AnyFrame(t, Kind(), g)
	}
}

// TestTasks: columns stack the numbers of tasks that run and of those that wait for a PE. The largest number, and the means, are those of the states
// that package waits finds.
func TestTasks(t *testing.T) {
	src := viewtest.Served(40, 4)
	w := must.Get(waits.Build(src, nil))(t)
	run := w.All.Times[waits.Running] + w.All.Times[waits.Kernel] + w.All.Times[waits.Runtime] + w.All.Times[waits.Collector] + w.All.Times[waits.Messaging]
	for _, rows := range []string{"task", "group"} {
		for _, color := range timeplot.ColorBy.Choices {
			g, f := shown(t, src, 600, 300, "rows", rows, "color", color)
			var total activity.Share
			for i := range g.Act.PEs {
				total = timeplot.Plus(total, g.Act.Total(i))
			}
			if total.Busy != run || total.Over != w.All.Times[waits.Ready] {
				t.Errorf("rows %s: tasks run for %d ns and are ready for %d, expected %d and %d", rows, total.Busy, total.Over, run, w.All.Times[waits.Ready])
			}
			if g.Act.PEs != 43 || g.most < 4 || g.most > 43 {
				t.Errorf("rows %s: %d tasks, at most %d of them run or are ready", rows, g.Act.PEs, g.most)
			}
			if p := g.Locate(f, view.Selection{Trace: "t", PEs: []view.Span{{First: 0, Last: 1}}}); p != nil {
				t.Errorf("rows %s: PEs light %v", rows, p)
			}
			if p := g.Locate(f, view.Selection{Trace: "t", Codes: []uint32{viewtest.ServedHandle}}); len(p) == 0 {
				t.Errorf("rows %s: a function lights nothing", rows)
			}
			kindtest.AnyFrame(t, Kind(), g)
		}
		kindtest.Texts(t, Kind(), map[string]string{"rows": rows}, src, viewtest.Small())
	}
	kindtest.Golden(t, "served-tasks.txt", Kind(), viewtest.Served(12, 2), 700, 300, map[string]string{"rows": "task"})
}

// TestGhostClearOfMean checks that the value of the mean lies over the lines of another run, on an opaque ground, and that no other text meets it. The
// label at the end of the other run has a ground of its own, as wide as its text at least.
func TestGhostClearOfMean(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 600, 300)
	before, _ := shown(t, viewtest.Many(9, 3, 130, 1, 1), 600, 300)
	labelled := 0
	for last := int64(100); last < 200; last++ { // the other run ends left of, under and right of the value
		before.Act.To, f.Span = last, view.Span{First: 0, Last: 200}
		out := scene.New(620, 320)
		g.Ghost(f, before, out)
		if wrong := viewtest.Texts(out, kindtest.Glyphs); len(wrong) > 0 {
			t.Errorf("ended at %d: %q", last, wrong)
		}
		_, ground := layout(f, g).labelled()
		n := out.Len()
		for i := 1; i < n; i++ {
			o := out.Op(i)
			if o.Kind != scene.OpText {
				continue
			}
			x, _, text, style := o.Text()
			wide := float64(kindtest.Glyphs.Width(string(text), style.Size, style.Face))
			boxes := drawtest.Boxes(out.Op(i - 1))
			if string(text) == "recorded" && (len(boxes) != 1 || boxes[0].X0 > float64(x) || boxes[0].X1 < float64(x)+wide) {
				t.Fatalf("ended at %d: the label of the end has no ground", last)
			}
		}
		if ground.W() == 0 || n < 2 {
			continue
		}
		labelled++
		text, under := out.Op(n-1), out.Op(n-2)
		if boxes := drawtest.Boxes(under); text.Kind != scene.OpText || under.Color != f.Style.Ground || len(boxes) != 1 || boxes[0] != ground {
			t.Fatalf("ended at %d: the value is not drawn last on an opaque ground", last)
		}
	}
	if labelled == 0 {
		t.Error("no value of a mean")
	}
}
