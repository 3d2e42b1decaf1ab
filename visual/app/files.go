package app

import (
	"cmp"
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
	"whorl/visual/workspace"
)

// Longest texts that are read, in bytes.
const (
	maxProgram   = 1 << 20 // more than an editor can show
	maxWorkspace = 4 << 20
)

// Endings of files that are no traces.
var programEndings = []string{".fghc", ".kl1"}

const workspaceEnding = ".toml"

// loading is a file that is being read, on a goroutine of its own: a shell may answer a read only after Step has returned.
type loading struct {
	file *File
	as   string // the trace's name in a workspace that waits for it, "" for a new one
	read atomic.Int64
	done chan loaded

	beside string // where else it may be, "" for nowhere
}

// loaded is what a file turned out to be: a trace, from the file at a path where there is one, or a text.
type loaded struct {
	trace *open.Trace
	path  string
	text  string
	err   error
}

// pollEvery is how often to look whether a file has been read.
const pollEvery = 30 * time.Millisecond

// load begins to read a file.
func (a *App) load(l *loading) {
	l.done = make(chan loaded, 1)
	a.loading = append(a.loading, l)
	if len(a.loading) > 1 && a.batch == 0 { // opened together, they are compared
		a.batch = a.newGroup()
	}
	go func() { l.done <- l.open() }()
}

func (l *loading) open() (out loaded) {
	f := l.file
	switch ext := strings.ToLower(filepath.Ext(f.Name)); {
	case slices.Contains(programEndings, ext):
		return l.readText(maxProgram)
	case ext == workspaceEnding:
		return l.readText(maxWorkspace)
	case f.Path != "":
		out.path = f.Path
		if out.trace, out.err = open.Partial(f.Path); out.err != nil && l.beside != "" {
			if moved, err := open.Partial(l.beside); err == nil {
				return loaded{trace: moved, path: l.beside}
			}
		}
		return out
	}
	r, err := f.Read()
	if err != nil {
		return loaded{err: fmt.Errorf("%s: %w", f.Name, err)}
	}
	defer r.Close()
	out.trace, out.err = open.Reader(f.Name, &counting{r, &l.read})
	return out
}

func (l *loading) readText(most int64) (out loaded) {
	if l.file.Read == nil {
		return loaded{err: fmt.Errorf("%s cannot be read here", l.file.Name)}
	}
	r, err := l.file.Read()
	if err != nil {
		return loaded{err: fmt.Errorf("%s: %w", l.file.Name, err)}
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(&counting{r, &l.read}, most+1))
	switch {
	case err != nil:
		err = fmt.Errorf("%s: %w", l.file.Name, err)
	case int64(len(text)) > most:
		err = fmt.Errorf("%s: longer than the %s bytes that such a file may have", l.file.Name, figures.Count(most))
	case len(strings.TrimSpace(string(text))) == 0:
		err = fmt.Errorf("%s: the file is empty", l.file.Name)
	}
	return loaded{text: string(text), err: err}
}

type counting struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// String says how far the reading has come.
func (l *loading) String() string {
	n := l.read.Load()
	if size := l.file.Size; size > 0 && n > 0 {
		return fmt.Sprintf("Reading %s: %d %%", l.file.Name, min(n*100/size, 100))
	}
	return "Reading " + l.file.Name
}

// receive takes the files that have been read; those that are opened together in the order in which they were named.
func (a *App) receive() {
	waits := false
	var left []*loading
	list := a.loading
	a.loading = nil
	for _, l := range list {
		if !waits {
			select {
			case got := <-l.done:
				a.changed = true
				a.opened(l, got)
				continue
			default:
				waits = l.as == ""
			}
		}
		left = append(left, l)
	}
	a.loading = append(left, a.loading...) // a workspace has begun to read its traces
	if len(a.loading) == 0 {
		a.batch = 0
	}
}

// opened shows what a file holds, or says why not.
func (a *App) opened(l *loading, got loaded) {
	f := l.file
	switch {
	case got.err != nil && a.awaits(l.as):
		a.fail(fmt.Errorf("%w; the trace %s waits for another file to be dropped", got.err, l.as))
	case got.err != nil:
		a.fail(got.err)
	case got.trace != nil && l.as != "" && !a.awaits(l.as): // it was closed, or has been dropped, meanwhile
		_ = got.trace.Close()
	case got.trace != nil:
		d := &document{src: got.trace, path: got.path, missing: got.trace.Missing, close: got.trace.Close}
		if d.missing != "" {
			a.warn(f.Name + ": " + d.missing)
		}
		a.unwritten(f.Name, d)
		as := l.as
		if base := workspace.TraceName(f.Name); as == "" && a.awaits(base) {
			as = base
		}
		if as != "" {
			a.fill(as, d)
			return
		}
		d.group = a.batch
		a.show(a.nameFor(workspace.TraceName(f.Name)), d)
	case strings.ToLower(filepath.Ext(f.Name)) == workspaceEnding:
		a.openWorkspace(cmp.Or(f.Path, f.Name), got.text)
	default:
		a.editProgram(f.Name, got.text)
	}
}

// unwritten tells of characters in the names and the program of a trace that no font here has.
func (a *App) unwritten(name string, d *document) {
	fonts, ok := a.text.(interface {
		Lacks(text string) (rune, bool)
	})
	if !ok {
		return
	}
	_, program := d.source()
	if r, lacks := fonts.Lacks(name + program); lacks {
		a.warn(fmt.Sprintf("%s: no font here has %U and maybe others: boxes stand for them", name, r))
	}
}

// OpenFile begins to open a file as if it had been dropped.
func (a *App) OpenFile(f *File) {
	if f == nil || f.Path == "" && f.Read == nil {
		a.fail(errors.New("that is no file"))
		return
	}
	a.load(&loading{file: f})
}
