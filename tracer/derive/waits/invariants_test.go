package waits

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
)

// added checks that the times of all tasks add up to their lives, those of groups and blocks to those of tasks, and those of a path to its length.
func added(t rapid.TB, src tracer.Source, w *Waits) {
	t.Helper()
	var all, blocks Times
	for i := range w.Tasks {
		x := &w.Tasks[i]
		if x.Sum() != x.Ended-x.Born {
			t.Fatalf("task %d: %v in %d ns", x.ID, x.Times, x.Ended-x.Born)
		}
		all.Add(&x.Times)
	}
	for _, b := range w.Blocks {
		blocks[Blocked] += b.Time
	}
	counted(t, w)
	if all != w.All.Times || blocks[Blocked] != all[Blocked] || int64(len(w.Tasks)) != w.All.Tasks {
		t.Fatalf("tasks %v, groups %v, blocks %v", all, w.All.Times, blocks)
	}
	parted(t, src, w)
	p := must.Get(w.Path(src, 0, 0, nil))(t)
	if p.Root == 0 && (p.From != w.From || p.To != w.To) {
		t.Fatalf("the path of the run is from %d to %d, not %d to %d", p.From, p.To, w.From, w.To)
	}
	at, shares := p.From, int64(0)
	for _, x := range p.Pieces {
		if x.From != at || x.To <= x.From {
			t.Fatalf("a piece from %d to %d after %d", x.From, x.To, at)
		}
		at = x.To
	}
	for _, s := range p.Shares {
		shares += s.Time
	}
	if at != p.To && len(p.Pieces) > 0 || shares != p.To-p.From {
		t.Fatalf("pieces until %d, shares %d of %d to %d", at, shares, p.From, p.To)
	}
}

// counted checks that the tasks of a trace have as many waits as all causes.
func counted(t rapid.TB, w *Waits) {
	t.Helper()
	waits := int64(0)
	for _, b := range w.Blocks {
		waits += b.Count + b.Open
	}
	if w.All.Waits != waits {
		t.Fatalf("%d waits, but %d of all causes", w.All.Waits, waits)
	}
}

// parted checks that the times of two halves of a trace add up to those of the whole, and those of the causes of tasks to those of all causes.
func parted(t rapid.TB, src tracer.Source, w *Waits) {
	t.Helper()
	middle := w.From + (w.To-w.From)/2
	var of []uint64
	for _, x := range w.Tasks {
		of = append(of, x.ID)
	}
	left := must.Get(BuildPart(src, Part{From: math.MinInt64, To: middle, Tasks: of}, nil))(t)
	right := must.Get(BuildPart(src, Part{From: middle, To: math.MaxInt64, Tasks: of}, nil))(t)
	sum := left.All.Times
	sum.Add(&right.All.Times)
	if sum != w.All.Times {
		t.Fatalf("%v and %v, the whole %v", left.All.Times, right.All.Times, w.All.Times)
	}
	for _, part := range []*Waits{left, right} {
		counted(t, part)
		blocked := int64(0)
		for _, blocks := range part.ByTask {
			for _, b := range blocks {
				blocked += b.Time
				if b.Most.To-b.Most.From > b.Time || b.Most.From < part.From || b.Most.To > part.To {
					t.Fatalf("the longest of %+v", b)
				}
			}
		}
		if blocked != part.All.Times[Blocked] {
			t.Fatalf("tasks are blocked for %d, all for %d", blocked, part.All.Times[Blocked])
		}
	}
}

func TestAnyEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []tracer.Event
		now := int64(0)
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			now += rapid.Int64Range(0, 9).Draw(t, "step")
			events = append(events, tracer.Event{
				Kind: tracer.Kind(rapid.IntRange(1, int(tracer.NumKinds)).Draw(t, "kind")), Time: now,
				Task: rapid.Uint64Range(0, 4).Draw(t, "task"), Ref: rapid.Uint64Range(0, 4).Draw(t, "ref"), PE: rapid.Int32Range(-1, 2).Draw(t, "pe"),
				Code: rapid.Uint32Range(0, collector).Draw(t, "code"), Value: rapid.Int64Range(-1, 9).Draw(t, "value"),
			})
			if i := len(events) - 1; rapid.Bool().Draw(t, "inline") {
				events[i].Peer = tracer.Inline
			}
		}
		src := source()
		s := src.Stream(tracer.StreamInfo{})
		for _, e := range events {
			*s.Slot() = e
		}
		_ = src.Close()
		added(t, src, build(t, src))
	})
}
