package calltable

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/backend/raster"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

func shown(t testing.TB, k *view.Kind, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, k, src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "tree.txt", Tree(), viewtest.Called(), 900, 400, nil)
	kindtest.Golden(t, "flat.txt", Functions(), viewtest.Called(), 1200, 320, map[string]string{"background": "dark", "find": "b"})
}

func TestTexts(t *testing.T) {
	for _, k := range []*view.Kind{Tree(), Functions()} {
		for _, params := range []map[string]string{nil, {"find": "e", "sort": "name"}, {"metric": "time", "value": "exclusive", "reverse": "true"}} {
			sources := []tracer.Source{viewtest.Small()}
			if params["metric"] == "" {
				sources = append(sources, viewtest.Called(), viewtest.Sampled(), viewtest.Tangle(600, 6, 1), viewtest.Tangle(-1000, 2, 1))
			}
			kindtest.Texts(t, k, params, sources...)
		}
	}
}

func TestAnyFrame(t *testing.T) {
	for _, k := range []*view.Kind{Tree(), Functions()} {
		g, _ := shown(t, k, viewtest.Called(), 500, 300, "find", "e")
		kindtest.AnyFrame(t, k, g)
	}
}

// names returns the names of the rows, with dots for their depth.
func (g *Geometry) names() (names []string) {
	for _, r := range g.rows {
		name := g.FunctionName(r.code)
		if r.node == 0 {
			name = g.Name(0)
		}
		names = append(names, strings.Repeat(".", int(r.depth))+name)
	}
	return names
}

// node returns the node with a call path.
func (g *Geometry) node(names string) int32 {
	for v := range int32(g.Nodes()) {
		if g.Path(v) == names {
			return v
		}
	}
	return -1
}

