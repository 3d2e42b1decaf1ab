package activity

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/tracer/testdata/tracertest"
)

func record(pes int, events ...tracer.Event) tracer.Source {
	m := tracertest.Trace(events...)
	m.SetMeta(tracer.Meta{PEs: pes})
	for _, name := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: name})
	}
	return m
}

func build(t must.TB, src tracer.Source, prev *Activity) *Activity {
	t.Helper()
	return must.Get(Build(src, prev, nil))(t)
}

func ev(k tracer.Kind, pe int32, at int64) tracer.Event {
	return tracer.Event{Kind: k, PE: pe, Peer: tracer.None, Time: at}
}

func reduce(pe int32, at, cost int64, task uint64) tracer.Event {
	return tracer.Event{Kind: tracer.Reduce, PE: pe, Peer: tracer.None, Time: at, Value: cost, Task: task, Code: 7}
}

func stepsOf(l *Lane) []account.Step {
	var steps []account.Step
	for i := range l.Steps.Len() {
		steps = append(steps, l.Steps.Step(i))
	}
	return steps
}

func totalsOf(a *Activity) []Share {
	s := make([]Share, a.PEs)
	for pe := range s {
		s[pe] = a.Total(pe)
	}
	return s
}

func TestStates(t *testing.T) {
	a := build(t, record(3,
		ev(tracer.Busy, 0, 0), reduce(0, 0, 10, 1), ev(tracer.Overhead, 0, 10), ev(tracer.Idle, 1, 12), ev(tracer.Idle, 0, 15),
		ev(tracer.Busy, 1, 20), reduce(1, 20, 25, 2), ev(tracer.Idle, 1, 45), ev(tracer.Busy, 0, 50), ev(tracer.Exit, 0, 60),
	), nil)
	if a.Basis != account.States || a.From != 0 || a.To != 60 || a.PEs != 3 || len(a.Lanes) != 2 || a.Steps != 2 {
		t.Fatalf("%+v", a)
	}
	want := []Share{{10 + 10, 5, 35}, {25, 0, 35}, {0, 0, 60}}
	if d := cmp.Diff(want, totalsOf(a)); d != "" {
		t.Error(d)
	}
	shares := make([]Share, 3)
	a.Lanes[0].Columns([]int64{5, 12, 52, 60}, shares)
	if d := cmp.Diff([]Share{{5, 2, 0}, {2, 3, 35}, {8, 0, 0}}, shares); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(account.Step{Time: 20, End: 45, Task: 2, Code: 7, Kind: tracer.Reduce}, a.Lanes[1].Steps.Step(0)); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		time int64
		want int
	}{{19, 0}, {20, 0}, {44, 0}, {45, 1}} {
		if got := a.Lanes[1].First(c.time); got != c.want {
			t.Errorf("first step %d after %d, want %d", got, c.time, c.want)
		}
	}
}

func TestCosts(t *testing.T) {
	a := build(t, record(2, reduce(0, 5, 10, 1), reduce(0, 15, 5, 2), reduce(1, 18, 2, 3), reduce(0, 30, 10, 4)), nil)
	if a.Basis != account.Costs || a.From != 5 || a.To != 40 {
		t.Fatalf("%+v", a)
	}
	if d := cmp.Diff([]Share{{25, 0, 10}, {2, 0, 33}}, totalsOf(a)); d != "" {
		t.Error(d)
	}
	if got := a.Lanes[0].Pieces; len(got) != 3 || got[1].Start != 20 || got[1].NBusy != 0 || got[2].Busy != 15 {
		t.Errorf("pieces %+v: want one piece for steps without a gap", got)
	}
}

