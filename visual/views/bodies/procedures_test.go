package bodies

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// Codes of circle: three procedures, and a clause of the first.
const (
	procA = 1 + iota
	procB
	procC
	clauseA
)

// circle returns a run in which a goal of a calls b and c the given number of times. A call of b takes 60 ns, one of c
// 20 ns. Calls of c occur only in the second half. swapped exchanges b and c.
func circle(times int, swapped bool) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 2, Substrate: "fghc"})
	for _, name := range []string{"a/1", "b/1", "c/1"} {
		m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: name, File: "x.fghc", Line: int32(len(m.Dict().Codes()))})
	}
	m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: "a/1", File: "x.fghc", Line: 9, Parent: procA})
	s := m.Stream(tracer.StreamInfo{Clock: tracer.Virtual})
	id, root := uint64(1), uint64(1)
	*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 1, PE: 0, Peer: -1, Code: clauseA, Value: 10}
	for i := range times {
		time := int64(i+1) * 1000
		one, other := uint32(procB), uint32(procC)
		if swapped {
			one, other = other, one
		}
		id++
		*s.Slot() = tracer.Event{Time: time, Kind: tracer.Reduce, Task: id, Ref: root, PE: 0, Peer: 0, Code: one, Value: 60}
		if i >= times/2 {
			id++
			*s.Slot() = tracer.Event{Time: time + 100, Kind: tracer.Reduce, Task: id, Ref: root, PE: 1, Peer: 0, Code: other, Value: 20}
		}
	}
	_ = m.Close()
	return m
}

// TestProcedures checks that calls are counted, that they pull procedures together, and that procedures with more work
// have more mass.
func TestProcedures(t *testing.T) {
	for _, swapped := range []bool{false, true} {
		g, f := shown(t, circle(100, swapped), 700, 500, "bodies", "procedure")
		first, second := int32(1), int32(2)
		if swapped {
			first, second = second, first
		}
		if !slices.Equal(g.procedures, []uint32{procA, procB, procC}) || !slices.Equal(g.Links, []nbody.Link{{A: 0, B: 1, Rest: 2}, {A: 0, B: 2, Rest: 2}}) {
			t.Fatalf("bodies %v, links %v", g.procedures, g.Links)
		}
		count := map[int32]int64{}
		for _, c := range g.Traffic.Flows {
			if c.From != 0 {
				t.Errorf("%+v", c)
			}
			count[c.To] += c.Messages
		}
		if count[first] != 100 || count[second] != 50 || g.Traffic.Messages != 150 {
			t.Errorf("calls %v of %d, want 100 and 50", count, g.Traffic.Messages)
		}
		busy := map[int32]int64{}
		for _, l := range g.Traffic.Loads {
			busy[l.Node] += l.Busy
		}
		if busy[0] != 10 || busy[first] < 5900 || busy[first] > 6000 || busy[second] < 980 || busy[second] > 1000 {
			t.Errorf("busy %v", busy)
		}
		apart := func(i int, b int32) float64 {
			x := g.Places(i * g.moves)
			return distance(x[0], x[b])
		}
		if d, e := apart(g.Len/2, first), apart(g.Len/2, second); d > e-0.2 {
			t.Errorf("distances half way: %.2f with calls, %.2f without", d, e)
		}
		s := setStage(f, g)
		if s.balls[first].round <= s.balls[0].round || s.load[first] < 0.6 || s.load[first] > 0.9 || math.Abs(s.load[first]+s.load[second]-1) > 1e-9 {
			t.Errorf("shares of the work %v", s.load)
		}
		// Labels are names, and pointing at a body selects its procedure.
		l := scene.New(700, 500)
		view.Draw(g, f, l)
		var texts []string
		for i := range l.Len() {
			if o := l.Op(i); o.Kind == scene.OpText {
				_, _, text, _ := o.Text()
				texts = append(texts, string(text))
			}
		}
		for _, name := range []string{"a/1", "b/1", "c/1"} {
			if !slices.Contains(texts, name) {
				t.Errorf("no label %s in %q", name, texts)
			}
		}
		front := s.order[len(s.order)-1]
		sel, ok := g.Hit(f, s.balls[front].x, s.balls[front].y)
		if !ok || !slices.Equal(sel.Codes, []uint32{g.procedures[front]}) || len(sel.PEs) > 0 {
			t.Errorf("selection at body %d: %+v", front, sel)
		}
		if tip, ok := g.Tip(f, s.balls[front].x, s.balls[front].y); !ok || tip.Lines[0] != g.run.Name(g.procedures[front]) {
			t.Errorf("tip %+v", tip)
		}
		for _, sel := range []view.Selection{
			{Trace: f.Trace, Codes: []uint32{procA}},
			{Trace: f.Trace, Codes: []uint32{clauseA}},
			{Trace: f.Trace, Lines: []view.Lines{{File: "x.fghc", First: 9, Last: 9}}},
		} {
			if places := g.Locate(f, sel); len(places) != 1 || !places[0].Contains(s.balls[0].x, s.balls[0].y) {
				t.Errorf("selection %+v of procedure a is located at %v", sel, places)
			}
		}
		if places := g.Locate(f, view.Selection{Trace: f.Trace, PEs: []view.Span{{First: 0, Last: 1}}}); len(places) != 0 {
			t.Errorf("PEs are located at %v", places)
		}
	}
}

