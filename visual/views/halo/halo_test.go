package halo

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func shownOf(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "called.txt", Kind(), viewtest.Called(), 1000, 640, nil)
	kindtest.Golden(t, "hidden.txt", Kind(), viewtest.Called(), 1000, 640, map[string]string{"least": "10", "background": "dark", "find": "bc|al"})
}

func TestTexts(t *testing.T) {
	sources := []tracer.Source{viewtest.Called(), viewtest.Sampled(), viewtest.Small(), viewtest.Calls(300, 9, 1), deep(40)}
	kindtest.Texts(t, Kind(), nil, sources...)
	kindtest.Texts(t, Kind(), map[string]string{"least": "3", "hot": "5"}, sources...)
}

func TestAnyFrame(t *testing.T) {
	g, _ := shownOf(t, viewtest.Called(), 400, 300, "least", "10")
	kindtest.AnyFrame(t, Kind(), g)
	g, _ = shownOf(t, deep(3000), 400, 300)
	kindtest.AnyFrame(t, Kind(), g)
}

// deep returns a profile of one chain of n calls.
func deep(n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "deep", PEs: 2})
	d := m.Dict()
	ticks := d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	ref := uint32(0)
	for range n {
		ref = d.AddContext(tracer.Context{Parent: ref, Code: d.Add(tracer.Code{Type: tracer.Function, Name: "again"})})
	}
	s := m.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: 1, Ref: uint64(ref), Code: ticks, Value: 7}
	_ = m.Close()
	return m
}

// node returns the place of the context with a call path, given as names below the program.
func node(t testing.TB, g *Geometry, names string) int32 {
	t.Helper()
	for k, v := range g.nodes {
		var is []string
		for _, u := range g.Way(v) {
			is = append(is, g.Name(u))
		}
		if strings.Join(is, " ") == names {
			return int32(k)
		}
	}
	t.Fatalf("%s is not drawn", names)
	return -1
}

// drawn returns the names of the drawn nodes.
func drawn(g *Geometry) string {
	var names []string
	for _, v := range g.nodes[1:] {
		names = append(names, g.Name(v))
	}
	return strings.Join(names, " ")
}

func TestHalos(t *testing.T) {
	g, _ := shownOf(t, viewtest.Called(), 800, 600)
	for _, c := range []struct {
		way    string
		thirds [3]int
		equal  bool
	}{
		{"main sweep bcast", [3]int{3, 0, 5}, false},  // 21 or 1 about 13.5
		{"main sweep kernel", [3]int{5, 0, 3}, false}, // 40 or 60 about 47.5
		{"main sweep", [3]int{0, 8, 0}, true},         // 73 each
		{"main output", [3]int{0, 7, 1}, false},       // 13 once and 5 otherwise, about 6
		{"main setup alloc", [3]int{0, 8, 0}, true},
	} {
		s := g.spread[node(t, g, c.way)]
		if s.Thirds != c.thirds || s.Equal != c.equal {
			t.Errorf("%s: %v, equal %v; want %v, %v", c.way, s.Thirds, s.Equal, c.thirds, c.equal)
		}
	}
	g, _ = shownOf(t, viewtest.Called(), 800, 600, "processes", "5-7") // none of them waits
	if s := g.spread[node(t, g, "main sweep bcast")]; !s.Equal {
		t.Errorf("processes 5 to 7: %+v", s)
	}
	g, _ = shownOf(t, viewtest.Called(), 800, 600, "value", "exclusive")
	if s := g.spread[node(t, g, "main output")]; s.Thirds != [3]int{0, 7, 1} || s.Most != 9 {
		t.Errorf("exclusive: %+v", s)
	}
}

