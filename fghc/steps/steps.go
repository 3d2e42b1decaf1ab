// Package steps writes the events of the goals of a run as lines of text in order of time.
//
// A goal has a line when it is called (CALL), commits to a clause (REDUCE), waits for variables (SUSPEND), continues because one of them is
// bound (RESUME), and fails (FAIL); a builtin that has waited has a line when it ends (END). Each line shows the goal at that time, so that
// REDUCE shows the bindings that the body makes at once. Lines identify goals by their ids in the trace and indent them by their depth in the
// call tree. A variable has the same name in all lines.
package steps

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/fghc/report"
	"whorl/fghc/syntax"
	"whorl/tracer"
)

// Options select the lines. Zero values mean no limit.
type Options struct {
	Depth  int                    // maximum depth of goals; goals of the query have depth 1
	Length int                    // maximum number of lines
	Spy    map[*compile.Proc]bool // only goals of these procedures, with the ids of their callers; nil for all
}

// Limits of a line.
const (
	terms      = 12  // shown of each argument
	text       = 100 // characters of a goal
	indented   = 12  // levels of indentation
	children   = 6   // ids listed one by one
	flushAfter = 50 * time.Millisecond
)

// A Writer writes the lines of a run.
type Writer struct {
	w       *bufio.Writer
	opts    Options
	pe      int // width of PE numbers
	place   int // width of places
	lines   int
	err     error
	live    map[uint64]*goal
	trying  string // the goal of the current step, before it was tried
	now     int64
	flushed time.Time
	begun   bool // the program has written an incomplete line
}

// A goal is a goal that has not ended.
type goal struct {
	depth  int
	called bool
}

// New returns a Writer for a run of prog on pes PEs and writes the headings.
func New(w io.Writer, prog *compile.Program, pes int, opts Options) *Writer {
	s := &Writer{w: bufio.NewWriter(w), opts: opts, pe: max(2, len(strconv.Itoa(pes-1))), live: map[uint64]*goal{}, flushed: time.Now()}
	for _, c := range prog.Clauses {
		s.place = max(s.place, utf8.RuneCountInString(place(c.Pos)))
	}
	for _, p := range prog.Sites {
		s.place = max(s.place, utf8.RuneCountInString(place(p.Pos)))
	}
	s.print("         ns", "PE", "goal", "", "event", "place", "")
	return s
}

// Full reports whether the maximum number of lines has been written.
func (s *Writer) Full() bool { return s.opts.Length > 0 && s.lines >= s.opts.Length }

// Lines returns the number of lines written, without the headings.
func (s *Writer) Lines() int { return s.lines }

// Err returns the first write error.
func (s *Writer) Err() error { return s.err }

// Aside returns a writer for the output of the program itself to w, for the case that the lines go to w too. It keeps them apart.
func (s *Writer) Aside(w io.Writer) io.Writer { return aside{s, w} }

type aside struct {
	s *Writer
	w io.Writer
}

func (a aside) Write(b []byte) (int, error) {
	a.s.flush()
	n, err := a.w.Write(b)
	if n > 0 {
		a.s.begun = b[n-1] != '\n'
	}
	return n, err
}

// Observe implements engine.Options.Observe.
func (s *Writer) Observe(o *engine.Observation) {
	g := s.goal(o.Task)
	s.now = o.Time
	switch o.Kind {
	case tracer.Reduce, tracer.End:
		depth := g.depth
		if o.Kind == tracer.Reduce {
			depth++
		}
		for k := range o.Count {
			s.live[o.First+uint64(k)] = &goal{depth: depth}
		}
		delete(s.live, o.Task)
	}
	if !s.wanted(o, g) {
		return
	}
	shown := ""
	if o.Kind != tracer.Fail {
		shown = report.Shorten(o.Goal(terms), text)
	}
	switch o.Kind {
	case tracer.Start:
		s.trying = shown
		if !g.called {
			g.called = true
			s.line(o, g, "CALL", shown, "")
		}
	case tracer.Reduce:
		s.line(o, g, "REDUCE", shown, arrow(o))
	case tracer.End:
		s.line(o, g, "END", shown, arrow(o))
	case tracer.Suspend:
		g.called = true
		s.line(o, g, "SUSPEND", shown, waits(o.Waits()))
	case tracer.Resume:
		g.called = true
		by := fmt.Sprintf("by %d", o.Binder)
		if o.Binder == o.Task {
			by = "by its own request"
		}
		s.line(o, g, "RESUME", shown, by)
	case tracer.Fail:
		s.line(o, g, "FAIL", s.trying, reason(o.Err)) // the body is incomplete
	}
}

