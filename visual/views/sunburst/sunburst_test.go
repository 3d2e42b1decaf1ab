package sunburst

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "called.txt", Kind(), viewtest.Called(), 640, 420, nil)
	kindtest.Golden(t, "spread.txt", Kind(), viewtest.Called(), 500, 400, map[string]string{"color": "spread", "rings": "1", "background": "dark"})
}

func TestTexts(t *testing.T) {
	for _, params := range []map[string]string{nil, {"color": "module", "rings": "1"}, {"color": "mean", "value": "exclusive", "find": "alloc"}, {"color": "difference", "processes": "1-3"}} {
		kindtest.Texts(t, Kind(), params, viewtest.Called(), viewtest.Small(), viewtest.Sampled(), viewtest.Tangle(800, 8, 1))
	}
}

func TestAnyFrame(t *testing.T) {
	for _, params := range [][]string{nil, {"rings", "1", "find", "e"}, {"color", "spread"}} {
		g, _ := shown(t, viewtest.Called(), 500, 300, params...)
		kindtest.AnyFrame(t, Kind(), g)
	}
}

// way returns the node with a call path.
func (g *Geometry) way(names string) int32 {
	for v := range int32(g.Nodes()) {
		if g.Path(v) == names {
			return v
		}
	}
	return -1
}

// middle returns the middle of the arc of a node, in pixels.
func middle(f *view.Frame, g *Geometry, node int32) (x, y float64) {
	s := newSheet(f, g)
	a := g.Layout.Part(node)
	inner, outer := s.band(g.Layout.Level(a))
	sin, cos := math.Sincos(math.Pi * (g.Layout.From[a] + g.Layout.To[a]))
	return s.x + sin*(inner+outer)/2, s.y - cos*(inner+outer)/2
}

// TestAngles checks that the angle of each arc is its share of the ticks of viewtest.Called, that siblings are in descending order, and
// that Hit returns the context of an arc.
func TestAngles(t *testing.T) {
	// main 8, setup 16 and alloc 8, sweep 80, kernel 380, bcast 108, alloc 16, output 16 and alloc 8, kernel 24.
	inclusive := map[string]float64{
		"main": 664, "main › setup": 24, "main › setup › alloc": 8, "main › sweep": 584, "main › sweep › kernel": 380, "main › sweep › bcast": 108,
		"main › sweep › alloc": 16, "main › output": 48, "main › output › alloc": 8, "main › output › kernel": 24,
	}
	for _, root := range []string{"", "main › sweep"} {
		g, f := shown(t, viewtest.Called(), 600, 600)
		all := 664.0
		if root != "" {
			g, f = shown(t, viewtest.Called(), 600, 600, "root", strconv.FormatUint(g.ID(g.way(root)), 10))
			all = inclusive[root]
		}
		for name, ticks := range inclusive {
			node := g.way(name)
			a := g.Layout.Part(node)
			if inside := strings.HasPrefix(name, root); (a >= 0) != inside {
				t.Fatalf("below %q %q has an arc: %v", root, name, a >= 0)
			} else if !inside {
				continue
			}
			if got := g.Layout.To[a] - g.Layout.From[a]; math.Abs(got-ticks/all) > 1e-9 {
				t.Errorf("%s has %g of a turn, want %g", name, got, ticks/all)
			}
			x, y := middle(f, g, node)
			if s, ok := g.Hit(f, x, y); !ok || !slices.Equal(s.Contexts, []uint64{g.ID(node)}) {
				t.Errorf("%s: Hit selects %+v", name, s)
			}
			if places := g.Locate(f, g.Select("t", node)); len(places) != 1 || !places[0].Grow(0.01).Contains(x, y) {
				t.Errorf("%s is located at %v, without %g,%g", name, places, x, y)
			}
		}
	}
}

func act(t *testing.T, f *view.Frame, g *Geometry, in view.Input) view.Action {
	t.Helper()
	as := g.Input(f, in)
	if len(as) != 1 {
		t.Fatalf("%+v leads to %+v", in, as)
	}
	return as[0]
}