// TestProceduresOfSamples checks that each sample counts as a call by its caller.
func TestProceduresOfSamples(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1, Substrate: "hpf"})
	d := m.Dict()
	d.Add(tracer.Code{Type: tracer.Metric, Name: "ticks"})
	for _, name := range []string{"main", "solve"} {
		d.Add(tracer.Code{Type: tracer.Function, Name: name})
	}
	d.Add(tracer.Code{Type: tracer.Line, Line: 7, Parent: 2})
	main := d.AddContext(tracer.Context{Code: 2})
	line := d.AddContext(tracer.Context{Parent: main, Code: 4})
	solve := d.AddContext(tracer.Context{Parent: line, Code: 3})
	s := m.Stream(tracer.StreamInfo{})
	for i := range 60 {
		ref := []uint32{line, solve, solve}[i%3]
		if i == 0 {
			*s.Slot() = tracer.Event{Kind: tracer.Send, PE: 0, Peer: 0, Ref: 1}
		}
		*s.Slot() = tracer.Event{Time: int64(i) * 100, Kind: tracer.Sample, Code: 1, Ref: uint64(ref), Value: 5, Peer: -1}
	}
	_ = m.Close()
	g, _ := shown(t, m, 500, 400, "bodies", "procedure")
	if g.Motion == nil {
		t.Fatal(g.why())
	}
	ticks := map[int32]int64{}
	for _, l := range g.Traffic.Loads {
		ticks[l.Node] += l.Ticks
	}
	if g.Traffic.Messages != 200 || ticks[0] != 100 || ticks[1] != 200 || g.Mass != "ticks" {
		t.Errorf("%d ticks in calls, %v in all, mass %s", g.Traffic.Messages, ticks, g.Mass)
	}
}

// TestProceduresErrors checks the message for each trace whose procedures cannot be shown.
func TestProceduresErrors(t *testing.T) {
	alone := tracer.NewMemory()
	alone.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "a/1"})
	s := alone.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 1, Peer: -1, Code: 1}
	*s.Slot() = tracer.Event{Time: 5, Kind: tracer.Reduce, Task: 2, Ref: 1, Code: 1}
	_ = alone.Close()
	apart := tracer.NewMemory()
	apart.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "a/1"})
	apart.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: "b/1"})
	s = apart.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 1, Peer: -1, Code: 1}
	*s.Slot() = tracer.Event{Time: 5, Kind: tracer.Reduce, Task: 2, Peer: -1, Code: 2}
	_ = apart.Close()
	for _, c := range []struct {
		src  tracer.Source
		want string
	}{
		{talk(4, 3, 0), "the trace has no procedures"},
		{alone, "only one procedure"},
		{apart, "no calls between procedures"},
	} {
		g, f := shown(t, c.src, 500, 400, "bodies", "procedure")
		if g.Motion != nil || !strings.Contains(g.wrong.Error(), c.want) {
			t.Errorf("%q, want %q", g.wrong, c.want)
		}
		view.Draw(g, f, scene.New(500, 400))
		kindtest.AnyFrame(t, Kind(), g)
	}
	kindtest.Texts(t, Kind(), map[string]string{"bodies": "procedure", "color": "pe"}, circle(20, false), talk(3, 3, 0))
}

// TestWakeUps: functions of threads are pulled by the wake-ups between them, each of which the traffic counts.
func TestWakeUps(t *testing.T) {
	src := viewtest.Served(40, 4)
	g, f := shown(t, src, 700, 500, "bodies", "procedure")
	functions, parents := map[uint64]uint32{}, map[uint64]uint64{}
	type pair struct{ from, to uint32 }
	want, got := map[pair]int64{}, map[pair]int64{}
	must.Do(t, src.Scan(tracer.Kinds(tracer.Fork), func(es []tracer.Event) error {
		for i := range es {
			functions[es[i].Task], parents[es[i].Task] = es[i].Code, es[i].Ref
		}
		return nil
	}))
	for task, parent := range parents {
		if parent != 0 {
			want[pair{functions[parent], functions[task]}]++
		}
	}
	woken := int64(0)
	must.Do(t, src.Scan(tracer.Kinds(tracer.Wake), func(es []tracer.Event) error {
		for i := range es {
			if es[i].Ref != 0 {
				want[pair{functions[es[i].Ref], functions[es[i].Task]}]++
				woken++
			}
		}
		return nil
	}))
	for _, flow := range g.Traffic.Flows {
		got[pair{g.procedures[flow.From], g.procedures[flow.To]}] += flow.Messages
	}
	if woken == 0 || !maps.Equal(got, want) {
		t.Errorf("%d wake-ups; flows %v, expected %v", woken, got, want)
	}
	kindtest.AnyFrame(t, Kind(), g)
	if lines := setStage(f, g).describeProcedure(0); !strings.HasPrefix(lines[len(lines)-1], "called or woke others") {
		t.Errorf("a tip: %q", lines)
	}
}
