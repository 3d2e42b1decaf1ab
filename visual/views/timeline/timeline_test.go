package timeline

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// shown opens a trace and returns its geometry and a frame of the given size that shows all of it.
func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

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
		{0, 60, idle(0, 45, 80), "PE 0: idle, no work|from 45 ns to 80 ns|35 ns"},
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

// areas sums the areas of the rectangles in the data by colour, in pixels.
func areas(f *view.Frame, g *Geometry) map[scene.Color]float64 {
	l := scene.New(float32(f.Area.X1), float32(f.Area.Y1))
	view.Draw(g, f, l)
	sum := map[scene.Color]float64{}
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpRect {
			x0, y0, x1, y1 := o.Rect()
			sum[o.Color] += float64(x1-x0) * float64(y1-y0)
		}
	}
	return sum
}

// TestPictureAddsUp checks that the coloured areas have the shares of the run, for two runs.
func TestPictureAddsUp(t *testing.T) {
	st := timeplot.StateColours(false)
	for _, pe2 := range []bool{false, true} {
		src := viewtest.Small()
		busy, over := 105.0, 10.0
		if pe2 { // PE 2 works as well
			src = longer(t, src, tracer.Event{Time: 100, Kind: tracer.Busy, PE: 2, Peer: -1}, tracer.Event{Time: 150, Kind: tracer.Exit, PE: 2, Peer: -1})
			busy, over = 105+50, 10
		}
		g, f := shown(t, src, 900, 600)
		r := layout(f, g)
		y0, y1 := r.bar(0)
		perNs := (y1 - y0) * r.In.W() / float64(g.Act.To)
		got := areas(f, g)
		if math.Abs(got[st.Busy]/perNs-busy) > 0.02*busy || math.Abs(got[st.Over]/perNs-over) > 0.05*over {
			t.Errorf("busy %.1f ns, overhead %.1f ns, want %g and %g", got[st.Busy]/perNs, got[st.Over]/perNs, busy, over)
		}
	}
}

// longer returns a trace with more events at its end.
func longer(t testing.TB, src tracer.Source, more ...tracer.Event) *tracer.Memory {
	t.Helper()
	m := tracer.NewMemory()
	m.SetMeta(src.Meta())
	for _, c := range src.Dict().Codes()[1:] {
		m.Dict().Add(c)
	}
	s := m.Stream(tracer.StreamInfo{})
	err := src.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for _, e := range es {
			*s.Slot() = e
		}
		return nil
	})
	for _, e := range more {
		*s.Slot() = e
	}
	if err := errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOutlier checks that an idle ns among a million steps is visible, that zooming in leads to it, and that a trace without it has no gap.
func TestOutlier(t *testing.T) {
	const n, pes, ns, odd, at = 1_000_000, 4, 1000, 2, 123_456
	g, f := shown(t, viewtest.Many(n, pes, ns, odd, at), 800, 400)
	r := layout(f, g)
	st := timeplot.StateColours(false)
	gaps := func(row int) (xs []float64) {
		l := scene.New(float32(f.Area.X1), float32(f.Area.Y1))
		view.Draw(g, f, l)
		y0, _ := r.bar(row)
		end := r.In.X0
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpRect && o.Color == st.Busy {
				x0, top, x1, _ := o.Rect()
				if float64(top) == y0 {
					if float64(x0) > end {
						xs = append(xs, end)
					}
					end = float64(x1)
				}
			}
		}
		return xs
	}
	for row := range pes {
		xs := gaps(row)
		if want := row == odd; want != (len(xs) == 1) {
			t.Fatalf("row %d has gaps at %v", row, xs)
		}
	}
	y0, y1 := r.bar(odd)
	x, y := gaps(odd)[0]+0.5, (y0+y1)/2
	begin := int64(at+1)*ns - 1
	if math.Abs(r.X(begin)-x) > 1 {
		t.Errorf("the gap is at %g, want %g", x, r.X(begin))
	}
	// Zooming in at the gap, with the wheel and small moves only, leads to the idle time itself.
	for range 80 {
		x = layout(f, g).X(begin)
		as := g.Input(f, view.Input{Kind: view.Wheel, X: x, Y: y, DY: 1})
		if len(as) != 1 || as[0].Do != view.SetCamera {
			t.Fatalf("the wheel gives %+v", as)
		}
		f.Camera = *as[0].Camera
	}
	r = layout(f, g)
	got, ok := g.Hit(f, (r.X(begin)+r.X(begin+1))/2, y)
	want := view.Selection{Trace: "t", PEs: []view.Span{{First: odd, Last: odd}}, Time: &view.Span{First: begin, Last: begin + 1}}
	if !ok || !got.Equal(want) {
		t.Errorf("zoomed in: hit %+v, want %+v", got, want)
	}
}

