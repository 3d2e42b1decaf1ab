package flame

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

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
	kindtest.Golden(t, "callers.txt", Kind(), viewtest.Called(), 500, 400, map[string]string{"calls": "callers", "rootat": "bottom", "background": "dark"})
	kindtest.Golden(t, "both.txt", Kind(), viewtest.Called(), 500, 400, map[string]string{"calls": "both", "function": "kernel", "find": "main"})
	kindtest.Golden(t, "apart.txt", Kind(), viewtest.Called(), 600, 800, map[string]string{"apart": "true", "processes": "2,5", "color": "kind"})
}

var everything = []map[string]string{
	nil,
	{"rootat": "bottom", "color": "module"},
	{"calls": "callers", "color": "spread"},
	{"calls": "both", "function": "kernel|f|1"},
	{"calls": "both", "function": "none"},
	{"apart": "true", "color": "package"},
	{"apart": "true", "calls": "callers", "processes": "2-3", "find": "e"},
	{"order": "time", "find": "e"},
	{"color": "difference", "processes": "1-3", "against": "rest"},
	{"color": "mean", "value": "exclusive"},
}

func TestTexts(t *testing.T) {
	for _, params := range everything {
		sources := []tracer.Source{viewtest.Called(), viewtest.Small(), viewtest.Sampled(), viewtest.Tangle(800, 8, 1)}
		if params["processes"] != "" {
			sources = slices.DeleteFunc(sources, func(s tracer.Source) bool { return s.Meta().PEs < 4 })
		}
		kindtest.Texts(t, Kind(), params, sources...)
	}
}

func TestAnyFrame(t *testing.T) {
	for _, params := range everything {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(params)) {
			list = append(list, name, params[name])
		}
		g, _ := shown(t, viewtest.Called(), 500, 300, list...)
		kindtest.AnyFrame(t, Kind(), g)
	}
}

// A box is a part of a picture.
type box struct {
	panel int
	path  string
	x, y  float64 // left end, and row from the top
	width float64
}

