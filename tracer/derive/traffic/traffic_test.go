package traffic

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
)

// The codes of random traces: a procedure with a clause of two goals, its clause, and a builtin.
const (
	procedure = 1 + iota
	clause
	builtin
)

var everything = []tracer.Kind{
	tracer.Init, tracer.Exit, tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Resume,
	tracer.Fork, tracer.Start, tracer.End, tracer.JoinBegin, tracer.JoinEnd, tracer.Move, tracer.Send, tracer.Sample,
}

// runs draws traces of some of the kinds on few PEs, with inconsistent events among the others.
func runs(t *rapid.T) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: rapid.IntRange(1, 5).Draw(t, "pes")})
	d := m.Dict()
	d.Add(tracer.Code{Type: tracer.Procedure, Name: "p/1"})
	d.Add(tracer.Code{Type: tracer.Clause, Name: "p/1", Parent: procedure, Children: 2})
	d.Add(tracer.Code{Type: tracer.Procedure, Name: ":=/2"})
	s := m.Stream(tracer.StreamInfo{})
	kinds := rapid.SliceOfNDistinct(rapid.SampledFrom(everything), 1, 6, rapid.ID).Draw(t, "kinds")
	at := rapid.Int64Range(-5, 20).Draw(t, "begins")
	for range rapid.IntRange(0, 60).Draw(t, "events") {
		at += rapid.Int64Range(0, 9).Draw(t, "later")
		*s.Slot() = tracer.Event{
			Time: at, Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), PE: rapid.Int32Range(-1, 5).Draw(t, "pe"), Peer: rapid.Int32Range(-2, 5).Draw(t, "peer"),
			Code: rapid.Uint32Range(0, 5).Draw(t, "code"), Value: rapid.Int64Range(-1, 12).Draw(t, "value"),
		}
	}
	_ = m.Close() // of a trace in memory
	return m
}

// slow returns the same trace with times multiplied by a factor, on a given clock.
func slow(src *tracer.Memory, times int64, clock string) *tracer.Memory {
	m := tracer.NewMemory()
	meta := src.Meta()
	meta.Clock = clock
	m.SetMeta(meta)
	for _, c := range src.Dict().Codes()[1:] {
		m.Dict().Add(c)
	}
	s := m.Stream(tracer.StreamInfo{})
	_ = src.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for i := range es {
			e := es[i]
			e.Time *= times
			*s.Slot() = e
		}
		return nil
	})
	_ = m.Close()
	return m
}

// same compares two results without the state kept for the next result.
func same(a, b *Traffic) bool {
	x, y := *a, *b
	x.Flows, x.Loads, x.next, y.Flows, y.Loads, y.next = nil, nil, nil, nil, nil, nil
	return fmt.Sprint(x) == fmt.Sprint(y) && slices.Equal(a.Flows, b.Flows) && slices.Equal(a.Loads, b.Loads)
}

func TestGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := runs(t)
		o := Options{Step: rapid.SampledFrom([]int64{0, 3}).Draw(t, "step"), Limit: leastLimit}
		if o.Step == 0 && rapid.Bool().Draw(t, "lasting") {
			o.Lasting, src = true, slow(src, rapid.SampledFrom([]int64{1, 1000, 1 << 20, 1 << 40}).Draw(t, "times"), tracer.Virtual)
		}
		var prev *Traffic
		var all, before []*Traffic
		onwardtest.Replay(t, src, onwardtest.Cuts(t, 60), func(n int, now *store.File) {
			for range 2 {
				tr := must.Get(Grow(now, o, prev, nil))(t)
				if want, err := Grow(now, o, nil, nil); err != nil || !same(tr, want) {
					t.Fatalf("after %d events: %+v, want %+v, %v", n, tr, want, err)
				}
				prev = tr
				kept := *tr
				kept.Flows, kept.Loads = slices.Clone(tr.Flows), slices.Clone(tr.Loads)
				all, before = append(all, tr), append(before, &kept)
			}
		})
		for i := range all {
			if !same(all[i], before[i]) {
				t.Fatal("an earlier result changed")
			}
		}
	})
}