// TestTree checks the rows and their order for viewtest.Called: main 664 of 664, sweep 584 (kernel 380, bcast 108, alloc 16), output 48
// (kernel 24, alloc 8), setup 24 (alloc 8).
func TestTree(t *testing.T) {
	probe, _ := shown(t, Tree(), viewtest.Called(), 600, 400)
	id := func(sign, names string) string { return sign + strconv.FormatUint(probe.ID(probe.node(names)), 10) }
	for _, c := range []struct {
		name   string
		params []string
		want   string
	}{
		{"by itself", nil, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ..setup"},
		{"all open", []string{"open", "0"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ...kernel ...alloc ..setup ...alloc"},
		{"all closed", []string{"open", "101"}, "called.f90 .main"},
		{"by hand", []string{"open", "101", "opened", id("+", "main") + ", " + id("+", "main › setup")}, "called.f90 .main ..sweep ..output ..setup ...alloc"},
		{"closed by hand", []string{"opened", id("-", "main › sweep")}, "called.f90 .main ..sweep ..output ..setup"},
		{"of another trace", []string{"opened", "+98,,-99"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ..setup"},
		{"of 5 % and more", []string{"open", "0", "least", "5"}, "called.f90 .main ..sweep ...kernel ...bcast ..output"},
		{"by name", []string{"sort", "name"}, "called.f90 .main ..output ..setup ..sweep ...alloc ...bcast ...kernel"},
		{"by name from the end", []string{"sort", "name", "reverse", "true"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..setup ..output"},
		{"by exclusive", []string{"sort", "exclusive"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ..setup"}, // output and setup both have 16: the larger inclusive value is first
		{"by spread", []string{"sort", "spread"}, "called.f90 .main ..output ..sweep ...bcast ...kernel ...alloc ..setup"},
		{"below sweep", []string{"root", id("", "main › sweep")}, "sweep .kernel .bcast .alloc"},
		{"of PE 5", []string{"processes", "5"}, "called.f90 .main ..sweep ...kernel ...alloc ...bcast ..output ..setup"}, // 2 alloc, 1 bcast
	} {
		g, _ := shown(t, Tree(), viewtest.Called(), 600, 400, c.params...)
		if got := strings.Join(g.names(), " "); got != c.want {
			t.Errorf("%s:\n     %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestOpenedNeedsNumbers(t *testing.T) {
	for _, c := range []struct{ list, wrong string }{{"+1,99x", "99x"}, {"+", "+"}, {"+x", "+x"}, {"-1,7", "7"}, {"7", "7"}} {
		want := "opened: \"" + c.wrong + "\" is not + or - and the number of a context"
		if _, err := exceptions(c.list); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", c.list, err, want)
		}
	}
}

// TestFlat checks the sums of functions, in the whole tree and in a subtree, with recursion counted once.
func TestFlat(t *testing.T) {
	type sums struct {
		in, ex      int64
		least, most int64
	}
	check := func(g *Geometry, want map[string]sums) {
		t.Helper()
		if len(g.rows) != len(want) {
			t.Errorf("rows %q", g.names())
		}
		for _, r := range g.rows {
			name := g.FunctionName(r.code)
			if got := (sums{r.in, r.ex, r.spread.Least, r.spread.Most}); got != want[name] {
				t.Errorf("%s: %+v, want %+v", name, got, want[name])
			}
		}
	}
	g, _ := shown(t, Functions(), viewtest.Called(), 600, 400)
	if got := strings.Join(g.names(), " "); got != "kernel bcast sweep alloc output setup main" {
		t.Errorf("by exclusive: %s", got)
	}
	whole := map[string]sums{
		"main": {664, 8, 82, 90}, "setup": {24, 16, 3, 3}, "sweep": {584, 80, 73, 73}, "output": {48, 16, 5, 13}, "kernel": {404, 404, 43, 63},
		"bcast": {108, 108, 1, 21}, "alloc": {32, 32, 4, 4},
	}
	check(g, whole)
	below, _ := shown(t, Functions(), viewtest.Called(), 600, 400, "root", strconv.FormatUint(g.ID(g.node("main › sweep")), 10))
	check(below, map[string]sums{"sweep": {584, 80, 73, 73}, "kernel": {380, 380, 40, 60}, "bcast": {108, 108, 1, 21}, "alloc": {16, 16, 2, 2}})
	// The flat profile of the program equals that of the derivation.
	for seed := range uint64(3) {
		src := viewtest.Tangle(700, 5, seed)
		g, _ := shown(t, Functions(), src, 600, 400)
		all := g.Flat(callingcontext.Root, g.Sum)
		if len(all) != len(g.rows) {
			t.Fatalf("%d functions, want %d", len(g.rows), len(all))
		}
		repeated := 0
		for i := range all {
			r := g.rows[g.rowOf[int32(all[i].Code)]]
			values := g.FlatValues(&all[i], g.Metric, true, nil)
			if r.in != all[i].Inclusive || r.ex != all[i].Exclusive || r.spread.Least != slices.Min(values) || r.spread.Most != slices.Max(values) {
				t.Fatalf("%s: %+v, want %+v of %v", g.FunctionName(r.code), r, all[i], values)
			}
			if len(all[i].Outermost) < len(all[i].Nodes) {
				repeated++
			}
		}
		if repeated == 0 {
			t.Error("the trace has no recursion")
		}
	}
	few, _ := shown(t, Functions(), viewtest.Called(), 600, 400, "top", "30", "sort", "name") // 3 of 7
	if got := strings.Join(few.names(), " "); got != "bcast kernel sweep" {
		t.Errorf("30 %%: %s", got)
	}
}

// TestDifferences checks the differences of compared processes in rows, for functions summed over their contexts, and their colours.
func TestDifferences(t *testing.T) {
	whole, _ := shown(t, Functions(), viewtest.Called(), 1200, 400)
	program := whole.Tree.Values(0, 0, true, nil)
	for _, value := range []string{"inclusive", "exclusive"} {
		params := []string{"processes", "0-1", "against", "rest", "value", value, "sort", "difference"}
		flat, f := shown(t, Functions(), viewtest.Called(), 1200, 400, params...)
		last := math.Inf(1)
		for _, r := range flat.rows {
			var mean [2]float64
			base := 0.0
			for p, v := range whole.FlatValues(&whole.flat.functions[whole.rows[whole.rowOf[int32(r.code)]].function].Function, 0, value == "inclusive", nil) {
				group, n := 1, float64(len(whole.PE)-2)
				if p < 2 {
					group, n = 0, 2
				}
				mean[group] += float64(v) / n
				base += float64(program[p]) / n / 2
			}
			if want := (mean[0] - mean[1]) / base; math.Abs(r.share-want) > 1e-12 {
				t.Errorf("%s, %s: %v, want %v", value, flat.FunctionName(r.code), r.share, want)
			}
			if math.Abs(r.share) > last {
				t.Errorf("%s stands after a smaller difference", flat.FunctionName(r.code))
			}
			last = math.Abs(r.share)
		}
		tree, g := shown(t, Tree(), viewtest.Called(), 1200, 400, append(params, "open", "0")...)
		for _, r := range tree.rows {
			if r.share != tree.diff.Share[r.node] {
				t.Errorf("%s: %v, want %v", tree.Path(r.node), r.share, tree.diff.Share[r.node])
			}
		}
		for i, x := range []struct {
			g *Geometry
			f *view.Frame
		}{{flat, f}, {tree, g}} {
			out := scene.New(1300, 500)
			view.Draw(x.g, x.f, out)
			seen := map[scene.Color]bool{}
			for k := range out.Len() {
				if o := out.Op(k); o.Kind == scene.OpRect {
					seen[o.Color] = true
				}
			}
			more, less := 0.0, 0.0
			for _, r := range x.g.rows {
				more, less = max(more, r.share), min(less, r.share)
			}
			if x.g.differs != max(more, -less) || more > 0 && !seen[contexts.Diverging{}.Color(more/x.g.differs)] || less < 0 && !seen[contexts.Diverging{}.Color(less/x.g.differs)] {
				t.Errorf("table %d lacks the colours of %v and %v", i, more, less)
			}
			if l := x.g.Legend(x.f); l.Blocks[0].Title != "PEs 0-1 compared with all others" {
				t.Errorf("the legend begins with %+v", l.Blocks[0])
			}
			x.f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 3, Last: 4}}}
		}
	}
	// The key compares the selected processes, and stops comparing.
	params := map[string]string{}
	g, f := shown(t, Tree(), viewtest.Called(), 1200, 400)
	f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 3, Last: 4}}}
	if g, f = apply(t, Tree(), g, f, params, view.Input{Kind: view.Press, Key: "d"}); params["processes"] != "3-4" || !g.diff.Compared() || !layout(f, g).showsColumn(byDiffers) {
		t.Errorf("after d the parameters are %v", params)
	}
	if g, f = apply(t, Tree(), g, f, params, view.Input{Kind: view.Press, Key: "d"}); params["processes"] != "" || g.diff.Compared() || layout(f, g).showsColumn(byDiffers) {
		t.Errorf("after a second d the parameters are %v", params)
	}
}

// apply carries out the actions of an input and returns the table with the new parameters.
func apply(t *testing.T, k *view.Kind, g *Geometry, f *view.Frame, params map[string]string, in view.Input) (*Geometry, *view.Frame) {
	t.Helper()
	for _, a := range g.Input(f, in) {
		switch a.Do {
		case view.SetParam:
			params[a.Name] = a.Value
		case view.SetCamera:
			f.Camera = *a.Camera
		case view.EnterSubtree:
			params[view.Root] = strconv.FormatUint(a.Task, 10)
		case view.Back, view.Nothing:
			params["did"] = string(a.Do)
		default:
			if err := f.State.Apply(a); err != nil {
				t.Fatalf("%+v: %v", in, err)
			}
		}
	}
	var list []string
	for name, value := range params {
		if name != "did" {
			list = append(list, name, value)
		}
	}
	g, n := shown(t, k, viewtest.Called(), f.Area.W(), f.Area.H(), list...)
	n.State, n.Camera = f.State, f.Camera
	return g, n
}

// TestKeys goes through the tree by the keyboard.
func TestKeys(t *testing.T) {
	k := Tree()
	g, f := shown(t, k, viewtest.Called(), 700, 400)
	params := map[string]string{}
	for i, c := range []struct {
		key, now string // now is the selected row after the key
		rows     int
	}{
		{"ArrowDown", "called.f90", 8},
		{"ArrowDown", ".main", 8},
		{"ArrowRight", "..sweep", 8}, // it is open
		{"ArrowLeft", "..sweep", 5},
		{"ArrowLeft", ".main", 5},
		{"ArrowDown", "..sweep", 5},
		{"ArrowRight", "..sweep", 8},
		{"End", "..setup", 8},
		{"ArrowRight", "..setup", 9},
		{"ArrowRight", "...alloc", 9},
		{"ArrowRight", "...alloc", 9}, // no callees
		{"ArrowLeft", "..setup", 9},
		{"PageUp", "called.f90", 9},
		{"PageDown", "...alloc", 9},
		{"Home", "called.f90", 9},
		{"c", "called.f90", 2},
		{"x", "called.f90", 11},
		{"ArrowUp", "called.f90", 11},
		{"ArrowDown", ".main", 11},
		{"ArrowDown", "..sweep", 11},
		{"Enter", "sweep", 4},
	} {
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: c.key})
		now := layout(f, g).now()
		if now < 0 || g.names()[now] != c.now || len(g.rows) != c.rows {
			t.Fatalf("%d, %s: row %d of %q, want %s of %d", i, c.key, now, g.names(), c.now, c.rows)
		}
	}
}

// TestFind checks that matches are marked, that closed rows count the matches below, and that n opens the path to a match.
func TestFind(t *testing.T) {
	k := Tree()
	params := map[string]string{"find": "^alloc$", "open": "101"}
	g, f := shown(t, k, viewtest.Called(), 700, 400, "find", "^alloc$", "open", "101")
	if r := g.rows[1]; r.inside != 3 || r.marked {
		t.Errorf("%+v", r)
	}
	for i, want := range []string{"main › setup › alloc", "main › sweep › alloc", "main › output › alloc", "main › setup › alloc"} {
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: "n"})
		now := layout(f, g).now()
		if now < 0 || g.Path(g.rows[now].node) != want || !g.rows[now].marked {
			t.Fatalf("%d: row %d of %q, want %s", i, now, g.names(), want)
		}
	}
	params = map[string]string{"open": "101"}
	g, f = shown(t, k, viewtest.Called(), 700, 400, "open", "101")
	f.State.Shared.Selection = view.Selection{Trace: "t", Codes: []uint32{viewtest.CalledKernel, viewtest.CalledMain}}
	if g, _ = apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: "e"}); strings.Join(g.names(), " ") != "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ...kernel ...alloc ..setup" {
		t.Errorf("e opens %q", g.names())
	}
	flat, f := shown(t, Functions(), viewtest.Called(), 700, 400, "find", "^(alloc|main)$")
	params = map[string]string{"find": "^(alloc|main)$"}
	for _, want := range []string{"alloc", "main", "alloc"} {
		flat, f = apply(t, Functions(), flat, f, params, view.Input{Kind: view.Press, Key: "n"})
		if now := layout(f, flat).now(); now < 0 || flat.names()[now] != want {
			t.Fatalf("row %d, want %s", now, want)
		}
	}
}

