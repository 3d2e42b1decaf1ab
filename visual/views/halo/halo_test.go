package halo

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

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

// TestSmallTreeInLargePane checks that a small tree takes more room in a larger pane, by the same factor in both directions and for its halos, up to a
// limit, and that a tree that fills its pane stays as it is.
func TestSmallTreeInLargePane(t *testing.T) {
	em := 0.0
	size := func(w, h float64) (x, y, r float64) {
		g, f := shownOf(t, viewtest.Called(), w, h)
		s := newSheet(f, g)
		em = s.em
		return s.X.Fit / (broad * em), s.Y.Fit / (high * em), s.largest / (1.3 * em)
	}
	for _, c := range []struct{ w, h, want float64 }{{5000, 4000, roomiest}, {1e5, 1e5, roomiest}} {
		if x, y, r := size(c.w, c.h); x != c.want || y != c.want || r != c.want {
			t.Errorf("%g by %g: the tree has %g times the width, %g times the height and %g times the halos, want %g", c.w, c.h, x, y, r, c.want)
		}
	}
	x, y, r := size(1400, 1000)
	if x <= 1 || x >= roomiest || y < 0.999*x || y > 1.001*x || r < 0.999*x || r > 1.001*x {
		t.Errorf("1400 by 1000: the tree has %g times the width, %g times the height and %g times the halos", x, y, r)
	}
	if x, y, r := size(300, 300); x > 1 || y > 1 || r > 1 {
		t.Errorf("300 by 300: the tree has %g times the width, %g times the height and %g times the halos", x, y, r)
	}
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
