package syntax

// A reader makes the items of a file: clauses, what stands between them, and directives.
type reader struct {
	*parser
	file      *File
	number    int
	last      *Clause // the clause before, nil after an error
	broken    bool    // there was an error since the clause before
	constants constants
	separator token // an otherwise or alternatively that waits for the clause behind it; none without text
}

// item reads up to a full stop. It returns false after an error.
func (r *reader) item() bool {
	switch {
	case r.tok.kind == tokEnd:
		r.fail(r.tok.pos, "a clause before it", "unexpected '.'")
		r.advance()
		return true
	case r.tok.kind == tokName && r.tok.text == ":-":
		return r.directive()
	case r.tok.kind == tokName && r.tok.text == "?-":
		r.fail(r.tok.pos, "clauses and :- module", "a program holds no queries")
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
	c := &Clause{At: start, Module: r.within(), Head: r.goal(t)}
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
	if r.last != nil && sameProcedure(r.last.Head, c.Head) {
		c.Group, c.Rank = r.last.Group, r.last.Rank
	}
	r.flushSeparator(c)
	r.file.Clauses = append(r.file.Clauses, c)
	r.last, r.broken = c, false
	return true
}

// within returns the name of the module that is being read.
func (r *reader) within() string {
	if n := len(r.file.Modules); n > 0 {
		return r.file.Modules[n-1].Name
	}
	return ""
}

func sameProcedure(a, b Goal) bool {
	nameA, argsA := a.Name()
	nameB, argsB := b.Name()
	return nameA == nameB && len(argsA) == len(argsB)
}

// end passes the full stop. Where the next clause begins instead, the error stands at the end of this one.
func (r *reader) end(want string) bool {
	switch {
	case r.tok.kind == tokEnd:
		r.advance()
		return true
	case r.noOperator():
	case r.tok.kind == tokEOF || r.tok.pos.Column == 1 && r.tok.pos.Line > r.ended.Line && (r.tok.kind == tokName || r.tok.kind == tokQuoted):
		r.fail(r.ended, want, "the clause does not end here")
	default:
		r.unexpected(want)
	}
	return false
}

// separates handles an atom that stands as a clause but is none. Where it separates nothing it is left out, with a warning.
func (r *reader) separates(a *Atom) bool {
	if a.Name != "otherwise" && a.Name != "alternatively" {
		return false
	}
	switch {
	case r.separator.text != "":
		r.warn(a.At, "a clause between two of them", "%s stands behind another %s", a.Name, r.separator.text)
	case r.last == nil && !r.broken:
		r.warn(a.At, a.Name+" between two clauses of a procedure", "%s stands before the first clause", a.Name)
	default:
		r.separator = token{pos: a.At, text: a.Name}
	}
	return true
}

// flushSeparator applies an otherwise or alternatively to the clause behind it, nil at the end of the module.
func (r *reader) flushSeparator(c *Clause) {
	s := r.separator
	r.separator = token{}
	switch {
	case s.text == "" || r.broken: // of the clauses around it one could not be read
	case c == nil:
		r.warn(s.pos, "a clause of the same procedure behind it", "%s stands behind the last clause", s.text)
	case !sameProcedure(r.last.Head, c.Head):
		r.warn(s.pos, s.text+" between two clauses of a procedure", "%s stands between two procedures", s.text)
	case s.text == "otherwise":
		c.Group++
		c.Rank = 0
	default:
		c.Rank++
	}
}

// damaged notes the procedure of a clause with an error, by reading its head once more.
func (r *reader) damaged(start token) {
	r.last, r.broken, r.separator = nil, true, token{}
	if start.kind != tokName && start.kind != tokQuoted || start.text == ":-" || start.text == "?-" {
		return
	}
	r.number++
	d := Procedure{start.text, -1}
	again := &scanner{src: r.src, file: r.scanner.file, at: start.end, line: 1}
	head := parser{scanner: again}
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
