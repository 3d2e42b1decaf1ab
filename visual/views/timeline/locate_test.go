package timeline

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// place is an expected place: a PE and a time. PE -1 stands for all rows.
type place struct {
	pe       int
	from, to int64
}

// check compares rectangles with expected places in a run of 100 ns with a row for each PE.
func check(t *testing.T, f *view.Frame, g *Geometry, name string, got []scene.Rect, want []place) {
	t.Helper()
	r := layout(f, g)
	if len(got) != len(want) {
		t.Errorf("%s: %d places, want %d: %v", name, len(got), len(want), got)
		return
	}
	for i, w := range want {
		y0, y1 := r.In.Y0, r.In.Y1
		if w.pe >= 0 {
			y0, y1 = r.bar(w.pe)
		}
		part := func(t int64) float64 { return r.In.X0 + float64(t)/100*r.In.W() }
		rect := scene.Rect{X0: part(w.from), Y0: y0, X1: part(w.to), Y1: y1}
		if d := max(math.Abs(got[i].X0-rect.X0), math.Abs(got[i].X1-rect.X1), math.Abs(got[i].Y0-y0), math.Abs(got[i].Y1-y1)); d > 1e-6 {
			t.Errorf("%s: place %d is %v, want %v", name, i, got[i], rect)
		}
	}
}

func TestLocate(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 600, 300)
	for _, c := range []struct {
		name string
		s    view.Selection
		want []place
	}{
		{"nothing", view.Selection{}, nil},
		{"one task", view.Selection{Tasks: []view.Tasks{{First: 2}}}, []place{{0, 20, 40}}},
		{"a task that suspended and was resumed", view.Selection{Tasks: []view.Tasks{{First: 4}}}, []place{{0, 40, 45}, {0, 80, 100}}},
		{"tasks 2 to 3, twice", view.Selection{Tasks: []view.Tasks{{First: 2, Last: 3}, {First: 3}}}, []place{{0, 20, 40}, {1, 25, 65}}},
		{"the subtree of 3", view.Subtree("", 3), []place{{0, 40, 45}, {0, 80, 100}, {1, 25, 65}}},
		{"everything", view.Subtree("", 1), []place{{0, 0, 20}, {0, 20, 40}, {0, 40, 45}, {0, 80, 100}, {1, 25, 65}}},
		{"no such task", view.Subtree("", 99), nil},
		{"the procedure work", view.Selection{Codes: []uint32{viewtest.Work}}, []place{{0, 20, 40}, {0, 40, 45}, {0, 80, 100}, {1, 25, 65}}},
		{"one of its clauses", view.Selection{Codes: []uint32{viewtest.WorkA}}, []place{{0, 20, 40}, {0, 80, 100}}},
		{"a code that nothing ran", view.Selection{Codes: []uint32{viewtest.NoWork}}, nil},
		{"PE 1", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, []place{{1, 0, 100}}},
		{"PEs 1 and 2", view.Selection{PEs: []view.Span{{First: 1, Last: 7}}}, []place{{1, 0, 100}, {2, 0, 100}}},
		{"no such PE", view.Selection{PEs: []view.Span{{First: 3, Last: 9}}}, nil},
		{"a time", view.Selection{Time: &view.Span{First: 10, Last: 30}}, []place{{-1, 10, 30}}},
		{"a time after the end", view.Selection{Time: &view.Span{First: 200, Last: 300}}, nil},
		{"a time on a PE", view.Selection{Time: &view.Span{First: 45, Last: 80}, PEs: []view.Span{{First: 0, Last: 0}}}, []place{{0, 45, 80}}},
		{"a procedure on a PE", view.Selection{Codes: []uint32{viewtest.Work}, PEs: []view.Span{{First: 1, Last: 1}}}, []place{{1, 25, 65}}},
		{"a subtree within a time", view.Selection{Tasks: []view.Tasks{{First: 3, Subtree: true}}, Time: &view.Span{First: 30, Last: 70}}, []place{{0, 40, 45}}},
		{"a context", view.Selection{Contexts: []uint64{1}}, nil},
	} {
		c.s.Trace = "t"
		check(t, f, g, c.name, g.Locate(f, c.s), c.want)
		c.s.Trace = "another"
		check(t, f, g, c.name+" in another trace", g.Locate(f, c.s), nil)
	}
	until := int64(50)
	f.Until = &until
	check(t, f, g, "the subtree of 3 until 50", g.Locate(f, view.Subtree("t", 3)), []place{{0, 40, 45}, {1, 25, 65}})
}