// TestHistogram checks that each value is within the edges and the third of its column, and that thirds count all processes.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := callingcontext.NewMerger()
		x := m.Metric(callingcontext.Metric{Name: "a"})
		v := m.Call(callingcontext.Root, 1)
		n := rapid.IntRange(1, 40).Draw(t, "processes")
		values := make([]int64, n)
		for p := range values {
			values[p] = rapid.OneOf(rapid.Int64Range(-5, 5), rapid.Int64Range(-1<<40, 1<<40)).Draw(t, "value")
			m.Add(m.Process(callingcontext.Process{}), v, x, values[p])
		}
		s := m.Tree().Spread(1, 0, true)
		var thirds [3]int
		for _, n := range values {
			b := s.Bin(n)
			if b < 0 || b >= callingcontext.Bins || s.Third(n) != b/(callingcontext.Bins/3) {
				t.Fatalf("%d is in column %d and third %d", n, b, s.Third(n))
			}
			if from, to := s.Edges(b); !s.Equal && (float64(n) < from-1e-3*(to-from)-1 || float64(n) > to+1e-3*(to-from)+1) {
				t.Fatalf("%d is in the column [%v, %v]", n, from, to)
			}
			thirds[s.Third(n)]++
		}
		if thirds != s.Thirds {
			t.Fatalf("columns count %v, thirds %v", thirds, s.Thirds)
		}
	})
}

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		params []string
		want   string
		hidden string // function: node amount, ...
	}{
		{nil, "main setup alloc sweep kernel bcast alloc output alloc kernel", ""},
		// At least 66.4 of 664; the exclusive values are 32 of alloc, 16 of setup and 16 of output.
		{[]string{"least", "10"}, "main sweep kernel bcast", "alloc: main 16, sweep 16; output: main 16; setup: main 16"},
		{[]string{"least", "10", "top", "0"}, "main sweep kernel bcast", ""},
		{[]string{"least", "100"}, "main", "alloc: main 32; bcast: main 108; kernel: main 404; output: main 16; setup: main 16; sweep: main 80"},
		{[]string{"processes", "0", "least", "12.5"}, "main sweep kernel bcast output", "alloc: main 1, sweep 2, output 1; setup: main 2"},
	} {
		g, _ := shownOf(t, viewtest.Called(), 800, 600, c.params...)
		if got := drawn(g); got != c.want {
			t.Errorf("%v: %s, want %s", c.params, got, c.want)
		}
		if got := hiddenOf(g); got != c.hidden {
			t.Errorf("%v: %q, want %q", c.params, got, c.hidden)
		}
	}
}