// TestMouse clicks headings, which sort and reverse the order, and signs, which open and close rows; a double click enters a context.
func TestMouse(t *testing.T) {
	k := Tree()
	g, f := shown(t, k, viewtest.Called(), 900, 400)
	params := map[string]string{}
	heading := func(title string) (x, y float64) {
		s := layout(f, g)
		for _, c := range s.columns {
			if c.title(g) == title {
				return (c.x0 + c.x1) / 2, s.Body.Y0 - 4
			}
		}
		t.Fatalf("there is no column %q", title)
		return 0, 0
	}
	for i, c := range []struct {
		title, sort string
		reverse     bool
		third       string // below main
	}{
		{"Procedure", "name", false, "..output"},
		{"Procedure", "name", true, "..sweep"},
		{"spread", "spread", false, "..output"},
		{"exclusive", "exclusive", false, "..sweep"},
		{"exclusive", "exclusive", true, "..output"},
		{"share", "inclusive", false, "..sweep"},
	} {
		x, y := heading(c.title)
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Click, X: x, Y: y})
		if g.sort != c.sort || g.reverse != c.reverse || g.names()[2] != c.third {
			t.Errorf("%d: by %s, %v, %q", i, g.sort, g.reverse, g.names())
		}
	}
	i := slices.Index(g.names(), "..sweep")
	sign := layout(f, g).sign(i)
	for _, rows := range []int{5, 8} {
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Click, X: (sign.X0 + sign.X1) / 2, Y: sign.Y0 + 5})
		if len(g.rows) != rows || !f.State.Shared.Selection.Empty() {
			t.Errorf("%q, %+v", g.names(), f.State.Shared.Selection)
		}
	}
	x, y := sign.X1+20, sign.Y0+5
	g, f = apply(t, k, g, f, params, view.Input{Kind: view.Click, X: x, Y: y})
	if s := f.State.Shared.Selection; !slices.Equal(s.Contexts, []uint64{g.ID(g.node("main › sweep"))}) || !slices.Equal(s.Codes, []uint32{viewtest.CalledSweep}) {
		t.Errorf("a click selects %+v", s)
	}
	g, f = apply(t, k, g, f, params, view.Input{Kind: view.DoubleClick, X: x, Y: y})
	if g.names()[0] != "sweep" {
		t.Errorf("%q", g.names())
	}
	apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: "Backspace"})
	if params["did"] != "back" {
		t.Errorf("%v", params)
	}
	flat, f := shown(t, Functions(), viewtest.Called(), 900, 400) // kernel has two contexts
	params = map[string]string{}
	apply(t, Functions(), flat, f, params, view.Input{Kind: view.DoubleClick, X: 30, Y: layout(f, flat).Row(0).Y0 + 4})
	if params["did"] != "nothing" {
		t.Errorf("%v", params)
	}
}

