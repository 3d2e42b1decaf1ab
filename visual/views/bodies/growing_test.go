package bodies

import (
	"math/rand/v2"
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/traffic"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/view"
)

// lasting returns the traffic of a trace in lasting intervals.
func lasting(t testing.TB, src tracer.Source, prev *traffic.Traffic) *traffic.Traffic {
	t.Helper()
	tr, err := traffic.Grow(src, traffic.Options{Lasting: true}, prev, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// grown returns the motion of src that continues prev, and the number of intervals computed for it.
func grown(t testing.TB, src tracer.Source, tr *traffic.Traffic, m Mapping, prev *Motion) (mo *Motion, computed int) {
	t.Helper()
	meta := src.Meta()
	mo, err := Grow(&meta, tr, m, prev, func(int64, int64) error { computed++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return mo, computed
}

// alike reports whether two motions are identical.
func alike(a, b *Motion) bool {
	if a.Last() != b.Last() || a.every != b.every || len(a.kept) != len(b.kept) {
		return false
	}
	for i := range a.kept {
		if !slices.Equal(a.kept[i].x, b.kept[i].x) || !slices.Equal(a.kept[i].v, b.kept[i].v) {
			return false
		}
	}
	for i := range a.Measures {
		if !slices.Equal(a.Measures[i].Values, b.Measures[i].Values) {
			return false
		}
	}
	return slices.Equal(a.Places(a.Last()), b.Places(b.Last()))
}

// TestGrowing checks that the motion of a growing run never changes, that only new intervals are computed, and that
// the result equals a motion computed from scratch. With intervals of equal parts of the run the motion does change.
func TestGrowing(t *testing.T) {
	for _, m := range []Mapping{Cube(), Mesh()} {
		src := rounds(250, 6, 3, 1<<19) // 0.13 s
		var before, uneven *Motion
		var prev *traffic.Traffic
		changed := false
		onwardtest.Replay(t, src, []int{1, 6, 7, 500, 518, 3000, 3900}, func(n int, now *store.File) {
			tr := lasting(t, now, prev)
			if prev = tr; m.Check(tr) != nil {
				return
			}
			fresh, all := grown(t, now, tr, m, nil)
			mo, computed := grown(t, now, tr, m, before)
			if !alike(mo, fresh) || all != mo.Len {
				t.Errorf("after %d events: motion differs from one computed from scratch", n)
			}
			if before != nil {
				if want := mo.Len - before.Len; computed != want {
					t.Errorf("after %d events: %d intervals computed, want %d of %d", n, computed, want, mo.Len)
				}
				for k := 0; k <= before.Last(); k += 7 {
					time := tr.Begins(k/mo.moves) + int64(k%mo.moves)*tr.Length(k/mo.moves, k/mo.moves)/int64(mo.moves) + 1
					if mo.Moves(time) != before.Moves(time) || !slices.Equal(mo.Places(k), before.Places(k)) {
						t.Fatalf("after %d events: positions after %d moves changed", n, k)
					}
				}
				for i := range mo.Measures {
					if !slices.Equal(mo.Measures[i].Values[:before.Len], before.Measures[i].Values) {
						t.Errorf("after %d events: %s changed", n, mo.Measures[i].Name)
					}
				}
			}
			parts, err := traffic.Grow(now, traffic.Options{}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			even, _ := grown(t, now, parts, m, uneven)
			if uneven != nil && !slices.Equal(even.Places(min(300, uneven.Last())), uneven.Places(min(300, uneven.Last()))) {
				changed = true
			}
			before, uneven = mo, even
		})
		if before.Len < 600 || slices.Equal(before.Places(100), before.Places(before.Last())) {
			t.Errorf("%d intervals without motion", before.Len)
		}
		if !changed {
			t.Error("intervals of equal parts move bodies like lasting ones: the test cannot fail")
		}
	}
}

// TestLate checks that late events of a stream change the motion only from their time on, to the motion of the
// complete trace.
func TestLate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	src := rounds(200, 5, 0, 1<<19)
	all := lasting(t, src, nil)
	for range 8 {
		gap := r.Int64N(200) << 19 // begin of the missing events
		some := tracer.NewMemory()
		some.SetMeta(src.Meta())
		s := some.Stream(tracer.StreamInfo{})
		_ = src.Scan(tracer.AllKinds, func(es []tracer.Event) error {
			for i := range es {
				if d := es[i].Time - gap; d < 0 || d > 5<<19 {
					*s.Slot() = es[i]
				}
			}
			return nil
		})
		_ = some.Close()
		before, _ := grown(t, some, lasting(t, some, nil), Cube(), nil)
		mo, computed := grown(t, src, all, Cube(), before)
		if fresh, _ := grown(t, src, all, Cube(), nil); !alike(mo, fresh) {
			t.Fatalf("late events at %d ns: motion differs from one computed from scratch", gap)
		}
		first := all.Interval(gap)
		if want := all.Intervals - first; computed > want+1 || gap > 0 && computed < want-8 {
			t.Errorf("%d intervals computed; %d of %d are later than the change", computed, want, all.Intervals)
		}
	}
}

// TestFewKept checks that a motion can continue one that keeps more states.
func TestFewKept(t *testing.T) {
	src := rounds(250, 6, 0, 1<<19)
	tr := lasting(t, src, nil)
	half := *tr
	half.Intervals = tr.Intervals / 2
	half.Flows, half.Loads = tr.FlowsOf(0, half.Intervals-1), tr.LoadsOf(0, half.Intervals-1)
	mo, _ := grown(t, src, &half, Cube(), nil)
	fresh, _ := grown(t, src, tr, Cube(), nil)
	want := slices.Clone(fresh.Places(fresh.Last()))
	for _, every := range []int{2, 8} {
		mo.every = every / 2
		mo.kept = slices.Collect(func(yield func(state) bool) {
			for i := 0; i < half.Intervals; i += mo.every {
				yield(state{x: fresh.Places(i * fresh.moves)})
			}
		})
		s, _ := fresh.begin()
		next := &Motion{Mapping: fresh.Mapping, Traffic: tr, Start: fresh.Start, Len: tr.Intervals, moves: fresh.moves, every: every, first: fresh.first, unit: fresh.unit, mean: fresh.mean}
		if from := next.resume(s, mo); from != half.Intervals || len(next.kept) != (from+every-1)/every || !slices.Equal(s.X, fresh.Places(from*fresh.moves)) {
			t.Fatalf("every %d: resumed at %d with %d states, want %d and %d", every, from, len(next.kept), half.Intervals, (from+every-1)/every)
		}
		next.kept = nil
		if err := next.integrate(mo, nil); err != nil || !slices.Equal(next.Places(next.Last()), want) {
			t.Errorf("every %d: wrong final positions, error %v", every, err)
		}
	}
}

// TestBegins checks that a run that has just begun can be drawn, and that its bodies rest until there is traffic.
func TestBegins(t *testing.T) {
	quiet := 0
	onwardtest.Replay(t, rounds(3, 3, 0, 1<<21), []int{1, 3, 4, 5, 7, 9, 10}, func(n int, now *store.File) {
		if Kind().CanOpen(now) != nil {
			return
		}
		g, f := shown(t, now, 600, 400)
		kindtest.AnyFrame(t, Kind(), g)
		l := scene.New(600, 400)
		view.Draw(g, f, l)
		if g.Motion == nil {
			return
		}
		if g.Traffic.Epoch == 0 {
			t.Fatal("intervals are not lasting")
		}
		if g.first >= g.Len && !slices.Equal(g.Places(g.Last()), g.Start) {
			t.Error("bodies move before there is traffic")
		}
		if g.first > 0 {
			quiet++
		}
		for _, time := range []int64{0, g.Traffic.Begins(g.first)} {
			if k := g.Moves(time); !slices.EqualFunc(g.Places(k), g.Start, func(a, b nbody.Vec) bool { return a == b }) {
				t.Errorf("at %d ns: bodies have moved", time)
			}
		}
	})
	if quiet == 0 {
		t.Error("no snapshot has traffic after the first interval")
	}
}

func BenchmarkGrow(b *testing.B) {
	src := rounds(2000, 64, 0, 1<<19)
	tr := lasting(b, src, nil)
	before := *tr
	before.Intervals -= 2
	before.Flows, before.Loads = tr.FlowsOf(0, before.Intervals-1), tr.LoadsOf(0, before.Intervals-1)
	prev, _ := grown(b, src, &before, Cube(), nil)
	for _, c := range []struct {
		name string
		p    *Motion
	}{{"continued", prev}, {"scratch", nil}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				grown(b, src, tr, Cube(), c.p)
			}
		})
	}
}
