package bodies

import (
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// talk returns a run of n rounds of 1000 ns. In each round every PE is busy for a while and sends to the next PE; both
// grow with the number of the PE. If coords is not 0, the PEs have coordinates in a mesh of that width.
func talk(n, pes, coords int) *tracer.Memory { return rounds(n, pes, coords, 1000) }

// brief returns the same with rounds of 10 ns.
func brief(n, pes, coords int) *tracer.Memory { return rounds(n, pes, coords, 10) }

func rounds(n, pes, coords int, round int64) *tracer.Memory {
	m := tracer.NewMemory()
	meta := tracer.Meta{Program: "talk", Substrate: "hpf", Mode: "sim", Network: "all", PEs: pes, Seed: 1}
	for i := range pes {
		if coords > 0 {
			meta.PEInfo = append(meta.PEInfo, tracer.PE{Coords: []int32{int32(i % coords), int32(i / coords)}})
		}
	}
	m.SetMeta(meta)
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for r := range n {
		begin := int64(r) * round
		for pe := range pes {
			*s.Slot() = tracer.Event{Time: begin, Kind: tracer.Busy, PE: int32(pe), Peer: -1}
		}
		for pe := range pes {
			*s.Slot() = tracer.Event{Time: begin + round/10, Kind: tracer.Send, PE: int32(pe), Peer: int32((pe + 1) % pes), Ref: uint64(r*pes + pe + 1), Value: int64(10 * (pe + 1))}
		}
		for pe := range pes {
			*s.Slot() = tracer.Event{Time: begin + round/5 + int64(pe)*6*round/10/int64(pes), Kind: tracer.Idle, PE: int32(pe), Peer: -1}
		}
	}
	_ = m.Close()
	return m
}

func shown(t testing.TB, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, Kind(), src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "talk.txt", Kind(), talk(3, 3, 0), 300, 220, nil)
}

func TestTexts(t *testing.T) {
	sources := []tracer.Source{viewtest.Small(), brief(5, 8, 0), brief(5, 27, 3), brief(2, 2500, 0), talk(5, 1, 0)}
	kindtest.Texts(t, Kind(), nil, sources...)
	kindtest.Texts(t, Kind(), map[string]string{"color": "pe", "model": "mesh", "background": "dark"}, sources...)
	kindtest.Texts(t, Kind(), map[string]string{"color": "traffic", "force": "messages", "mass": "queue"}, sources[:3]...)
}

func TestAnyFrame(t *testing.T) {
	g, _ := shown(t, brief(6, 5, 0), 500, 300)
	kindtest.AnyFrame(t, Kind(), g)
	none, _ := shown(t, talk(5, 1, 0), 500, 300)
	kindtest.AnyFrame(t, Kind(), none)
}

