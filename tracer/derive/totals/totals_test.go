package totals

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/workspan"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/tracer/testdata/tracertest"
)

func sum(t *testing.T, pes int, events ...tracer.Event) *Totals {
	t.Helper()
	m := tracertest.Trace(events...)
	m.SetMeta(tracer.Meta{PEs: pes})
	return must.Get(Grow(m, nil, nil))(t)
}

var unseen = cmpopts.IgnoreUnexported(Totals{})

// diamond returns a run of four goals on two of three PEs: 1 creates 2, 3 and 4; 3 waits until 2 on the other PE has bound its variable.
func diamond(cost int64) []tracer.Event {
	return []tracer.Event{
		{Time: 0, Kind: tracer.Busy, PE: 0, Peer: -1},
		{Time: 0, Kind: tracer.Reduce, Task: 1, Value: 10, PE: 0, Peer: -1},
		{Time: 10, Kind: tracer.Suspend, Task: 3, Ref: 1, Value: 5, PE: 0, Peer: -1},
		{Time: 10, Kind: tracer.Send, Task: 2, Ref: 9, Value: 64, PE: 0, Peer: 1},
		{Time: 14, Kind: tracer.Recv, Task: 2, Ref: 9, Value: 64, PE: 1, Peer: 0},
		{Time: 14, Kind: tracer.Move, Task: 2, Ref: 9, Value: 64, PE: 1, Peer: 0},
		{Time: 14, Kind: tracer.Busy, PE: 1, Peer: -1},
		{Time: 15, Kind: tracer.Reduce, Task: 4, Ref: 1, Value: 10, PE: 0, Peer: 0},
		{Time: 20, Kind: tracer.Reduce, Task: 2, Ref: 1, Value: cost, PE: 1, Peer: 0},
		{Time: 20, Kind: tracer.Resume, Task: 3, Ref: 2, PE: 1, Peer: 0},
		{Time: 25, Kind: tracer.Idle, PE: 0, Peer: -1},
		{Time: 20 + cost, Kind: tracer.Idle, PE: 1, Peer: -1},
		{Time: 30 + cost, Kind: tracer.Busy, PE: 0, Peer: -1},
		{Time: 30 + cost, Kind: tracer.Reduce, Task: 3, Ref: 1, Value: 7, PE: 0, Peer: 0},
		{Time: 37 + cost, Kind: tracer.Exit, PE: 0, Peer: -1, Value: 3},
		{Time: 37 + cost, Kind: tracer.Exit, PE: 1, Peer: -1, Value: 1},
	}
}

func TestDiamond(t *testing.T) {
	want := &Totals{
		Events: 16, Exits: 2, Status: 3, Tasks: 4, Reductions: 4, Suspensions: 1, Resumptions: 1, Moves: 1, MovedBytes: 64, Messages: 1, Bytes: 64,
		Cost:   32 + 30,
		Span:   10 + 30 + 7,   // 1, 2, 3: the chain through the resumption
		Height: 1, Threads: 3, // PE 0 continues with goal 3, and has taken it up again before it reduces goal 4
		Blocks: []workspan.Block{{Time: 35, Count: 1}},
		PEs: []PE{
			{Reductions: 3, Suspensions: 1, Sent: 1},
			{Reductions: 1, Received: 1},
		},
	}
	if d := cmp.Diff(want, sum(t, 3, diamond(30)...), unseen); d != "" {
		t.Error(d)
	}
}

// TestBegin checks that the sums do not depend on the origin of the clock, such as 1970.
func TestBegin(t *testing.T) {
	for _, shift := range []int64{7, 1_700_000_000_000_000_000, -3} {
		events := diamond(30)
		for i := range events {
			events[i].Time += shift
		}
		if d := cmp.Diff(sum(t, 3, diamond(30)...), sum(t, 3, events...), unseen); d != "" {
			t.Errorf("later by %d ns: %s", shift, d)
		}
	}
}

// TestSpan removes the resumption and makes its binder longer: the longest chain must change.
func TestSpan(t *testing.T) {
	if got := sum(t, 3, diamond(300)...).Span; got != 10+300+7 {
		t.Errorf("with a longer binder the span is %d", got)
	}
	var events []tracer.Event
	for _, e := range diamond(5) {
		if e.Kind != tracer.Resume {
			events = append(events, e)
		}
	}
	if got := sum(t, 3, events...).Span; got != 10+10 {
		t.Errorf("without the resumption the span is %d", got)
	}
}