// TestLasting checks that lasting intervals that are over do not change and begin where Begins says. There are 600 at first and 300 for each
// doubling of the run, 64 and 32 with many PEs. Their sums equal those of intervals of one length.
func TestLasting(t *testing.T) {
	for _, c := range []struct {
		pes         int
		clock       string
		step, epoch int64
	}{{8, tracer.Virtual, 1 << 7, 300}, {8, tracer.Monotonic, 1 << 17, 300}, {33, tracer.Virtual, 1 << 7, 64}, {5000, tracer.Virtual, 1 << 7, 32}} {
		src := slow(many(30_000, c.pes), c.step/3, c.clock)
		even := must.Get(Grow(src, Options{}, nil, nil))(t)
		var prev *Traffic
		onwardtest.Replay(t, src, []int{3, 1000, 2000, 9999, 10_000, 25_000}, func(n int, now *store.File) {
			tr := must.Get(Grow(now, Options{Lasting: true}, prev, nil))(t)
			if tr.Step != c.step || int64(tr.Epoch) != c.epoch || tr.Group != 1 {
				t.Fatalf("%+v: intervals of %d, epochs of %d, groups of %d", c, tr.Step, tr.Epoch, tr.Group)
			}
			long, times := tr.To-tr.From, int64(0)
			for i, at := 0, tr.From; i < tr.Intervals; i++ {
				if tr.Begins(i) != at || tr.Interval(at) != i || i > 0 && tr.Interval(at-1) != i-1 {
					t.Fatalf("%+v: interval %d begins at %d, want %d", c, i, tr.Begins(i), at)
				}
				if i > int(c.epoch) && i%int(c.epoch) == 0 {
					times++
				}
				at += c.step << times
			}
			if last := tr.Length(tr.Intervals-1, tr.Intervals-1); tr.Intervals > 2*int(c.epoch) && (last*c.epoch > long || 2*last*c.epoch < long/2) {
				t.Errorf("%+v: the last of a run of %d is of %d", c, long, last)
			}
			if prev != nil {
				past := prev.Intervals - 1
				if !slices.Equal(prev.FlowsOf(0, past-1), tr.FlowsOf(0, past-1)) || !slices.Equal(prev.LoadsOf(0, past-2), tr.LoadsOf(0, past-2)) {
					t.Errorf("%+v: after %d events a past interval changed", c, n)
				}
			}
			prev = tr
		})
		if !prev.Over || sums(prev) != sums(even) {
			t.Errorf("%+v: sums %s, want %s", c, sums(prev), sums(even))
		}
	}
	if _, err := Grow(many(30, 3), Options{Lasting: true, Step: 7}, nil, nil); err == nil || !strings.Contains(err.Error(), "their lengths are fixed") {
		t.Errorf("a step of lasting intervals: %v", err)
	}
}

// sums returns the sums that merging preserves.
func sums(tr *Traffic) string {
	var s [6]int64
	for _, f := range tr.Flows {
		s[0] += f.Messages
		s[1] += f.Bytes
	}
	for _, l := range tr.Loads {
		s[2] += l.Busy
		s[3] += l.Queue
		s[4] += l.Reductions
		s[5] += l.Ticks
	}
	return fmt.Sprint(s)
}

// many returns a trace of n messages between random PEs. Each PE is busy for a while.
func many(n, pes int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: pes})
	s := m.Stream(tracer.StreamInfo{})
	x := uint32(1)
	next := func() int32 {
		x = x*1664525 + 1013904223
		return int32(uint64(x) * uint64(pes) >> 32)
	}
	for i := range n / 3 {
		pe := next()
		for k, kind := range [3]tracer.Kind{tracer.Busy, tracer.Send, tracer.Idle} {
			*s.Slot() = tracer.Event{Time: int64(30*i + 10*k), Kind: kind, PE: pe, Peer: next(), Value: 100}
		}
	}
	_ = m.Close()
	return m
}

