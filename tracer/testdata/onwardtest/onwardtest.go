// Package onwardtest provides growing traces for tests of incremental derivations.
package onwardtest

import (
	"slices"

	"pgregory.net/rapid"

	"whorl/tracer"
	"whorl/tracer/store"
)

// Cuts draws at most six numbers of events, up to most, for Replay.
func Cuts(t *rapid.T, most int) []int {
	return rapid.SliceOfN(rapid.IntRange(0, most), 0, 6).Draw(t, "cuts")
}

// Replay writes the events of a source into a growing trace of one stream. It calls f with a snapshot after each of the given numbers of events,
// after all events, and when the trace has ended.
func Replay(t rapid.TB, src tracer.Source, cuts []int, f func(n int, now *store.File)) {
	cuts = slices.Sorted(slices.Values(cuts))
	cuts = slices.Compact(cuts)
	g := store.NewGrowing()
	w := store.New(g)
	w.SetMeta(src.Meta())
	for _, c := range src.Dict().Codes()[1:] {
		w.Dict().Add(c)
	}
	for _, c := range src.Dict().Contexts()[1:] {
		w.Dict().AddContext(c)
	}
	s := w.Stream(tracer.StreamInfo{})
	n := 0
	show := func() {
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		f(n, g.Snapshot())
	}
	err := src.Scan(tracer.AllKinds, func(es []tracer.Event) error {
		for i := range es {
			if len(cuts) > 0 && cuts[0] == n {
				cuts = cuts[1:]
				show()
			}
			*s.Slot() = es[i]
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	show()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f(n, g.Snapshot())
}