// TestStrangeIds checks that ids of a damaged trace take little memory and are counted once each.
func TestStrangeIds(t *testing.T) {
	ids := []uint64{1, math.MaxUint64, 1 << 40, 1 << 40, 5000, 2, 5000, math.MaxUint64}
	var events []tracer.Event
	for i, id := range ids {
		events = append(events, tracer.Event{Time: int64(i), Kind: tracer.Reduce, Task: id, Value: 1, PE: math.MaxInt32})
	}
	got := sum(t, math.MaxInt32, events...)
	if got.Tasks != 5 || got.Reductions != 8 || len(got.PEs) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestSettled checks that the span of a run whose reductions share measured times takes costs that later reductions correct once the run is over.
// The clauses of a chain run once more each for a thousand other goals; the first slice, in which the chain runs, was slow.
func TestSettled(t *testing.T) {
	const chain, others = 10, 1000
	run := func(over bool, slow int64) *Totals {
		m := tracer.NewMemory()
		var meta tracer.Meta
		meta.SetCostError(0.1)
		m.SetMeta(meta)
		s := m.Stream(tracer.StreamInfo{})
		now := int64(0)
		reduce := func(task, ref uint64, code uint32, cost int64) {
			*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: now, Task: task, Ref: ref, Code: code, Value: cost, Peer: tracer.None}
			now += cost
		}
		for i := range uint64(chain) {
			reduce(i+1, i, uint32(i), slow)
		}
		for i := range uint64(others) {
			reduce(chain+1+i, 1, uint32(i%chain), 10)
		}
		if over {
			*s.Slot() = tracer.Event{Kind: tracer.Exit, Time: now}
		}
		_ = m.Close()
		return must.Get(Grow(m, nil, nil))(t)
	}
	for _, c := range []struct {
		over           bool
		slow, min, max int64
	}{
		{true, 10, chain * 10, chain * 10},
		{true, 1000, chain * 15, chain * 25},
		{false, 1000, chain * 1000, chain * 1000},
	} {
		got := run(c.over, c.slow)
		if got.Span < c.min || got.Span > c.max || got.Height != chain-1 || got.Tasks != chain+others || got.Threads != others+1 {
			t.Errorf("%+v: span %d, height %d, %d tasks, %d threads", c, got.Span, got.Height, got.Tasks, got.Threads)
		}
	}
}

// TestGrows compares totals added up in parts with totals added up at once, at each cut, and both with sums.
func TestGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		meta := tracer.Meta{PEs: rapid.IntRange(0, 3).Draw(t, "pes")}
		if rapid.Bool().Draw(t, "shared costs") {
			meta.SetCostError(0.1)
		}
		m.SetMeta(meta)
		s := m.Stream(tracer.StreamInfo{})
		n := rapid.IntRange(0, 60).Draw(t, "events")
		ids := rapid.OneOf(rapid.Uint64Range(0, 9), rapid.Just(uint64(1<<50)))
		states := rapid.Bool().Draw(t, "states")
		for at := range n {
			e := tracer.Event{
				Kind: tracer.Kind(rapid.IntRange(0, int(tracer.NumKinds)-1).Draw(t, "kind")), Time: int64(10 * at), Task: ids.Draw(t, "task"),
				Ref: ids.Draw(t, "ref"), PE: rapid.Int32Range(-1, 3).Draw(t, "pe"), Value: rapid.Int64Range(0, 50).Draw(t, "value"),
			}
			if k := e.Kind; !states && (k == tracer.Busy || k == tracer.Idle || k == tracer.Overhead) {
				continue
			}
			*s.Slot() = e
		}
		_ = m.Close()
		var prev *Totals
		onwardtest.Replay(t, m, onwardtest.Cuts(t, n), func(n int, now *store.File) {
			got := must.Get(Grow(now, prev, nil))(t)
			want, err := Grow(now, nil, nil)
			adding := NewBriefSums(now)
			must.Do(t, now.Scan(tracer.AllKinds, func(es []tracer.Event) error {
				for i := range es {
					adding.Add(&es[i])
				}
				return nil
			}))
			sums := adding.Finish()
			less := *want
			less.Tasks, less.Span, less.Height, less.Threads, less.Blocks = 0, 0, -1, 0, nil
			if d := cmp.Diff(&less, sums, unseen, cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("sums after %d events: %s", n, d)
			}
			if d := cmp.Diff(want, got, unseen, cmpopts.EquateEmpty()); d != "" || err != nil {
				t.Fatalf("after %d events: %s %v", n, d, err)
			}
			if prev != nil { // a value can be extended only once; the second time Grow starts again
				if again, err := Grow(now, prev, nil); err != nil || cmp.Diff(want, again, unseen, cmpopts.EquateEmpty()) != "" {
					t.Fatalf("a second time after %d events: %+v, %v", n, again, err)
				}
			}
			prev = got
		})
	})
}

