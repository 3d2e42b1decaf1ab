package store_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
	"whorl/tracer/store"
	"whorl/tracer/testdata/tracertest"
)

// feed writes data in pieces whose lengths next returns, and calls seen after each.
func feed(t rapid.TB, g *store.Growing, data []byte, next func() int, seen func(written int)) {
	for at := 0; at < len(data); {
		n := min(next(), len(data)-at)
		must.Get(g.Write(data[at : at+n]))(t)
		at += n
		seen(at)
	}
}

// scratch returns a Scratch in memory.
func scratch() (store.Scratch, error) { return new(paper), nil }

// paper is a Scratch in memory. If broken is not nil, it neither reads nor writes.
type paper struct {
	data   []byte
	broken error
}

func (p *paper) WriteAt(b []byte, offset int64) (int, error) {
	if p.broken != nil {
		return 0, p.broken
	}
	if more := int(offset) + len(b) - len(p.data); more > 0 {
		p.data = append(p.data, make([]byte, more)...)
	}
	return copy(p.data[offset:], b), nil
}

func (p *paper) ReadAt(b []byte, offset int64) (int, error) {
	if p.broken != nil {
		return 0, p.broken
	}
	return copy(b, p.data[offset:]), nil
}

func TestGrowingInAnyPieces(t *testing.T) {
	testenv.Sequential(t)
	rapid.Check(t, func(rt *rapid.T) {
		var b bytes.Buffer
		w := store.New(&b)
		m := tracer.NewMemory()
		tracertest.Draw(rt, m)
		copyOf(t, m, w)
		g := store.NewGrowing()
		if rapid.Bool().Draw(rt, "spills") {
			g.Spill(rapid.Int64Range(0, 2000).Draw(rt, "in memory"), scratch)
		}
		last := uint64(0)
		feed(rt, g, b.Bytes(), func() int { return rapid.IntRange(0, 1500).Draw(rt, "piece") }, func(at int) {
			if at == 0 {
				return
			}
			cut := must.Get(store.OpenBytes(b.Bytes()[:at]))(rt)
			if diff := tracertest.Diff(cut, g); diff != "" {
				rt.Fatalf("after %d bytes the trace differs from the file that is cut there:\n%s", at, diff)
			}
			if r := g.Revision(); r < last {
				rt.Fatalf("revision %d after %d", r, last)
			}
			if at < b.Len() && (g.Ended() || g.Missing().String() == "") {
				rt.Fatalf("ended after %d of %d bytes", at, b.Len())
			}
		})
		if !g.Ended() || g.Missing().String() != "" || g.Err() != nil {
			rt.Fatalf("ended %v, missing %q, error %v", g.Ended(), g.Missing(), g.Err())
		}
		if diff := tracertest.Diff(m, g); diff != "" {
			rt.Fatalf("the trace differs:\n%s", diff)
		}
	})
}

// TestSince reads a growing trace of one stream in parts, and as a whole at the end. Since refuses traces of several streams.
func TestSince(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		streams := rapid.IntRange(1, 2).Draw(rt, "streams")
		want := rapid.SampledFrom([]tracer.KindSet{tracer.AllKinds, tracer.Kinds(tracer.Reduce, tracer.Move)}).Draw(rt, "kinds")
		g := store.NewGrowing()
		w := store.New(g)
		var ss []*tracer.Stream
		for range streams {
			ss = append(ss, w.Stream(tracer.StreamInfo{}))
		}
		var mark store.Mark
		var parts []tracer.Event
		read := func() {
			src := g.Snapshot()
			rest, ok := store.Since(src, mark)
			if known := mark != (store.Mark{}); ok != known {
				rt.Fatalf("Since continues: %v, but the mark is known: %v", ok, known)
			}
			if !ok {
				rest = src
				parts = parts[:0]
			}
			before := len(parts)
			parts = append(parts, tracertest.Events(rt, rest, want)...)
			if c := rest.Counts(); want == tracer.AllKinds && sum(c) != int64(len(parts)-before) {
				rt.Fatalf("%d events of %d counted", len(parts)-before, sum(c))
			}
			if mark = store.End(src); mark != (store.Mark{}) != (len(src.Streams()) == 1 && !g.Ended()) {
				rt.Fatalf("mark %v with %d streams", mark, len(src.Streams()))
			}
		}
		es := store.FGHCLike(rapid.IntRange(1, 12_000).Draw(rt, "events"), 4, 7)
		for i := 0; i < len(es); {
			n := min(rapid.IntRange(1, 5000).Draw(rt, "run"), len(es)-i)
			for _, e := range es[i : i+n] {
				*ss[i%streams].Slot() = e
			}
			i += n
			if rapid.Bool().Draw(rt, "flush") {
				must.Do(rt, w.Flush())
				if c := g.Counts(); sum(c) != int64(i) {
					rt.Fatalf("%d events are seen after a flush of %d", sum(c), i)
				}
			}
			if rapid.Bool().Draw(rt, "read") {
				read()
			}
		}
		read()
		other := store.NewGrowing()
		if _, ok := store.Since(other.Snapshot(), mark); ok {
			rt.Fatal("Since continues another trace")
		}
		must.Do(rt, w.Close())
		read()
		all := tracertest.Events(rt, g, want)
		if !slices.Equal(parts, all) {
			rt.Fatalf("%d events in parts, %d in one, or they differ", len(parts), len(all))
		}
	})
}

