package halo

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

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
	if x, y := newSheet(f, g).position(g.parent[k]); p.box.Contains(x, y) {
		t.Errorf("the panel %+v hides the caller at %g, %g", p.box, x, y)
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
		{"PEs", view.Selection{PEs: []view.Span{{First: 1, Last: 2}}}, []scene.Rect{s.rect(0)}},
		{"PEs without samples", view.Selection{PEs: []view.Span{{First: 1000, Last: 1000}}}, nil},
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
	for _, key := range []string{"n", "n", "n", "n", "n", "N", "N"} {
		for _, a := range g.Input(f, view.Input{Kind: view.Press, Key: key}) {
			if err := f.State.Apply(a); err != nil && a.Do != view.SetCamera {
				t.Fatal(err)
			}
		}
		v, _ := g.Node(f.State.Shared.Selection.Contexts[0])
		names = append(names, g.Name(g.Parent[v])+" "+g.Name(v))
	}
	if got, want := strings.Join(names, ", "), "setup alloc, sweep bcast, sweep alloc, output alloc, setup alloc, output alloc, sweep alloc"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g, f = shownOf(t, viewtest.Called(), 900, 700, "find", "alloc(")
	if l := g.Legend(f); !strings.Contains(l.Warning, "alloc(") {
		t.Errorf("the legend warns: %q", l.Warning)
	}
}
