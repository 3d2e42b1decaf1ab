package report

import (
	"cmp"
	"fmt"
	"strings"

	"whorl/fghc/builtin"
	"whorl/fghc/compile"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// An Error reports why a program cannot continue, with the source position of the call of the goal concerned.
type Error struct {
	Kind string // deadlock, perpetual, failure, unification, arithmetic or builtin
	Pos  syntax.Pos
	Msg  string
	Line string // the text of the line at Pos
	Want string

	Waiting int       // number of goals in a deadlock or perpetual suspension
	Goals   []Pending // the oldest of them
	lines   []string  // the source line of each of Goals
}

// A Pending is a goal that has not ended.
type Pending struct {
	Task  uint64
	Goal  string
	Pos   syntax.Pos // of the call
	PE    int32      // where it was last tried, or created
	Waits []string   // the variables it waits for
}

// Error returns the position, the message and the source line. For a deadlock it lists the goals and the variables they wait for.
func (e *Error) Error() string {
	if len(e.Goals) == 0 {
		return (&syntax.Error{Pos: e.Pos, Msg: e.Msg, Line: e.Line, Want: e.Want}).Error()
	}
	var b strings.Builder
	b.WriteString(e.Msg)
	for i, g := range e.Goals {
		b.WriteString("\n")
		msg := g.Goal + " waits forever"
		if len(g.Waits) > 0 {
			msg = g.Goal + " waits for " + strings.Join(g.Waits, ", ")
		}
		b.WriteString((&syntax.Error{Pos: g.Pos, Msg: msg, Line: e.lines[i]}).Error())
	}
	if more := e.Waiting - len(e.Goals); more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// CompareSites orders the sites of two goals for slices.SortFunc: goals of the query come first, then source order. The order is the same
// for all engines.
func CompareSites(prog *compile.Program, a, b int) int {
	place := func(site int) int {
		if prog.Sites[site].Clause == 0 {
			return site - len(prog.Sites)
		}
		return site
	}
	return cmp.Compare(place(a), place(b))
}

// MaxGoals is the maximum number of goals that an error about waiting goals lists.
const MaxGoals = 100

// deadlock returns the error of a program whose goals wait forever, with their number; goals contains at least one of them.
func deadlock(prog *compile.Program, waiting int, goals []Pending) *Error {
	msg := fmt.Sprintf("deadlock: %d goals wait forever", waiting)
	if waiting == 1 {
		msg = "deadlock: 1 goal waits forever"
	}
	return pending(prog, "deadlock", msg, waiting, goals)
}

// perpetual returns the warning, while a program runs, that a number of goals can never be resumed; goals contains at least one of them.
func perpetual(prog *compile.Program, lost int, goals []Pending) *Error {
	msg := fmt.Sprintf("perpetual suspension: %d goals can never be resumed", lost)
	if lost == 1 {
		msg = "perpetual suspension: 1 goal can never be resumed"
	}
	return pending(prog, "perpetual", msg, lost, goals)
}

// LostWarner returns a function for Losses.Warn that shows at most 5 goals for each collection, and none when Losses has no more room.
func LostWarner(prog *compile.Program, warn func(string)) func(some []Pending, n int) {
	const shown = 5
	return func(some []Pending, n int) {
		if len(some) > 0 {
			warn(perpetual(prog, n, some[:min(shown, len(some))]).Error())
		}
	}
}

func pending(prog *compile.Program, kind, msg string, waiting int, goals []Pending) *Error {
	e := &Error{Kind: kind, Pos: goals[0].Pos, Msg: msg, Waiting: waiting, Goals: goals}
	for _, g := range goals {
		e.lines = append(e.lines, line(prog, g.Pos))
	}
	e.Line = e.lines[0]
	return e
}

// NewError returns an error at a site.
func NewError(prog *compile.Program, site int, kind, msg, want string) *Error {
	pos := prog.Sites[site].Pos
	return &Error{Kind: kind, Pos: pos, Msg: msg, Line: line(prog, pos), Want: want}
}

// A Fault is a builtin's complaint about an argument.
type Fault struct {
	Arg  int
	Text string
}

// Builtin returns the error of a builtin of a body. show returns the text of an argument.
func Builtin(prog *compile.Program, site int, b *builtin.Builtin, f Fault, show func(arg int) string) *Error {
	shown := ""
	if f.Text != "" && f.Arg >= 0 {
		shown = show(f.Arg)
	}
	msg, want := b.Message(f.Arg, f.Text, shown)
	return NewError(prog, site, "builtin", msg, want)
}

// Failure returns the error of a goal to which no clause can commit.
func Failure(prog *compile.Program, proc, site int, goal string) *Error {
	pr := prog.Procs[proc]
	return NewError(prog, site, "failure", Brief(goal)+" fails: no clause can ever commit",
		fmt.Sprintf("arguments that a clause of %s/%d at %v accepts", pr.Name, pr.Arity, pr.Pos))
}

// Unification returns the error of two terms that cannot be unified.
func Unification(prog *compile.Program, site int, p *Printer, a, b term.Word) *Error {
	return NewError(prog, site, "unification", fmt.Sprintf("unification failure: %s = %s", p.Brief(a), p.Brief(b)), "")
}

// line returns the source line of a position in the program or the query.
func line(prog *compile.Program, p syntax.Pos) string {
	for _, f := range prog.Files {
		if f.Name == p.File && p.Line > 0 {
			if lines := strings.Split(f.Source, "\n"); int(p.Line) <= len(lines) {
				return strings.TrimRight(lines[p.Line-1], "\r")
			}
		}
	}
	return ""
}
