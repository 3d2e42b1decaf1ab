package syntax

// TermEnd returns how many bytes of src the first term takes, with its full stop and all that stands before it; 0 where there is no full
// stop. More says that what is behind src could change that: the full stop is the last byte.
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

// Blank reports whether src holds nothing but blank space and comments.
func Blank(src string) bool {
	s := newScanner("", src)
	return s.blank() && s.at == len(src)
}

// ParseTerm reads a term with its full stop.
func ParseTerm(name, src string) (Term, Errors) {
	p, errs := newParser(name, src)
	if p == nil {
		return nil, errs
	}
	t, _ := p.term(1200, "a term")
	if t != nil && p.tok.kind != tokEnd && !p.noOperator() {
		p.unexpected("an operator or '.'")
	}
	return t, p.errs.Locate(src)
}
