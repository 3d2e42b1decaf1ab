package documents

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/store"
)

// longFile returns a trace with more bytes than a beginning, and the number of its reductions.
func longFile(t *testing.T) (file []byte, n int64) {
	t.Helper()
	var b bytes.Buffer
	w := store.New(&b)
	w.SetMeta(tracer.Meta{PEs: 1})
	s, r := w.Stream(tracer.StreamInfo{}), rand.New(rand.NewPCG(1, 2))
	for n < 200_000 {
		n++
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: n, Task: uint64(n), Peer: -1, Value: r.Int64()}
	}
	must.Do(t, w.Close())
	if b.Len() < 5*beginning/4 {
		t.Fatalf("a trace of %d bytes", b.Len())
	}
	return b.Bytes(), n
}

// slowly returns a file whose bytes behind a place wait for a gate.
func slowly(name string, b []byte, first int, gate chan struct{}, rest io.Reader) *File {
	return &File{Name: name, Size: int64(len(b)), Read: func() (io.ReadCloser, error) {
		waits := readerFunc(func([]byte) (int, error) {
			<-gate
			return 0, io.EOF
		})
		return io.NopCloser(io.MultiReader(bytes.NewReader(b[:first]), waits, rest)), nil
	}}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// received waits for the next files that have been read.
func received(t *testing.T, s *Set) []Loaded {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if all := s.Receive(); len(all) > 0 {
			return all
		}
	}
	t.Fatal("nothing is read")
	return nil
}

// TestBeginning: a long trace is shown from its beginning on while the rest is read, and then whole, or as far as it could be read. A file behind it does
// not wait for it.
func TestBeginning(t *testing.T) {
	b, n := longFile(t)
	for _, c := range []struct {
		name          string
		rest          io.Reader
		whole, closed bool
		missing, err  string
	}{
		{name: "whole", rest: bytes.NewReader(b[beginning:]), whole: true},
		{name: "closed meanwhile", rest: bytes.NewReader(b[beginning:]), closed: true},
		{name: "cut off", rest: strings.NewReader(""), missing: "the trace was not closed"},
		{name: "broken", rest: iotest.ErrReader(errors.New("the line is dead")), missing: "the rest could not be read", err: "the line is dead"},
	} {
		var s Set
		gate := make(chan struct{})
		s.Load(slowly("long.whorl", b, beginning, gate, c.rest), "", Search{})
		first := received(t, &s)
		d := first[0].Trace
		if len(first) != 1 || d == nil || !d.Reading || d.Missing != "" || first[0].File.Name != "long.whorl" || !s.Loading() {
			t.Fatalf("%s: the beginning is %+v", c.name, first)
		}
		s.Add("long", d)
		d.Supply(0)
		begun, rev := d.Source.Counts()[tracer.Reduce], d.Revision()
		meta := d.Source.Meta()
		if begun < n/10 || begun >= n || meta.Missing() != "the rest is being read" {
			t.Errorf("%s: the beginning has %d reductions and lacks %q", c.name, begun, meta.Missing())
		}
		if _, err := s.Repeat(d); !errors.Is(err, errBeginning) {
			t.Errorf("%s: the beginning can be run again: %v", c.name, err)
		}
		s.Load(textFile("own.fghc", "p.", nil), "", Search{})
		if next := received(t, &s); len(next) != 1 || next[0].Text != "p." {
			t.Fatalf("%s: a program waits for the rest: %+v", c.name, next)
		}
		if c.closed {
			s.Keep(nil)
		}
		close(gate)
		rest := received(t, &s)
		if len(rest) != 1 || rest[0].Rest != d || rest[0].Trace != nil || d.Reading || s.Loading() {
			t.Fatalf("%s: the rest is %+v", c.name, rest)
		}
		if err := rest[0].Err; (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
		now := d.Source.Counts()[tracer.Reduce]
		switch {
		case c.closed && now != begun:
			t.Errorf("%s: it has %d reductions", c.name, now)
		case !c.closed && d.Revision() == rev:
			t.Errorf("%s: the views do not get the rest", c.name)
		case c.whole && now != n, !c.whole && now > begun:
			t.Errorf("%s: %d reductions of %d, %d in the beginning", c.name, now, n, begun)
		}
		if meta := d.Source.Meta(); !c.closed && (!strings.HasPrefix(d.Missing, c.missing) || !strings.HasPrefix(meta.Missing(), c.missing) || c.missing == "" && d.Missing != "") {
			t.Errorf("%s: it lacks %q, in the views %q, want %q", c.name, d.Missing, meta.Missing(), c.missing)
		}
		s.Close()
	}
}

// TestNoBeginning: a trace for a workspace, a short one and one of another format are returned when they have been read.
func TestNoBeginning(t *testing.T) {
	b, n := longFile(t)
	var short bytes.Buffer
	w := store.New(&short)
	record(w, 10)
	must.Do(t, w.Close())
	var text strings.Builder
	must.Do(t, tracer.WriteText(&text, reductions(50_000)))
	if text.Len() < beginning {
		t.Fatalf("a text of %d bytes", text.Len())
	}
	for _, c := range []struct {
		name, as string
		file     []byte
		want     int64
	}{{"long.whorl", "waits", b, n}, {"short.whorl", "", short.Bytes(), 10}, {"long.txt", "", []byte(text.String()), 50_000}} {
		var s Set
		s.Load(textFile(c.name, string(c.file), nil), c.as, Search{})
		all := received(t, &s)
		if len(all) != 1 || all[0].Trace == nil || all[0].Trace.Reading || all[0].Trace.Source.Counts()[tracer.Reduce] != c.want || s.Loading() {
			t.Errorf("%s: %+v", c.name, all)
		}
	}
}