// boxes lists the parts of a picture, callers of the root included, by panel, row and place.
func boxes(g *Geometry, f *view.Frame) (all []box) {
	s := newSheet(f, g)
	add := func(k int, h hit) {
		b := s.boxOf(h)
		all = append(all, box{k, h.panel.Path(h.node), s.X.Value(b.X0), math.Round(s.Y.Value(b.Y0)), (b.X1 - b.X0) / s.X.Scale})
	}
	for k, p := range g.panels {
		for _, v := range p.above {
			add(k, hit{p, v, -1})
		}
		for a, v := range p.Layout.Node {
			add(k, hit{p, v, int32(a)})
		}
	}
	slices.SortStableFunc(all, func(a, b box) int {
		return cmp.Or(a.panel-b.panel, cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
	})
	return all
}

// text writes boxes line by line: their widths in a total, and their functions.
func text(all []box, total float64) string {
	var lines []string
	row := math.Inf(-1)
	for k, b := range all {
		name := b.path[strings.LastIndex(b.path, " ")+1:]
		s := fmt.Sprintf("%s %g", cmp.Or(name, "-"), math.Round(b.width*total))
		if k > 0 && b.y == row && b.panel == all[k-1].panel {
			lines[len(lines)-1] += ", " + s
		} else {
			lines = append(lines, s)
		}
		row = b.y
	}
	return strings.Join(lines, "\n")
}

// TestShapes compares the rows of the picture with the ticks of viewtest.Called: main 8, setup 16 and alloc 8, sweep 80, kernel 380, bcast 108, alloc 16,
// output 16 and alloc 8, kernel 24.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name   string
		params []string
		total  float64
		want   []string
	}{
		{"icicles", nil, 664, []string{"- 664", "main 664", "sweep 584, output 48, setup 24", "kernel 380, bcast 108, alloc 16, kernel 24, alloc 8, alloc 8"}},
		{"flames", []string{"rootat", "bottom"}, 664, []string{
			"kernel 380, bcast 108, alloc 16, kernel 24, alloc 8, alloc 8", "sweep 584, output 48, setup 24", "main 664", "- 664",
		}},
		{"without sweep", []string{"hide", "sweep"}, 664, []string{"- 664", "main 664", "kernel 380, bcast 108, output 48, setup 24, alloc 16", "kernel 24, alloc 8, alloc 8"}},
		{"callers", []string{"calls", "callers"}, 664, []string{
			"- 664", "kernel 404, bcast 108, sweep 80, alloc 32, setup 16, output 16, main 8",
			"sweep 380, output 24, sweep 108, main 80, sweep 16, setup 8, output 8, main 16, main 16", "main 380, main 24, main 108, main 16, main 8, main 8",
		}},
		{"callers and callees", []string{"calls", "both", "function", "sweep"}, 584, []string{"main 584", "sweep 584", "sweep 584", "kernel 380, bcast 108, alloc 16"}},
		{"of two functions", []string{"calls", "both", "function", "setup|output"}, 72, []string{
			"main 48, main 24", "output 48, setup 24", "- 72", "- 72", "output 48, setup 24", "kernel 24, alloc 8, alloc 8",
		}},
		{"nested functions", []string{"calls", "both", "function", "sweep|kernel"}, 608, []string{
			"main 24", "main 584, output 24", "sweep 584, kernel 24", "- 608", "- 608", "sweep 584, kernel 24", "kernel 380, bcast 108, alloc 16",
		}},
		{"callers of two processes", []string{"apart", "true", "processes", "0,5", "calls", "callers", "hide", "alloc|main"}, 90, []string{
			"- 90", "kernel 43, bcast 21, sweep 12, setup 3, output 10", "sweep 40, output 3, sweep 21",
			"- 82", "kernel 64, bcast 1, sweep 12, setup 3, output 2", "sweep 61, output 3, sweep 1",
		}},
		{"two processes", []string{"apart", "true", "processes", "0,5"}, 90, []string{
			"- 90", "main 90", "sweep 73, output 13, setup 3", "kernel 40, bcast 21, alloc 2, kernel 3, alloc 1, alloc 1",
			"- 82", "main 82", "sweep 73, output 5, setup 3", "kernel 60, bcast 1, alloc 2, kernel 3, alloc 1, alloc 1",
		}},
	} {
		g, f := shown(t, viewtest.Called(), 5000, 600, c.params...)
		if got := text(boxes(g, f), c.total); got != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, strings.Join(c.want, "\n"))
		}
	}
}

// TestRoots checks that the callers of a root are shown over the whole width, and that double clicks go into a subtree and back.
func TestRoots(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 600)
	sweep := g.at(t, f, "main › sweep")
	a := act(t, f, g, view.Input{Kind: view.DoubleClick, X: sweep.X0 + 3, Y: sweep.Y0 + 3, Pane: 3})
	if node, _ := g.Node(a.Task); a.Do != view.EnterSubtree || g.Path(node) != "main › sweep" || a.Pane != 3 {
		t.Fatalf("a double click: %+v", a)
	}
	g, f = shown(t, viewtest.Called(), 6000, 600, "root", strconv.FormatUint(a.Task, 10))
	if got, want := text(boxes(g, f), 584), "- 584\nmain 584\nsweep 584\nkernel 380, bcast 108, alloc 16"; got != want {
		t.Errorf("below sweep:\n%s\nwant\n%s", got, want)
	}
	main := g.at(t, f, "main")
	if a := act(t, f, g, view.Input{Kind: view.DoubleClick, X: main.X1 - 3, Y: main.Y0 + 3}); a.Do != view.EnterSubtree {
		t.Errorf("a double click on a caller: %+v", a)
	}
	program := g.at(t, f, "")
	if a := act(t, f, g, view.Input{Kind: view.DoubleClick, X: program.X0 + 3, Y: program.Y0 + 3}); a.Do != view.LeaveTo {
		t.Errorf("a double click on the program: %+v", a)
	}
	if acts := g.Input(f, view.Input{Kind: view.DoubleClick, X: g.at(t, f, "main › sweep").X0 + 3, Y: g.at(t, f, "main › sweep").Y0 + 3}); acts != nil {
		t.Errorf("a double click on the root: %+v", acts)
	}
}