// End writes the goals that wait at a deadlock and flushes the buffer.
func (s *Writer) End(err error) error {
	var e *report.Error
	if errors.As(err, &e) {
		for _, p := range e.Goals {
			g := s.goal(p.Task)
			s.write(s.now, p.PE, p.Task, 0, "WAIT", p.Pos, indent(g.depth)+report.Shorten(p.Goal, text), waits(p.Waits))
		}
	}
	s.flush()
	return s.err
}

// goal returns the state of a live goal.
func (s *Writer) goal(id uint64) *goal {
	g := s.live[id]
	if g == nil { // a goal of the query
		g = &goal{depth: 1}
		s.live[id] = g
	}
	return g
}

func (s *Writer) wanted(o *engine.Observation, g *goal) bool {
	switch {
	case s.Full() || s.err != nil:
		return false
	case s.opts.Depth > 0 && g.depth > s.opts.Depth:
		return false
	}
	return s.opts.Spy == nil || s.opts.Spy[o.Procedure()]
}

// line writes an event of a goal.
func (s *Writer) line(o *engine.Observation, g *goal, event, shown, more string) {
	s.lines++
	s.write(o.Time, o.PE, o.Task, o.Parent, event, o.Pos, indent(g.depth)+shown, more)
	if now := time.Now(); now.Sub(s.flushed) > flushAfter {
		s.flush()
		s.flushed = now
	}
}

func (s *Writer) write(at int64, pe int32, id, parent uint64, event string, pos syntax.Pos, shown, more string) {
	caller := "-"
	if parent != 0 {
		caller = strconv.FormatUint(parent, 10)
	}
	if more != "" {
		shown += "  " + more
	}
	s.print(strconv.FormatInt(at, 10), strconv.Itoa(int(pe)), strconv.FormatUint(id, 10), caller, event, place(pos), shown)
}

func (s *Writer) print(at, pe, id, caller, event, place, shown string) {
	by := ""
	if s.opts.Spy != nil {
		by = fmt.Sprintf(" %6s", cmp.Or(caller, "caller"))
	}
	if s.begun {
		s.begun = false
		_ = s.w.WriteByte('\n') // the next write returns the same error
	}
	_, err := fmt.Fprintln(s.w, strings.TrimRight(fmt.Sprintf("%11s %*s %6s%s  %-7s  %-*s  %s", at, s.pe, pe, id, by, event, s.place, place, shown), " "))
	s.err = cmp.Or(s.err, err)
}

func (s *Writer) flush() { s.err = cmp.Or(s.err, s.w.Flush()) }

// indent returns the indentation of a goal.
func indent(depth int) string { return strings.Repeat("  ", min(depth-1, indented)) }

// place formats a position without folder and column.
func place(p syntax.Pos) string {
	if p.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
}

// arrow lists the ids of the called goals.
func arrow(o *engine.Observation) string {
	switch {
	case o.Count == 0:
		return ""
	case o.Count > children:
		return fmt.Sprintf("-> %d..%d", o.First, o.First+uint64(o.Count)-1)
	}
	b := []byte("->")
	for k := range o.Count {
		b = strconv.AppendUint(append(b, ' '), o.First+uint64(k), 10)
	}
	return string(b)
}

func waits(variables []string) string {
	if len(variables) == 0 {
		return "forever"
	}
	return "for " + strings.Join(variables, ", ")
}

// reason returns a short reason for a failure.
func reason(err error) string {
	var e *report.Error
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &e):
		return err.Error()
	case e.Kind == "failure":
		return "no clause can ever commit"
	}
	return e.Msg
}
