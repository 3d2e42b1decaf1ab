package activity

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// written returns the file of a trace of two PEs in which the states change at random n times.
func written(t *testing.T, n, pes int) *store.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "states.whorl")
	w := must.Get(store.Create(path))(t)
	w.SetMeta(tracer.Meta{PEs: pes})
	s := w.Stream(tracer.StreamInfo{})
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []tracer.Kind{tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Busy}
	for i, now := 0, int64(500); i < n; i++ {
		now += random.Int64N(90)
		*s.Slot() = tracer.Event{Time: now, Kind: kinds[random.IntN(len(kinds))], PE: int32(random.IntN(2)), Peer: tracer.None}
	}
	must.Do(t, w.Close())
	f := must.Get(store.Open(path))(t)
	t.Cleanup(func() { must.Do(t, f.Close()) })
	return f
}

// unread is a trace whose events cannot be read.
type unread struct {
	*store.File
	t *testing.T
}

func (u unread) Select(store.Query, func([]tracer.Event) error) error {
	u.t.Error("events are read")
	return nil
}

// TestSummed compares the outline of the sums in a file with the activity of its events: at each multiple of its grain the PEs have spent the same times
// in each state. It reads no events.
func TestSummed(t *testing.T) {
	const n = 2 * 4096 * 16
	f := written(t, n, 3)
	want := must.Get(Build(f, nil, nil))(t)
	got := must.Get(outline(unread{f, t}, 1<<30, n-1, nil))(t)
	if got.From != want.From || got.To != want.To || got.PEs != want.PEs || !got.Outlined || got.Grain == 0 || len(got.Lanes) != 2 {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	for pe := range want.PEs {
		if got.Total(pe) != want.Total(pe) {
			t.Errorf("PE %d: %v, want %v", pe, got.Total(pe), want.Total(pe))
		}
		for at := int64(0); pe < 2 && at <= want.To; at += got.Grain {
			busy, over := want.Lanes[pe].Until(at)
			if b, o := got.Lanes[pe].Until(at); b != busy || o != over {
				t.Fatalf("PE %d at %d: busy %d, overhead %d; want %d, %d", pe, at, b, o, busy, over)
			}
		}
	}
	if a := must.Get(outline(f, 1<<30, n, nil))(t); a.Grain != 0 {
		t.Errorf("a trace that is short enough to be read has the grain %d", a.Grain)
	}
	if a := must.Get(outline(written(t, n, 1), 1<<30, n-1, nil))(t); a.Ignored == 0 {
		t.Error("states of a PE that the machine does not have are not ignored")
	}
	if a := must.Get(outline(written(t, n-1, 2), 1<<30, 0, nil))(t); a.Grain != 0 {
		t.Errorf("a file without sums has the grain %d", a.Grain)
	}
}
