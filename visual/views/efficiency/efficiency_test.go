package efficiency

import (
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// Codes of the trace of these tests.
const (
	message uint32 = iota + 1
	gc
	lock
)

// losses returns a trace on three PEs with a loss of each kind. PE 2 does nothing. PE 0 works for 50 ns, PE 1 for 39 ns. Without transfers the run
// takes 77 ns of 91.
func losses() *tracer.Memory {
	m := tracertest.Trace(
		tracer.Event{Time: 0, Kind: tracer.Busy, PE: 0},
		tracer.Event{Time: 0, Kind: tracer.Busy, PE: 1},
		tracer.Event{Time: 0, Kind: tracer.Reduce, PE: 0, Task: 1, Value: 50},
		tracer.Event{Time: 0, Kind: tracer.Reduce, PE: 1, Task: 2, Ref: 1, Value: 20},
		tracer.Event{Time: 20, Kind: tracer.Idle, PE: 1, Code: message},
		tracer.Event{Time: 50, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 1},
		tracer.Event{Time: 50, Kind: tracer.Overhead, PE: 0, Code: message},
		tracer.Event{Time: 60, Kind: tracer.Overhead, PE: 0, Code: gc},
		tracer.Event{Time: 62, Kind: tracer.Idle, PE: 0},
		tracer.Event{Time: 64, Kind: tracer.Recv, PE: 1, Peer: 0, Ref: 1},
		tracer.Event{Time: 64, Kind: tracer.Overhead, PE: 1, Code: lock},
		tracer.Event{Time: 67, Kind: tracer.Overhead, PE: 1, Code: gc},
		tracer.Event{Time: 72, Kind: tracer.Busy, PE: 1},
		tracer.Event{Time: 91, Kind: tracer.Exit, PE: 1},
	)
	m.SetMeta(tracer.Meta{Program: "losses", PEs: 3})
	for _, name := range []string{"message", "gc", "lock"} {
		m.Dict().Add(tracer.Code{Type: tracer.Reason, Name: name})
	}
	return m
}

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

// TestWaterfall checks that each bar begins where the one above it ends, that the last is as long as all others, and that a range of time
// shortens all bars alike.
func TestWaterfall(t *testing.T) {
	for _, c := range []struct {
		span  string
		scale float64
	}{{"0", 1}, {"50", 1}, {"182", 0.5}} {
		g, f := shown(t, losses(), 900, 700, view.TimeRange, c.span)
		s := layout(f, g)
		end := s.fall.X0
		for i := range bars - 1 {
			r := s.bar(i)
			if r.X0 != end || r.X1 < r.X0 {
				t.Errorf("%s begins at %g, want %g", s.steps[i], r.X0, end)
			}
			end = r.X1
		}
		if r := s.bar(bars - 1); r.X0 != s.fall.X0 || r.X1 != end || r.X1-r.X0 < c.scale*s.fall.W()-1 || r.X1-r.X0 > c.scale*s.fall.W()+1 {
			t.Errorf("the measured time is %g to %g of %v", r.X0, r.X1, s.fall)
		}
	}
}

func TestTips(t *testing.T) {
	g, f := shown(t, losses(), 900, 700)
	s := layout(f, g)
	for _, c := range []struct {
		row int
		tip string
		pe  int64 // -1 for none
	}{
		{0, "ideal time: 29 ns  31.9 %|the work, divided evenly among all PEs|most work on PE 0: 50 ns", 0},
		{1, "load imbalance: 21 ns  23.1 %|some PEs have more work than the mean|most work on PE 0: 50 ns", 0},
		{2, "serialisation: 19 ns  20.9 %|PEs wait for what others have not done yet|most of it on PE 1: 30 ns", 1},
		{3, "transfer: 14 ns  15.4 %|messages and what their delays cause|most of it on PE 1: 14 ns", 1},
		{4, "scheduling, stealing: 3 ns  3.3 %|looking for work, and asking others for it|most of it on PE 1: 3 ns", 1},
		{5, "garbage collection: 5 ns  5.5 %|garbage collection|most of it on PE 1: 5 ns", 1},
		{6, "operating system: 0 ns  0.0 %|the operating system gives cores to others", -1},
		{7, "measured: 91 ns  100.0 %|the elapsed time: the sum of the bars above", -1},
	} {
		x, y := s.fall.X0+5, s.fall.Y0+(float64(c.row)+0.5)*s.row
		tip, ok := g.Tip(f, x, y)
		sel, hit := g.Hit(f, x, y)
		if got := strings.Join(tip.Lines, "|"); !ok || got != c.tip || hit != (c.pe >= 0) || hit && sel.PEs[0] != (view.Span{First: c.pe, Last: c.pe}) {
			t.Errorf("row %d: %q, hit %+v", c.row, got, sel)
		}
	}
	for pe := range 3 {
		x0, x1 := s.column(pe)
		sel, ok := g.Hit(f, (x0+x1)/2, s.pes.Y1-3)
		if !ok || !slices.Equal(sel.PEs, []view.Span{{First: int64(pe), Last: int64(pe)}}) {
			t.Errorf("PE %d: %+v", pe, sel)
		}
	}
	x0, _ := s.column(2)
	tip, _ := g.Tip(f, x0+3, s.pes.Y1-3)
	if got := strings.Join(tip.Lines, "|"); got != "PE 2|nothing to do: 100.0 %" {
		t.Errorf("tip %q", got)
	}
	if _, ok := g.Hit(f, s.Area.X0+1, s.Area.Y1-1); ok {
		t.Error("a hit beside all bars")
	}
}

// TestLocate marks the PEs with a part in a selection.
func TestLocate(t *testing.T) {
	g, f := shown(t, losses(), 900, 700)
	s := layout(f, g)
	box := func(first, last int) scene.Rect {
		x0, _ := s.column(first)
		_, x1 := s.column(last)
		return scene.Rect{X0: x0, Y0: s.pes.Y0, X1: x1, Y1: s.pes.Y1}
	}
	for _, c := range []struct {
		s    view.Selection
		want []scene.Rect
	}{
		{view.Selection{PEs: []view.Span{{First: 1, Last: 2}}}, []scene.Rect{box(1, 2)}},
		{view.Selection{PEs: []view.Span{{First: 0, Last: 0}, {First: 2, Last: 2}}}, []scene.Rect{box(0, 0), box(2, 2)}},
		{view.Selection{Tasks: []view.Tasks{{First: 2}}}, []scene.Rect{box(1, 1)}},
		{view.Selection{Time: &view.Span{First: 0, Last: 10}}, []scene.Rect{box(0, 1)}},
		{view.Selection{}, nil},
	} {
		c.s.Trace = "t"
		if got := g.Locate(f, c.s); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, want %v", c.s, got, c.want)
		}
	}
}

