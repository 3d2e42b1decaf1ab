package report

import (
	"cmp"
	"fmt"
	"strings"

	"whorl/fghc/compile"
	"whorl/fghc/syntax"
)

// An Error is why a program cannot go on, with the place in the source where the goal that it is about was called.
type Error struct {
	Kind string // deadlock, perpetual, failure, unification, arithmetic, builtin
	Pos  syntax.Pos
	Msg  string
	Line string // the text at Pos
	Want string

	Waiting int       // goals of a deadlock, or suspended perpetually
	Goals   []Pending // of them, the oldest
	lines   []string  // of the source, one for each of Goals
}

// A Pending is a goal that has not ended, for a person who looks at a run that stands still.
type Pending struct {
	Task  uint64
	Goal  string
	Pos   syntax.Pos // where it was called
	PE    int32      // where it was tried last, or made
	Waits []string   // for these variables
}

// Error returns the place, the message and the line, and for a deadlock each goal with what it waits for.
func (e *Error) Error() string {
	if len(e.Goals) == 0 {
		return (&syntax.Error{Pos: e.Pos, Msg: e.Msg, Line: e.Line, Want: e.Want}).Error()
	}
	var b strings.Builder
	b.WriteString(e.Msg)
	for i, g := range e.Goals {
		b.WriteString("\n")
		msg := g.Goal + " waits for ever"
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

// InText compares the sites of two goals for slices.SortFunc: the query comes first, then the order of the text. Whatever engine has run
// the goals, and whether it gave them ids, it is the same order.
func InText(prog *compile.Program, a, b int) int {
	place := func(site int) int {
		if prog.Sites[site].Clause == 0 {
			return site - len(prog.Sites)
		}
		return site
	}
	return cmp.Compare(place(a), place(b))
}

// Told is how many goals of a deadlock are told.
const Told = 100

// Deadlock is the error of a program of which so many goals wait for ever; goals are some of them, at least one.
func Deadlock(prog *compile.Program, waiting int, goals []Pending) *Error {
	msg := fmt.Sprintf("deadlock: %d goals wait for ever", waiting)
	if waiting == 1 {
		msg = "deadlock: 1 goal waits for ever"
	}
	return pending(prog, "deadlock", msg, waiting, goals)
}

// Perpetual is what is to be told, while a program runs, of so many goals that nobody can wake any more; goals are some of them, at least
// one.
func Perpetual(prog *compile.Program, lost int, goals []Pending) *Error {
	msg := fmt.Sprintf("perpetual suspension: %d goals can never go on", lost)
	if lost == 1 {
		msg = "perpetual suspension: 1 goal can never go on"
	}
	return pending(prog, "perpetual", msg, lost, goals)
}

func pending(prog *compile.Program, kind, msg string, waiting int, goals []Pending) *Error {
	e := &Error{Kind: kind, Pos: goals[0].Pos, Msg: msg, Waiting: waiting, Goals: goals}
	for _, g := range goals {
		e.lines = append(e.lines, line(prog, g.Pos))
	}
	e.Line = e.lines[0]
	return e
}

// At is an error at a site.
func At(prog *compile.Program, site int, kind, msg, want string) *Error {
	pos := prog.Sites[site].Pos
	return &Error{Kind: kind, Pos: pos, Msg: msg, Line: line(prog, pos), Want: want}
}

// Failure is the error of a goal for which no clause can commit.
func Failure(prog *compile.Program, proc, site int, goal string) *Error {
	pr := prog.Procs[proc]
	return At(prog, site, "failure", Brief(goal)+" fails: no clause can ever commit",
		fmt.Sprintf("arguments that one of the clauses of %s/%d at %v accepts", pr.Name, pr.Arity, pr.Pos))
}

// Unification is the error of two terms that cannot be made equal.
func Unification(prog *compile.Program, site int, a, b string) *Error {
	return At(prog, site, "unification", fmt.Sprintf("unification failure: %s = %s", Brief(a), Brief(b)), "")
}

// line returns the text of a place in one of the program's files, or of the query.
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