func TestHit(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 600, 300)
	r := layout(f, g)
	task := func(n uint64) view.Selection { return view.Selection{Trace: "t", Tasks: []view.Tasks{{First: n}}} }
	pe := func(n int64) view.Selection { return view.Selection{Trace: "t", PEs: []view.Span{{First: n, Last: n}}} }
	idle := func(n, from, to int64) view.Selection {
		s := pe(n)
		s.Time = &view.Span{First: from, Last: to}
		return s
	}
	for _, c := range []struct {
		pe   int
		time float64
		want view.Selection
		tip  string
	}{
		{0, 10, task(1), "main/0|clause at small.fghc:1|task 1 reduced on PE 0|at 0, took 20 ns"},
		{0, 30, task(2), "work/1|clause at small.fghc:2|task 2 reduced on PE 0|at 20 ns, took 20 ns"},
		{0, 42, task(4), "work/1|procedure at small.fghc:2|task 4 suspended on PE 0|at 40 ns, took 5 ns"},
		{0, 60, idle(0, 45, 80), "PE 0: idle, waiting for a value|from 45 ns to 80 ns|35 ns|until work/1 at small.fghc:3 on PE 1"},
		{0, 99, task(4), "work/1|clause at small.fghc:2|task 4 reduced on PE 0|at 80 ns, took 20 ns"},
		{1, 10, idle(1, 0, 25), "PE 1: idle|from 0 to 25 ns|25 ns"},
		{1, 26, task(3), "work/1|clause at small.fghc:3|task 3 reduced on PE 1|at 25 ns, took 40 ns"},
		{1, 70, idle(1, 65, 75), "PE 1: overhead, scheduling|from 65 ns to 75 ns|10 ns"},
		{1, 90, idle(1, 75, 100), "PE 1: idle, no work|from 75 ns to 100 ns|25 ns"},
		{2, 50, pe(2), "PE 2|from 50 ns, for 1 ns|0 % busy, 100 % idle"},
	} {
		y0, y1 := r.bar(c.pe)
		x, y := r.In.X0+c.time/100*r.In.W(), (y0+y1)/2
		got, ok := g.Hit(f, x, y)
		if !ok || !got.Equal(c.want) {
			t.Errorf("PE %d at %g: hit %+v, want %+v", c.pe, c.time, got, c.want)
		}
		tip, ok := g.Tip(f, x, y)
		if s := strings.Join(tip.Lines, "|"); !ok || s != c.tip {
			t.Errorf("PE %d at %g: tip %q, want %q", c.pe, c.time, s, c.tip)
		}
		// Locate returns the place of the hit.
		if !slices.ContainsFunc(g.Locate(f, got), func(p scene.Rect) bool { return p.Grow(1).Contains(x, y) }) {
			t.Errorf("PE %d at %g: %+v is not located there", c.pe, c.time, got)
		}
	}
	y0, _ := r.bar(1)
	if got, ok := g.Hit(f, r.Area.X0+2, y0+2); !ok || !got.Equal(pe(1)) {
		t.Errorf("the name of PE 1: %+v", got)
	}
	for _, p := range [][2]float64{{r.In.X0 + 5, r.In.Y1 + 5}, {r.In.X1 + 3, y0}, {-100, -100}} {
		if got, ok := g.Hit(f, p[0], p[1]); ok {
			t.Errorf("hit %+v at %v", got, p)
		}
	}
}

// TestEnd checks the tool tip of a goal without a reduction that was resumed and ended.
func TestEnd(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1})
	m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "add/3"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Busy},
		{Kind: tracer.Reduce, Task: 1, Value: 20},
		{Time: 20, Kind: tracer.End, Task: 2, Code: 1},
		{Time: 60, Kind: tracer.Reduce, Task: 3, Value: 40},
	} {
		*s.Slot() = e
	}
	must.Do(t, m.Close())
	g, f := shown(t, m, 600, 300)
	r := layout(f, g)
	y0, y1 := r.bar(0)
	tip, ok := g.Tip(f, r.In.X0+0.4*r.In.W(), (y0+y1)/2)
	if want := "add/3|task 2 ended on PE 0|at 20 ns, took 40 ns"; !ok || strings.Join(tip.Lines, "|") != want {
		t.Errorf("%q, want %q", tip.Lines, want)
	}
}
