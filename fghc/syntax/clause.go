package syntax

// A reader makes the items of a file: clauses, `otherwise` and directives.
type reader struct {
	*parser
	file      *File
	number    int
	last      *Clause // the clause before, nil after an error
	broken    bool    // there was an error since the clause before
	otherwise *Pos    // of an otherwise that waits for the clause behind it
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
	if a, ok := t.(*Atom); ok && r.tok.kind == tokEnd && r.separator(a) {
		r.advance()
		return true
	}
	c := &Clause{At: start, Head: r.goal(t)}
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
	r.number++
	c.Number = r.number
	if r.last != nil && sameProcedure(r.last.Head, c.Head) {
		c.Group = r.last.Group
	}
	r.flushOtherwise(c)
	r.file.Clauses = append(r.file.Clauses, c)
	r.last, r.broken = c, false
	return true
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

// separator handles an atom that stands as a clause but is none.
func (r *reader) separator(a *Atom) bool {
	switch a.Name {
	case "otherwise":
		switch {
		case r.otherwise != nil:
			r.fail(a.At, "a clause between two of them", "otherwise stands behind another otherwise")
		case r.last == nil && !r.broken:
			r.fail(a.At, "otherwise between two clauses of a procedure", "otherwise stands before the first clause")
		default:
			r.otherwise = &a.At
		}
		return true
	case "alternatively":
		r.fail(a.At, "otherwise, or nothing", "alternatively is not part of the language")
		return true
	}
	return false
}

// flushOtherwise applies an otherwise to the clause behind it, nil at the end of the file.
func (r *reader) flushOtherwise(c *Clause) {
	at := r.otherwise
	r.otherwise = nil
	switch {
	case at == nil || r.broken: // of the clauses around it one could not be read
	case c == nil:
		r.fail(*at, "a clause of the same procedure behind it", "otherwise stands behind the last clause")
	case !sameProcedure(r.last.Head, c.Head):
		r.fail(*at, "otherwise between two clauses of a procedure", "otherwise stands between two procedures")
	default:
		c.Group++
	}
}

// directive reads :- module name.
func (r *reader) directive() bool {
	r.advance()
	name := r.tok
	if name.kind != tokName && name.kind != tokQuoted {
		r.unexpected("module")
		return false
	}
	if name.text != "module" {
		r.fail(name.pos, ":- module name", "unknown directive %s", cut(FormatName(name.text)))
		return false
	}
	r.advance()
	module := r.tok
	if module.kind != tokName && module.kind != tokQuoted {
		r.unexpected("the name of the module")
		return false
	}
	r.advance()
	if !r.end("'.'") {
		return false
	}
	if r.file.Module != "" {
		r.fail(name.pos, "one module in a file", "the file is already the module %s", FormatName(r.file.Module))
		return true
	}
	r.file.Module = module.text
	return true
}

// damaged notes the procedure of a clause with an error, by reading its head once more.
func (r *reader) damaged(start token) {
	r.last, r.broken, r.otherwise = nil, true, nil
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