// TestSelections checks the rows of selections of other views, and the closed rows above them.
func TestSelections(t *testing.T) {
	for _, c := range []struct {
		name             string
		s                view.Selection
		tree, flat, shut string
	}{
		{"a function", view.Selection{Codes: []uint32{viewtest.CalledAlloc}}, "...alloc ...alloc ...alloc", "alloc", "^.main"},
		{"two", view.Selection{Codes: []uint32{viewtest.CalledMain, viewtest.CalledBcast}}, ".main ...bcast", "bcast main", ".main ^.main"},
		{"a line", view.Selection{Lines: []view.Lines{{File: "called.f90", First: 6}}}, "..setup", "setup", "^.main"},
		{"a PE", view.Selection{PEs: []view.Span{{First: 2, Last: 2}}}, "", "", ""},
		{"another trace", view.Selection{Trace: "u", Codes: []uint32{viewtest.CalledMain}}, "", "", ""},
	} {
		if c.s.Trace == "" {
			c.s.Trace = "t"
		}
		for i, want := range []string{c.tree, c.flat, c.shut} {
			k, params := Tree(), []string{"open", "0"}
			if i == 1 {
				k, params = Functions(), nil
			} else if i == 2 {
				params = []string{"open", "101"}
			}
			g, f := shown(t, k, viewtest.Called(), 900, 600, params...)
			s := layout(f, g)
			l := s.lit(c.s)
			var got []string
			for _, i := range l.rows {
				got = append(got, g.names()[i])
			}
			for _, i := range l.above {
				got = append(got, "^"+g.names()[i])
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s lights %q, want %q", c.name, got, want)
			}
			places := g.Locate(f, c.s)
			seen := map[int]bool{}
			for _, r := range places {
				i, ok := s.RowAt(r.X0+3, (r.Y0+r.Y1)/2)
				seen[i] = ok
			}
			for _, i := range append(slices.Clone(l.rows), l.above...) {
				if !seen[i] {
					t.Errorf("%s: row %d is not among %v", c.name, i, places)
				}
			}
		}
	}
}

