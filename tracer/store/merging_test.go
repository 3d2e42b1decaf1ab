package store_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// TestMerged merges a growing trace of several streams at random times. Each part continues the previous one, unless an event came too late, and
// the parts together are the beginning of the whole trace.
func TestMerged(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		streams := rapid.IntRange(2, 4).Draw(rt, "streams")
		scale := rapid.SampledFrom([]int64{1, 1_000, 100_000}).Draw(rt, "scale")
		together := rapid.Bool().Draw(rt, "together") // all streams are flushed at the same time, so no event comes too late
		all := rapid.Bool().Draw(rt, "all")           // but one at the time of the last merged one may
		g := store.NewGrowing()
		w := store.New(g)
		var ss []*tracer.Stream
		for range streams {
			ss = append(ss, w.Stream(tracer.StreamInfo{}))
		}
		var mark store.Mark
		var parts []tracer.Event
		read := func() {
			must.Do(rt, g.Merge(all))
			src := g.Merged()
			if len(src.Streams()) != 1 { // nothing is merged yet
				return
			}
			rest, ok := store.Since(src, mark)
			if known := mark != (store.Mark{}); known && !ok && together && !all {
				rt.Fatal("the merged trace begins anew")
			}
			if !ok {
				rest, parts = src, parts[:0]
			}
			before := len(parts)
			parts = append(parts, tracertest.Events(rt, rest, tracer.AllKinds)...)
			if c := rest.Counts(); sum(c) != int64(len(parts)-before) {
				rt.Fatalf("%d events of %d counted", len(parts)-before, sum(c))
			}
			mark = store.End(src)
		}
		es := store.FGHCLike(rapid.IntRange(1, 5_000).Draw(rt, "events"), 4, 7)
		for i := 0; i < len(es); {
			n := min(rapid.IntRange(1, 1000).Draw(rt, "run"), len(es)-i)
			for _, e := range es[i : i+n] {
				e.Time *= scale
				*ss[int(e.PE)%streams].Slot() = e
			}
			i += n
			switch {
			case together:
				must.Do(rt, w.Flush())
			case rapid.Bool().Draw(rt, "hand on"):
				ss[rapid.IntRange(0, streams-1).Draw(rt, "stream")].HandOn()
			}
			if rapid.Bool().Draw(rt, "read") {
				read()
			}
		}
		must.Do(rt, w.Flush())
		read()
		whole := tracertest.Events(rt, g, tracer.AllKinds)
		if len(parts) > len(whole) || !slices.Equal(parts, whole[:len(parts)]) {
			rt.Fatalf("%d events in parts, %d in one, or they differ", len(parts), len(whole))
		}
		must.Do(rt, w.Close())
		read()
		if !slices.Equal(parts, whole) {
			rt.Fatalf("at the end %d events in parts, %d in one, or they differ", len(parts), len(whole))
		}
	})
}

// TestMergedWaits checks for whom the merged part waits: for a stream that lags behind a little, and not for one without events.
func TestMergedWaits(t *testing.T) {
	const ms = 1_000_000
	g := store.NewGrowing()
	w := store.New(g)
	a, b := w.Stream(tracer.StreamInfo{}), w.Stream(tracer.StreamInfo{Offset: 5 * ms})
	record := func(s *tracer.Stream, all bool, times ...int64) {
		for _, time := range times {
			*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: time * ms}
		}
		must.Do(t, w.Flush())
		must.Do(t, g.Merge(all))
	}
	for i, c := range []struct {
		s    *tracer.Stream
		add  []int64
		all  bool
		want []int64
	}{
		{a, []int64{10, 20, 30}, false, nil},
		{a, []int64{300}, false, []int64{10, 20, 30}},
		{b, []int64{295}, false, []int64{10, 20, 30}},
		{a, []int64{310}, false, []int64{10, 20, 30}}, // b has 300, and may get more at that time
		{b, []int64{301}, false, []int64{10, 20, 30, 300, 300}},
		{a, []int64{700}, false, []int64{10, 20, 30, 300, 300, 306, 310}},
		{b, []int64{302}, false, []int64{10, 20, 30, 300, 300, 306, 307, 310}}, // too late
		{b, []int64{703}, true, []int64{10, 20, 30, 300, 300, 306, 307, 310, 700, 708}},
		{b, []int64{704}, true, []int64{10, 20, 30, 300, 300, 306, 307, 310, 700, 708, 709}},
	} {
		record(c.s, c.all, c.add...)
		var got []int64
		if m := g.Merged(); len(m.Streams()) == 1 {
			for _, e := range tracertest.Events(t, m, tracer.AllKinds) {
				got = append(got, e.Time/ms)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("step %d: merged %v, want %v", i, got, c.want)
		}
	}
	must.Do(t, w.Close())
}

// TestMergedKeepsProcessTimes checks that streams whose clocks cannot be compared stay apart.
func TestMergedKeepsProcessTimes(t *testing.T) {
	g := store.NewGrowing()
	w := store.New(g)
	for range 2 {
		s := w.Stream(tracer.StreamInfo{Clock: tracer.Process})
		*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: 1}
		*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: 1_000_000_000}
	}
	must.Do(t, w.Flush())
	must.Do(t, g.Merge(true))
	if n := len(g.Merged().Streams()); n != 2 {
		t.Errorf("%d streams", n)
	}
	must.Do(t, w.Close())
}
