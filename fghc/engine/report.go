package engine

import (
	"fmt"
	"strings"

	"whorl/fghc/compile"
	"whorl/fghc/syntax"
	"whorl/fghc/term"
)

// An Error is why a program cannot go on, with the place in the source where the goal that it is about was called.
type Error struct {
	Kind string // deadlock, failure, unification, arithmetic
	Pos  syntax.Pos
	Msg  string
	Line string // the text at Pos
	Want string

	Waiting int       // goals of a deadlock
	Goals   []Pending // of them, the oldest
	lines   []string  // of the source, one for each of Goals
}

// reported is how many goals of a deadlock are told.
const reported = 100

// Error returns the place, the message and the line, and for a deadlock each goal with what it waits for.
func (e *Error) Error() string {
	if e.Kind != "deadlock" {
		return (&syntax.Error{Pos: e.Pos, Msg: e.Msg, Line: e.Line, Want: e.Want}).Error()
	}
	var b strings.Builder
	b.WriteString(e.Msg)
	for i, g := range e.Goals {
		b.WriteString("\n")
		b.WriteString((&syntax.Error{Pos: g.Pos, Msg: g.Goal + " waits for " + strings.Join(g.Waits, ", "), Line: e.lines[i]}).Error())
	}
	if more := e.Waiting - len(e.Goals); more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// line returns the text of a place in one of the program's files, or of the query.
func (e *Engine) line(p syntax.Pos) string {
	for _, f := range e.prog.Files {
		if f.Name == p.File && p.Line > 0 {
			if lines := strings.Split(f.Source, "\n"); int(p.Line) <= len(lines) {
				return strings.TrimRight(lines[p.Line-1], "\r")
			}
		}
	}
	return ""
}

func (e *Engine) errorAt(site int, kind, msg, want string) *Error {
	pos := e.prog.Sites[site].Pos
	return &Error{Kind: kind, Pos: pos, Msg: msg, Line: e.line(pos), Want: want}
}

// brief shortens a text in its middle: an integer can have a million digits.
func brief(s string) string {
	const most = 240
	if r := []rune(s); len(r) > most {
		return string(r[:most/2]) + " ... " + string(r[len(r)-most/2:])
	}
	return s
}

func (e *Engine) unifyError(a, b term.Word, site int) error {
	p := e.printer(2 * showShort)
	return e.errorAt(site, "unification", fmt.Sprintf("unification failure: %s = %s", brief(syntax.Format(p.term(a, 0))), brief(syntax.Format(p.term(b, 0)))), "")
}

func (e *Engine) arithError(in *compile.Ins, msg string) error {
	return e.errorAt(int(in.Fail), "arithmetic", msg, "")
}

// failure reports a goal for which no clause can ever commit.
func (e *Engine) failure(i uint32) error {
	g := &e.goals[i]
	pr := e.prog.Procs[g.proc]
	return e.errorAt(int(g.site), "failure", brief(e.printer(0).goal(g))+" fails: no clause can ever commit",
		fmt.Sprintf("arguments that one of the clauses of %s/%d at %v accepts", pr.Name, pr.Arity, pr.Pos))
}

// deadlock reports the goals that wait.
func (e *Engine) deadlock() error {
	d := &Error{Kind: "deadlock"}
	d.Goals, d.Waiting = e.Inspect().Waiting(reported)
	for _, g := range d.Goals {
		d.lines = append(d.lines, e.line(g.Pos))
	}
	d.Pos, d.Line = d.Goals[0].Pos, d.lines[0]
	d.Msg = fmt.Sprintf("deadlock: %d goals wait for ever", d.Waiting)
	if d.Waiting == 1 {
		d.Msg = "deadlock: 1 goal waits for ever"
	}
	return d
}

// waitsFor returns the variables that each waiting goal waits for. Hooks lead from variables to goals, so the arena is searched for them;
// a collection first leaves nothing in it that is dead.
func (e *Engine) waitsFor() map[uint32][]term.Word {
	e.collect()
	h := &e.heap
	out := map[uint32][]term.Word{}
	for i := 1; i < len(h.m); i++ {
		w := h.m[i]
		if w.Tag() == term.Raw && !term.Scanned(w.BoxKind()) {
			i += w.BoxWords()
		}
		if w.Tag() != term.Var || w.Index() == 0 {
			continue
		}
		at := w.Index()
		if w&imported != 0 {
			at = int(h.m[at].Value())
		}
		for ; at != 0; at = int(h.m[at+1].Value()) {
			if g, _ := e.hooked(at); g != remoteHook && !e.void(at) {
				out[g] = append(out[g], term.MakeRef(i))
			}
		}
	}
	return out
}