func hiddenOf(g *Geometry) string {
	var all []string
	for i := range g.functions {
		f := &g.functions[i]
		sum := int64(0)
		var links []string
		for _, l := range f.links {
			sum += l.amount
			links = append(links, g.Name(g.nodes[l.to])+" "+figures.Count(l.amount))
		}
		if sum != f.exclusive {
			return g.FunctionName(f.code) + ": the links do not add up to the exclusive value"
		}
		all = append(all, g.FunctionName(f.code)+": "+strings.Join(links, ", "))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// TestFolding hides callees and shows them again. Hidden functions that are drawn nowhere else stand at the bottom.
func TestFolding(t *testing.T) {
	g, f := shownOf(t, viewtest.Called(), 800, 600)
	s := newSheet(f, g)
	k := node(t, g, "main sweep")
	x, y, _, _ := s.signOf(k)
	acts := g.Input(f, view.Input{Kind: view.Click, X: x, Y: y})
	if len(acts) != 1 || acts[0].Name != folded.Name {
		t.Fatalf("%+v", acts)
	}
	g, f = shownOf(t, viewtest.Called(), 800, 600, folded.Name, acts[0].Value)
	if got, want := drawn(g), "main setup alloc sweep output alloc kernel"; got != want {
		t.Errorf("drawn: %s, want %s", got, want)
	}
	if got, want := hiddenOf(g), "bcast: sweep 108"; got != want {
		t.Errorf("at the bottom: %s, want %s", got, want)
	}
	x, y, _, _ = newSheet(f, g).signOf(node(t, g, "main sweep"))
	if acts := g.Input(f, view.Input{Kind: view.Click, X: x, Y: y}); len(acts) != 1 || acts[0].Value != "" {
		t.Errorf("again: %+v", acts)
	}
	f.State.Shared.Selection = g.Select("t", g.nodes[node(t, g, "main output alloc")])
	if acts := g.Input(f, view.Input{Kind: view.Press, Key: "c"}); len(acts) != 1 || acts[0].Do != view.Nothing {
		t.Errorf("a leaf: %+v", acts)
	}
}

// TestSubtree enters a subtree, in which shares refer to its root, and leaves it again.
func TestSubtree(t *testing.T) {
	g, f := shownOf(t, viewtest.Called(), 800, 600)
	sel := g.Select("t", g.nodes[node(t, g, "main output")])
	x, y := newSheet(f, g).position(node(t, g, "main output"))
	twice := g.Input(f, view.Input{Kind: view.DoubleClick, X: x, Y: y})
	f.State.Shared.Selection = sel
	acts := g.Input(f, view.Input{Kind: view.Press, Key: "Enter"})
	if !reflect.DeepEqual(acts, twice) {
		t.Errorf("Enter does %+v, a double click %+v", acts, twice)
	}
	if len(acts) != 1 || acts[0].Do != view.EnterSubtree || acts[0].Task != sel.Contexts[0] {
		t.Fatalf("%+v", acts)
	}
	var st view.State
	for _, a := range append([]view.Action{{Do: view.OpenTrace, Name: "t"}, {Do: view.AddPane, Name: "halo", Value: "t"}}, acts...) {
		if err := st.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	p := st.Personal.Panes[0]
	g, f = shownOf(t, viewtest.Called(), 800, 600, "root", p.Params["root"])
	if got := drawn(g); got != "alloc kernel" || g.Name(g.nodes[0]) != "output" || math.Abs(g.share(g.nodes[1])-8.0/48) > 1e-9 || g.isHot(1) || !g.isHot(2) {
		t.Errorf("%s below %s, share %v", got, g.Name(g.nodes[0]), g.share(g.nodes[1]))
	}
	f.Trail = p.Trail
	out := scene.New(900, 700)
	g.Overlay(f, out)
	boxes := g.Trail(f, g.root).Boxes()
	if len(boxes) != 2 {
		t.Fatalf("the trail has %d entries", len(boxes))
	}
	acts = g.Input(f, view.Input{Kind: view.Click, X: (boxes[0].X0 + boxes[0].X1) / 2, Y: (boxes[0].Y0 + boxes[0].Y1) / 2})
	if len(acts) != 1 || acts[0].Do != view.LeaveTo || st.Apply(acts[0]) != nil || st.Personal.Panes[0].Root() != 0 {
		t.Errorf("back: %+v, root %d", acts, st.Personal.Panes[0].Root())
	}
}

// TestFunctionsAreCounted checks that the legend counts each function below the root once, also those without an exclusive value.
func TestFunctionsAreCounted(t *testing.T) {
	for _, c := range []struct {
		params []string
		want   int
	}{
		{nil, 4},
		{[]string{"processes", "0"}, 3}, // process 0 never calls d
	} {
		m := tracer.NewMemory()
		context, s := uint32(0), m.Stream(tracer.StreamInfo{})
		for i, name := range []string{"a", "b", "a", "c", "d"} {
			context = m.Dict().AddContext(tracer.Context{Parent: context, Code: m.Dict().Add(tracer.Code{Type: tracer.Function, Name: name})})
			if i >= 3 {
				*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: int32(i - 3), Ref: uint64(context), Value: 2}
			}
		}
		s.Sync()
		m.SetMeta(tracer.Meta{PEs: 2})
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		if g, _ := shownOf(t, m, 800, 600, c.params...); g.all != c.want {
			t.Errorf("%v: %d functions, want %d", c.params, g.all, c.want)
		}
	}
}

func TestHotPath(t *testing.T) {
	for _, c := range []struct{ percent, want string }{{"20", "main sweep kernel"}, {"10", "main sweep kernel bcast"}, {"57", "main sweep kernel"}, {"58", "main sweep"}, {"0", ""}} {
		g, _ := shownOf(t, viewtest.Called(), 800, 600, "hot", c.percent)
		var lit []string
		for k := range g.nodes {
			if k > 0 && g.isHot(int32(k)) {
				lit = append(lit, g.Name(g.nodes[k]))
			}
		}
		if got := strings.Join(lit, " "); got != c.want {
			t.Errorf("%s %%: %s, want %s", c.percent, got, c.want)
		}
	}
}

// TestColumnsSelectProcesses moves the pointer from a node into its histogram, and selects the processes of columns.
func TestColumnsSelectProcesses(t *testing.T) {
	g, f := shownOf(t, viewtest.Called(), 900, 700)
	do := func(in view.Input) view.Action {
		t.Helper()
		acts := g.Input(f, in)
		if len(acts) != 1 {
			t.Fatalf("%+v leads to %+v", in, acts)
		}
		if err := f.State.Apply(acts[0]); err != nil {
			t.Fatal(err)
		}
		return acts[0]
	}
	k := node(t, g, "main sweep bcast")
	x, y := newSheet(f, g).position(k)
	do(view.Input{Kind: view.Move, X: x, Y: y})
	p, ok := newSheet(f, g).panel()
	if !ok || p.k != k || !f.Area.Grow(1).Contains(p.box.X0, p.box.Y0) || !f.Area.Contains(p.box.X1, p.box.Y1) {
		t.Fatalf("the panel is %+v, %v", p, ok)
	}
	column := func(b int) (float64, float64) {
		return p.bars.X0 + (float64(b)+0.5)*p.bars.W()/callingcontext.Bins, p.bars.Y1 - 2
	}
	// 21 is 7.5 above the mean and 1 is 12.5 below, the edge of the range: columns 12 and 0.
	for _, c := range []struct {
		b    int
		want []view.Span
	}{{0, []view.Span{{First: 5, Last: 7}}}, {12, []view.Span{{First: 0, Last: 4}}}} {
		x, y := column(c.b)
		do(view.Input{Kind: view.Move, X: x, Y: y})
		if h := f.State.Personal.Hover; !slices.Equal(h.PEs, c.want) || len(h.Contexts) != 1 {
			t.Errorf("column %d hovers %+v", c.b, h)
		}
		do(view.Input{Kind: view.Click, X: x, Y: y})
		if s := f.State.Shared.Selection; !s.Equal(view.Selection{Trace: "t", PEs: c.want}) {
			t.Errorf("column %d selects %+v", c.b, s)
		}
		out := scene.New(900, 700)
		g.Overlay(f, out)
	}
	// PEs 5 to 7 are above the mean in kernel and below it in bcast; the others are the other way round.
	thirds := g.thirdsOf([]int32{5, 6, 7})
	if a, b := thirds[node(t, g, "main sweep kernel")], thirds[k]; a != [3]int32{0, 0, 3} || b != [3]int32{3, 0, 0} {
		t.Errorf("PEs 5 to 7 are in %v and %v", a, b)
	}
	f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 5, Last: 7}}}
	if a := do(view.Input{Kind: view.Press, Key: "u"}); a.Do != view.Select {
		t.Errorf("%+v", a)
	}
	f.State.Shared.Selection = view.Selection{Trace: "t", PEs: []view.Span{{First: 5, Last: 7}}}
	acts := g.Input(f, view.Input{Kind: view.Press, Key: "s"})
	if len(acts) != 1 || acts[0].Name != "processes" || acts[0].Value != "5-7" {
		t.Errorf("%+v", acts)
	}
}