func motion(t testing.TB, src tracer.Source, m Mapping) *Motion {
	t.Helper()
	tr, err := traffic.Grow(src, traffic.Options{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	meta := src.Meta()
	mo, err := Grow(&meta, tr, m, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mo
}

// TestPlaces compares positions with those of a system moved from the beginning, for queries in any order and for few
// kept states.
func TestPlaces(t *testing.T) {
	src := talk(40, 6, 3)
	for _, m := range []Mapping{Cube(), Mesh()} {
		mo := motion(t, src, m)
		s, err := mo.begin()
		if err != nil {
			t.Fatal(err)
		}
		var want [][]nbody.Vec
		for i := range mo.Traffic.Intervals {
			mo.enter(s, i)
			for range mo.moves {
				want = append(want, slices.Clone(s.X))
				s.Move()
			}
		}
		want = append(want, s.X)
		if len(want) != mo.Last()+1 {
			t.Fatalf("%d moves, want %d", mo.Last(), len(want)-1)
		}
		few := motion(t, src, m)
		few.every = 37
		var kept []state
		for i := 0; i < len(few.kept); i += few.every {
			kept = append(kept, few.kept[i])
		}
		few.kept = kept
		for _, k := range []int{mo.Last(), 0, 1, 9, 10, 4321, 4320, 17, 3000, 3001, 2990, mo.Last() - 1, mo.Last(), 370, 371} {
			for _, c := range []struct {
				name string
				q    *Motion
			}{{"all", mo}, {"few", few}} {
				if !slices.Equal(c.q.Places(k), want[k]) {
					t.Errorf("%s states kept: wrong positions after %d moves", c.name, k)
				}
			}
		}
		if slices.Equal(want[100], want[5000]) {
			t.Error("bodies do not move")
		}
	}
}

// TestMoves checks the number of moves at times of the trace.
func TestMoves(t *testing.T) {
	mo := motion(t, talk(40, 6, 0), Cube())
	tr := mo.Traffic
	for _, c := range []struct {
		time int64
		want int
	}{{-5, 0}, {0, 0}, {tr.Step, 10}, {tr.Step + tr.Step/2, 15}, {1 << 50, mo.Last()}} {
		if got := mo.Moves(c.time); got < c.want-1 || got > c.want {
			t.Errorf("at %d ns: %d moves, want %d", c.time, got, c.want)
		}
	}
}

// TestHeavyBodies checks that bodies with more load have more mass, and the mean mass.
func TestHeavyBodies(t *testing.T) {
	mo := motion(t, talk(600, 6, 3), Mesh())
	m := mo.Masses(300) // each interval has a round
	sum := 0.0
	for i := range m {
		sum += m[i] / float64(len(m))
		if i > 0 && m[i] <= m[i-1] {
			t.Errorf("masses %v", m)
		}
	}
	if math.Abs(sum-1-empty) > 0.05 {
		t.Errorf("mean mass %g", sum)
	}
	for i, x := range motion(t, talk(40, 6, 3), Cube()).Masses(300) {
		if x != 1 {
			t.Errorf("body %d of a cube has mass %g, want 1", i, x)
		}
	}
}

// TestErrors checks the message for each trace that cannot be shown, and that nothing else is drawn.
func TestErrors(t *testing.T) {
	silent := tracer.NewMemory()
	silent.SetMeta(tracer.Meta{PEs: 4})
	s := silent.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Send, PE: 2, Peer: 2, Ref: 1, Value: 9}
	_ = silent.Close()
	hollow := tracer.NewMemory()
	hollow.SetMeta(tracer.Meta{PEs: 4})
	s = hollow.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Send, PE: 2, Peer: 1, Ref: 1}
	*s.Slot() = tracer.Event{Kind: tracer.Send, Time: 50, PE: 1, Peer: 2, Ref: 2}
	_ = hollow.Close()
	instant := tracer.NewMemory()
	instant.SetMeta(tracer.Meta{PEs: 4})
	s = instant.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Send, Time: 7, PE: 2, Peer: 1, Ref: 1, Value: 9}
	*s.Slot() = tracer.Event{Kind: tracer.Send, Time: 7, PE: 1, Peer: 3, Ref: 2, Value: 9}
	_ = instant.Close()
	for _, c := range []struct {
		src    tracer.Source
		params []string
		want   string
	}{
		{instant, nil, "All events happened at one instant"},
		{talk(3, 1, 0), nil, "There is only one PE"},
		{silent, nil, "No PE sent messages or work to another PE"},
		{hollow, []string{"force", "bytes"}, "All messages have 0 bytes"},
		{hollow, nil, ""},
		{brief(3, 3, 0), nil, ""},
	} {
		g, f := shown(t, c.src, 400, 300, c.params...)
		if err := g.Wrong(); (g.Motion == nil) != (c.want != "") || (err != nil) != (c.want != "") || err != nil && !strings.Contains(g.why(), c.want) {
			t.Errorf("%v: %v, want %q", c.params, err, c.want)
		}
		l := scene.New(500, 400)
		view.Draw(g, f, l)
		for i := range l.Len() {
			if o := l.Op(i); !o.Finite() {
				t.Errorf("%v: op %d is not finite", c.params, i)
			}
		}
	}
	for _, value := range []string{"NaN", "Inf", "-1", "1e9", "much"} {
		if _, err := attraction.Parse(value); err == nil {
			t.Errorf("attraction %s is accepted", value)
		}
	}
}

// TestWeightless checks that the legend notes a trace without the load that should give mass.
func TestWeightless(t *testing.T) {
	for _, c := range []struct{ mass, want string }{
		{"ticks", "The trace has no ticks: all bodies have the same mass."},
		{"queue", "The trace has no waiting tasks: all bodies have the same mass."},
		{"busy", ""},
		{"nothing", ""},
	} {
		g, f := shown(t, talk(6, 5, 3), 600, 400, "mass", c.mass)
		got := ""
		for _, b := range g.Legend(f).Blocks {
			for _, n := range b.Notes {
				if strings.Contains(n, "mass") {
					got = n
				}
			}
		}
		if got != c.want {
			t.Errorf("mass %s: note %q, want %q", c.mass, got, c.want)
		}
	}
}

// TestLinked checks that pointing at a body selects its PE, that pointing at a link selects both, and that a selected
// PE is located at its body.
func TestLinked(t *testing.T) {
	for _, pes := range []int{5, 27} {
		g, f := shown(t, talk(6, pes, 3), 600, 400)
		s := setStage(f, g)
		for i, b := range s.balls {
			places := g.Locate(f, s.selection(int32(i)))
			if len(places) != 1 || !places[0].Contains(b.x, b.y) {
				t.Fatalf("body %d is located at %v, want %g,%g", i, places, b.x, b.y)
			}
		}
		front := s.order[len(s.order)-1]
		sel, ok := g.Hit(f, s.balls[front].x, s.balls[front].y)
		if !ok || len(sel.PEs) != 1 || sel.PEs[0] != (view.Span{First: int64(front), Last: int64(front)}) {
			t.Errorf("selection at body %d: %+v", front, sel)
		}
		if tip, ok := g.Tip(f, s.balls[front].x, s.balls[front].y); !ok || !strings.HasPrefix(tip.Lines[0], "PE ") {
			t.Errorf("tip %+v", tip)
		}
		found := false
		for _, r := range s.ropes {
			a, b := &s.balls[r.a], &s.balls[r.b]
			x, y := (a.x+b.x)/2, (a.y+b.y)/2
			if _, ok := s.pick(x, y); ok || s.linkAt(x, y) == nil {
				continue
			}
			found = true
			if sel, ok := g.Hit(f, x, y); !ok || len(sel.PEs) != 2 {
				t.Errorf("selection at a link: %+v", sel)
			}
		}
		if !found {
			t.Error("no link is hit")
		}
	}
}

