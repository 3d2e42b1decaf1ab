package timeline

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/view/timeplot"
)

// shown opens a trace and returns its geometry and a frame of the given size that shows all of it.
func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

// areas sums the areas of the rectangles in the data by colour, in pixels.
func areas(f *view.Frame, g *Geometry) map[scene.Color]float64 {
	l := scene.New(float32(f.Area.X1), float32(f.Area.Y1))
	view.Draw(g, f, l)
	sum := map[scene.Color]float64{}
	for i := range l.Len() {
		o := l.Op(i)
		for _, r := range drawtest.Boxes(o) {
			sum[o.Color] += r.W() * r.H()
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
			o := l.Op(i)
			if o.Color != st.Busy {
				continue
			}
			for _, r := range drawtest.Boxes(o) {
				if r.Y0 == y0 {
					if r.X0 > end {
						xs = append(xs, end)
					}
					end = r.X1
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
		l, err := page.Shoot(context.Background(), o, 500, 400, page.Shot{})
		if err != nil {
			t.Fatal(err)
		}
		return l.List
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
