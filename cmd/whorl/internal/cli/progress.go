package cli

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

// A progress line shows on a terminal how far long work has come. It appears after a second, is rewritten in place, and is gone at the end.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil where there is no terminal
	begin time.Time
	last  time.Time
	shown bool
}

// newProgress begins now. It shows nothing unless w is a terminal.
func newProgress(w io.Writer) *progress {
	p := &progress{begin: time.Now()}
	if onTerminal(w) {
		p.w = w
	}
	return p
}

// onTerminal says whether what is written to w is shown on a terminal.
func onTerminal(w io.Writer) bool {
	if out, ok := w.(*watchedWriter); ok {
		w = out.w
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// report is called as often as one likes.
func (p *progress) report(at experiment.Progress) {
	if at.Reductions == 0 { // as in threads and in programs in HPF
		p.say("%s on the machine", figures.Duration(at.Virtual))
		return
	}
	p.say("%s reductions, %s on the machine", figures.Count(at.Reductions), figures.Duration(at.Virtual))
}

// say shows a text with the time that has passed.
func (p *progress) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.w == nil || now.Sub(p.begin) < time.Second || now.Sub(p.last) < 200*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.w, "\r\x1b[K%s, %s here", fmt.Sprintf(format, args...), now.Sub(p.begin).Round(100*time.Millisecond))
}

// done takes the line away.
func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}

// before returns a writer that takes the line away before it writes.
func (p *progress) before(w io.Writer) io.Writer { return writing{p, w} }

type writing struct {
	p *progress
	w io.Writer
}

func (w writing) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.clear()
	return w.w.Write(b)
}