// TestTogether checks that steps recorded at one instant, such as a commit and the tries of its body goals, follow each other, and that a step is
// cut short if another one begins before its end.
func TestTogether(t *testing.T) {
	a := build(t, record(1, reduce(0, 5, 10, 1), reduce(0, 5, 3, 2), reduce(0, 5, 2, 3), reduce(0, 20, 5, 4), reduce(0, 22, 4, 5)), nil)
	var got [][2]int64
	for _, s := range stepsOf(&a.Lanes[0]) {
		got = append(got, [2]int64{s.Time, s.End})
	}
	if want := [][2]int64{{5, 15}, {15, 18}, {18, 20}, {20, 25}, {25, 26}}; !slices.Equal(got, want) {
		t.Errorf("steps %v, want %v", got, want)
	}
	if s := a.Total(0); s != (Share{21, 0, 0}) {
		t.Errorf("%+v", s)
	}
}

func TestInstants(t *testing.T) {
	// All times are multiples of 6. At 12 PE 0 reduced twice and PE 1 once; at 30 PE 1 reduced again.
	a := build(t, record(2, reduce(0, 12, 0, 1), reduce(0, 12, 0, 2), reduce(1, 12, 0, 3), reduce(1, 30, 0, 4)), nil)
	if a.Basis != account.Instants || a.Tick != 6 || a.To != 36 || a.Steps != 4 {
		t.Fatalf("%+v", a)
	}
	if d := cmp.Diff([]Share{{6, 0, 18}, {12, 0, 12}}, totalsOf(a)); d != "" {
		t.Error(d)
	}
	if s := stepsOf(&a.Lanes[0]); s[0].End != 15 || s[1].Time != 15 || s[1].End != 18 {
		t.Errorf("steps %+v: want two steps at one instant", s)
	}
	// A time that is not a multiple of 6 makes the tick smaller.
	if a := build(t, record(1, reduce(0, 12, 0, 1), reduce(0, 16, 0, 2)), nil); a.Tick != 4 || a.Total(0).Busy != 8 {
		t.Errorf("tick %d, busy %d", a.Tick, a.Total(0).Busy)
	}
	if a := build(t, record(1, reduce(0, 0, 0, 1)), nil); a.Tick != 1 || a.To != 1 {
		t.Errorf("all at 0: %+v", a)
	}
}

func TestThreads(t *testing.T) {
	th := func(k tracer.Kind, pe int32, at int64, task uint64, peer int32) tracer.Event {
		return tracer.Event{Kind: k, PE: pe, Peer: peer, Time: at, Task: task, Code: uint32(task)}
	}
	a := build(t, record(2,
		th(tracer.Start, 0, 0, 1, -1),
		th(tracer.Start, 0, 10, 2, tracer.Inline), // on the stack of 1
		th(tracer.End, 0, 15, 2, tracer.Inline),
		th(tracer.Start, 1, 12, 3, 0),
		th(tracer.JoinBegin, 0, 20, 1, 1), // 1 waits for 3
		th(tracer.Start, 0, 22, 4, -1), th(tracer.End, 0, 25, 4, -1),
		th(tracer.End, 1, 30, 3, -1),
		th(tracer.JoinEnd, 0, 30, 1, 1), th(tracer.End, 0, 33, 1, -1),
	), nil)
	if a.Basis != account.Threads || a.To != 33 {
		t.Fatalf("%+v", a)
	}
	if d := cmp.Diff([]Share{{20 + 3 + 3, 0, 7}, {18, 0, 15}}, totalsOf(a)); d != "" {
		t.Error(d)
	}
	var tasks []uint64
	for _, s := range stepsOf(&a.Lanes[0]) {
		tasks = append(tasks, s.Task)
		if s.Code != uint32(s.Task) || s.Kind != tracer.Start {
			t.Errorf("step %+v", s)
		}
	}
	if !slices.Equal(tasks, []uint64{1, 2, 1, 4, 1}) {
		t.Errorf("PE 0 ran %v", tasks)
	}
	// The thread waited on one PE and continues on another: its code is the line of the join.
	join := th(tracer.JoinEnd, 1, 20, 1, 0)
	join.Code = 7
	a = build(t, record(2, th(tracer.Start, 0, 0, 1, -1), th(tracer.JoinBegin, 0, 10, 1, 1), join, th(tracer.End, 1, 25, 1, -1)), nil)
	if s := stepsOf(&a.Lanes[1]); len(s) != 1 || s[0] != (account.Step{Time: 20, End: 25, Task: 1, Code: 7, Kind: tracer.Start}) {
		t.Errorf("a thread that continued on another PE: %+v", s)
	}
	// A thread without an end is busy to the end of the trace.
	a = build(t, record(1, th(tracer.Start, 0, 10, 1, -1), tracer.Event{Kind: tracer.Mark, Time: 50, PE: 0}), nil)
	if got := a.Total(0); got != (Share{40, 0, 0}) {
		t.Errorf("a thread without an end: %+v", got)
	}
}