// at returns the rectangle of the first context with a path.
func (g *Geometry) at(t *testing.T, f *view.Frame, path string) scene.Rect {
	t.Helper()
	s := newSheet(f, g)
	for _, p := range g.panels {
		for _, v := range p.above {
			if p.Path(v) == path {
				return s.boxOf(hit{p, v, -1})
			}
		}
		for a, v := range p.Layout.Node {
			if p.Path(v) == path {
				return s.boxOf(hit{p, v, int32(a)})
			}
		}
	}
	t.Fatalf("no context %q", path)
	return scene.Rect{}
}

func act(t *testing.T, f *view.Frame, g *Geometry, in view.Input) view.Action {
	t.Helper()
	as := g.Input(f, in)
	if len(as) == 0 {
		t.Fatalf("%+v leads to nothing", in)
	}
	return as[0]
}

// TestKeys checks what the keys of the view set.
func TestKeys(t *testing.T) {
	src := viewtest.Called()
	g, f := shown(t, src, 600, 600)
	f.State.Shared.Selection = g.Select("t", 3)
	name := g.Name(3)
	for _, c := range []struct {
		key    string
		params []string
		want   string
	}{
		{"g", nil, "rootat=bottom"},
		{"g", []string{"rootat", "bottom"}, "rootat=top"},
		{keyTime, nil, "order=time"},
		{keyTime, []string{"order", "time"}, "order=value"},
		{keyApart, nil, "apart=true"},
		{keyApart, []string{"apart", "true"}, "apart=false"},
		{keyTurned, nil, "calls=callers"},
		{keyTurned, []string{"calls", "callers"}, "calls=callees"},
		{keyBoth, nil, "function=" + name + " calls=both"},
		{keyBoth, []string{"calls", "both", "function", "kernel"}, "calls=callees"},
	} {
		g, frame := shown(t, src, 600, 600, c.params...)
		frame.State = f.State
		var sets []string
		for _, a := range g.Input(frame, view.Input{Kind: view.Press, Key: c.key}) {
			if a.Do == view.SetParam {
				sets = append(sets, a.Name+"="+a.Value)
			}
		}
		if got := strings.Join(sets, " "); got != c.want {
			t.Errorf("%s with %v sets %s, want %s", c.key, c.params, got, c.want)
		}
	}
	around, frame := shown(t, src, 600, 600, "calls", "both", "function", "kernel")
	for _, key := range []string{"g", keyApart} { // nothing would change
		if a := act(t, frame, around, view.Input{Kind: view.Press, Key: key}); a.Do != view.Nothing {
			t.Errorf("%s with callers and callees: %+v", key, a)
		}
	}
	f.State = &view.State{}
	if a := act(t, f, g, view.Input{Kind: view.Press, Key: keyBoth}); a.Do != view.Nothing {
		t.Errorf("%s without a selection: %+v", keyBoth, a)
	}
}

