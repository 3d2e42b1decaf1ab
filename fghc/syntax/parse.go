package syntax

import (
	"strings"
	"unicode/utf8"

	"whorl/internal/nearest"
)

// maxSource bounds a source, so that places fit their fields.
const maxSource = 1 << 30

// Parse reads a program. name stands in the places of its terms and errors. The file is never nil; it holds the clauses that could be read,
// and Damaged tells which procedures the others belong to. It can only be compiled when there is no error.
func Parse(name, src string) (*File, Errors) {
	f := &File{Name: name, Source: src}
	p, errs := newParser(name, src)
	if p == nil {
		return f, errs
	}
	r := reader{parser: p, file: f}
	for p.tok.kind != tokEOF {
		start := p.tok
		if !r.item() {
			r.damaged(start)
			p.skip(start.off)
		}
	}
	r.flushSeparator(nil)
	return f, p.errs.Locate(src)
}

// ParseGoals reads the goals of a query: "qsort([2,1],X), p(X)". It may begin with ?- and end with a full stop.
func ParseGoals(name, src string) ([]Goal, Errors) {
	p, errs := newParser(name, src)
	if p == nil {
		return nil, errs
	}
	if p.tok.kind == tokName && p.tok.text == "?-" {
		p.advance()
	}
	goals, ok := p.goals()
	if ok && p.tok.kind == tokEnd {
		p.advance()
	}
	if ok && p.tok.kind != tokEOF && !p.noOperator() {
		p.unexpected("an operator, a comma or the end of the query")
	}
	return goals, p.errs.Locate(src)
}

func newParser(name, src string) (*parser, Errors) {
	p := &parser{scanner: newScanner(name, src)}
	switch {
	case len(src) > maxSource:
		p.fail(p.pos(), "at most 1 GiB", "the source is too long")
		return nil, p.errs
	case !utf8.ValidString(src):
		p.fail(p.invalid(), "UTF-8", "the source is not in UTF-8")
		src = strings.ToValidUTF8(src, "\ufffd")
		p.scanner.src = src
	}
	p.ended = p.pos()
	p.tok = p.next()
	return p, nil
}

// invalid returns the place of the first byte that is not UTF-8.
func (s *scanner) invalid() Pos {
	probe := newScanner(s.file, s.src)
	for probe.at < len(probe.src) {
		r, size := utf8.DecodeRuneInString(probe.src[probe.at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			probe.newline()
			continue
		}
		probe.at += size
		probe.extra += size - 1
	}
	return probe.pos()
}

// skip passes the rest of a clause with an error: to the full stop, or to a name in the first column where the clause could have ended,
// as when its full stop is missing or in a string that is not closed.
func (p *parser) skip(start int) {
	for p.tok.kind != tokEOF {
		switch p.tok.kind {
		case tokEnd:
			p.advance()
			return
		case tokName, tokQuoted:
			if p.tok.pos.Column == 1 && p.tok.off > start && !p.goesOn() {
				return
			}
		}
		p.advance()
	}
}

// goesOn reports whether the token before the one at hand cannot be the last of a clause.
func (p *parser) goesOn() bool {
	switch p.prev {
	case tokOpen, tokOpenList, tokOpenVector, tokComma, tokBar:
		return true
	case tokName:
		return infixes[p.name].Name != ""
	}
	return false
}

// goals reads goals up to what is no comma behind one of them, and leaves out true. The goals of a conjunction in parentheses are taken out.
func (p *parser) goals() ([]Goal, bool) {
	var goals []Goal
	for {
		t, _ := p.term(999, "a goal")
		if t == nil {
			return goals, false
		}
		goals = p.addGoals(goals, t)
		if p.tok.kind != tokComma {
			return goals, true
		}
		p.advance()
	}
}

func (p *parser) addGoals(goals []Goal, t Term) []Goal {
	for {
		c, ok := t.(*Compound)
		if !ok || c.Name != "," || len(c.Args) != 2 {
			break
		}
		goals = p.addGoals(goals, c.Args[0])
		t = c.Args[1]
	}
	g := p.goal(t)
	if a, ok := g.Term.(*Atom); ok && a.Name == "true" && g.Module == "" {
		return goals
	}
	return append(goals, g)
}

// goal takes the pragmas and the module off a term.
func (p *parser) goal(t Term) Goal {
	g := Goal{Term: t}
	for {
		c, ok := g.Term.(*Compound)
		if !ok || c.Name != "@" || len(c.Args) != 2 {
			break
		}
		g.Term = c.Args[0]
		p.pragma(&g, c.Args[1])
	}
	if c, ok := g.Term.(*Compound); ok && c.Name == ":" && len(c.Args) == 2 {
		g.Term = c.Args[1]
		if module, ok := c.Args[0].(*Atom); ok {
			g.Module = module.Name
		} else {
			p.fail(c.Args[0].Pos(), "the name of a module before :", "%s is no module", cut(Format(c.Args[0])))
		}
	}
	return g
}

// pragma adds what t, read behind @, says of a goal.
func (p *parser) pragma(g *Goal, t Term) {
	const want = "node(N), priority(N), lower_priority or lower_priority(N)"
	name, args := Goal{Term: t}.Name()
	switch {
	case name == "node" && len(args) == 1:
		if g.Node != nil {
			p.fail(t.Pos(), "one of them", "the goal has two places to go to")
		}
		g.Node = args[0]
	case name == "priority" && len(args) == 1, name == "lower_priority" && len(args) < 2:
		if g.Priority != nil {
			p.fail(t.Pos(), "one of them", "the goal has two priorities")
		}
		g.Lower, g.Priority = name == "lower_priority", &Int{At: t.Pos(), Value: 1}
		if len(args) > 0 {
			g.Priority = args[0]
		}
	default:
		near := nearest.Names(name, []string{"node", "priority", "lower_priority"})
		if len(near) > 0 && near[0] != name {
			p.fail(t.Pos(), want+"; nearest: "+near[0], "unknown pragma %s", cut(Format(t)))
			return
		}
		p.fail(t.Pos(), want, "unknown pragma %s", cut(Format(t)))
	}
}