func TestNothing(t *testing.T) {
	a := build(t, record(2), nil)
	if a.Basis != account.Nowhere || a.To != 0 || len(a.Lanes) != 0 || a.Total(1) != (Share{}) {
		t.Errorf("%+v", a)
	}
	if s := Sum(nil); s.PEs != 0 {
		t.Errorf("%+v", s)
	}
}

func TestStrangeEvents(t *testing.T) {
	a := build(t, record(2, reduce(-1, 0, 5, 1), reduce(2, 0, 5, 2), reduce(math.MaxInt32, 0, 5, 3), reduce(1, 3, math.MaxInt64, 4), reduce(1, 9, -4, 5)), nil)
	if a.Ignored != 3 || len(a.Lanes) != 2 || a.To > 2*bounds.Farthest {
		t.Errorf("%+v", a)
	}
	if a := build(t, record(0, reduce(1<<14, 0, 5, 1), reduce(3, 0, 5, 1)), nil); a.Ignored != 1 || a.PEs != 4 {
		t.Errorf("a trace without a number of PEs: %d PEs, %d ignored", a.PEs, a.Ignored)
	}
}

// events draws random events of three PEs in the order of time. Steps of a PE do not overlap.
func events(t *rapid.T) []tracer.Event {
	kinds := rapid.SampledFrom([][]tracer.Kind{
		{tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Reduce, tracer.Suspend},
		{tracer.Reduce, tracer.Suspend, tracer.Fail},
		{tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd},
	}).Draw(t, "kinds")
	var free [3]int64
	now := int64(0)
	var es []tracer.Event
	for range rapid.IntRange(0, 60).Draw(t, "events") {
		now += rapid.Int64Range(0, 9).Draw(t, "later")
		e := tracer.Event{
			Time: now, Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), PE: rapid.Int32Range(0, 2).Draw(t, "pe"), Peer: tracer.None,
			Task: rapid.Uint64Range(1, 6).Draw(t, "task"), Code: rapid.Uint32Range(0, 2).Draw(t, "code"),
		}
		if tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail).Contains(e.Kind) {
			e.Time = max(e.Time, free[e.PE])
			now = e.Time
			e.Value = rapid.Int64Range(0, 12).Draw(t, "cost")
			free[e.PE] = e.Time + e.Value
		}
		es = append(es, e)
	}
	return es
}

