package open

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/formats"
	"whorl/tracer/store"
)

// maxRead is the longest trace that Reader takes, in bytes. It keeps all of the trace in memory.
const maxRead = 1 << 30

// Reader opens a trace from r. Errors use name for it. A damaged or truncated .whorl trace opens with the part before the damage, and Missing
// reports the rest.
func Reader(name string, r io.Reader) (*Trace, error) {
	counted := &io.LimitedReader{R: r, N: maxRead + 1}
	b := bufio.NewReaderSize(counted, 1<<16)
	head, err := b.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(name + ": " + err.Error())
	}
	var t *Trace
	if other := new(store.ForeignError); len(head) == 0 || errors.As(probe(head), &other) {
		var f formats.Format
		if f, err = detect(name, head); err != nil {
			return nil, err
		}
		t, err = readOther(name, f, b, Options{})
	} else {
		t, err = readWhorl(name, b)
	}
	if counted.N == 0 {
		return nil, fmt.Errorf("%s: longer than the %s that can be read into memory", name, figures.Size(maxRead))
	}
	if err != nil {
		return nil, err
	}
	return t.aligned()
}

// At opens a .whorl trace of size bytes in a file that is somewhere else, and reads what is needed of it. A file without an index is read whole, and so
// are those of other formats.
func At(name string, r io.ReaderAt, size int64) (*Trace, error) {
	file, err := store.OpenAt(r, size)
	if other := (*store.ForeignError)(nil); errors.Is(err, store.ErrNoIndex) || errors.As(err, &other) {
		return Reader(name, io.NewSectionReader(r, 0, size))
	}
	if err != nil {
		return nil, errors.New(name + ": " + err.Error())
	}
	return (&Trace{StreamSource: file, Path: name, Missing: file.Missing().String(), close: file.Close}).aligned()
}

// Beginning opens the events in the first bytes of a trace that is being read. It returns false for bytes of another format, damaged ones, and bytes
// without events.
func Beginning(name string, b []byte) (*Trace, bool) {
	g := store.NewGrowing()
	if _, err := g.Write(b); err != nil || g.Counts() == [tracer.NumKinds]int64{} || clocks.Needed(g) {
		return nil, false
	}
	return &Trace{StreamSource: g, Path: name, Missing: "the rest is being read"}, true
}

// probe returns the error of package store for a file that begins with head.
func probe(head []byte) error {
	_, err := store.NewGrowing().Write(head)
	return err
}

// readWhorl reads a .whorl trace. It returns an error if the trace has no events or r fails before its end.
func readWhorl(name string, r io.Reader) (*Trace, error) {
	g := store.NewGrowing()
	_, err := io.Copy(g, r)
	if damage := new(store.DamageError); err != nil && (!errors.As(err, &damage) || g.Counts() == [tracer.NumKinds]int64{}) {
		return nil, errors.New(name + ": " + err.Error())
	}
	missing := g.Missing().String()
	if err != nil {
		missing = err.Error()
	}
	return &Trace{StreamSource: g, Path: name, Missing: missing}, nil
}

// readOther reads a trace of another format into memory.
func readOther(path string, f formats.Format, r io.Reader, o Options) (*Trace, error) {
	m := tracer.NewMemory()
	if err := readProfile(path, f, r, named(m, f, path, 1), o); err != nil {
		return nil, err
	}
	return inMemory(path, m)
}

// readProfile reads one file of a foreign format into rec.
func readProfile(path string, f formats.Format, r io.Reader, rec tracer.Recorder, o Options) error {
	opts, done, err := o.profile()
	if err != nil {
		return err
	}
	defer done()
	out := formats.Options{File: path, Process: processNames([]string{path})[0], Profile: opts}
	if o.Program != nil {
		out.Clauses, rec = o.Program.Clauses, &programRecorder{rec, o.Program}
	}
	if err := f.Read(r, rec, out); err != nil {
		return cannotRead(path, err)
	}
	return nil
}
