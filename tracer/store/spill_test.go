package store_test

import (
	"errors"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// spilled returns a growing trace of some streams with n events each, of which most bytes are in memory, and its scratch files.
func spilled(t *testing.T, most int64, streams, n int) (g *store.Growing, papers *[]*paper) {
	papers = new([]*paper)
	g = store.NewGrowing()
	g.Spill(most, func() (store.Scratch, error) {
		p := new(paper)
		*papers = append(*papers, p)
		return p, nil
	})
	w := store.New(g)
	var all []*tracer.Stream
	for range streams {
		all = append(all, w.Stream(tracer.StreamInfo{Clock: tracer.Monotonic}))
	}
	for i := range n {
		for _, s := range all {
			*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: int64(i), Value: int64(i * i)}
		}
	}
	must.Do(t, w.Close())
	return g, papers
}

// TestSpill checks that a trace of one or several streams has all events if most of them, and of their merged copy, lie in files, and that it takes no
// file while it is small.
func TestSpill(t *testing.T) {
	const events = 1500
	for _, streams := range []int{1, 3} {
		whole, none := spilled(t, 1<<30, streams, events)
		if whole.Spilled() || len(*none) > 0 {
			t.Errorf("%d streams: %d files for a small trace", streams, len(*none))
		}
		g, papers := spilled(t, 1000, streams, events)
		if d := tracertest.Diff(whole, g); d != "" || !g.Spilled() || len(*papers) != 1 {
			t.Errorf("%d streams, %d files: %s", streams, len(*papers), d)
		}
		must.Do(t, g.Snapshot().Verify())
		if streams == 1 {
			continue
		}
		must.Do(t, whole.Merge(true))
		must.Do(t, g.Merge(true))
		if d := tracertest.Diff(whole.Merged(), g.Merged()); d != "" || len(*papers) != 2 || g.Merged().Counts()[tracer.Mark] != int64(streams*events) {
			t.Errorf("merged, %d files: %s", len(*papers), d)
		}
	}
}

// TestSpillErrors checks what a trace says if its temporary file cannot be opened, written or read.
func TestSpillErrors(t *testing.T) {
	full := errors.New("no space is left")
	fails := func(create func() (store.Scratch, error), want string) {
		t.Helper()
		g := store.NewGrowing()
		g.Spill(0, create)
		w := store.New(g)
		*w.Stream(tracer.StreamInfo{}).Slot() = tracer.Event{Kind: tracer.Mark}
		if err := w.Close(); !errors.Is(err, full) || !strings.HasPrefix(err.Error(), want) || !errors.Is(g.Err(), full) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	fails(func() (store.Scratch, error) { return nil, full }, "the trace needs a temporary file: ")
	fails(func() (store.Scratch, error) { return &paper{broken: full}, nil }, "the temporary file of the trace: ")
	g, papers := spilled(t, 1000, 2, 10_000)
	(*papers)[0].broken = full
	if err := g.Scan(tracer.AllKinds, func([]tracer.Event) error { return nil }); !errors.Is(err, full) {
		t.Errorf("reading: %v", err)
	}
	g, _ = spilled(t, 1000, 2, 10_000)
	g.Spill(0, func() (store.Scratch, error) { return nil, full })
	if err := g.Merge(true); !errors.Is(err, full) {
		t.Errorf("merging: %v", err)
	}
}