// TestInput checks drags with and without Shift, the wheel, keys, and clicks on and beside the clock.
func TestInput(t *testing.T) {
	g, f := shown(t, talk(6, 5, 0), 600, 400)
	do := func(in view.Input) view.Action {
		as := g.Input(f, in)
		if len(as) != 1 {
			t.Fatalf("%+v gives %+v", in, as)
		}
		if as[0].Camera != nil {
			f.Camera = *as[0].Camera
		}
		return as[0]
	}
	before := f.Camera
	do(view.Input{Kind: view.Drag, DX: 30, DY: 10})
	if c := f.Camera; c.Turn >= 0 || c.Tilt <= 0 || c.X != before.X || c.Scale != before.Scale {
		t.Errorf("camera after a drag: %+v", c)
	}
	x := setStage(f, g).balls[0].x
	do(view.Input{Kind: view.Drag, DX: 30, Shift: true})
	if moved := setStage(f, g).balls[0].x - x; math.Abs(moved-30) > 1e-6 {
		t.Errorf("moved by %g, want 30", moved)
	}
	for range 100 {
		do(view.Input{Kind: view.Drag, DX: 100, DY: 100})
	}
	if c := f.Camera; c.Tilt != 90-tilted || math.Abs(c.Turn) > 180 {
		t.Errorf("camera after long drags: %+v", c)
	}
	do(view.Input{Kind: view.Wheel, X: 300, Y: 200, DY: 2})
	if f.Camera.Scale <= before.Scale {
		t.Error("wheel does not zoom")
	}
	if a := do(view.Input{Kind: view.Press, Key: "f"}); a.Do != view.SetCamera || a.Camera != nil {
		t.Errorf("key f: %+v", a)
	}
	clock := setStage(f, g).clockRect()
	if a := do(view.Input{Kind: view.Click, X: clock.X0 + 5, Y: clock.Y0 + 5}); a.Do != view.TogglePlay {
		t.Errorf("click on the clock: %+v", a)
	}
	if a := do(view.Input{Kind: view.Click, X: 20, Y: 20}); a.Do != view.Select {
		t.Errorf("click beside the bodies: %+v", a)
	}
	if a := do(view.Input{Kind: view.Press, Key: "y"}); a.Name != "color" || a.Value != "traffic" {
		t.Errorf("key c: %+v", a)
	}
}

// TestUntil checks that the time shown determines the positions and the recent intervals.
func TestUntil(t *testing.T) {
	g, f := shown(t, talk(6, 5, 0), 600, 400)
	zero := int64(0)
	f.Until = &zero
	s := setStage(f, g)
	if s.moves != 0 || !slices.Equal(g.Places(s.moves), g.Start) {
		t.Errorf("%d moves at the beginning, want none", s.moves)
	}
	half := int64(3000)
	f.Until = &half
	if s := setStage(f, g); s.last > 310 || s.moves < 2990 || s.moves > 3110 {
		t.Errorf("half way: interval %d, %d moves", s.last, s.moves)
	}
}

// TestClouds checks that a cloud shows an outlier among many bodies, where it is.
func TestClouds(t *testing.T) {
	g, f := shown(t, brief(2, 4000, 0), 600, 400)
	s := setStage(f, g)
	if !s.clouds() {
		t.Fatal("bodies are drawn one by one")
	}
	far := g.Places(s.moves)
	outlier := slices.Clone(far)
	c := nbody.Centre(far)
	for k := range outlier[7] {
		outlier[7][k] = c[k]
	}
	outlier[7][0] += 1.4 * g.far
	g.kept[len(g.kept)-1].x = outlier
	f.Until = new(int64)
	*f.Until = g.Traffic.Begins((len(g.kept) - 1) * g.every)
	s = setStage(f, g)
	l := scene.New(700, 500)
	s.cloud(l)
	var points []float32
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpMesh {
			p := o.Mesh()
			points = append(points, p...)
		}
	}
	b := s.balls[7]
	near, size := 0, 8.0
	for i := 0; i < len(points); i += 2 {
		if math.Abs(float64(points[i])-b.x) < size && math.Abs(float64(points[i+1])-b.y) < size {
			near++
		}
	}
	if near == 0 || l.Len() == 0 {
		t.Errorf("nothing drawn at %g,%g", b.x, b.y)
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{8, 27, 1000, 10_000, 100_000} {
		src := brief(2, n, 0)
		g, f := shown(b, src, 950, 700)
		kindtest.BenchFrame(b, figures.Count(int64(n)), f, g.Base)
	}
}