// TestConserves compares activities with the account, and columns with the whole.
func TestConserves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := record(3, events(t)...)
		a := build(t, src, nil)
		times := must.Get(account.Compute(src))(t)
		for pe := range 3 {
			r := times.Row(pe)
			if s := a.Total(pe); (s != Share{r.Times[account.Work], r.Overhead(), r.Idle()}) || s.Busy+s.Over+s.Idle != a.To-a.From {
				t.Fatalf("PE %d: %+v of %d ns, the account says %v", pe, s, a.To-a.From, r.Times)
			}
		}
		marks := rapid.SliceOfN(rapid.Int64Range(a.From, a.To), 0, 20).Draw(t, "bounds")
		marks = append(marks, a.From, a.To)
		slices.Sort(marks)
		shares := make([]Share, len(marks)-1)
		var tracks []*Track
		for pe := range a.Lanes {
			l := &a.Lanes[pe]
			tracks = append(tracks, &l.Track)
			l.Columns(marks, shares)
			var sum Share
			for k, s := range shares {
				b1, o1 := l.Until(marks[k])
				b2, o2 := l.Until(marks[k+1])
				if s.Busy != b2-b1 || s.Over != o2-o1 {
					t.Fatalf("column %d: %+v", k, s)
				}
				sum = Share{sum.Busy + s.Busy, sum.Over + s.Over, sum.Idle + s.Idle}
			}
			if sum != a.Total(pe) {
				t.Fatalf("columns add up to %+v, want %+v", sum, a.Total(pe))
			}
			steps := stepsOf(l)
			if n := len(steps); n > 0 {
				i, at := rapid.IntRange(0, n-1).Draw(t, "from step"), rapid.Int64Range(a.From-1, a.To+1).Draw(t, "onward to")
				if got, want := l.FirstFrom(i, at), max(l.First(at), i); got != want {
					t.Fatalf("onward from %d to %d: %d, want %d", i, at, got, want)
				}
			}
			for i, s := range steps {
				if s.End < s.Time || i > 0 && s.Time < steps[i-1].End {
					t.Fatalf("steps overlap: %+v", steps)
				}
			}
		}
		all := Sum(tracks)
		for _, at := range marks {
			var busy, over int64
			for _, tr := range tracks {
				b, o := tr.Until(at)
				busy, over = busy+b, over+o
			}
			if b, o := all.Until(at); b != busy || o != over || int(all.PEs) != len(tracks) {
				t.Fatalf("until %d the sum has %d %d, want %d %d", at, b, o, busy, over)
			}
		}
		for i := 1; i < len(all.Pieces); i++ {
			if p, q := all.Pieces[i-1], all.Pieces[i]; p.Start > q.Start {
				t.Fatalf("pieces %+v %+v", p, q)
			}
		}
	})
}

// TestGrows compares activities built in parts with those built at once, at each cut, and checks that earlier results do not change.
func TestGrows(t *testing.T) {
	same := cmp.Options{
		cmpopts.IgnoreUnexported(Activity{}, Piece{}), cmpopts.EquateEmpty(), cmp.Transformer("steps", func(s Steps) []account.Step { return stepsOf(&Lane{Steps: s}) }),
	}
	rapid.Check(t, func(t *rapid.T) {
		es := events(t)
		var prev *Activity
		var before, after []*Activity
		onwardtest.Replay(t, record(3, es...), onwardtest.Cuts(t, len(es)), func(n int, now *store.File) {
			got, want := build(t, now, prev), build(t, now, nil)
			if d := cmp.Diff(want, got, same); d != "" {
				t.Fatalf("after %d of %d events: %s", n, len(es), d)
			}
			if got.Extends(prev) {
				for pe := range prev.Lanes {
					if p := stepsOf(&prev.Lanes[pe])[:prev.Lanes[pe].Closed]; !slices.Equal(p, stepsOf(&got.Lanes[pe])[:len(p)]) {
						t.Fatalf("the steps of PE %d do not continue", pe)
					}
				}
			}
			if want.Extends(got) {
				t.Fatal("a rebuilt activity extends another")
			}
			prev = got
			before, after = append(before, want), append(after, got)
		})
		if d := cmp.Diff(before, after, same); d != "" {
			t.Fatalf("it has changed since: %s", d)
		}
	})
}

func TestTickStops(t *testing.T) {
	src := record(1, reduce(0, 1, 2, 3))
	enough := errors.New("enough")
	stop := func(done, total int64) error {
		if done != 1 || total != 1 {
			t.Errorf("%d of %d done", done, total)
		}
		return enough
	}
	if _, err := Build(src, nil, stop); err != enough {
		t.Error("the error of tick is lost")
	}
}