// TestScroll scrolls through all rows, and reveals one that another view selected.
func TestScroll(t *testing.T) {
	g, f := shown(t, Functions(), viewtest.Tangle(1200, 3, 1), 600, 300)
	seen := map[int]bool{}
	for range 100 {
		first, end := layout(f, g).Shown()
		for i := first; i < end; i++ {
			seen[i] = true
		}
		for _, a := range g.Input(f, view.Input{Kind: view.Wheel, DY: -1}) {
			f.Camera = *a.Camera
		}
	}
	if len(seen) != len(g.rows) || len(g.rows) < 90 {
		t.Errorf("%d of %d rows were seen", len(seen), len(g.rows))
	}
	sel := view.Selection{Trace: "t", Codes: []uint32{g.rows[3].code}}
	c, ok := g.Reveal(f, sel)
	if f.Camera = c; !ok || len(g.Locate(f, sel)) != 1 {
		t.Error("the fourth row is not revealed")
	}
	if _, ok := g.Reveal(f, sel); ok {
		t.Error("a visible row is revealed again")
	}
}

func TestTip(t *testing.T) {
	g, f := shown(t, Functions(), viewtest.Called(), 900, 400)
	want := []string{
		"kernel", "called.f90:17", "2 contexts", "404 ticks inclusive, 61 %", "404 ticks exclusive, 61 %",
		"inclusive: mean 51 ticks ± 19 %", "from 43 ticks on PE 0 to 63 ticks on PE 5",
	}
	if tip, ok := g.Tip(f, 50, layout(f, g).Row(0).Y0+3); !ok || !slices.Equal(tip.Lines, want) {
		t.Errorf("%q, want %q", tip.Lines, want)
	}
}