// TestSharedCosts checks that totals are added up anew when the end of a run tells that costs are parts of measured times.
func TestSharedCosts(t *testing.T) {
	trace := func(shared bool) *tracer.Memory {
		m := tracertest.Trace(diamond(30)...)
		meta := tracer.Meta{PEs: 3}
		if shared {
			meta.SetCostError(0.1)
		}
		m.SetMeta(meta)
		return m
	}
	s := NewSums(trace(false))
	for _, e := range diamond(30) {
		s.Add(&e)
	}
	if !s.Fits(trace(false)) || s.Fits(trace(true)) {
		t.Error("the sums fit a trace with shared costs, or not the trace that was added up")
	}
}

// narrow is a trace whose Select leaves fields of other columns than those of the query undefined.
type narrow struct{ tracer.Source }

func (n narrow) Select(q store.Query, f func([]tracer.Event) error) error {
	return n.Scan(q.Kinds, func(es []tracer.Event) error {
		es = slices.Clone(es)
		for i := range es {
			e := &es[i]
			if q.Columns&store.Time == 0 {
				e.Time = -1
			}
			if q.Columns&store.PE == 0 {
				e.PE = -1
			}
			if q.Columns&store.Peer == 0 {
				e.Peer = -1
			}
			if q.Columns&store.Code == 0 {
				e.Code = 1 << 31
			}
		}
		return f(es)
	})
}

// TestBurdenColumns checks that the second pass for the burdened span decodes neither times nor places, and codes only if costs are typical ones.
func TestBurdenColumns(t *testing.T) {
	events := diamond(20)
	for i := range events {
		events[i].Code = uint32(events[i].Task)
	}
	m := tracertest.Trace(events...)
	meta := tracer.Meta{PEs: 3}
	m.SetMeta(meta)
	const burden = 10
	got := must.Get(must.Get(Grow(m, nil, nil))(t).Goals(narrow{m}))(t)
	if want := int64(10 + burden + 20 + burden + 7); got.Burden != burden || got.BurdenedSpan != want {
		t.Errorf("burden %d, span %d; want %d, %d", got.Burden, got.BurdenedSpan, burden, want)
	}
	meta.SetCostError(0.1)
	first := tracer.Event{Kind: tracer.Reduce, Task: 5, Value: 1, PE: 1, Peer: -1} // a burden of a live run needs a PE that has worked before
	m = tracertest.Trace(append([]tracer.Event{first}, events...)...)
	m.SetMeta(meta)
	want := must.Get(must.Get(Grow(m, nil, nil))(t).Goals(m))(t)
	got = must.Get(must.Get(Grow(m, nil, nil))(t).Goals(narrow{m}))(t)
	if d := cmp.Diff(want, got); d != "" || got.BurdenedSpan <= got.Span {
		t.Errorf("shared costs: %s", d)
	}
}

// TestStandstill checks that the burden of a live run, whose events are read twice, leaves out the time in which a PE had no core.
func TestStandstill(t *testing.T) {
	m := tracer.NewMemory()
	offCPU := m.Dict().Add(tracer.Code{Type: tracer.Reason, Name: "off cpu"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Reduce, Task: 9, Value: 10, PE: 1, Peer: -1},
		{Kind: tracer.Reduce, Task: 1, Value: 10, Peer: -1},
		{Time: 10, Kind: tracer.Idle, Code: offCPU, Peer: -1},
		{Time: 90, Kind: tracer.Busy, Peer: -1},
		{Time: 93, Kind: tracer.Reduce, Task: 2, Ref: 1, Value: 10, PE: 1},
		{Time: 110, Kind: tracer.Exit, PE: 1, Peer: -1},
	} {
		*s.Slot() = e
	}
	meta := tracer.Meta{PEs: 2}
	meta.SetCostError(0.1)
	m.SetMeta(meta)
	must.Do(t, m.Close())
	if got := must.Get(must.Get(Grow(m, nil, nil))(t).Goals(m))(t); got.Burden != 3 {
		t.Errorf("burden %d, want 3", got.Burden)
	}
}
