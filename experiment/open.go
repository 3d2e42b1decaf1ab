package experiment

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"whorl/benchmarks"
	"whorl/internal/fault"
	"whorl/tracer"
	"whorl/tracer/derive/clocks"
	"whorl/tracer/formats"
	"whorl/tracer/formats/profile"
	"whorl/tracer/store"
)

// A Trace is a trace that was opened, of whatever format.
type Trace struct {
	tracer.StreamSource
	Path    string
	Missing string // what a truncated file lacks, in words; "" for nothing
	close   func() error
	verify  func() error
}

// Verify looks for damage in all of the trace, for those who read only a part of it.
func (t *Trace) Verify() error {
	if t.verify == nil {
		return nil
	}
	return t.verify()
}

// Meta returns the metadata. Those of a trace that lacks something say so, so that what is made of it says it too.
func (t *Trace) Meta() tracer.Meta {
	m := t.StreamSource.Meta()
	if t.Missing != "" && missingIn(&m) == nil {
		m.Extra = append(slices.Clip(m.Extra), tracer.KV{Key: tracer.MissingKey, Value: t.Missing})
	}
	return m
}

// missingIn is what the metadata say is missing, nil for nothing.
func missingIn(m *tracer.Meta) *string {
	for i := range m.Extra {
		if m.Extra[i].Key == tracer.MissingKey {
			return &m.Extra[i].Value
		}
	}
	return nil
}

// Close gives back what the trace holds.
func (t *Trace) Close() error {
	if t.close == nil {
		return nil
	}
	return t.close()
}

// Names of the formats that are not of others.
const (
	whorlFormat = "whorl"
	textFormat  = "text"
)

// Formats lists the formats of traces.
func Formats() []Item {
	own := []Item{
		{whorlFormat, "the trace file of Whorl: compact, readable while it grows and after a crash (.whorl)"},
		{textFormat, "its twin in text, a line for each event (.txt)"},
	}
	return append(own, items(formats.All, func(f formats.Format) Item { return Item{f.Name, f.Doc + " (" + f.Ext + ")"} })...)
}

// FormatNames are the names of all formats.
func FormatNames() []string { return itemNames(Formats()) }

// headSize is how much of a file is looked at to find its format, in bytes.
const headSize = 4096

// Open opens a trace of any known format, found out from its beginning, or a folder with the logs of several nodes. Where hosts recorded it by
// clocks of their own these are made one (tracer/derive/clocks), and the metadata say how. Its errors say what the file is, where it is not a trace.
func Open(path string) (*Trace, error) { return OpenAs(path, "") }

// OpenAs is Open for a file of a format that is known; "" for one that is not.
func OpenAs(path, format string) (*Trace, error) {
	t, err := openAs(path, format)
	if err != nil {
		return nil, err
	}
	return t.aligned()
}

// aligned is the trace by one clock.
func (t *Trace) aligned() (*Trace, error) {
	if !clocks.Needed(t.StreamSource) {
		return t, nil
	}
	src, err := clocks.Aligned(t.StreamSource)
	if err != nil {
		t.Close()
		return nil, &InputError{t.Path + ": " + err.Error()}
	}
	t.StreamSource = src
	return t, nil
}

func openAs(path, format string) (*Trace, error) {
	if format != "" && !slices.Contains(FormatNames(), format) {
		return nil, Unknown("format", format, FormatNames(), "")
	}
	if logs, f := logsIn(path, format); len(logs) > 0 {
		m := tracer.NewMemory()
		if err := readFiles(path, logs, f, m, Reading{}); err != nil {
			return nil, err
		}
		return inMemory(path, m)
	}
	if format == "" || format == whorlFormat {
		file, err := store.Open(path)
		if err == nil {
			return &Trace{StreamSource: file, Path: path, Missing: file.Missing().String(), close: file.Close, verify: file.Verify}, nil
		}
		var other *store.ForeignError
		if format == whorlFormat || !errors.As(err, &other) {
			return nil, noTrace(path, err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, noTrace(path, err)
	}
	defer f.Close()
	if format == "" {
		head, err := readHead(f)
		if err != nil {
			return nil, noTrace(path, err)
		}
		if format, err = detect(path, head); err != nil {
			return nil, err
		}
	}
	return readForeign(path, format, bufio.NewReaderSize(f, 1<<16))
}

// readHead returns the beginning of a file and goes back to it.
func readHead(f *os.File) ([]byte, error) {
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return head[:n], err
}

// readForeign reads a trace of another format into memory.
func readForeign(path, format string, r io.Reader) (*Trace, error) {
	read := tracer.ReadText
	if format != textFormat {
		f, _ := foreign(format)
		read = func(r io.Reader, rec tracer.Recorder) error {
			var none Reading
			opts, done, err := none.options()
			if err != nil {
				return err
			}
			defer done()
			return f.Read(r, named(rec, f, path, 1), formats.Options{File: path, Process: processNames([]string{path})[0], Profile: opts})
		}
	}
	m := tracer.NewMemory()
	if err := read(r, m); err != nil {
		return nil, notRead(path, err)
	}
	return inMemory(path, m)
}

// notRead is the error for a file of another format, which may say itself where it is.
func notRead(path string, err error) error {
	if at := new(fault.Error); errors.As(err, &at) {
		return at
	}
	if in := new(profile.FileError); errors.As(err, &in) {
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			return FileError(in.Name, err)
		}
		return &InputError{in.Error()}
	}
	return &InputError{path + ": " + err.Error()}
}

func foreign(name string) (formats.Format, bool) {
	i := slices.IndexFunc(formats.All, func(f formats.Format) bool { return f.Name == name })
	if i < 0 {
		return formats.Format{}, false
	}
	return formats.All[i], true
}

// detect finds the format of a file by its beginning.
func detect(path string, head []byte) (string, error) {
	if kind := kindOf(head); kind != "" {
		return kind, nil
	}
	switch {
	case len(head) == 0:
		return "", &InputError{path + ": not a trace: the file is empty"}
	case slices.Contains(fghcEndings, filepath.Ext(path)):
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		return "", &InputError{fmt.Sprintf("%s is a program, not a trace: whorl run %s --goal GOAL -o %s.whorl", path, path, name)}
	}
	for _, f := range formats.All {
		if strings.HasSuffix(path, f.Ext) {
			return f.Name, nil // whose reader says what is wrong
		}
	}
	return "", &InputError{fmt.Sprintf("%s: not a trace of a known format (%s): it begins with %q",
		path, strings.Join(FormatNames(), " "), head[:min(len(head), 16)])}
}

// kindOf is the format of others, or the text form, of a file that begins with head; "" for none.
func kindOf(head []byte) string {
	if bytes.HasPrefix(head, []byte("whorl 1")) {
		return textFormat
	}
	for _, f := range formats.All {
		if f.Detect(head) {
			return f.Name
		}
	}
	return ""
}

// traceKind is the format of the trace in a file, "" where it is none.
func traceKind(path string) string {
	if file, err := store.Open(path); err == nil {
		file.Close()
		return whorlFormat
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head, err := readHead(f)
	if err != nil {
		return ""
	}
	return kindOf(head)
}

// noTrace is the error for a trace that cannot be opened: perhaps a benchmark was meant.
func noTrace(path string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			return FileError(path, err)
		}
		return &InputError{err.Error()}
	}
	if b, lookup := benchmarks.Lookup(path); lookup == nil {
		return &InputError{fmt.Sprintf("%s is a benchmark, not a trace: whorl run %s -o %s.whorl", path, path, b.Bare())}
	}
	return FileError(path, err)
}
