package documents

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"whorl/internal/figures"
	"whorl/tracer/open"
)

// Bounds of texts, in bytes.
const (
	maxProgram   = 1 << 20 // more than the editor can show
	MaxWorkspace = 4 << 20
)

// Extensions of files other than traces.
var (
	ProgramEndings  = []string{".fghc", ".kl1"}
	WorkspaceEnding = ".toml"
)

// IsWorkspace reports whether a file has the name of a workspace, the file of a saved window.
func IsWorkspace(path string) bool { return strings.EqualFold(filepath.Ext(path), WorkspaceEnding) }

// beginning is the number of bytes of a trace that is shown while the rest of it is read.
const beginning = 1 << 20

// mostWhole is the number of bytes of a trace somewhere else from which on its beginning is shown until the views have read what they need.
const mostWhole = 8 << 20

// errBeginning is why the document of the beginning of a trace cannot be run again.
var errBeginning = errors.New("the trace is being read: it can be run again when all of it is there")

// PollEvery is the interval for checking whether files have been read.
const PollEvery = 30 * time.Millisecond

// A File is a file to load. Size is -1 if it is unknown. A file with a Path is mapped, not read. Read and ReaderAt are called in a separate goroutine.
type File struct {
	Name     string
	Path     string
	URL      string // the address at which another window of a page reads the file, "" for none
	Size     int64
	Format   string // of a file with a Path; "" finds it out
	Read     func() (io.ReadCloser, error)
	ReaderAt io.ReaderAt // reads parts of a file of Size bytes that is somewhere else, in place of Read; nil for other files
}

// A loading is a file that is being read in a goroutine, because a shell may answer a read only after the step has returned.
type loading struct {
	file   *File
	as     string // name of the trace in the workspace that waits for it, "" for a new trace
	search Search // of a file that is not at its path
	read   atomic.Int64
	first  chan *open.Trace // receives the beginning of a long trace
	done   chan Loaded
	shown  *Document // of the beginning, nil for none
}

// Loaded is a loaded file: a trace, a program, a workspace, or an error.
type Loaded struct {
	File      *File
	As        string    // the argument of Load
	Found     string    // where the file was found by its contents, "" at its path or beside
	Trace     *Document // not yet in a Set; it may be the beginning of a trace, which is Reading
	Rest      *Document // that had the beginning of the trace, and has all of it now
	Text      string    // of a program or a workspace
	Workspace bool
	Err       error

	path  string
	trace *open.Trace
}

// Load begins to read a file. as is the name of the trace in a workspace that waits for the file, "" for a new trace. search says where
// the file may lie if it has moved. Files that are loaded at the same time form a group.
func (s *Set) Load(f *File, as string, search Search) {
	l := &loading{file: f, as: as, search: search, first: make(chan *open.Trace, 1), done: make(chan Loaded, 1)}
	s.loading = append(s.loading, l)
	if len(s.loading) > 1 && s.batch == 0 {
		s.batch = s.NewGroup()
	}
	go func() { l.done <- l.open() }()
}

// Loading reports whether files are being read.
func (s *Set) Loading() bool { return len(s.loading) > 0 }

// Awaits reports whether the file of a trace of a workspace is being read.
func (s *Set) Awaits(name string) bool {
	return slices.ContainsFunc(s.loading, func(l *loading) bool { return l.as == name })
}

// Progress describes the last file of Load, "" if no file is being read.
func (s *Set) Progress() string {
	if !s.Loading() {
		return ""
	}
	return s.loading[len(s.loading)-1].String()
}

// Receive returns the files that have been read, in the order of the calls of Load. A file for a workspace does not wait for other files. A long trace
// is returned twice: as the Trace of its beginning, and when it has been read as the Rest of this document.
func (s *Set) Receive() (ready []Loaded) {
	waits := false
	var left []*loading
	for _, l := range s.loading {
		if !waits {
			select {
			case got := <-l.done:
				if l.shown != nil {
					got.Rest = l.shown
					s.complete(got.Rest, l.as, got)
				} else if got.trace != nil {
					got.Trace = &Document{Source: got.trace, Path: got.path, URL: l.file.URL, Missing: got.trace.Missing, close: got.trace.Close, Group: s.batch}
					if l.as != "" {
						got.Trace.Group = 0
					}
				}
				got.File, got.As = l.file, l.as
				ready = append(ready, got)
				continue
			case first := <-l.first:
				l.shown = &Document{Source: first, URL: l.file.URL, Group: s.batch, Reading: true, begun: first}
				if l.as != "" {
					l.shown.Group = 0
				}
				ready = append(ready, Loaded{File: l.file, As: l.as, Trace: l.shown})
			default:
				waits = l.as == "" && l.shown == nil
			}
		}
		left = append(left, l)
	}
	s.loading = left
	if len(left) == 0 {
		s.batch = 0
	}
	return ready
}

