package syntax

import "strings"

// types lists the types by keyword. A keyword that begins another one comes after it.
var typeWords = []struct {
	word string
	base BaseType
}{
	{"DOUBLE PRECISION", DoubleType},
	{"DOUBLE COMPLEX", ComplexType},
	{"INTEGER", IntegerType},
	{"REAL", RealType},
	{"COMPLEX", ComplexType},
	{"LOGICAL", LogicalType},
	{"CHARACTER", CharacterType},
}

// optionalType reads a type with its kind or length. It returns nil and reads nothing if there is none.
func (p *parser) optionalType() *Type {
	pos, from := p.pos(), p.i
	if t := p.derivedType(); t != nil {
		return t
	}
	for _, w := range typeWords {
		ok := p.word(w.word)
		if !ok && p.free && p.is(w.word) && p.peek(len(w.word)) == '*' {
			p.i += len(w.word)
			ok = true
		}
		if !ok {
			continue
		}
		t := &Type{Pos: pos, Base: w.base}
		switch {
		case w.base == CharacterType:
			p.characterLength(t)
		case w.word == "DOUBLE COMPLEX":
			t.Kind = &Int{pos, 16, ""}
		default:
			p.kind(t)
		}
		return t
	}
	p.i = from
	return nil
}

// kind reads *8, (8) or (KIND=8). REAL of 8 bytes becomes DOUBLE PRECISION.
func (p *parser) kind(t *Type) {
	from := p.i
	switch {
	case p.peek(0) == '*' && digit(p.peek(1)):
		p.i++
		n := p.number("a number of bytes", 1000)
		p.sized(t, n, from)
	case p.accept("("):
		if !p.accept("KIND=") {
			p.accept("LEN=")
		}
		t.Kind = p.expr()
		p.expect(")", "after the kind of a type")
		if n, ok := t.Kind.(*Int); ok && t.Base != ComplexType { // the kind of a COMPLEX is that of its parts, not its bytes
			t.Kind = nil
			p.sized(t, int(min(n.Value, 1000)), from)
		}
	}
}

func (p *parser) sized(t *Type, n, from int) {
	sizes := map[BaseType]string{IntegerType: " 1 2 4 8 ", RealType: " 4 8 ", ComplexType: " 8 16 ", LogicalType: " 1 2 4 8 ", DoubleType: " 8 "}
	if !strings.Contains(sizes[t.Base], " "+itoa(n)+" ") {
		p.fail(from, "one of"+sizes[t.Base][:len(sizes[t.Base])-1], "there is no %v of %d bytes", t.Base, n)
	}
	switch {
	case t.Base == RealType && n == 8:
		t.Base = DoubleType
	case t.Base == ComplexType && n == 16:
		t.Kind = &Int{t.Pos, 16, ""}
	case t.Base == IntegerType && n != 4, t.Base == LogicalType && n != 4:
		t.Kind = &Int{t.Pos, int64(n), ""}
	}
}

// characterLength reads *n, *(*), (n), (LEN=n) or (*).
func (p *parser) characterLength(t *Type) {
	length := func() Expr {
		if pos := p.pos(); p.peek(0) == '*' {
			p.i++
			return &Star{pos}
		}
		if pos := p.pos(); p.accept(":") {
			return &Section{Pos: pos} // deferred
		}
		return p.expr()
	}
	switch {
	case p.accept("*"):
		if p.accept("(") {
			t.Len = length()
			p.expect(")", "after the length of characters")
		} else {
			pos := p.pos()
			t.Len = &Int{pos, int64(p.number("a length", 1<<30)), ""}
		}
		p.accept(",") // CHARACTER*8, A
	case p.accept("("):
		p.accept("LEN=")
		t.Len = length()
		if p.accept(",") {
			p.accept("KIND=")
			p.expr()
		}
		p.expect(")", "after the length of characters")
	}
}

func (p *parser) implicit(pos Pos) Spec {
	s := &Implicit{Pos: pos}
	if p.word("NONE") {
		if p.accept("(") && !p.accept(")") {
			p.names("TYPE or EXTERNAL")
			p.expect(")", "after IMPLICIT NONE")
		}
		p.finish()
		return s
	}
	for {
		t := p.implicitType()
		r := ImplicitRule{Type: t}
		p.expect("(", "after the type of IMPLICIT")
		for {
			from := p.i
			lo := p.peek(0)
			p.i++
			hi := lo
			if p.accept("-") {
				hi = p.peek(0)
				p.i++
			}
			if !letter(lo) || !letter(hi) || lo > hi {
				p.i = min(from, len(p.text))
				p.unexpected("a letter, or two as in A-H", "in the letters of IMPLICIT")
			}
			r.Ranges = append(r.Ranges, [2]byte{lo, hi})
			if !p.accept(",") {
				break
			}
		}
		p.expect(")", "in the letters of IMPLICIT")
		s.Rules = append(s.Rules, r)
		if !p.accept(",") {
			break
		}
	}
	p.finish()
	return s
}

// implicitType reads the type of an IMPLICIT rule. If only one pair of parentheses follows, it holds letters and not
// the kind.
func (p *parser) implicitType() *Type {
	from := p.i
	for _, w := range typeWords {
		for _, bare := range []bool{true, false} {
			p.i = from
			if !p.accept(strings.ReplaceAll(w.word, " ", "")) {
				break
			}
			if bare {
				if end := p.closing(p.i); p.is("(") && end >= 0 && (end == len(p.text) || p.text[end] == ',') {
					return &Type{Pos: p.posAt(from), Base: w.base}
				}
				continue
			}
			p.i = from
			return p.optionalType()
		}
	}
	p.i = from
	p.unexpected("NONE or a type", "after IMPLICIT")
	return nil
}
