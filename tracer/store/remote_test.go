package store

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"

	"whorl/internal/pieces"
	"whorl/testdata/must"
	"whorl/tracer"
)

// A far file counts what is read of it, and fails when told to.
type far struct {
	*bytes.Reader
	mu      sync.Mutex
	bytes   int64
	asked   int
	failing bool
}

func (f *far) ReadAt(b []byte, at int64) (int, error) {
	f.mu.Lock()
	f.bytes += int64(len(b))
	f.asked++
	failing := f.failing
	f.mu.Unlock()
	if failing {
		return 0, errors.New("the cable is out")
	}
	return f.Reader.ReadAt(b, at)
}

// TestOpenAt: a file that is somewhere else has the events of the file here. Opening reads its ends; a window of time reads the blocks around it; a scan
// reads all of it once, in few requests.
func TestOpenAt(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	stream := w.Stream(tracer.StreamInfo{Name: "sim"})
	for _, e := range fghcLike(700_000, 4, 1) {
		*stream.Slot() = e
	}
	must.Do(t, w.Close())
	size := int64(b.Len())
	src := &far{Reader: bytes.NewReader(b.Bytes())}
	f := must.Get(OpenAt(src, size))(t)
	if src.bytes > 2*pieces.Size+pieces.Size || src.asked > 3 {
		t.Errorf("opening reads %d bytes of %d in %d requests", src.bytes, size, src.asked)
	}
	here := must.Get(parse(b.Bytes(), nil, "", false))(t)
	if f.Counts() != here.Counts() {
		t.Errorf("%v, want %v", f.Counts(), here.Counts())
	}
	from, to := here.Span()
	if a, b := f.Span(); a != from || b != to {
		t.Errorf("from %d to %d, want %d to %d", a, b, from, to)
	}
	if _, ok := f.States(); !ok {
		t.Error("no states")
	}
	events := func(f *File, q Query) (all []tracer.Event) {
		must.Do(t, f.Select(q, func(es []tracer.Event) error { all = append(all, es...); return nil }))
		return all
	}
	mid := (from + to) / 2
	part := Query{Kinds: tracer.AllKinds, From: mid, To: mid + (to-from)/100}
	before := src.bytes
	if got, want := events(f, part), events(here, part); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%d events in the window, want %d", len(got), len(want))
	}
	if got := src.bytes - before; got > size/8 {
		t.Errorf("a window of a hundredth reads %d bytes of %d", got, size)
	}
	src.failing = true
	if err := f.Scan(tracer.AllKinds, func([]tracer.Event) error { return nil }); err == nil {
		t.Error("a scan over a broken connection succeeds")
	}
	src.failing = false
	all := Query{Kinds: tracer.AllKinds}
	if got, want := events(f, all), events(here, all); !slices.Equal(got, want) {
		t.Errorf("%d events, want %d", len(got), len(want))
	}
	before, asked := src.bytes, src.asked
	events(f, all)
	if src.bytes != before || int64(asked) > 12+size/pieces.Size/4 {
		t.Errorf("%d bytes are read again; %d requests for %d bytes", src.bytes-before, asked, size)
	}
	must.Do(t, f.Close())
}

// TestOpenAtOthers: files that were not closed, are cut, of other formats or damaged say so.
func TestOpenAtOthers(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	stream := w.Stream(tracer.StreamInfo{Name: "sim"})
	for _, e := range fghcLike(5000, 4, 1) {
		*stream.Slot() = e
	}
	must.Do(t, w.Close())
	whole := b.Bytes()
	at := func(b []byte, size int) error {
		_, err := OpenAt(bytes.NewReader(b), int64(size))
		return err
	}
	if err := at(whole[:len(whole)-1], len(whole)-1); !errors.Is(err, ErrNoIndex) {
		t.Errorf("a cut file: %v", err)
	}
	if err := at(whole[:20], 20); !errors.Is(err, ErrNoIndex) {
		t.Errorf("a beginning: %v", err)
	}
	if err := at(whole, len(whole)+10); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file that is shorter than told: %v", err)
	}
	foreign := new(ForeignError)
	if err := at(bytes.Repeat([]byte("letter "), 99), 600); !errors.As(err, &foreign) {
		t.Errorf("a letter: %v", err)
	}
	damaged := slices.Clone(whole)
	damaged[len(damaged)-endSize-1] ^= 1
	if err := at(damaged, len(damaged)); !errors.Is(err, ErrNoIndex) {
		t.Errorf("a damaged index: %v", err)
	}
	damaged = slices.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	f := must.Get(OpenAt(bytes.NewReader(damaged), int64(len(damaged))))(t)
	damage := new(DamageError)
	if err := f.Scan(tracer.AllKinds, func([]tracer.Event) error { return nil }); !errors.As(err, &damage) {
		t.Errorf("a damaged block: %v", err)
	}
}