// complete gives the document of the beginning of a trace all of it, or what can be read of it.
func (s *Set) complete(d *Document, as string, got Loaded) {
	d.Reading = false
	trace := got.trace
	if trace == nil {
		trace = new(*d.begun)
		trace.Missing = "the rest could not be read"
	}
	d.begun = nil
	if s.open[d.Name] != d {
		_ = trace.Close() // it was only read
		return
	}
	d.Source, d.Missing, d.close = trace, trace.Missing, trace.Close
	if d.Group == 0 && as == "" {
		d.Group = s.batch
	}
	d.replaced++
	d.restarts = d.replaced
}

// Discard closes a loaded document that is not in a Set.
func (d *Document) Discard() { d.end() }

func (l *loading) open() Loaded {
	f := l.file
	switch {
	case slices.Contains(ProgramEndings, strings.ToLower(filepath.Ext(f.Name))):
		return l.readText(maxProgram)
	case IsWorkspace(f.Name):
		out := l.readText(MaxWorkspace)
		out.Workspace = true
		return out
	case f.Path != "" && f.Format != "":
		trace, err := open.Files([]string{f.Path}, f.Format, open.Options{})
		return Loaded{trace: trace, path: f.Path, Err: err}
	case f.Path != "":
		trace, err := open.Begun(f.Path, l.begun())
		if err != nil {
			if found := l.search.find(); found != "" {
				trace, err := open.Partial(found)
				return Loaded{trace: trace, path: found, Found: found, Err: err}
			}
			if beside := l.search.Beside; beside != "" {
				if moved, err := open.Partial(beside); err == nil {
					return Loaded{trace: moved, path: beside}
				}
			}
		}
		return Loaded{trace: trace, path: f.Path, Err: err}
	}
	if f.ReaderAt != nil {
		if f.Size > mostWhole {
			l.begin(io.NewSectionReader(f.ReaderAt, 0, beginning))
		}
		trace, err := open.ReaderAt(f.Name, f.ReaderAt, f.Size)
		return Loaded{trace: trace, Err: err}
	}
	r, err := f.Read()
	if err != nil {
		return Loaded{Err: fmt.Errorf("%s: %w", f.Name, err)}
	}
	defer r.Close()
	trace, err := open.Reader(f.Name, l.begin(&counting{r, &l.read}))
	return Loaded{trace: trace, Err: err}
}

// begun returns a function that shows the beginning of a trace. The trace of a workspace waits.
func (l *loading) begun() func(*open.Trace) {
	if l.as != "" {
		return nil
	}
	return func(t *open.Trace) { l.first <- t }
}

// begin reads the beginning of a trace, to be shown at once if there is more. The trace of a workspace waits, unless it is somewhere else. begin returns all
// of the trace.
func (l *loading) begin(r io.Reader) io.Reader {
	if l.as != "" && l.file.ReaderAt == nil {
		return r
	}
	b := make([]byte, beginning)
	n, err := io.ReadFull(r, b)
	b = b[:n]
	switch {
	case err == nil:
		if trace, ok := open.Beginning(l.file.Name, b); ok {
			l.first <- trace
		}
		return io.MultiReader(bytes.NewReader(b), r)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return bytes.NewReader(b)
	}
	return io.MultiReader(bytes.NewReader(b), broken{err})
}

// A broken file cannot be read further.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func (l *loading) readText(most int64) Loaded {
	name := l.file.Name
	if l.file.Read == nil {
		return Loaded{Err: fmt.Errorf("%s cannot be read here", name)}
	}
	r, err := l.file.Read()
	if err != nil {
		return Loaded{Err: fmt.Errorf("%s: %w", name, err)}
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(&counting{r, &l.read}, most+1))
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w", name, err)
	case int64(len(text)) > most:
		err = fmt.Errorf("%s: longer than %s, the limit for such files", name, figures.Size(most))
	case len(strings.TrimSpace(string(text))) == 0:
		err = fmt.Errorf("%s: the file is empty", name)
	}
	return Loaded{Text: string(text), Err: err}
}

// counting counts the bytes read.
type counting struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// String describes the progress of the reading.
func (l *loading) String() string {
	n := l.read.Load()
	if size := l.file.Size; size > 0 && n > 0 {
		return fmt.Sprintf("Reading %s: %d %%", l.file.Name, min(n*100/size, 100))
	}
	return "Reading " + l.file.Name
}
