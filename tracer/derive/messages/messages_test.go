package messages

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/onwardtest"
	"whorl/tracer/testdata/tracertest"
)

var unseen = cmpopts.IgnoreUnexported(Messages{})

func grow(t rapid.TB, events ...tracer.Event) *Messages {
	return must.Get(Grow(tracertest.Trace(events...), nil, nil))(t)
}

func TestPairs(t *testing.T) {
	events := []tracer.Event{
		{Time: 1, Kind: tracer.Send, PE: 0, Peer: 2, Ref: 7},
		{Time: 2, Kind: tracer.Send, PE: 1, Peer: 0, Ref: 8},
		{Time: 3, Kind: tracer.Recv, PE: 0, Peer: 1, Ref: 8},
		{Time: 4, Kind: tracer.Move, PE: 0, Peer: 1},
		{Time: 9, Kind: tracer.Recv, PE: 2, Peer: 0, Ref: 7},
		{Time: 10, Kind: tracer.Recv, PE: 2, Peer: 0, Ref: 7}, // a second time
		{Time: 11, Kind: tracer.Send, PE: 0, Peer: 1, Ref: 9}, // never arrives
	}
	want := &Messages{
		All:     []Message{{1, 9, 0, 2}, {2, 3, 1, 0}, {11, -1, 0, 1}},
		Longest: 8, Slow: []int32{0, 1}, Lost: 1,
	}
	if d := cmp.Diff(want, grow(t, events...), unseen); d != "" {
		t.Error(d)
	}
	// Without messages, moves count.
	want = &Messages{All: []Message{{4, 4, 1, 0}}, Moves: true}
	if d := cmp.Diff(want, grow(t, events[3]), unseen); d != "" {
		t.Error(d)
	}
	if got := grow(t); len(got.All) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestTickStops(t *testing.T) {
	m := tracer.NewMemory()
	*m.Stream(tracer.StreamInfo{}).Slot() = tracer.Event{Kind: tracer.Send}
	_ = m.Close()
	stop := errors.New("stop")
	if _, err := Grow(m, nil, func(done, total int64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

// TestBetweenAndSlow compares results with a check of every message.
func TestBetweenAndSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []tracer.Event
		n := rapid.IntRange(0, 200).Draw(t, "messages")
		for i := range n {
			events = append(events, tracer.Event{Time: int64(i), Kind: tracer.Send, Ref: uint64(i), Peer: 1})
		}
		for i := range n {
			events = append(events, tracer.Event{Time: int64(n + i), Kind: tracer.Recv, Ref: uint64((i * 7) % max(n, 1)), PE: 1})
		}
		m := grow(t, events...)
		from := rapid.Int64Range(-5, int64(2*n+5)).Draw(t, "from")
		to := from + rapid.Int64Range(0, 50).Draw(t, "length")
		first, end := m.Between(from, to)
		for i, x := range m.All {
			if x.Sent <= to && x.Received >= from && (i < first || i >= end) {
				t.Fatalf("message %d, %d to %d, is not between %d and %d: %d..%d", i, x.Sent, x.Received, from, to, first, end)
			}
		}
		least := int64(1 << 60)
		in := map[int32]bool{}
		for _, i := range m.Slow {
			least, in[i] = min(least, m.All[i].Received-m.All[i].Sent), true
		}
		for i, x := range m.All {
			if f := x.Received - x.Sent; f > 0 && !in[int32(i)] && (f > least || len(m.Slow) < slow) {
				t.Fatalf("message %d was %d ns in flight and is not among the slow ones", i, f)
			}
		}
	})
}

// TestGrows compares messages paired in parts with those paired at once, at each cut, and checks that earlier results do not change.
func TestGrows(t *testing.T) {
	same := cmp.Options{unseen, cmpopts.EquateEmpty()}
	rapid.Check(t, func(t *rapid.T) {
		m := tracer.NewMemory()
		s := m.Stream(tracer.StreamInfo{})
		n := rapid.IntRange(0, 60).Draw(t, "events")
		falls := rapid.Bool().Draw(t, "damaged") // times fall
		for at := range n {
			e := tracer.Event{
				Kind: rapid.SampledFrom([]tracer.Kind{tracer.Move, tracer.Send, tracer.Recv, tracer.Recv, tracer.Reduce}).Draw(t, "kind"), Time: int64(at),
				Ref: rapid.Uint64Range(0, 6).Draw(t, "ref"), PE: rapid.Int32Range(0, 3).Draw(t, "pe"), Peer: rapid.Int32Range(0, 3).Draw(t, "peer"),
			}
			if falls {
				e.Time = int64(n - at)
			}
			*s.Slot() = e
		}
		_ = m.Close()
		var prev *Messages
		var before, after []*Messages
		onwardtest.Replay(t, m, onwardtest.Cuts(t, n), func(n int, now *store.File) {
			got := must.Get(Grow(now, prev, nil))(t)
			want, err := Grow(now, nil, nil)
			if d := cmp.Diff(want, got, same); d != "" || err != nil {
				t.Fatalf("after %d events: %s %v", n, d, err)
			}
			prev = got
			before, after = append(before, want), append(after, got)
		})
		if d := cmp.Diff(before, after, same); d != "" {
			t.Fatalf("an earlier result changed: %s", d)
		}
	})
}
