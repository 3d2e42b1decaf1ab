package store_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// twoWorkers returns a trace of two streams with many blocks, and all its events in order.
func twoWorkers(t *testing.T) (*store.File, []tracer.Event) {
	var b bytes.Buffer
	w := store.New(&b)
	a, c := w.Stream(tracer.StreamInfo{Name: "a"}), w.Stream(tracer.StreamInfo{Name: "c", Offset: 3})
	for i, e := range store.FGHCLike(40_000, 8, 5) {
		if i%7 < 4 {
			*a.Slot() = e
		} else {
			e.Time -= 3
			*c.Slot() = e
		}
	}
	must.Do(t, w.Close())
	f := must.Get(store.OpenBytes(b.Bytes()))(t)
	var all []tracer.Event
	must.Do(t, f.Scan(tracer.AllKinds, func(es []tracer.Event) error { all = append(all, es...); return nil }))
	if len(all) != 40_000 {
		t.Fatalf("%d events", len(all))
	}
	return f, all
}

func TestSelect(t *testing.T) {
	f, all := twoWorkers(t)
	byTime := slices.Clone(all)
	slices.SortStableFunc(byTime, func(a, b tracer.Event) int { return int(a.Time - b.Time) })
	mid := byTime[len(byTime)/2].Time
	suspends := tracer.Kinds(tracer.Suspend)
	for _, c := range []struct {
		name string
		q    store.Query
		keep func(tracer.Event) bool
	}{
		{"kinds", store.Query{Kinds: suspends}, func(e tracer.Event) bool { return e.Kind == tracer.Suspend }},
		{"window", store.Query{Kinds: tracer.AllKinds, From: mid, To: mid + 5000}, func(e tracer.Event) bool { return e.Time >= mid && e.Time <= mid+5000 }},
		{"both", store.Query{Kinds: suspends, From: mid, To: mid + 500_000}, func(e tracer.Event) bool {
			return e.Kind == tracer.Suspend && e.Time >= mid && e.Time <= mid+500_000
		}},
		{"beyond", store.Query{Kinds: tracer.AllKinds, From: 1 << 60, To: 1 << 61}, func(tracer.Event) bool { return false }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want, got []tracer.Event
			for _, e := range all {
				if c.keep(e) {
					want = append(want, e)
				}
			}
			must.Do(t, f.Select(c.q, func(es []tracer.Event) error { got = append(got, es...); return nil }))
			if c.q.To != 0 { // no event is held back, so the order may differ
				for _, es := range [][]tracer.Event{want, got} {
					slices.SortFunc(es, func(a, b tracer.Event) int {
						return cmpAll(a, b)
					})
				}
			}
			if !slices.Equal(got, want) || len(want) == 0 && c.name != "beyond" {
				t.Errorf("%d events, want %d, or they differ", len(got), len(want))
			}
		})
	}
	t.Run("apart", func(t *testing.T) {
		var want, got []tracer.Event
		must.Do(t, f.ScanStreams(suspends, func(stream int, es []tracer.Event) error {
			for _, e := range es {
				e.Time += f.Streams()[stream].Offset
				if stream == 1 {
					want = append(want, e)
				} else {
					got = append(got, e)
				}
			}
			return nil
		}))
		want, got = append(got, want...), nil
		must.Do(t, store.Select(f, store.Query{Kinds: suspends, Apart: true}, func(es []tracer.Event) error { got = append(got, es...); return nil }))
		if !slices.Equal(got, want) {
			t.Errorf("%d events, want %d, those of the first stream before those of the second", len(got), len(want))
		}
	})
	stop := errors.New("stop")
	if err := f.Scan(tracer.AllKinds, func([]tracer.Event) error { return stop }); err != stop {
		t.Errorf("error %v, want the one of the function", err)
	}
}

func cmpAll(a, b tracer.Event) int {
	for _, d := range []int64{a.Time - b.Time, int64(a.PE) - int64(b.PE), int64(a.Kind) - int64(b.Kind), int64(a.Task) - int64(b.Task)} {
		if d != 0 {
			return int(d)
		}
	}
	return 0
}

func TestSelectOfColumns(t *testing.T) {
	f, all := twoWorkers(t)
	i := 0
	if err := f.Select(store.Query{Kinds: tracer.AllKinds, Columns: store.Ref | store.Code}, func(es []tracer.Event) error {
		for _, e := range es {
			if e.Ref != all[i].Ref || e.Code != all[i].Code {
				return errors.New("differs")
			}
			i++
		}
		return nil
	}); err != nil || i != len(all) {
		t.Errorf("after %d events: %v", i, err)
	}
}

func TestSummaryCountsTheEvents(t *testing.T) {
	f, all := twoWorkers(t)
	sum := must.Get(f.Summary())(t)
	var want [tracer.NumKinds][]int64
	for _, e := range all {
		if want[e.Kind] == nil {
			want[e.Kind] = make([]int64, sum.Buckets())
		}
		want[e.Kind][(e.Time-sum.From)/sum.Width]++
	}
	for k := range want {
		if !slices.Equal(sum.Counts[k], want[k]) {
			t.Errorf("%v: %v, want %v", tracer.Kind(k), sum.Counts[k], want[k])
		}
	}
}

func TestReadAfterClose(t *testing.T) {
	f, _ := twoWorkers(t)
	must.Do(t, f.Close())
	if err := f.Scan(tracer.AllKinds, func([]tracer.Event) error { return nil }); err == nil {
		t.Error("Scan of a closed trace succeeds")
	}
	if _, err := f.Summary(); err == nil {
		t.Error("Summary of a closed trace succeeds")
	}
	if f.Close() == nil {
		t.Error("the second Close succeeds")
	}
}

func TestWriterErrors(t *testing.T) {
	full := errors.New("the disk is full")
	w := store.New(&limited{1000, full})
	s := w.Stream(tracer.StreamInfo{})
	for i := range int64(100_000) {
		*s.Slot() = tracer.Event{Time: i, Kind: tracer.Busy}
	}
	w.Dict().Add(tracer.Code{Type: tracer.Name, Name: "n"})
	if err := w.Close(); err != full {
		t.Errorf("error %v, want that of the writer below", err)
	}
	if err := w.Close(); err == nil {
		t.Error("the second Close of the writer succeeds")
	}
	for range 10_000 { // the events are discarded
		*s.Slot() = tracer.Event{Kind: tracer.Busy}
	}
	*w.Stream(tracer.StreamInfo{}).Slot() = tracer.Event{Kind: tracer.Busy}
	w.Dict().Add(tracer.Code{Type: tracer.Name, Name: "late"})
	w.SetMeta(tracer.Meta{})
	if _, err := store.Create(t.TempDir() + "/no/such/folder/a.whorl"); err == nil {
		t.Error("Create succeeds in a missing folder")
	}
}

type limited struct {
	left int
	err  error
}

func (l *limited) Write(b []byte) (int, error) {
	if len(b) > l.left {
		return 0, l.err
	}
	l.left -= len(b)
	return len(b), nil
}