// TestLittleRoom checks that any limit preserves sums, and that each cell is the sum of the merged cells.
func TestLittleRoom(t *testing.T) {
	src := many(30_000, 1000)
	whole := must.Get(Grow(src, Options{}, nil, nil))(t)
	if whole.Group != 1 || whole.Intervals != Intervals || len(whole.Flows) < 9000 {
		t.Fatalf("%d flows, groups of %d, %d intervals", len(whole.Flows), whole.Group, whole.Intervals)
	}
	for _, o := range []Options{{Limit: 5000}, {Limit: leastLimit}, {Limit: leastLimit, Step: 20_000}} {
		tr := must.Get(Grow(src, o, nil, nil))(t)
		if len(tr.Flows) > o.Limit || len(tr.Loads) > o.Limit || sums(tr) != sums(whole) || tr.Messages != 10_000 || tr.Bytes != 1_000_000 {
			t.Errorf("%+v: %d flows and %d loads, sums %s, want %s", o, len(tr.Flows), len(tr.Loads), sums(tr), sums(whole))
		}
		if o.Step == 20_000 && (tr.Step != 20_000 || tr.Intervals != 15) {
			t.Errorf("the step is %d, not the requested one", tr.Step)
		}
		again := many(30_000, 1000)
		b := must.Get(Grow(again, Options{Step: tr.Step}, nil, nil))(t)
		for i := range b.Flows {
			b.Flows[i].From /= int32(tr.Group)
			b.Flows[i].To /= int32(tr.Group)
		}
		for i := range b.Loads {
			b.Loads[i].Node /= int32(tr.Group)
		}
		if !slices.Equal(compactFlows(b.Flows), tr.Flows) || !slices.Equal(compactLoads(b.Loads), tr.Loads) {
			t.Errorf("%+v: not the sums of groups of %d", o, tr.Group)
		}
	}
}

// TestStreams checks that times of the run count for streams with different clocks.
func TestStreams(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 2})
	a, b := m.Stream(tracer.StreamInfo{}), m.Stream(tracer.StreamInfo{Offset: -40})
	*a.Slot() = tracer.Event{Time: 0, Kind: tracer.Send, PE: 0, Peer: 1, Value: 1}
	*a.Slot() = tracer.Event{Time: 100, Kind: tracer.Send, PE: 0, Peer: 1, Value: 2}
	*b.Slot() = tracer.Event{Time: 60, Kind: tracer.Send, PE: 1, Peer: 0, Value: 4}
	_ = m.Close()
	tr := must.Get(Grow(m, Options{Step: 50}, nil, nil))(t)
	want := []Flow{{0, 0, 1, 1, 1}, {0, 1, 0, 1, 4}, {2, 0, 1, 1, 2}}
	if !slices.Equal(tr.Flows, want) || tr.Intervals != 3 || !slices.Equal(tr.FlowsOf(1, 2), want[2:]) || tr.Interval(49) != 0 || tr.Interval(1<<40) != 2 {
		t.Errorf("%+v", tr)
	}
}

func TestRefused(t *testing.T) {
	src := many(300, 10)
	for _, c := range []struct {
		want string
		o    Options
	}{
		{"room for 3 flows: expected at least 256", Options{Limit: 3}},
		{"intervals of -1 ns: expected at least 1", Options{Step: -1}},
		{"has more than 1048576 of them", Options{Step: 1}},
	} {
		s := tracer.Source(src)
		if c.o.Step == 1 {
			long := tracer.NewMemory()
			st := long.Stream(tracer.StreamInfo{})
			*st.Slot() = tracer.Event{Kind: tracer.Send}
			*st.Slot() = tracer.Event{Kind: tracer.Send, Time: 1 << 62}
			_ = long.Close()
			s = long
		}
		if _, err := Grow(s, c.o, nil, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	// An empty trace and inconsistent events give a result too.
	m := tracer.NewMemory()
	_ = m.Close()
	if tr, err := Grow(m, Options{}, nil, nil); err != nil || len(tr.Flows)+len(tr.Loads) > 0 || tr.Nodes() != 0 {
		t.Errorf("%+v, %v", tr, err)
	}
}