// TestRoots checks that a double click and Enter make a context with callees the middle, and that a click on the middle leads back.
func TestRoots(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 600)
	sweep, kernel := g.way("main › sweep"), g.way("main › sweep › kernel")
	x, y := middle(f, g, sweep)
	if a := act(t, f, g, view.Input{Kind: view.DoubleClick, X: x, Y: y, Pane: 3}); a.Do != view.EnterSubtree || a.Task != g.ID(sweep) || a.Pane != 3 {
		t.Errorf("a double click: %+v", a)
	}
	x, y = middle(f, g, kernel)
	if a := act(t, f, g, view.Input{Kind: view.DoubleClick, X: x, Y: y}); a.Do != view.Nothing {
		t.Errorf("a double click on a context without callees: %+v", a)
	}
	if a := act(t, f, g, view.Input{Kind: view.Press, Key: "Enter"}); a.Do != view.Nothing {
		t.Errorf("Enter with nothing selected: %+v", a)
	}
	f.State.Shared.Selection = g.Select("t", sweep)
	if a := act(t, f, g, view.Input{Kind: view.Press, Key: "Enter"}); a.Do != view.EnterSubtree || a.Task != g.ID(sweep) {
		t.Errorf("Enter: %+v", a)
	}
	x, y = f.ToPixel(0, 0)
	if a := act(t, f, g, view.Input{Kind: view.Click, X: x, Y: y}); a.Do != view.Select {
		t.Errorf("a click on the program: %+v", a)
	}
	g, f = shown(t, viewtest.Called(), 600, 600, "root", strconv.FormatUint(g.ID(sweep), 10))
	if a := act(t, f, g, view.Input{Kind: view.Click, X: x, Y: y}); a.Do != view.Back {
		t.Errorf("a click on the middle: %+v", a)
	}
	if l := g.Legend(f); !strings.Contains(l.Subtitle, "sweep and its callees") {
		t.Errorf("%q", l.Subtitle)
	}
}

// TestTip checks the call path, the values, and their distribution over the processes.
func TestTip(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 600)
	x, y := middle(f, g, g.way("main › sweep › kernel"))
	want := []string{
		"kernel", "in main › sweep", "called.f90:17", "380 ticks inclusive, 57 %", "380 ticks exclusive, 57 %",
		"inclusive: mean 48 ticks ± 20 %", "from 40 ticks on PE 0 to 60 ticks on PE 5", // mean 47.5, deviation √(62.5·1.5) ≈ 9.7
	}
	if tip, ok := g.Tip(f, x, y); !ok || !slices.Equal(tip.Lines, want) {
		t.Errorf("%q, want %q", tip.Lines, want)
	}
	f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 5, Last: 6}}}
	if tip, _ := g.Tip(f, x, y); tip.Lines[len(tip.Lines)-1] != "2 selected PEs, mean: 60 ticks" {
		t.Errorf("%q", tip.Lines)
	}
}

// TestLegendWithoutArcs: the legend has the colours of functions with an arc, no others.
func TestLegendWithoutArcs(t *testing.T) {
	all, _ := shown(t, viewtest.Called(), 600, 600)
	g, f := shown(t, viewtest.Called(), 600, 600, "root", strconv.FormatUint(all.ID(all.way("main › sweep")), 10))
	var labels []string
	for _, s := range g.Legend(f).Blocks[0].Swatches {
		labels = append(labels, s.Label)
	}
	if slices.Sort(labels); !slices.Equal(labels, []string{"alloc", "bcast", "kernel", "sweep"}) {
		t.Errorf("the legend has %q", labels)
	}
}

// TestColours checks the quantities behind the colours: the spread, and the ratio of a process to the mean of all.
func TestColours(t *testing.T) {
	g, _ := shown(t, viewtest.Called(), 600, 600, "color", "spread")
	for _, c := range []struct {
		name string
		want float64
	}{
		{"main › setup", 0}, {"main › sweep › bcast", math.Sqrt(93.75) / 13.5}, {"main › output", math.Sqrt(7) / 6}, {"main › sweep › kernel", math.Sqrt(93.75) / 47.5},
	} {
		s := g.Of(g.way(c.name))
		if got := s.Relative(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("the spread of %s is %g, want %g", c.name, got, c.want)
		}
	}
	one, _ := shown(t, viewtest.Called(), 600, 600, "color", "difference", "processes", "5")
	for _, c := range []struct {
		name string
		want float64
	}{
		{"main › setup", 0.5}, {"main › sweep › bcast", 0}, {"main › sweep › kernel", 0.5 + math.Log2(60/47.5)/2},
	} {
		v := one.way(c.name)
		if got := one.Colours.Node[v]; got != one.Beside(c.want) {
			t.Errorf("%s is %v, want the colour of %g", c.name, got, c.want)
		}
	}
}

// TestOwnTree checks that the tree of one process has angles of its own and the order of the merged tree.
func TestOwnTree(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 600)
	if a := act(t, f, g, view.Input{Kind: view.Press, Key: "s"}); a.Do != view.Nothing {
		t.Errorf("s with no PEs selected: %+v", a)
	}
	f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 5, Last: 5}}}
	if a := act(t, f, g, view.Input{Kind: view.Press, Key: "s"}); a.Do != view.SetParam || a.Name != "processes" || a.Value != "5" {
		t.Errorf("s: %+v", a)
	}
	one, _ := shown(t, viewtest.Called(), 600, 600, "processes", "5")
	a := one.Layout.Part(one.way("main › sweep › bcast"))
	if got, want := one.Layout.To[a]-one.Layout.From[a], 1.0/82; math.Abs(got-want) > 1e-9 { // of 1+2+1+10+60+1+2+1+1+3
		t.Errorf("bcast has %g of a turn, want %g", got, want)
	}
	if b := one.Layout.Part(one.way("main › sweep › alloc")); b < a {
		t.Error("alloc stands before bcast: it is longer on PE 5, but not in the merged tree")
	}
	f.State.Shared.Selection = view.Selection{}
	if a := act(t, f, one, view.Input{Kind: view.Press, Key: "s"}); a.Do != view.SetParam || a.Value != "" {
		t.Errorf("key s with one shown process: %+v", a)
	}
}

