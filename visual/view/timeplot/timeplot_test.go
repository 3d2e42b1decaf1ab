package timeplot

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/glyph"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

var glyphs = glyph.New()

func frame(w, h float64) *view.Frame {
	area := scene.Rect{X1: w, Y1: h}
	return &view.Frame{Area: area, Clip: area, Camera: view.Camera{Scale: 1}, Style: view.NewStyle(false, 12), Text: glyphs}
}

// TestAxis checks for random spans that the labels of an axis do not overlap and that pixels and times are converted consistently.
func TestAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := frame(rapid.Float64Range(100, 2000).Draw(t, "w"), rapid.Float64Range(100, 900).Draw(t, "h"))
		start := rapid.Int64Range(0, 1<<40).Draw(t, "start")
		end := start + rapid.Int64Range(0, 1<<40).Draw(t, "span")
		if rapid.Bool().Draw(t, "zoomed") {
			f.Camera = view.Camera{X: float64(start) + rapid.Float64Range(0, 1<<40).Draw(t, "at"), Scale: math.Pow(10, rapid.Float64Range(-9, 1).Draw(t, "scale")), ScaleY: FitRows}
		}
		p := New(f, start, end, Gutter(f, "PE 999"), 3)
		l := scene.New(float32(f.Area.X1), float32(f.Area.Y1))
		p.Axis(l, true)
		if wrong := viewtest.Inside(l, glyphs); len(wrong) > 0 {
			t.Fatal(wrong)
		}
		if p.From < float64(start)-1e-3 || p.To > float64(max(end, start+1))+1e-3*(p.To-p.From) || p.To <= p.From {
			t.Fatalf("%g to %g is visible, outside of %d to %d", p.From, p.To, start, end)
		}
		for _, x := range []float64{p.In.X0, p.In.X0 + 33, p.In.X1} {
			if d := p.In.X0 + (p.Time(x)-p.From)/(p.To-p.From)*p.In.W() - x; math.Abs(d) > 0.05 && p.In.W() <= maxZoom*(p.To-p.From) { // at larger scales float64 is not precise enough
				t.Fatalf("x %g is off by %g", x, d)
			}
		}
		b := p.Bounds(end)
		if !slices.IsSorted(b) || len(b) != p.Columns()+1 || b[0] < start || b[len(b)-1] > max(end, start) {
			t.Fatalf("column bounds from %d to %d, for a run from %d to %d", b[0], b[len(b)-1], start, end)
		}
	})
}

// TestLabel: names longer than the gutter stay right of its left side.
func TestLabel(t *testing.T) {
	for gutter := 40.0; gutter < 160; gutter++ {
		f := frame(700, 300)
		p := New(f, 0, 1000, gutter, 3)
		l := scene.New(700, 300)
		p.Label(l, 50, "8 net/http.(*persistConn).writeLoop", f.Style.Ink)
		o := l.Op(0)
		_, _, s, style := o.Text()
		if left := p.In.X0 - 0.5*p.Em - float64(glyphs.Width(string(s), style.Size, style.Face)); left < 0.4*p.Em-0.1 {
			t.Errorf("in a gutter of %g pixels, %q begins at %g", gutter, s, left)
		}
	}
}

// TestWheel checks that the camera stays within the run, and that the time at the pointer stays in place unless the end of the run is reached.
func TestWheel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := frame(700, 300)
		const end = 1_000_000
		for range 10 {
			p := New(f, 0, end, 40, 3)
			x := rapid.Float64Range(p.In.X0, p.In.X1).Draw(t, "x")
			before := p.Time(x)
			in := view.Input{Kind: view.Wheel, X: x, DY: rapid.Float64Range(-5, 5).Draw(t, "turn")}
			as := p.Move(in, 0.5, 0)
			if len(as) != 1 {
				t.Fatalf("%+v", as)
			}
			f.Camera = *as[0].Camera
			q := New(f, 0, end, 40, 3)
			if q.From < -1e-6 || q.To > end+1e-6 {
				t.Fatalf("%g to %g is visible, outside of the run", q.From, q.To)
			}
			if d := math.Abs(q.Time(x) - before); d > 1e-6*end && q.From > 1e-3 && q.To < end-1e-3 {
				t.Fatalf("the time at the pointer moved from %g to %g", before, q.Time(x))
			}
		}
	})
}

func TestHeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := activity.Share{Busy: rapid.Int64Range(0, 1e12).Draw(t, "busy"), Over: rapid.Int64Range(0, 100).Draw(t, "over"), Idle: rapid.Int64Range(0, 1e12).Draw(t, "idle")}
		h := rapid.IntRange(6, 400).Draw(t, "h")
		busy, over := Heights(s, h)
		if busy+over > h || s.Busy > 0 != (busy > 0) || s.Over > 0 != (over > 0) || s.Idle > 0 && s.Busy+s.Over > 0 && busy+over == h {
			t.Fatalf("%+v in %d pixels: %d and %d", s, h, busy, over)
		}
		if total := float64(s.Busy + s.Over + s.Idle); total > 0 && math.Abs(float64(busy)-float64(s.Busy)/total*float64(h)) > 2 {
			t.Fatalf("%+v in %d pixels: %d", s, h, busy)
		}
	})
}

// TestClasses compares the times of random columns of random runs with sums over all steps.
func TestClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		m.SetMeta(tracer.Meta{PEs: 2})
		for range 5 {
			m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "p"})
		}
		s := m.Stream(tracer.StreamInfo{})
		now := int64(0)
		for i := range rapid.IntRange(1, 1200).Draw(t, "steps") {
			now += rapid.Int64Range(0, 3).Draw(t, "gap")
			cost := rapid.Int64Range(0, 9).Draw(t, "cost")
			*s.Slot() = tracer.Event{
				Kind: tracer.Reduce, Peer: -1, PE: 1, Time: now, Value: cost, Task: uint64(i + 1), Ref: uint64(i+1) / 2, Code: rapid.Uint32Range(0, 6).Draw(t, "code"),
			}
			now += cost
		}
		_ = m.Close() // of a trace in memory
		act, err := activity.Build(m, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := spawntree.Grow(m, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		run := &view.Run{Codes: m.Dict().Codes()}
		c := NewClasses(act, view.NewProcedures(run, tree.Tally()), rapid.IntRange(1, 8).Draw(t, "colours"))
		bounds := rapid.SliceOfN(rapid.Int64Range(act.From, max(act.To, 1)), 2, rapid.SampledFrom([]int{3, 40}).Draw(t, "columns")).Draw(t, "bounds")
		slices.Sort(bounds)
		got := make([]int64, (len(bounds)-1)*c.N)
		c.Columns(1, bounds, got)
		c.Columns(0, bounds, got)    // a PE without steps
		c.Columns(1000, bounds, got) // a PE outside the machine
		want := make([]int64, len(got))
		for k := range len(bounds) - 1 {
			from, to := Column(bounds, k)
			for i := range act.Lanes[1].Steps.Len() {
				s := act.Lanes[1].Steps.Step(i)
				if n := min(s.End, to) - max(s.Time, from); n > 0 {
					want[k*c.N+c.Class(s.Code)] += n
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("between %v: %v, want %v", bounds, got, want)
		}
		var busy, all int64
		for _, n := range c.Total() {
			all += n
		}
		for pe := range act.PEs {
			busy += act.Total(pe).Busy
		}
		if all != busy {
			t.Fatalf("the times of all classes are %d ns, the busy time is %d ns", all, busy)
		}
	})
}

func TestParts(t *testing.T) {
	for _, c := range []struct {
		times []int64
		h     int
		want  []int
	}{
		{[]int64{0, 0}, 9, []int{0, 0}},
		{[]int64{1, 3}, 8, []int{2, 6}},
		{[]int64{1, 1_000_000, 1}, 10, []int{1, 8, 1}},
		{[]int64{1, 1, 1}, 10, []int{4, 3, 3}},
		{[]int64{5, 4, 3}, 2, []int{1, 1, 0}},
		{[]int64{7}, 0, []int{0}},
	} {
		got := make([]int, len(c.times))
		if Parts(c.times, c.h, got); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d pixels: %v, want %v", c.times, c.h, got, c.want)
		}
	}
}

// TestAxisNamesItsEnd checks for several widths that the last label is the end of the run, rounded to three digits.
func TestAxisNamesItsEnd(t *testing.T) {
	for _, w := range []float64{150, 400, 1500} {
		for _, c := range []struct {
			end  int64
			want string
		}{{1_617_250, "1.62 ms"}, {3_592_000, "3.59 ms"}, {53_449_999, "53.4 ms"}, {100, "100 ns"}, {2_000_000_000, "2 s"}} {
			f := frame(w, 300)
			p := New(f, 0, c.end, 0, 0)
			l := scene.New(float32(w), 300)
			p.Axis(l, false)
			var texts []string
			for i := range l.Len() {
				if o := l.Op(i); o.Kind == scene.OpText {
					_, _, s, _ := o.Text()
					texts = append(texts, string(s))
				}
			}
			if !slices.Contains(texts, c.want) || !slices.Contains(texts, "0") {
				t.Errorf("width %g, end %d: labels %q, want 0 and %q", w, c.end, texts, c.want)
			}
		}
	}
}