// TestWrites checks the texts of a row.
func TestWrites(t *testing.T) {
	g, f := shown(t, Tree(), viewtest.Called(), 1400, 400)
	out := scene.New(1500, 500)
	view.Draw(g, f, out)
	y := layout(f, g).Row(slices.Index(g.names(), "...bcast")).Y0
	var texts []string
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			if _, ty, s, _ := o.Text(); float64(ty) > y && float64(ty) < y+layout(f, g).Line {
				texts = append(texts, string(s))
			}
		}
	}
	if got, want := fmt.Sprint(texts), fmt.Sprint([]string{"bcast", "108", "16 %", "108", "13.50", "1", "21", "72 %", "called.f90"}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWayDown opens the path to the end of a chain, from the program as far as exceptions are remembered. A chain of 100,000 contexts would
// take minutes if each of them were compared with all others.
func TestWayDown(t *testing.T) {
	for _, deep := range []int{600, 100_000} {
		g, _ := shown(t, Tree(), viewtest.Tangle(-deep, 1, 1), 600, 400, "open", "101")
		g.opening.list = "-" + strconv.FormatUint(g.ID(5), 10)
		a, ok := g.way(1, int32(deep), int32(deep-1))
		closed := deep - 2 // the program is open, and the last context has no callees
		list := strings.Split(a.Value, ",")
		if !ok || len(list) != min(closed+1, mostOpened) {
			t.Fatalf("%d deep: %d are opened", deep, len(list))
		}
		for i, s := range list {
			if v := int32(len(list) - i); s != "+"+strconv.FormatUint(g.ID(v), 10) {
				t.Fatalf("%d deep: the %dth is %s, not the sign of %d", deep, i, s, v)
			}
		}
	}
}

func BenchmarkWay(b *testing.B) {
	g, _ := shown(b, Tree(), viewtest.Tangle(-10_000, 1, 1), 600, 400, "open", "101")
	for b.Loop() {
		g.way(1, 10_000)
	}
}

// BenchmarkTable draws 3,000 contexts of 256 processes, all open.
func BenchmarkTable(b *testing.B) {
	src := viewtest.Tangle(3000, 256, 1)
	for _, k := range []*view.Kind{Tree(), Functions()} {
		params := []string{}
		if k.Name == "contexts" {
			params = []string{"open", "0"}
		}
		g, f := shown(b, k, src, 1900, 1000, params...)
		f.State.Personal.Hover = g.selection("t", 9)
		b.Run(k.Name, func(b *testing.B) {
			l := scene.New(2000, 1100)
			painter := raster.New(kindtest.Glyphs)
			for b.Loop() {
				l.Reset(2000, 1100)
				view.Draw(g, f, l)
				g.Overlay(f, l)
				painter.Picture(l, 1)
			}
			b.ReportMetric(float64(len(g.rows)), "rows")
		})
	}
}