func sum(counts [tracer.NumKinds]int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

func TestFlushShowsWhatWasRecorded(t *testing.T) {
	g := store.NewGrowing()
	w := store.New(g)
	s := w.Stream(tracer.StreamInfo{})
	record := func(n int) {
		for range n {
			*s.Slot() = tracer.Event{Kind: tracer.Mark}
		}
	}
	flush := func(want int64) {
		t.Helper()
		must.Do(t, w.Flush())
		if got := g.Counts()[tracer.Mark]; got != want {
			t.Errorf("%d events, want %d", got, want)
		}
	}
	record(3)
	if c := g.Counts(); sum(c) != 0 {
		t.Errorf("%d events before the flush", sum(c))
	}
	before := g.Revision()
	flush(3)
	if g.Revision() == before {
		t.Error("the revision stays")
	}
	before = g.Revision()
	flush(3) // nothing new
	if g.Revision() != before {
		t.Error("an empty flush changes the trace")
	}
	record(10_000) // more than the ring holds
	flush(10_003)
	for range 20 {
		record(1)
		must.Do(t, w.Flush())
	}
	flush(10_023)
	must.Do(t, w.Close())
	if w.Flush() == nil {
		t.Error("a closed trace is flushed")
	}
}

func TestFlushTellsErrors(t *testing.T) {
	full := errors.New("the disk is full")
	w := store.New(&limited{100, full})
	s := w.Stream(tracer.StreamInfo{})
	for range 100 {
		*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: 1}
		s.Sync()
	}
	if err := w.Flush(); err != full {
		t.Errorf("error %v, want that of the writer below", err)
	}
	_ = w.Close()
}

func TestGrowingKeepsWhatWasWhole(t *testing.T) {
	testenv.Sequential(t)
	data, _ := small(t)
	for at := range data {
		bad := bytes.Clone(data)
		bad[at] ^= 0x40
		g := store.NewGrowing()
		_, err := g.Write(bad)
		if err == nil {
			if !g.Ended() && !strings.Contains(g.Missing().String(), "not closed") {
				t.Fatalf("byte %d is wrong, but there is no error", at)
			}
			continue
		}
		var damage *store.DamageError
		var foreign *store.ForeignError
		if !errors.As(err, &damage) && !errors.As(err, &foreign) {
			t.Fatalf("byte %d: error %v", at, err)
		}
		if damage != nil && damage.Block >= 0 {
			cut := must.Get(store.OpenBytes(data[:damage.Offset]))(t)
			if diff := tracertest.Diff(cut, g); diff != "" {
				t.Fatalf("byte %d: the blocks before the damage changed:\n%s", at, diff)
			}
		}
		if _, again := g.Write(data); again != err || g.Err() != err || g.Ended() {
			t.Fatalf("byte %d: after the error %v comes %v", at, err, again)
		}
	}
	g := store.NewGrowing()
	if _, err := g.Write(append(bytes.Clone(data), "wblk"...)); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("bytes after the end: %v", err)
	}
}

// FuzzGrowing compares a trace written in pieces with the same bytes in one piece.
func FuzzGrowing(f *testing.F) {
	data, _ := small(f)
	f.Add(data, uint8(7))
	f.Add(data[:len(data)-40], uint8(1))
	f.Add([]byte("wblk"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, piece uint8) {
		whole, parts := store.NewGrowing(), store.NewGrowing()
		_, want := whole.Write(data)
		var got error
		for rest := data; len(rest) > 0 && got == nil; {
			n := min(int(piece)+1, len(rest))
			_, got = parts.Write(rest[:n])
			rest = rest[n:]
		}
		// Only the presence of an error is compared: a ForeignError quotes the bytes so far.
		if (want == nil) != (got == nil) {
			t.Fatalf("in one piece %v, in pieces %v", want, got)
		}
		if diff := tracertest.Diff(whole, parts); diff != "" {
			t.Fatal(diff)
		}
	})
}
