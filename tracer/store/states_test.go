package store_test

import (
	"bytes"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// changing writes n events of two PEs, whose states change at all sorts of times, in one stream for each PE; together puts both PEs into both streams.
func changing(t testing.TB, n int, together bool) []byte {
	t.Helper()
	var out bytes.Buffer
	w := store.New(&out)
	w.SetMeta(tracer.Meta{PEs: 2})
	streams := []*tracer.Stream{w.Stream(tracer.StreamInfo{Name: "a"}), w.Stream(tracer.StreamInfo{Name: "b", Offset: -1000})}
	kinds := []tracer.Kind{tracer.Busy, tracer.Overhead, tracer.Idle, tracer.Busy, tracer.Reduce}
	for i := range n {
		pe := i / 5000 % 2
		e := tracer.Event{Time: int64(7*i + i*i%11), PE: int32(pe), Peer: tracer.None, Kind: kinds[i*i%len(kinds)], Task: 1}
		if together && i%20_000 == 0 {
			e.PE = 1 - e.PE
			e.Kind = tracer.Busy
		}
		*streams[pe].Slot() = e
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

const statesFrom = 2 * 4096 * 16 // events of a trace of two PEs with states

// TestStates compares the sums of a file with its events.
func TestStates(t *testing.T) {
	f := must.Get(store.OpenBytes(changing(t, statesFrom, false)))(t)
	s, ok := f.States()
	if !ok || len(s.PEs) != 2 {
		t.Fatalf("states %+v, %v", s, ok)
	}
	type sums struct{ busy, over []int64 }
	n := len(s.PEs[0].Busy)
	if n <= 2048 || n > 4096 {
		t.Errorf("%d buckets", n)
	}
	want := []sums{{make([]int64, n), make([]int64, n)}, {make([]int64, n), make([]int64, n)}}
	state, since := [2]tracer.Kind{}, [2]int64{}
	must.Do(t, f.Scan(tracer.Kinds(tracer.Busy, tracer.Overhead, tracer.Idle), func(es []tracer.Event) error {
		for _, e := range es {
			for at := since[e.PE]; at < e.Time; at++ {
				switch b := (at - s.From) / s.Width; state[e.PE] {
				case tracer.Busy:
					want[e.PE].busy[b]++
				case tracer.Overhead:
					want[e.PE].over[b]++
				}
			}
			state[e.PE], since[e.PE] = e.Kind, e.Time
		}
		return nil
	}))
	for pe, w := range want {
		p := s.PEs[pe]
		if int(p.PE) != pe || p.Kind != state[pe] || p.Last != since[pe] {
			t.Errorf("PE %d ends with kind %v at %d, want %v at %d", p.PE, p.Kind, p.Last, state[pe], since[pe])
		}
		for b := range n {
			if p.Busy[b] != w.busy[b] || p.Over[b] != w.over[b] {
				t.Fatalf("PE %d, bucket %d: busy %d, overhead %d; want %d, %d", pe, b, p.Busy[b], p.Over[b], w.busy[b], w.over[b])
			}
		}
	}
}

// TestNoStates lists traces whose file has no states: short ones, those in which a PE has events in several streams, and cut ones.
func TestNoStates(t *testing.T) {
	whole := changing(t, statesFrom, false)
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"short", changing(t, statesFrom-1, false)}, {"streams", changing(t, statesFrom, true)}, {"cut", whole[:len(whole)-1]},
	} {
		f := must.Get(store.OpenBytes(c.data))(t)
		if s, ok := f.States(); ok {
			t.Errorf("%s: %d PEs", c.name, len(s.PEs))
		}
	}
}

// TestDamagedStates changes bytes of the block of states: it is never used, and Verify finds the damage. A block with a right checksum but impossible
// contents is not used either.
func TestDamagedStates(t *testing.T) {
	whole := changing(t, statesFrom, false)
	const states = 7
	at := bytes.LastIndex(whole, []byte{'w', 'b', 'l', 'k', states, 0, 0, 0})
	for i := at + 16; i < len(whole) && i < at+3000; i += 37 {
		data := bytes.Clone(whole)
		data[i]++
		f := must.Get(store.OpenBytes(data))(t)
		if _, ok := f.States(); ok || f.Verify() == nil {
			t.Fatalf("byte %d is damaged; used %v, found %v", i-at, ok, f.Verify())
		}
	}
	size := int(whole[at+8]) | int(whole[at+9])<<8 | int(whole[at+10])<<16
	payload := whole[at+16 : at+16+size]
	used := 0
	for i := range min(size, 3000) {
		if i%13 > 0 && i > 30 {
			continue
		}
		changed := bytes.Clone(payload)
		changed[i] ^= 0x55
		data := append(append(bytes.Clone(whole[:at]), store.Frame(states, changed)...), whole[at+16+size:]...)
		f := must.Get(store.OpenBytes(data))(t)
		if s, ok := f.States(); ok { // possible contents: all times are in their buckets and in the trace
			used++
			from, to := f.Span()
			for _, p := range s.PEs {
				if p.First < from || p.Last > to {
					t.Fatalf("byte %d: states from %d to %d in a trace from %d to %d", i, p.First, p.Last, from, to)
				}
			}
		}
	}
	if used > 100 {
		t.Errorf("%d changed payloads are used", used)
	}
}
