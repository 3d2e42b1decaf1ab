package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"whorl/experiment"
	"whorl/internal/figures"
)

// A Progress is a line on a terminal that shows the progress of long work. It appears after a second in the bottom row, is rewritten there, and
// disappears at the end. All else scrolls in the rows above: what the user types, which a program cannot know before the line is complete, and
// output, whose last line may be incomplete. The sequences are those of ECMA-48 and of the VT100.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer                             // nil without a terminal, and after the end
	size  func() (columns, rows int, err error) // of the terminal
	begin time.Time
	last  time.Time
	rows  int // of the terminal whose bottom row is reserved; 0 for none
}

// fewRows is the number of rows that leave no space for a Progress.
const fewRows = 2

const (
	saveCursor    = "\x1b7"
	restoreCursor = "\x1b8"
	leaveBottom   = "\x1bD\x1b[A" // down, which scrolls in the bottom row, and up: the cursor keeps its column
	scrollUntil   = "\x1b[1;%dr"  // moves the cursor, like scrollAll
	scrollAll     = "\x1b[r"
	clearRow      = "\x1b[%d;1H\x1b[K"
)

// NewProgress returns a Progress that begins now and disappears when ctx is done, since the next signal may end the process at once. It shows
// nothing unless w is a terminal with a cursor.
func NewProgress(ctx context.Context, w io.Writer) *Progress {
	p := &Progress{begin: time.Now()}
	if f, ok := terminal(w); ok && os.Getenv("TERM") != "dumb" {
		p.w, p.size = w, func() (columns, rows int, err error) { return term.GetSize(int(f.Fd())) }
		context.AfterFunc(ctx, p.Done)
	}
	return p
}

// OnTerminal reports whether w writes to a terminal.
func OnTerminal(w io.Writer) bool {
	_, ok := terminal(w)
	return ok
}

func terminal(w io.Writer) (f *os.File, ok bool) {
	if out, ok := w.(*Output); ok {
		w = out.W
	}
	f, ok = w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
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
	if p.w == nil || now.Sub(p.begin) < time.Second || now.Sub(p.last) < 200*time.Millisecond {
		return
	}
	columns, rows, err := p.size()
	if err != nil || rows <= fewRows {
		return
	}
	p.last = now
	var out strings.Builder
	if rows != p.rows {
		fmt.Fprintf(&out, leaveBottom+saveCursor+scrollUntil+restoreCursor, rows-1)
		p.rows = rows
	}
	line := []rune(fmt.Sprintf(format, args...) + fmt.Sprintf(", %s here", now.Sub(p.begin).Round(100*time.Millisecond)))
	fmt.Fprintf(&out, saveCursor+clearRow+"%s"+restoreCursor, rows, string(line[:min(len(line), columns)]))
	_, _ = io.WriteString(p.w, out.String())
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

// Done removes the line for good.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rows > 0 {
		fmt.Fprintf(p.w, saveCursor+scrollAll+clearRow+restoreCursor, p.rows)
	}
	p.w, p.rows = nil, 0
}
