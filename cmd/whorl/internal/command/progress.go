package command

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"whorl/experiment"
	"whorl/internal/figures"
)

// A Progress is a line on a terminal that shows the progress of long work. It appears after a second, is rewritten in place, and disappears at
// the end.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer // nil without a terminal
	begin time.Time
	last  time.Time
	shown bool
	reads int // number of pending reads from a terminal, during which the line is hidden
}

// NewProgress returns a Progress that begins now. It shows nothing unless w is a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{begin: time.Now()}
	if OnTerminal(w) {
		p.w = w
	}
	return p
}

// OnTerminal reports whether w writes to a terminal.
func OnTerminal(w io.Writer) bool {
	if out, ok := w.(*Output); ok {
		w = out.W
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Report shows the progress of a run. It may be called at any rate.
func (p *Progress) Report(run experiment.Progress) {
	if run.Reductions == 0 { // threads and programs in HPF
		p.Say("%s on the machine", figures.Duration(run.Virtual))
		return
	}
	p.Say("%s reductions, %s on the machine", figures.Count(run.Reductions), figures.Duration(run.Virtual))
}

// Say shows a text with the time that has passed.
func (p *Progress) Say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || p.reads > 0 || now.Sub(p.begin) < time.Second || now.Sub(p.last) < 200*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s, %s here", fmt.Sprintf(format, args...), now.Sub(p.begin).Round(100*time.Millisecond))
}

// Keep shows a text until stop is called.
func (p *Progress) Keep(text string) (stop func()) {
	tick, over := time.NewTicker(200*time.Millisecond), make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				p.Say("%s", text)
			case <-over:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(over)
	}
}

// Done removes the line.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *Progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}

// Before returns a writer that removes the line before it writes to w.
func (p *Progress) Before(w io.Writer) io.Writer { return clearingWriter{p, w} }

type clearingWriter struct {
	p *Progress
	w io.Writer
}

func (w clearingWriter) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.clear()
	return w.w.Write(b)
}

// During returns a reader of r that hides the line while a read waits for what the user types. It returns r itself if r is a file.
func (p *Progress) During(r io.Reader) io.Reader {
	if f, ok := r.(*os.File); p.w == nil || r == nil || ok && !term.IsTerminal(int(f.Fd())) {
		return r
	}
	return hidingReader{p, r}
}

type hidingReader struct {
	p *Progress
	r io.Reader
}

func (r hidingReader) Read(b []byte) (int, error) {
	r.p.hide(1)
	defer r.p.hide(-1)
	return r.r.Read(b)
}

// hide adds n to the number of pending reads and removes the line.
func (p *Progress) hide(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads += n
	p.clear()
}