// TestZoom compares a clipped part of the picture with the whole.
func TestZoom(t *testing.T) {
	g, f := shown(t, viewtest.Tangle(3000, 4, 2), 400, 400)
	f.Camera.Scale *= 12
	rapid.Check(t, func(t *rapid.T) {
		f.Camera.X, f.Camera.Y = rapid.Float64Range(-12, 12).Draw(t, "x"), rapid.Float64Range(-12, 12).Draw(t, "y")
		x, y := rapid.Float64Range(f.Area.X0, f.Area.X1).Draw(t, "px"), rapid.Float64Range(f.Area.Y0, f.Area.Y1).Draw(t, "py")
		s := newSheet(f, g)
		a := s.arc(x, y)
		if a < 0 {
			return
		}
		out := scene.New(500, 500)
		view.Draw(g, f, out)
		r, angle := math.Hypot(x-s.x, y-s.y), math.Atan2(y-s.y, x-s.x)
		for i := range out.Len() {
			o := out.Op(i)
			if o.Kind != scene.OpArc {
				continue
			}
			_, _, inner, outer, start, sweep := o.Arc()
			d := angle - float64(start)
			d -= 2 * math.Pi * math.Floor(d/(2*math.Pi))
			if d > 2*math.Pi-1.5/r {
				d = 0
			}
			if r >= float64(inner)-1 && r <= float64(outer)+2 && d <= float64(sweep)+1.5/r {
				return
			}
		}
		t.Fatalf("nothing is drawn at %g,%g, where %s is", x, y, g.Path(g.Layout.Node[a]))
	})
}

// TestOddTrees draws one context, negative values and a deep recursion.
func TestOddTrees(t *testing.T) {
	for _, c := range []struct {
		name string
		src  tracer.Source
	}{{"deep", viewtest.Tangle(-9000, 1, 1)}, {"one", viewtest.Tangle(1, 1, 1)}, {"negative", negative()}} {
		for _, color := range []string{"function", "module", "mean", "spread", "difference"} {
			g, f := shown(t, c.src, 500, 400, "color", color)
			out := scene.New(600, 500)
			view.Draw(g, f, out)
			if wrong := viewtest.Inside(out, kindtest.Glyphs); c.name != "deep" && wrong != nil {
				t.Errorf("%s: %s", c.name, strings.Join(wrong, "\n"))
			}
			g.Legend(f)
		}
	}
}

func negative() tracer.Source {
	m := tracer.NewMemory()
	d := m.Dict()
	metric := d.Add(tracer.Code{Type: tracer.Metric, Name: "bytes", Unit: "bytes", Scale: 1})
	s := m.Stream(tracer.StreamInfo{})
	up := uint32(0)
	for i, v := range []int64{5, -20, 7} {
		up = d.AddContext(tracer.Context{Parent: up, Code: d.Add(tracer.Code{Type: tracer.Function, Name: "f" + strconv.Itoa(i)})})
		*s.Slot() = tracer.Event{Kind: tracer.Sample, Time: int64(i), Ref: uint64(up), Code: metric, Value: v, Peer: -1}
	}
	_ = m.Close()
	return m
}

// TestAtATime draws several equal pictures of one geometry at a time.
func TestAtATime(t *testing.T) {
	g, f := shown(t, viewtest.Tangle(800, 8, 1), 600, 600)
	for pe := range int64(7) { // none of them is cached yet
		f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: pe, Last: pe}}}
		var texts [4]strings.Builder
		var all sync.WaitGroup
		begin := make(chan bool)
		for i := range texts {
			all.Go(func() {
				l := scene.New(700, 700)
				<-begin
				g.Overlay(f, l)
				if err := l.Dump(&texts[i]); err != nil {
					t.Error(err)
				}
			})
		}
		close(begin)
		all.Wait()
		for i := range texts {
			if texts[i].String() != texts[0].String() || strings.Count(texts[i].String(), "\n") < 20 {
				t.Errorf("PE %d, picture %d:\n%s\nand the first one\n%s", pe, i, texts[i].String(), texts[0].String())
			}
		}
	}
}