// TestGroups checks that a row shows several of 4,096 PEs and that zooming in divides them.
func TestGroups(t *testing.T) {
	const pes = 4096
	g, f := shown(t, viewtest.Many(40*pes, pes, 100, 1234, 7), 800, 400)
	r := layout(f, g)
	if r.size < 4 || float64(pes/r.size) > r.In.H()/least {
		t.Fatalf("%d PEs in a row of %g pixels", r.size, r.pitch*float64(r.size))
	}
	pe := view.Selection{Trace: "t", PEs: []view.Span{{First: 1234, Last: 1234}}}
	places := g.Locate(f, pe)
	if len(places) != 1 || !places[0].Contains(r.In.X0+5, r.y(1234.5)) {
		t.Fatalf("PE 1234 is at %v", places)
	}
	got, _ := g.Hit(f, r.In.X0+5, (places[0].Y0+places[0].Y1)/2)
	if want := int64(1234 / r.size * r.size); len(got.PEs) != 1 || got.PEs[0] != (view.Span{First: want, Last: want + int64(r.size) - 1}) {
		t.Errorf("hit %+v", got)
	}
	for range 60 {
		y := layout(f, g).y(1234.5)
		as := g.Input(f, view.Input{Kind: view.Wheel, X: r.Area.X0 + 1, Y: y, DY: 1})
		f.Camera = *as[0].Camera
	}
	if r = layout(f, g); r.size != 1 || !r.Whole() {
		t.Fatalf("zoomed in: %d PEs in a row, all of the time: %v", r.size, r.Whole())
	}
	if got, _ = g.Hit(f, r.Area.X0+1, r.y(1234.5)); !got.Equal(pe) {
		t.Errorf("zoomed in: hit %+v", got)
	}
}

// TestLowRows draws 64 PEs that are a third each busy, in overhead and idle in every column. The low rows have the colours of the legend, and
// the legend explains pale colours only for them.
func TestLowRows(t *testing.T) {
	g, f := shown(t, kindtest.Changes(300_000, 64), 800, 330)
	ground := timeplot.StateColours(false)
	lab := func(c scene.Color) palette.Lab { return palette.ToLab(c.NRGBA()) }
	grey, seen := 0.0, 0.0
	for c, area := range areas(f, g) {
		if c == ground.Idle {
			continue
		}
		if seen += area; math.Hypot(lab(c).A, lab(c).B) < 0.04 {
			grey += area
		}
	}
	if seen == 0 || grey > 0.02*seen {
		t.Errorf("%.0f of %.0f pixels are grey", grey, seen)
	}
	says := func(f *view.Frame) bool {
		return strings.Contains(strings.Join(layout(f, g).notes(), " "), "Paler colours")
	}
	_, high := shown(t, kindtest.Changes(300_000, 64), 800, 1000)
	if !says(f) || says(high) {
		t.Errorf("the legend explains pale colours: %v for low rows, %v for high ones", says(f), says(high))
	}
}

func TestMessages(t *testing.T) {
	g, f := shown(t, viewtest.Small(), 600, 300, "messages", "true")
	lines := func() (out [][]float32) {
		l := scene.New(700, 400)
		view.Draw(g, f, l)
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpPolyline {
				p, _ := o.Polyline()
				out = append(out, slices.Clone(p))
			}
		}
		return out
	}
	r := layout(f, g)
	mid := func(pe float64) float32 { return float32(r.y(pe + 0.5)) }
	want := []float32{float32(r.X(20)), mid(0), float32(r.X(25)), mid(1)}
	if got := lines(); len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("lines %v, want %v", got, want)
	}
	until := int64(24) // before the message arrives
	if f.Until = &until; len(lines()) != 0 {
		t.Errorf("a message that has not arrived is drawn")
	}
	// Without Send and Recv, moves of work are drawn.
	var moves []tracer.Event
	_ = viewtest.Small().Scan(tracer.AllKinds&^tracer.Kinds(tracer.Send, tracer.Recv), func(es []tracer.Event) error {
		moves = append(moves, es...)
		return nil
	})
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 3})
	g, f = shown(t, longer(t, m, moves...), 600, 300, "messages", "true")
	want[0] = float32(layout(f, g).X(25))
	want[2] = want[0]
	if got := lines(); len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("moves %v, want %v", got, want)
	}
}

func TestGoldens(t *testing.T) {
	for _, c := range []struct {
		name   string
		params map[string]string
	}{
		{"state", map[string]string{"messages": "true"}}, {"pe-dark", map[string]string{"color": "pe", "background": "dark"}}, {"procedure", map[string]string{"color": "procedure"}},
	} {
		kindtest.Golden(t, "small-"+c.name+".scene", Kind(), viewtest.Small(), 640, 360, c.params)
	}
}

func TestTexts(t *testing.T) {
	for _, color := range timeplot.ColorBy.Choices {
		kindtest.Texts(t, Kind(), map[string]string{"messages": "true", "color": color},
			viewtest.Small(), viewtest.Many(6400, 64, 1000, 1, 1), viewtest.Many(8192, 4096, 1e6, 1, 1), viewtest.Many(1000, 1, 1e9, 0, 1))
	}
}

// TestGrows feeds a trace in two parts and compares the picture with that of the whole trace.
func TestGrows(t *testing.T) {
	var all []tracer.Event
	src := viewtest.Small()
	_ = src.Scan(tracer.AllKinds, func(es []tracer.Event) error { all = append(all, es...); return nil })
	empty := tracer.NewMemory()
	empty.SetMeta(src.Meta())
	for _, c := range src.Dict().Codes()[1:] {
		empty.Dict().Add(c)
	}
	o, err := view.Open(Kind(), longer(t, empty, all[:9]...), kindtest.Glyphs)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	draw := func() *scene.List {
		l, err := o.Picture(context.Background(), 500, 400)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	part := draw()
	o.Data.SetTrace(src)
	whole, err := drawtest.Render(context.Background(), Kind(), src, nil, 500, 400, kindtest.Glyphs)
	if err != nil {
		t.Fatal(err)
	}
	if d := viewtest.Diff(draw(), whole); d != "" {
		t.Error(d)
	}
	if viewtest.Diff(part, whole) == "" {
		t.Error("the half looks like the whole")
	}
}
