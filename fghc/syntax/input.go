package syntax

// TermEnd returns the length in bytes of the first term of src, including its full stop and preceding blank space, or 0 if there is no full
// stop. More reports whether text appended to src could change the result.
func TermEnd(src string) (n int, more bool) {
	s := newScanner("", src)
	for {
		switch t := s.next(); {
		case t.kind == tokEnd:
			return t.end, t.end == len(src)
		case t.kind == tokEOF, t.kind == tokBad && t.end == t.off:
			return 0, true
		}
	}
}

// Blank reports whether src contains only blank space and comments.
func Blank(src string) bool {
	s := newScanner("", src)
	return s.blank() && s.off == len(src)
}

// ParseTerm reads a term and its full stop with the given operators.
func ParseTerm(name, src string, ops *OperatorTable) (Term, Errors) {
	p, errs := newParser(name, src)
	if p == nil {
		return nil, errs
	}
	p.ops = ops
	t, _ := p.term(1200, "a term")
	if t != nil && p.tok.kind != tokEnd && !p.noOperator() {
		p.unexpected("an operator or '.'")
	}
	return t, p.errs.Locate(src)
}
