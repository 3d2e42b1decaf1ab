// Package open opens traces of every format. It detects the format of a file by its beginning, reads the profiles of several processes as one
// trace, aligns the clocks of several hosts, and reports in Missing the data that a damaged or truncated file lacks. It also writes traces in
// every format that supports writing.
package open

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"whorl/internal/fault"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/formats/profile"
	"whorl/tracer/store"
)

// A Trace is an open trace of any format.
type Trace struct {
	tracer.StreamSource
	Path    string
	Missing string // a sentence about the data that a damaged or truncated file lacks; "" for none
	close   func() error
}

// Select implements store.Selector.
func (t *Trace) Select(q store.Query, fn func([]tracer.Event) error) error {
	return store.Select(t.StreamSource, q, fn)
}

// States returns the states that the file holds beside the events (store.File.States).
func (t *Trace) States() (*store.States, bool) { return store.StatesOf(t.StreamSource) }

// Meta returns the metadata with Missing added, so that views and reports of the trace can show it.
func (t *Trace) Meta() tracer.Meta {
	m := t.StreamSource.Meta()
	if t.Missing != "" && m.Missing() == "" {
		m.Extra = append(slices.Clip(m.Extra), tracer.KV{Key: tracer.MissingKey, Value: t.Missing})
	}
	return m
}

// Close releases the file.
func (t *Trace) Close() error {
	if t.close == nil {
		return nil
	}
	return t.close()
}

// aligned returns the trace with the clocks of all hosts aligned.
func (t *Trace) aligned() (*Trace, error) {
	if !clocks.Needed(t.StreamSource) {
		return t, nil
	}
	src, err := clocks.Aligned(t.StreamSource)
	if err != nil {
		t.Close()
		return nil, errors.New(t.Path + ": " + err.Error())
	}
	t.StreamSource = src
	return t, nil
}

// inMemory returns a trace that was read into memory.
func inMemory(path string, m *tracer.Memory) (*Trace, error) {
	meta := m.Meta()
	return &Trace{StreamSource: m, Path: path, Missing: meta.Missing()}, m.Close()
}

// File opens a trace file of any known format, a folder with the logs of several nodes or with an archive, or the table in the folder of a sweep. If hosts recorded it with separate clocks, File aligns
// them (tracer/derive/clocks), and the metadata describe the alignment.
func File(path string) (*Trace, error) { return fileAs(path, "", Options{}) }

// fileAs is File for a file of a given format; "" detects the format.
func fileAs(path, format string, o Options) (*Trace, error) {
	t, err := read(path, format, o)
	if err != nil {
		return nil, err
	}
	return t.aligned()
}

func read(path, format string, o Options) (*Trace, error) {
	path, err := fileIn(path)
	if err != nil {
		return nil, err
	}
	chosen, ok := find(format)
	if format != "" && !ok {
		return nil, nearest.Unknown("format", format, FormatNames())
	}
	if logs, f := logsIn(path, format); len(logs) > 0 {
		m := tracer.NewMemory()
		if err := readFiles(path, logs, f, m, Options{}); err != nil {
			return nil, err
		}
		return inMemory(path, m)
	}
	if err := noTrace(path); err != nil {
		return nil, err
	}
	_, archived := memberOf(path, nil)
	if !archived && (format == "" || format == whorl.Name) {
		file, err := store.Open(path)
		if o.Salvage {
			file, err = salvage(path, file, err)
		}
		if err == nil {
			return &Trace{StreamSource: file, Path: path, Missing: file.Missing().String(), close: file.Close}, nil
		}
		var other *store.ForeignError
		if format == whorl.Name || !errors.As(err, &other) {
			return nil, cannotOpen(path, err)
		}
	}
	f, err := openFile(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	defer f.Close()
	known := detects
	if format != "" {
		known = chosen.Detect
	}
	in, head, err := unpacked(f, known)
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return nil, cannotOpen(path, err)
	} else if err != nil {
		return nil, cannotRead(path, err)
	}
	if format == "" {
		if !foreign(head) {
			return readWhorl(path, in)
		}
		if chosen, err = detect(path, head); err != nil {
			return nil, err
		}
	}
	o.folder = os.DirFS(filepath.Dir(path))
	return readOther(path, chosen, in, o)
}

// salvage looks for damage in a trace that was opened, or failed to with an error, and opens it without the damaged part. It returns the first error if
// nothing is left.
func salvage(path string, file *store.File, err error) (*store.File, error) {
	if err == nil {
		if err = file.Verify(); err == nil {
			return file, nil
		}
		file.Close()
		err = fmt.Errorf("%s: %w", path, err)
	}
	if damage := new(store.DamageError); !errors.As(err, &damage) {
		return nil, err
	}
	part, failed := store.Salvage(path)
	switch {
	case failed != nil:
		return nil, err
	case part.Counts() == [tracer.NumKinds]int64{}:
		part.Close()
		return nil, err
	}
	return part, nil
}

// cannotOpen returns the error for a trace that could not be opened. Errors of package store name the file themselves.
func cannotOpen(path string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) || errors.Is(err, fs.ErrNotExist) {
		return files.OpenError(path, err)
	}
	return err
}

// cannotRead returns the error for a file of a foreign format. Errors that name the file themselves stay as they are.
func cannotRead(path string, err error) error {
	if at := new(fault.Error); errors.As(err, &at) {
		return at
	}
	if in := new(profile.FileError); errors.As(err, &in) {
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			return files.OpenError(in.Name, err)
		}
		return in
	}
	return errors.New(path + ": " + err.Error())
}

// Partial opens a trace for viewing. A damaged trace opens without the damaged part, which Missing reports. Partial refuses files that can be read only
// once, such as pipes.
func Partial(path string) (*Trace, error) { return Begun(path, nil) }

// Begun is like Partial. If the file has many events of a real program, begun gets the trace of the first of them, once, while Begun reads the rest.
func Begun(path string, begun func(*Trace)) (*Trace, error) {
	path, err := fileIn(path)
	if err != nil {
		return nil, err
	}
	if logs, _ := logsIn(path, ""); len(logs) > 0 {
		return File(path)
	}
	if err := cmp.Or(noTrace(path), files.CheckRegular(path)); err != nil {
		return nil, err
	}
	return fileAs(path, "", Options{Salvage: true, begun: begun})
}