// TestLocate locates selections of other views: their halos, or the lowest drawn ancestors of hidden contexts.
func TestLocate(t *testing.T) {
	g, f := shownOf(t, viewtest.Called(), 900, 700, "least", "10")
	s := newSheet(f, g)
	halos := func(ways ...string) (out []scene.Rect) {
		for _, w := range ways {
			out = append(out, s.rect(node(t, g, w)))
		}
		return out
	}
	disc := func(name string) scene.Rect {
		i := slices.IndexFunc(g.functions, func(f function) bool { return g.FunctionName(f.code) == name })
		return s.disc(i)
	}
	for _, c := range []struct {
		name string
		s    view.Selection
		want []scene.Rect
	}{
		{"a procedure", view.Selection{Codes: []uint32{viewtest.CalledBcast}}, halos("main sweep bcast")},
		{"a line of it", view.Selection{Lines: []view.Lines{{File: "called.f90", First: 22}}}, halos("main sweep bcast")},
		{"one that is hidden", view.Selection{Codes: []uint32{viewtest.CalledAlloc}}, append(halos("main", "main sweep"), disc("alloc"))},
		{"one with a hidden context", view.Selection{Codes: []uint32{viewtest.CalledKernel}}, halos("main", "main sweep kernel")},
		{"PEs", view.Selection{PEs: []view.Span{{First: 1, Last: 2}}}, nil},
	} {
		c.s.Trace = "t"
		got := g.Locate(f, c.s)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		c.s.Trace = "another"
		if got := g.Locate(f, c.s); got != nil {
			t.Errorf("%s of another trace: %v", c.name, got)
		}
	}
	// A function at the bottom selects itself.
	r := disc("alloc")
	if sel, ok := g.Hit(f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2); !ok || !slices.Equal(sel.Codes, []uint32{viewtest.CalledAlloc}) || sel.Contexts != nil {
		t.Errorf("%+v", sel)
	}
	tip, ok := g.Tip(f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	if all := strings.Join(tip.Lines, "\n"); !ok || !strings.Contains(all, "32 ticks") || !strings.Contains(all, "50 % below sweep") {
		t.Errorf("%q", all)
	}
}

func TestFind(t *testing.T) {
	g, f := shownOf(t, viewtest.Called(), 900, 700, "find", "^(bcast|alloc)$")
	var names []string
	for range 5 {
		for _, a := range g.Input(f, view.Input{Kind: view.Press, Key: "n"}) {
			if err := f.State.Apply(a); err != nil && a.Do != view.SetCamera {
				t.Fatal(err)
			}
		}
		v, _ := g.Node(f.State.Shared.Selection.Contexts[0])
		names = append(names, g.Name(g.Parent[v])+" "+g.Name(v))
	}
	if got, want := strings.Join(names, ", "), "setup alloc, sweep bcast, sweep alloc, output alloc, setup alloc"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g, f = shownOf(t, viewtest.Called(), 900, 700, "find", "alloc(")
	if l := g.Legend(f); !strings.Contains(l.Warning, "alloc(") {
		t.Errorf("the legend warns: %q", l.Warning)
	}
}

// TestNoOverlap checks that halos overlap neither within a level nor between levels, for any tree and camera.
func TestNoOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := viewtest.Calls(rapid.IntRange(2, 120).Draw(t, "contexts"), 3, rapid.Uint64().Draw(t, "seed"))
		o, err := view.Open(Kind(), src, kindtest.Glyphs)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		if err := o.Set("least", rapid.SampledFrom([]string{"0", "1", "5"}).Draw(t, "least")); err != nil {
			t.Fatal(err)
		}
		r, err := o.Geometry(t.Context(), 0, 500)
		if err != nil {
			t.Fatal(err)
		}
		g := r.Value.(*Geometry)
		area := scene.Rect{X1: rapid.Float64Range(200, 1500).Draw(t, "w"), Y1: rapid.Float64Range(200, 1000).Draw(t, "h")}
		f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: kindtest.Glyphs, Trace: "t"}
		if rapid.Bool().Draw(t, "near") {
			f.Camera = view.Camera{X: g.width / 2, Y: g.depth / 2, Scale: rapid.Float64Range(1, 90).Draw(t, "scale"), ScaleY: rapid.Float64Range(1, 90).Draw(t, "scale y")}
		}
		s := newSheet(f, g)
		for l, row := range g.rows {
			for i, k := range row {
				r := s.radius(row, i)
				if r > 1 && 2*r > s.Y.Scale {
					t.Fatalf("a halo of radius %g in a level of %g", r, s.Y.Scale)
				}
				if i == 0 {
					continue
				}
				x0, _ := s.position(row[i-1])
				if x, _ := s.position(k); x-x0 < (s.radius(row, i-1)+r)*0.999 {
					t.Fatalf("level %d: halos at %g and %g overlap", l, x0, x)
				}
			}
		}
	})
}

