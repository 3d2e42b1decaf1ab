package open

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

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
	b, head, err := unpacked(counted, detects)
	if err != nil {
		return nil, errors.New(name + ": " + err.Error())
	}
	contents := &io.LimitedReader{R: b, N: maxRead + 1} // packed files may be small
	var t *Trace
	if foreign(head) {
		var f formats.Format
		if f, err = detect(name, head); err != nil {
			return nil, err
		}
		t, err = readOther(name, f, contents, Options{})
	} else {
		t, err = readWhorl(name, contents)
	}
	if counted.N == 0 || contents.N == 0 {
		return nil, fmt.Errorf("%s: longer than the %s that can be read into memory", name, figures.Size(maxRead))
	}
	if err != nil {
		return nil, err
	}
	return t.aligned()
}

// Stream reads a trace of any format from r into rec as it comes, and does not close rec. Errors use name for it. After an error rec has the events
// before it. missing is a sentence about the data that the trace lacks.
func Stream(name string, r io.Reader, rec tracer.Recorder, o Options) (missing string, err error) {
	b, head, err := unpacked(r, detects)
	if err != nil {
		return "", errors.New(name + ": " + err.Error())
	}
	if !foreign(head) {
		t, err := readWhorl(name, b)
		if err != nil {
			return "", err
		}
		return t.Missing, tracer.Copy(rec, t)
	}
	f, err := detect(name, head)
	if err != nil {
		return "", err
	}
	m := &metaRecorder{Recorder: rec}
	err = readProfile(name, f, b, m, o)
	return m.meta.Missing(), err
}

// ReaderAt opens a .whorl trace of size bytes in a file that is somewhere else, and reads only the parts that are needed. A file without an index is read whole, and so
// are those of other formats.
func ReaderAt(name string, r io.ReaderAt, size int64) (*Trace, error) {
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

// begins is the number of bytes of a .whorl trace that are opened while the rest is being read.
const begins = 1 << 20

// A head opens the first bytes of a .whorl trace that is written to it.
type head struct {
	name  string
	begun func(*Trace)
	b     []byte
}

func (h *head) Write(b []byte) (int, error) {
	if h.begun == nil {
		return len(b), nil
	}
	if h.b = append(h.b, b...); len(h.b) >= begins {
		if t, ok := Beginning(h.name, h.b); ok {
			h.begun(t)
		}
		h.begun, h.b = nil, nil
	}
	return len(b), nil
}

// foreign reports whether a file that begins with head is not a .whorl file.
func foreign(head []byte) bool {
	_, err := store.NewGrowing().Write(head)
	return len(head) == 0 || errors.As(err, new(*store.ForeignError))
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

// readOther reads a trace of another format into memory. The many events of a real program are kept as a .whorl file holds them, in a fifth of the
// memory.
func readOther(path string, f formats.Format, r io.Reader, o Options) (*Trace, error) {
	if f.Events {
		g := store.NewGrowing()
		var out io.Writer = g
		if o.begun != nil {
			out = io.MultiWriter(g, &head{name: path, begun: o.begun})
		}
		err := store.Record(out, func(rec tracer.Recorder) error { return readProfile(path, f, r, named(rec, f, path, 1), o) })
		if err != nil {
			return nil, err
		}
		meta := g.Meta()
		return &Trace{StreamSource: g, Path: path, Missing: meta.Missing()}, nil
	}
	m := tracer.NewMemory()
	if err := readProfile(path, f, r, named(m, f, path, 1), o); err != nil {
		return nil, err
	}
	return inMemory(path, m)
}

// readProfile reads one file of a foreign format into rec, with the others in its folder if it is known and the format needs them.
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
	if r, _, err = unpacked(r, f.Detect); err != nil {
		return cannotRead(path, err)
	}
	if f.ReadIn != nil && o.folder != nil {
		err = f.ReadIn(o.folder, filepath.Base(path), rec, out)
	} else {
		err = f.Read(r, rec, out)
	}
	if err != nil {
		return cannotRead(path, err)
	}
	return nil
}