// TestHits checks that the middle of each box selects its context, that it is found there again, and that its tip begins with its name, in all shapes.
func TestHits(t *testing.T) {
	for _, params := range [][]string{nil, {"rootat", "bottom"}, {"calls", "callers"}, {"calls", "both", "function", "sweep"}, {"hide", "sweep"}} {
		g, f := shown(t, viewtest.Called(), 5000, 600, params...)
		for _, p := range g.panels {
			for a, v := range p.Layout.Node {
				if v == 0 || len(g.panels) == 2 && p == g.panels[0] && v == p.Root { // under the function of the callees
					continue
				}
				b := newSheet(f, g).boxOf(hit{p, v, int32(a)})
				x, y := (b.X0+b.X1)/2, (b.Y0+b.Y1)/2
				s, ok := g.Hit(f, x, y)
				if want := p.Select("t", v); !ok || !s.Equal(want) {
					t.Errorf("%v: %s selects %+v, want %+v", params, p.Path(v), s, want)
				}
				if !slices.ContainsFunc(g.Locate(f, s), func(r scene.Rect) bool { return r.Meets(b) }) && p.Layout.Depth() > 0 && len(params) < 4 && (len(params) == 0 || params[1] != "callers") {
					t.Errorf("%v: %s is not found", params, p.Path(v))
				}
				if tip, ok := g.Tip(f, x, y); !ok || tip.Lines[0] != p.Name(v) {
					t.Errorf("%v: the tip of %s is %q", params, p.Path(v), tip.Lines)
				}
			}
		}
		if _, ok := g.Hit(f, -50, -50); ok {
			t.Error("something is outside the picture")
		}
	}
}

// TestShare checks the share of the matches of a search, in which a match below another one counts once.
func TestShare(t *testing.T) {
	for _, c := range []struct{ find, want string }{
		{"sweep|kernel", "Matches of “sweep|kernel”: 3, 92 % of what is shown."}, // 584 and 24 of 664
		{"alloc", "Matches of “alloc”: 3, 4.8 % of what is shown."},
		{"nothing", "Matches of “nothing”: 0."},
		{"(", ""},
	} {
		g, _ := shown(t, viewtest.Called(), 600, 600, "find", c.find)
		if got := g.Matches(); got != c.want {
			t.Errorf("%s: %q, want %q", c.find, got, c.want)
		}
	}
}

// TestReveal checks that a box outside the pane comes into it.
func TestReveal(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 600)
	s := newSheet(f, g)
	near := s.ZoomedAt(f.Area.X0+1, f.Area.Y0+1, 1000)
	f.Camera = near.Shown()
	setup := g.at(t, f, "main › setup")
	if setup.Meets(f.Area) {
		t.Fatal("setup is visible")
	}
	sel, _ := g.Node(g.Select("t", nodeOf(g, "main › setup")).Contexts[0])
	c, ok := g.Reveal(f, g.Select("t", sel))
	if !ok {
		t.Fatal("nothing is revealed")
	}
	f.Camera = c
	if b := g.at(t, f, "main › setup"); !b.Meets(f.Area) {
		t.Errorf("setup is at %+v, outside %+v", b, f.Area)
	}
	if _, ok := g.Reveal(f, g.Select("t", sel)); ok {
		t.Error("what is visible is revealed")
	}
}

func nodeOf(g *Geometry, path string) int32 {
	for v := range int32(g.Nodes()) {
		if g.Path(v) == path {
			return v
		}
	}
	return -1
}

// BenchmarkFrame opens and draws 100,000 contexts of 16 processes.
func BenchmarkFrame(b *testing.B) {
	src := viewtest.Tangle(100_000, 16, 1)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			shown(b, src, 1900, 1000)
		}
	})
	g, f := shown(b, src, 1900, 1000)
	f.State.Shared.Selection = view.Selection{Trace: "t", Codes: []uint32{g.Code[20]}}
	kindtest.BenchFrame(b, "draw", f, g.Base, g.Overlay)
	near := newSheet(f, g).ZoomedAt(500, 500, 50)
	f.Camera = near.Shown()
	kindtest.BenchFrame(b, "near", f, g.Base, g.Overlay)
}

// TestTallRows checks that a tall pane has taller rows, up to a limit.
func TestTallRows(t *testing.T) {
	for _, c := range []struct{ h, want float64 }{{300, low}, {2000, high}} {
		g, f := kindtest.Shown[*Geometry](t, Kind(), viewtest.Called(), 800, c.h)
		if s := newSheet(f, g); s.Y.Scale != c.want*s.em {
			t.Errorf("%g pixels have rows of %g, want %g", c.h, s.Y.Scale, c.want*s.em)
		}
	}
}