// TestOddTraces draws negative values, no values, one process, and names in several scripts.
func TestOddTraces(t *testing.T) {
	odd := func(pes int, values ...int64) *tracer.Memory {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{Program: "odd", PEs: pes})
		d := m.Dict()
		bytes := d.Add(tracer.Code{Type: tracer.Metric, Name: "bytes", Unit: "bytes", Scale: 1})
		up := d.AddContext(tracer.Context{Code: d.Add(tracer.Code{Type: tracer.Function, Name: "главная 主 العربية"})})
		s := m.Stream(tracer.StreamInfo{})
		for i, n := range values {
			ref := d.AddContext(tracer.Context{Parent: up, Code: d.Add(tracer.Code{Type: tracer.Function, Name: strings.Repeat("x", 40*i)})})
			*s.Slot() = tracer.Event{Kind: tracer.Sample, PE: int32(i % pes), Ref: uint64(ref), Code: bytes, Value: n}
		}
		_ = m.Close()
		return m
	}
	for _, c := range []struct {
		src   *tracer.Memory
		drawn int
	}{{odd(1, 5, 7), 4}, {odd(3, 5, -9, 2), 5}, {odd(2, -5, -7), 4}, {odd(2, 0, 0), 1}, {odd(2, 5, -5), 4}} {
		g, f := shownOf(t, c.src, 700, 500)
		if len(g.nodes) != c.drawn {
			t.Errorf("%d nodes are drawn, want %d", len(g.nodes), c.drawn)
		}
		for k := range g.nodes {
			f.State.Personal.Hover = g.Select("t", g.nodes[k])
			out := scene.New(720, 510)
			view.Draw(g, f, out)
			g.Overlay(f, out)
			if p, ok := newSheet(f, g).panel(); ok {
				g.Hit(f, p.bars.X0+1, p.bars.Y0+1)
			}
		}
	}
}
