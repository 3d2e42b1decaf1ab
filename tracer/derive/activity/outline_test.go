package activity

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"whorl/internal/integer"
	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
)

// manyStates returns a trace in which PEs change their states n times at random.
func manyStates(t *rapid.T, pes int32, n int) *tracer.Memory {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: int(pes)})
	s := m.Stream(tracer.StreamInfo{})
	now := rapid.Int64Range(-1000, 1000).Draw(t, "start")
	longest := rapid.SampledFrom([]int64{0, 3, 200}).Draw(t, "longest")
	gap := rapid.Int64Range(0, longest)
	kind := rapid.SampledFrom([]tracer.Kind{tracer.Busy, tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Reduce})
	choices := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) tracer.Event {
		return tracer.Event{Time: gap.Draw(t, "gap"), Kind: kind.Draw(t, "kind"), PE: rapid.Int32Range(0, pes-1).Draw(t, "PE"), Task: 1}
	}), 1, 40).Draw(t, "events")
	*s.Slot() = tracer.Event{Time: now, Kind: tracer.Busy}
	for i := range n {
		e := choices[i*7%len(choices)]
		now += e.Time
		e.Time = now
		*s.Slot() = e
	}
	_ = m.Close()
	return m
}

// TestOutline compares an outline with the activity of the same trace: it takes no more pieces than its memory allows, and at each multiple of its grain
// the PEs have spent the same times in each state. An Outliner that watches gets all steps.
func TestOutline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pes := rapid.Int32Range(1, 3).Draw(t, "PEs")
		src := manyStates(t, pes, rapid.SampledFrom([]int{10, 30_000}).Draw(t, "changes"))
		want := must.Get(Build(src, nil, nil))(t)
		got := must.Get(Outline(src, 0, nil))(t)
		if got.From != want.From || got.To != want.To || got.PEs != want.PEs || got.Steps != want.Steps || got.Basis != account.States || !got.Outlined {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		for pe := range got.Lanes {
			fine, coarse := &want.Lanes[pe].Track, &got.Lanes[pe].Track
			if len(coarse.Pieces) > leastPieces+1 {
				t.Fatalf("PE %d has %d pieces", pe, len(coarse.Pieces))
			}
			step := max(got.Grain, 1)
			step *= max((want.To-want.From)/step/300, 1)
			for at := integer.Floor(want.From, step) * step; at <= want.To; at += step {
				busy, over := fine.Until(at)
				if b, o := coarse.Until(at); b != busy || o != over {
					t.Fatalf("PE %d at %d: busy %d, overhead %d; want %d, %d; grain %d", pe, at, b, o, busy, over, got.Grain)
				}
			}
		}
		steps := make([][]account.Step, pes)
		o := NewOutliner(src, 0, func(pe int32, s *account.Step) { steps[pe] = append(steps[pe], *s) })
		must.Do(t, src.Scan(account.Kinds, func(es []tracer.Event) error {
			for i := range es {
				o.Add(&es[i])
			}
			return nil
		}))
		if with, _ := o.Finish(src); with.Steps != want.Steps || with.Grain != got.Grain || !with.Outlined {
			t.Fatalf("with steps: %+v, want %+v", with, got)
		}
		for pe := range want.Lanes {
			if !slices.Equal(steps[pe], stepsOf(&want.Lanes[pe])) {
				t.Fatalf("PE %d has the steps %v, want %v", pe, steps[pe], stepsOf(&want.Lanes[pe]))
			}
		}
		for pe := range want.PEs {
			if got.Total(pe) != want.Total(pe) {
				t.Fatalf("PE %d: %v, want %v", pe, got.Total(pe), want.Total(pe))
			}
		}
		if got.Grain == 0 { // nothing was lost
			for pe := range got.Lanes {
				if n, m := afterIdle(got.Lanes[pe].Pieces), afterIdle(want.Lanes[pe].Pieces); n != m {
					t.Fatalf("PE %d has %d pieces, want %d", pe, n, m)
				}
			}
		}
	})
}

// afterIdle returns the number of pieces from the first time that a PE is not idle: its first event may be one that an outline does not read.
func afterIdle(pieces []Piece) int {
	for i, p := range pieces {
		if p.NBusy+p.NOver > 0 {
			return len(pieces) - i
		}
	}
	return 0
}

// TestOutlineIsCoarse checks that a trace with many changes of state takes no more memory than one with few.
func TestOutlineIsCoarse(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1})
	s := m.Stream(tracer.StreamInfo{})
	const n = 100_000
	for i := range int64(n) {
		kind := tracer.Busy
		if i%2 == 1 {
			kind = tracer.Idle
		}
		*s.Slot() = tracer.Event{Time: 10*i + i%3, Kind: kind}
	}
	_ = m.Close()
	counts := m.Counts()
	if !Outlines(&counts) {
		t.Error("the trace has no outline")
	}
	a := must.Get(Outline(m, 1<<16, nil))(t)
	if a.Grain == 0 || len(a.Lanes[0].Pieces) > leastPieces+1 {
		t.Errorf("grain %d, %d pieces", a.Grain, len(a.Lanes[0].Pieces))
	}
	if whole := must.Get(Build(m, nil, nil))(t); a.Total(0) != whole.Total(0) {
		t.Errorf("%v, want %v", a.Total(0), whole.Total(0))
	}
	if a := must.Get(Outline(m, n*pieceBytes, nil))(t); a.Grain != 0 || len(a.Lanes[0].Pieces) != n-1 { // the last state does not last
		t.Errorf("with enough memory: grain %d, %d pieces", a.Grain, len(a.Lanes[0].Pieces))
	}
}
