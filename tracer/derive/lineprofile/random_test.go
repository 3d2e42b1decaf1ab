package lineprofile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/tracer/testdata/tracertest"
)

// random returns a trace of samples at random places.
func random(seed uint64, n, pes int) *sampled {
	s := newSampled()
	r := rand.New(rand.NewPCG(seed, 1))
	sites := []uint32{s.call, s.inner, s.outer, s.body, s.strlen, 0, 99}
	var es []tracer.Event
	for i := range n {
		e := s.sample(int64(i), int32(r.IntN(pes)), sites[r.IntN(len(sites))])
		if r.IntN(3) == 0 {
			e.Value = []int64{-3, 0, 2, 1 << 33, 1<<32 - 1}[r.IntN(5)]
		}
		if r.IntN(9) == 0 {
			e.Code = s.bytes
		}
		es = append(es, e)
	}
	return s.write(es...)
}

// TestSum compares tables with a sum over the events without cells or rows.
func TestSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := random(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 300).Draw(t, "events"), 3)
		p := must.Get(Grow(src, nil, nil))(t)
		from := rapid.Int64Range(0, 300).Draw(t, "from")
		span := &Span{from, from + rapid.Int64Range(0, 300).Draw(t, "more")}
		inclusive := rapid.Bool().Draw(t, "inclusive")
		want := map[string]int64{}
		for _, e := range tracertest.Events(t, src, tracer.Kinds(tracer.Sample)) {
			if e.Code != src.ticks || e.Time < span.First || e.Time > span.Last {
				continue
			}
			met := map[int32]bool{}
			for c := src.Dict().Context(uint32(e.Ref)); c.Code != 0; c = src.Dict().Context(c.Parent) {
				code := src.Dict().Code(c.Code)
				for code.Type == tracer.Instruction {
					code = src.Dict().Code(code.Parent)
				}
				if code.Name == "strlen" { // without known lines it has a line of the bare file
					code.Type, code.Line = tracer.Line, 1
				}
				if code.Type == tracer.Line && !met[code.Line] {
					met[code.Line] = true
					want[fmt.Sprint(code.Line, "/", e.PE)] += e.Value
				}
				if !inclusive {
					break
				}
			}
		}
		got := map[string]int64{}
		if len(p.Metrics) > 0 && p.Metrics[0].Name == "ticks" {
			table := p.Sum(ByLine, Query{Inclusive: inclusive, Time: span})
			for i, r := range table.Rows {
				pes, ns := table.Cells(i)
				if !slices.IsSorted(pes) {
					t.Fatalf("row %d has PEs %v", i, pes)
				}
				for k, pe := range pes {
					got[fmt.Sprint(r.Line.Line, "/", pe)] += ns[k]
				}
			}
		}
		drop := func(m map[string]int64) {
			for k, n := range m {
				if n == 0 {
					delete(m, k)
				}
			}
		}
		drop(want)
		drop(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// TestGrow checks that the profile of a growing trace equals that of the trace read at once.
func TestGrow(t *testing.T) {
	src := random(5, 2000, 3)
	var prev *Profile
	var before string
	onwardtest.Replay(t, src, []int{1, 100, 900}, func(n int, now *store.File) {
		p := must.Get(Grow(now, prev, nil))(t)
		fresh := grow(t, now)
		for m := range fresh.Metrics {
			q := Query{Metric: m, Time: &Span{0, int64(n)}}
			if d := cmp.Diff(written(fresh, fresh.Sum(ByLine, q)), written(p, p.Sum(ByLine, q))); d != "" {
				t.Errorf("after %d events: %s", n, d)
			}
		}
		if prev != nil && written(prev, prev.Sum(ByLine, Query{})) != before {
			t.Errorf("after %d events the previous profile changed", n)
		}
		prev, before = p, written(p, p.Sum(ByLine, Query{}))
	})
}

// TestMixed counts events with falling times, as in a damaged trace.
func TestMixed(t *testing.T) {
	c := &counter{}
	for _, at := range []int64{5, 9, 2, 7} {
		c.add(1, 0, at, 1)
	}
	for _, w := range []struct {
		span Span
		want int64
	}{{Span{0, 9}, 4}, {Span{2, 5}, 2}, {Span{6, 8}, 1}, {Span{9, 9}, 1}, {Span{3, 4}, 0}} {
		if got := c.cells(true, &w.span)[0]; got != w.want {
			t.Errorf("%+v has %d events, want %d", w.span, got, w.want)
		}
	}
}
