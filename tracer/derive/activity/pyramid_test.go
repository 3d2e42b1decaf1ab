package activity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
)

// TestPyramid compares every group of every level with the sum of its lanes.
func TestPyramid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pes := rapid.IntRange(3, 70).Draw(t, "PEs")
		es := events(t)
		for i := range es {
			es[i].PE = (es[i].PE*int32(pes-1) + 1) / 2 // some PEs work, most never do
		}
		a := build(t, record(pes, es...), nil)
		p := must.Get(NewPyramid(a, nil, nil))(t)
		at := rapid.Int64Range(a.From, a.To).Draw(t, "at")
		for level := range p.Levels {
			pe := 0
			for i := range p.Len(level) {
				tr, first, last := p.Group(level, i)
				if first != pe || last < first || int(tr.PEs) != last-first+1 {
					t.Fatalf("group %d of level %d: PEs %d to %d, %d of them", i, level, first, last, tr.PEs)
				}
				var busy, over int64
				for ; pe <= last; pe++ {
					if pe < len(a.Lanes) {
						b, o := a.Lanes[pe].Until(at)
						busy, over = busy+b, over+o
					}
				}
				if b, o := tr.Until(at); b != busy || o != over {
					t.Fatalf("group %d of level %d until %d: %d %d, want %d %d", i, level, at, b, o, busy, over)
				}
			}
			if pe != pes {
				t.Fatalf("level %d ends at PE %d of %d", level, pe, pes)
			}
		}
		first, last := rapid.IntRange(-2, pes+1).Draw(t, "first"), rapid.IntRange(-2, pes+1).Draw(t, "last")
		var busy, want int64
		var n int32
		for _, tr := range p.Cover(first, last) {
			b, _ := tr.Until(at)
			busy, n = busy+b, n+tr.PEs
		}
		for pe := max(first, 0); pe <= min(last, len(a.Lanes)-1); pe++ {
			b, _ := a.Lanes[pe].Until(at)
			want += b
		}
		if busy != want || int(n) != max(min(last, pes-1)-max(first, 0)+1, 0) {
			t.Fatalf("PEs %d to %d of %d: busy %d, want %d; %d PEs", first, last, pes, busy, want, n)
		}
		if n := p.Len(len(p.Levels) - 1); n != 1 || int(p.All().PEs) != pes {
			t.Fatalf("the top has %d groups, of %d PEs", n, p.All().PEs)
		}
	})
}

// TestPyramidGrows compares pyramids built in parts with those built at once, at each cut, and checks that earlier results do not change. Some
// times fall, as in a damaged trace.
func TestPyramidGrows(t *testing.T) {
	same := cmpopts.IgnoreUnexported(Pyramid{}, Piece{})
	rapid.Check(t, func(t *rapid.T) {
		pes := rapid.IntRange(3, 40).Draw(t, "PEs")
		es := events(t)
		for range 3 {
			more := events(t)
			for i := range more {
				if len(es) > 0 && len(more) > 0 && more[0].Kind != es[0].Kind {
					more[i].Time += es[len(es)-1].Time
				}
			}
			es = append(es, more...)
		}
		if !rapid.Bool().Draw(t, "damaged") {
			for i := range es {
				es[i].Time = max(es[i].Time, es[max(i-1, 0)].Time)
			}
		}
		for i := range es {
			es[i].PE = (es[i].PE + int32(i%3)) * int32(pes-1) / 4
		}
		var act *Activity
		var prev *Pyramid
		var before, after []*Pyramid
		onwardtest.Replay(t, record(pes, es...), onwardtest.Cuts(t, len(es)), func(n int, now *store.File) {
			act = build(t, now, act)
			got := must.Get(NewPyramid(act, prev, nil))(t)
			want, err := NewPyramid(act, nil, nil)
			if d := cmp.Diff(want, got, same); d != "" || err != nil {
				t.Fatalf("after %d of %d events: %s %v", n, len(es), d, err)
			}
			prev = got
			before, after = append(before, want), append(after, got)
		})
		if d := cmp.Diff(before, after, same); d != "" {
			t.Fatalf("an earlier result changed: %s", d)
		}
	})
}
