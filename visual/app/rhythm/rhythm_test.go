package rhythm

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"whorl/internal/packed"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/view"
)

// TestBetween compares the search by time with a scan of all nodes, with few and many nodes in a bucket, and with the largest times.
func TestBetween(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ n, first, span int64 }{{1, 5, 1}, {40, 0, 20}, {1000, -500, 3000}, {3000, 7, 1 << 40}, {200, math.MinInt64, math.MaxInt64}, {0, 0, 1}} {
		var times []int64
		for range c.n {
			at := c.first + random.Int64N(c.span)
			if c.span == math.MaxInt64 && random.IntN(2) == 0 {
				at = random.Int64N(c.span)
			}
			times = append(times, at)
		}
		tree := &spawntree.Tree{Task: packed.Pack(make([]uint64, len(times))...), Time: packed.Pack(times...)}
		r, err := newRhythm(tree, func(int64, int64) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			after, until := c.first+random.Int64N(c.span), c.first+random.Int64N(c.span)
			var all []int32
			for i, at := range tree.Time.All() {
				if after < at && at <= until {
					all = append(all, int32(i))
				}
			}
			slices.SortFunc(all, func(a, b int32) int { return cmp.Or(cmp.Compare(tree.Time.At(int(a)), tree.Time.At(int(b))), int(a-b)) })
			got := r.between(after, until, 8)
			if len(all) <= 8 && !slices.Equal(got, all) {
				t.Fatalf("%+v: after %d until %d: %v, want %v", c, after, until, got, all)
			}
			if len(all) <= 8 {
				continue
			}
			if len(got) == 0 || len(got) > 8 || got[0] != all[0] {
				t.Fatalf("%+v: after %d until %d: %v of %v", c, after, until, got, all)
			}
			for i, node := range got {
				if !slices.Contains(all, node) || i > 0 && tree.Time.At(int(node)) <= tree.Time.At(int(got[i-1])) {
					t.Fatalf("%+v: after %d until %d: %v of %v", c, after, until, got, all)
				}
			}
		}
	}
}

// tree is a chain of four nodes on three PEs.
func tree() *spawntree.Tree {
	return &spawntree.Tree{
		Task: packed.Pack[uint64](1, 2, 3, 4), Time: packed.Pack[int64](0, 100, 105, 205), PE: packed.Pack[int32](0, 1, 2, 2), Level: packed.Pack[int32](0, 1, 2, 3), Height: 3,
	}
}

// TestTones: nodes sound in the order of their times, deeper ones higher, from the side of their PE.
func TestTones(t *testing.T) {
	r, err := newRhythm(tree(), func(int64, int64) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	tones := r.Tones(-1, 205, 3, 206*time.Millisecond)
	if len(tones) != 4 {
		t.Fatalf("there are %d tones", len(tones))
	}
	for i, want := range []struct {
		start time.Duration
		pan   float64
	}{{1 * time.Millisecond, -1}, {101 * time.Millisecond, 0}, {106 * time.Millisecond, 1}, {206 * time.Millisecond, 1}} {
		tone := tones[i]
		if (tone.Start-want.start).Abs() > time.Microsecond || math.Abs(tone.Pan-want.pan) > 1e-9 {
			t.Errorf("tone %d is at %v on %.2f, want %v on %.2f", i, tone.Start, tone.Pan, want.start, want.pan)
		}
		if i > 0 && tone.Pitch <= tones[i-1].Pitch {
			t.Errorf("tone %d of %.0f Hz is not above %.0f Hz", i, tone.Pitch, tones[i-1].Pitch)
		}
	}
	if tones[0].Pitch != lowestTone {
		t.Errorf("the root has %.0f Hz, want %d", tones[0].Pitch, lowestTone)
	}
	if one := r.Tones(0, 100, 1, time.Second); len(one) != 1 || one[0].Pan != 0 || one[0].Volume <= tones[0].Volume {
		t.Errorf("a single tone of a machine with one PE is %+v", one)
	}
}

// TestStopped: the work ends with the error of its tick.
func TestStopped(t *testing.T) {
	stop := errors.New("stop")
	for last := range int64(2) {
		calls := int64(0)
		_, err := newRhythm(tree(), func(int64, int64) error {
			if calls++; calls > last {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) {
			t.Errorf("stopped at call %d, the error is %v", last+1, err)
		}
	}
}

// TestCanHear: a trace without reductions and forks cannot be heard.
func TestCanHear(t *testing.T) {
	m := tracer.NewMemory()
	s := m.Stream(tracer.StreamInfo{})
	*s.Slot() = tracer.Event{Kind: tracer.Busy}
	s.Sync()
	if err := CanHear(m); err == nil {
		t.Error("a trace of busy times alone can be heard")
	}
	*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: 1, Peer: -1}
	s.Sync()
	if err := CanHear(m); err != nil {
		t.Error(err)
	}
	data := view.NewData(m)
	defer data.Close()
	reader := view.Read(data, Stage)
	defer reader.Rest()
	got, err := reader.Get(t.Context(), time.Minute)
	if err != nil || got.Value == nil || len(got.Value.nodes) != 1 {
		t.Errorf("the rhythm of one reduction is %+v, %v", got.Value, err)
	}
}