// TestAxisStartsAtZero checks that labels are relative to the start of the run.
func TestAxisStartsAtZero(t *testing.T) {
	f := frame(600, 300)
	_, texts, last := New(f, 0, 100_000, 40, 3).ticks()
	p := New(f, 1_000_000_000, 1_000_100_000, 40, 3)
	values, later, end := p.ticks()
	if !slices.Equal(texts, later) || last != end || len(values) < 3 || values[0] != 1_000_000_000 || p.X(values[0]) != p.In.X0 {
		t.Errorf("labels of a run from 0: %q to %s; from 1 s: %q to %s at %d", texts, last, later, end, values)
	}
}

func TestInstant(t *testing.T) {
	for _, c := range []struct {
		t, length int64
		want      string
	}{{15_705_123, 13_000, "15.705 ms"}, {0, 5, "0"}, {42, 3, "42 ns"}, {1_500_000_000, 1_000_000_000, "1.5 s"}} {
		if got := Instant(c.t, c.length); got != c.want {
			t.Errorf("%d of %d ns: %q, want %q", c.t, c.length, got, c.want)
		}
	}
}

// TestLow checks the columns of low rows: each state has its own colour, idle time makes it paler in proportion to its share, and a state
// with a millionth of the time is visible.
func TestLow(t *testing.T) {
	lab := func(c scene.Color) palette.Lab { return palette.ToLab(c.NRGBA()) }
	hue := func(c scene.Color) float64 { l := lab(c); return math.Atan2(l.B, l.A) }
	apart := func(a, b scene.Color) float64 {
		p, q := lab(a), lab(b)
		return math.Hypot(p.L-q.L, math.Hypot(p.A-q.A, p.B-q.B))
	}
	for _, isDark := range []bool{false, true} {
		st := StateColours(isDark)
		for h := 2; h < 6; h++ {
			for busy := int64(0); busy <= 12; busy++ {
				for over := int64(0); busy+over <= 12; over++ {
					s := activity.Share{Busy: busy, Over: over, Idle: 12 - busy - over}
					l := st.Low(s, st.Busy, h)
					for _, c := range []struct {
						part     int64
						px       int
						got, all scene.Color
					}{{busy, l.Pixels, l.Busy, st.Busy}, {over, h - l.Pixels, l.Over, st.Over}} {
						switch seen := (float64(c.got.R) - float64(st.Idle.R)) / (float64(c.all.R) - float64(st.Idle.R)) * float64(c.px) / float64(h); {
						case c.part == 0 && (c.got != st.Idle || busy+over > 0 && c.px > 0):
							t.Errorf("%+v in %d pixels: an absent state has %d pixels of %v", s, h, c.px, c.got)
						case c.part > 0 && (c.px == 0 || apart(c.got, st.Idle) < 0.02 || math.Abs(hue(c.got)-hue(c.all)) > 0.35):
							t.Errorf("%+v in %d pixels: %d pixels of %v, want a paler %v", s, h, c.px, c.got, c.all)
						case c.part > 0 && math.Abs(seen-float64(c.part)/12) > 0.85/float64(h):
							t.Errorf("%+v in %d pixels: looks like a share of %.2f", s, h, seen)
						}
					}
				}
			}
		}
		if one := st.Low(activity.Share{Busy: 1e6, Idle: 1}, st.Busy, 3); one.Pixels != 3 || apart(one.Busy, st.Busy) < 0.02 {
			t.Errorf("one idle ns in a million is invisible: %+v", one)
		}
		if all := st.Low(activity.Share{Busy: 3}, st.Busy, 1); all.Pixels != 1 || all.Busy != st.Busy {
			t.Errorf("a share of only busy time: %+v", all)
		}
	}
}

// TestColoursDiffer checks that the states differ from each other and from the background.
func TestColoursDiffer(t *testing.T) {
	for _, isDark := range []bool{false, true} {
		ground := view.NewStyle(isDark, 12).Ground
		for _, st := range []States{StateColours(isDark), StateColours(isDark).Apart(isDark)} {
			all := []scene.Color{st.Busy, st.Over, st.Idle, ground}
			for i, a := range all {
				for _, b := range all[:i] {
					p, q := palette.ToLab(a.NRGBA()), palette.ToLab(b.NRGBA())
					if d := math.Hypot(p.L-q.L, math.Hypot(p.A-q.A, p.B-q.B)); d < 0.05 {
						t.Errorf("dark %v: %v and %v differ by %.3f", isDark, a, b, d)
					}
				}
			}
		}
	}
}
