package syntax

// A reader reads the items of a file: clauses, separators between them, and directives.
type reader struct {
	*parser
	file      *File
	number    int
	last      *Clause // the previous clause, nil after an error
	broken    bool    // an error occurred since the previous clause
	constants constants
	separator token // a pending otherwise or alternatively; its text is empty if there is none
}

// item reads an item up to its full stop. It returns false after an error.
func (r *reader) item() bool {
	switch {
	case r.tok.kind == tokEnd:
		r.fail(r.tok.pos, "a clause before it", "unexpected '.'")
		r.advance()
		return true
	case r.tok.kind == tokName && r.tok.text == ":-":
		return r.directive()
	case r.tok.kind == tokName && r.tok.text == "?-":
		r.fail(r.tok.pos, "clauses and :- module", "a program cannot contain queries")
		return false
	}
	return r.clause()
}

func (r *reader) clause() bool {
	start := r.tok.pos
	t, _ := r.term(999, "the head of a clause")
	if t == nil {
		return false
	}
	if a, ok := t.(*Atom); ok && r.tok.kind == tokEnd && r.separates(a) {
		r.advance()
		return true
	}
	c := &Clause{Pos: start, Module: r.moduleName(), Head: r.goal(t)}
	want := "an operator, :- or '.'"
	if r.tok.kind == tokName && r.tok.text == ":-" {
		r.advance()
		want = "an operator, a comma, | or '.'"
		goals, ok := r.goals()
		if ok && r.tok.kind == tokBar {
			c.Guard = goals
			r.advance()
			want = "an operator, a comma or '.'"
			goals, ok = r.goals()
		}
		if !ok {
			return false
		}
		c.Body = goals
	}
	if !r.end(want) {
		return false
	}
	r.constants.apply(c)
	r.number++
	c.Number = r.number
	if r.last != nil && r.last.Head.Calls() == c.Head.Calls() {
		c.Group, c.Rank = r.last.Group, r.last.Rank
	}
	r.flushSeparator(c)
	r.file.Clauses = append(r.file.Clauses, c)
	r.last, r.broken = c, false
	return true
}

// moduleName returns the name of the current module.
func (r *reader) moduleName() string {
	if n := len(r.file.Modules); n > 0 {
		return r.file.Modules[n-1].Name
	}
	return ""
}

// end advances over the full stop. If the next clause begins instead, the error is reported at the end of this one.
func (r *reader) end(want string) bool {
	switch {
	case r.tok.kind == tokEnd:
		r.advance()
		return true
	case r.noOperator():
	case r.tok.kind == tokEOF || r.tok.pos.Column == 1 && r.tok.pos.Line > r.ended.Line && (r.tok.kind == tokName || r.tok.kind == tokQuoted):
		r.fail(r.ended, want, "the clause has no full stop")
	default:
		r.unexpected(want)
	}
	return false
}

// separates handles otherwise and alternatively. A separator before the first clause, after the last one or after another separator is
// ignored with a warning; one between two procedures is an error.
func (r *reader) separates(a *Atom) bool {
	if a.Name != "otherwise" && a.Name != "alternatively" {
		return false
	}
	switch {
	case r.separator.text != "":
		r.warn(a.Pos, "a clause between them", "%s follows another %s", a.Name, r.separator.text)
	case r.last == nil && !r.broken:
		r.warn(a.Pos, a.Name+" between two clauses of a procedure", "%s precedes the first clause", a.Name)
	default:
		r.separator = token{pos: a.Pos, text: a.Name}
	}
	return true
}

// flushSeparator applies a pending separator to the next clause c, or to the end of the module if c is nil. Clauses with the same name and
// number of arguments after expansion belong to one procedure, however their heads spell argument pairs.
func (r *reader) flushSeparator(c *Clause) {
	s := r.separator
	r.separator = token{}
	if s.text == "" || r.broken { // after a syntax error the position of the separator is unknown
		return
	}
	if c == nil {
		r.warn(s.pos, "another clause of the same procedure", "%s follows the last clause", s.text)
		return
	}
	before, after := r.last.Head.Calls(), c.Head.Calls()
	switch {
	case before != after:
		r.fail(s.pos, s.text+" between two clauses of a procedure", "%s is between two procedures, %v and %v", s.text, before, after)
	case s.text == "otherwise":
		c.Group++
		c.Rank = 0
	default:
		c.Rank++
	}
}

// damaged records the procedure of a clause with an error, by reading its head again.
func (r *reader) damaged(start token) {
	r.last, r.broken, r.separator = nil, true, token{}
	if start.kind != tokName && start.kind != tokQuoted || start.text == ":-" || start.text == "?-" {
		return
	}
	r.number++
	d := Procedure{start.text, -1}
	again := &scanner{src: r.src, file: r.scanner.file, off: start.end, line: 1}
	head := parser{scanner: again, ops: r.ops}
	if !start.call {
		d.Arity = 0
	} else {
		head.advance()
		open := head.tok
		head.advance()
		if args, _ := head.args(open, tokClose, ")"); args != nil {
			d.Arity = len(args)
		}
	}
	r.file.Damaged = append(r.file.Damaged, d)
}