// TestManyPEs shows more PEs than pixels; each is in one column, and the legend says what is in doubt.
func TestManyPEs(t *testing.T) {
	g, f := shown(t, viewtest.Many(20000, 5000, 1000, 1, 1), 600, 600)
	s := layout(f, g)
	for i := range len(s.edges) - 1 {
		if s.edges[i] >= s.edges[i+1] {
			t.Fatalf("column %d has no PE: %d to %d", i, s.edges[i], s.edges[i+1])
		}
	}
	if len(s.edges) > int(s.pes.W())+1 || s.edges[len(s.edges)-1] != 5000 {
		t.Errorf("%d columns for %g pixels", len(s.edges)-1, s.pes.W())
	}
	sel, ok := g.Hit(f, s.pes.X1-1, s.pes.Y1-1)
	if !ok || sel.PEs[0].Last != 4999 || sel.PEs[0].First == 4999 {
		t.Errorf("the last column is %+v", sel)
	}
}

// TestAnyTrace opens traces that do not say when PEs worked.
func TestAnyTrace(t *testing.T) {
	for _, c := range []struct {
		src   tracer.Source
		doubt string
	}{
		{tracertest.Trace(tracer.Event{Kind: tracer.Mark, Time: 3}), "The recording does not say when PEs worked."},
		{viewtest.Called(), "The recording does not say when PEs worked."},
		{tracertest.Trace(tracer.Event{Kind: tracer.Reduce, Task: 1, Value: 9}), "The recording does not tell communication from waiting."},
	} {
		g, f := shown(t, c.src, 700, 500)
		l := scene.New(800, 600)
		view.Draw(g, f, l)
		view.Overlay(g, f, l)
		var notes string
		for _, b := range g.Legend(f).Blocks {
			notes += strings.Join(b.Notes, "|")
		}
		if !strings.HasPrefix(notes, c.doubt) || len(viewtest.Strings(l)) == 0 {
			t.Errorf("notes %q, picture %q, want %q", notes, viewtest.Strings(l), c.doubt)
		}
	}
}

func TestGoldens(t *testing.T) {
	kindtest.Golden(t, "losses.scene", Kind(), losses(), 900, 600, map[string]string{})
	kindtest.Golden(t, "losses-narrow-dark.scene", Kind(), losses(), 300, 500, map[string]string{"background": "dark"})
}

func TestTexts(t *testing.T) {
	kindtest.Texts(t, Kind(), map[string]string{}, losses(), viewtest.Small(), viewtest.Many(6400, 64, 1000, 1, 1), viewtest.Called())
}

func TestAnyFrame(t *testing.T) {
	for _, src := range []tracer.Source{losses(), viewtest.Many(3000, 1500, 1000, 1, 1)} {
		g, _ := shown(t, src, 600, 300)
		kindtest.AnyFrame(t, Kind(), g)
	}
}

func Benchmark(b *testing.B) { kindtest.Bench(b, Kind()) }

// TestTitleInside checks that a title inside the picture covers none of its rows.
func TestTitleInside(t *testing.T) {
	o := kindtest.Open(t, Kind(), losses())
	for _, side := range []int{200, 600, 1200} {
		l, err := page.Shoot(t.Context(), o, side, side, page.Shot{Legend: page.LegendInside})
		if err != nil {
			t.Fatal(err)
		}
		var under float32 // lower edge of the subtitle
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				if _, y, text, _ := o.Text(); strings.HasPrefix(string(text), "Efficiency: ") {
					under = y
				}
			}
		}
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				if x, y, text, style := o.Text(); y-style.Size < under && float64(x) < float64(side)/2 && string(text) != "losses" && !strings.HasPrefix(string(text), "Efficiency: ") {
					t.Errorf("%d pixels: %q at %g lies under the title, which ends at %g", side, text, y, under)
				}
			}
		}
		if under == 0 {
			t.Errorf("%d pixels: no title", side)
		}
	}
}
