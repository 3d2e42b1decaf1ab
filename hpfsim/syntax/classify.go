package syntax

import (
	"maps"
	"slices"
	"strings"
)

// assignment reports whether the statement is an assignment: a name, perhaps with subscripts and a substring, then a
// single =, and after it no comma outside of parentheses. A DO has such a comma between its bounds.
func (p *parser) assignment() bool {
	i, n := 0, len(p.text)
	if n == 0 || !letter(p.text[0]) {
		return false
	}
	for i < n && nameChar(p.text[i]) {
		if i > 0 && p.free && p.gap[i] {
			return false
		}
		i++
	}
	for more := true; more; {
		for range 2 {
			if i < n && p.text[i] == '(' {
				i = p.closing(i)
				if i < 0 {
					return false
				}
			}
		}
		if more = i < n && p.text[i] == '%'; more {
			for i++; i < n && nameChar(p.text[i]); i++ {
			}
		}
	}
	if i >= n || p.text[i] != '=' || i+1 < n && p.text[i+1] == '=' {
		return false
	}
	comma := false
	p.scan(i+1, func(i, depth int) bool {
		comma = depth == 0 && p.text[i] == ','
		return !comma
	})
	return !comma
}

// scan calls f for the characters from i on that are not in quotes, until f returns false. depth counts the open parentheses and brackets, with the character's own.
func (p *parser) scan(i int, f func(i, depth int) bool) {
	for depth := 0; i < len(p.text); i++ {
		switch c := p.text[i]; c {
		case '\'', '"':
			for i++; i < len(p.text) && p.text[i] != c; i++ {
			}
			continue
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		if !f(i, depth) {
			return
		}
	}
}

// closing returns the index after the parenthesis that closes the one at i, or -1 if none does.
func (p *parser) closing(i int) int {
	end := -1
	p.scan(i, func(i, depth int) bool {
		if depth == 0 {
			end = i + 1
		}
		return depth > 0
	})
	return end
}

// construct reads the name of a construct and its colon. It returns "" and reads nothing if there is none.
func (p *parser) construct() string {
	from := p.i
	if letter(p.peek(0)) {
		n := p.scanName()
		if p.peek(0) == ':' && p.peek(1) != ':' {
			p.i++
			return n
		}
	}
	p.i = from
	return ""
}

// statement reads an executable statement. It returns nil for directives and for statements such as FORMAT that only
// affect others.
func (b *builder) statement() Stmt {
	p := b.parser
	if p.directive {
		return b.directive()
	}
	s := b.executable()
	if b.pending != nil {
		switch s := s.(type) {
		case *Do:
			s.Independent = b.pending
		case *Forall:
			s.Independent = b.pending
		default:
			p.report(b.pending.Pos, "a DO or FORALL after it", "INDEPENDENT is not followed by a loop")
		}
		b.pending = nil
	}
	return s
}

func (b *builder) executable() Stmt {
	p := b.parser
	if p.assignment() {
		return p.assign()
	}
	name := p.construct()
	from := p.i
	switch {
	case p.word("IF"):
		return b.ifStmt()
	case p.word("DO"):
		independent := b.pending
		b.pending = nil
		d := b.do(name)
		b.pending = independent
		return d
	case p.word("SELECT CASE"):
		return b.selectCase(name)
	case p.is("ASSOCIATE(") && p.word("ASSOCIATE"):
		return b.association(name)
	case p.word("BLOCK") && p.done():
		return b.blockConstruct(name)
	}
	if name != "" {
		p.unexpected("DO, IF, SELECT CASE, ASSOCIATE or BLOCK", "after the name of a construct")
	}
	p.i = from
	switch {
	case p.word("WHERE"):
		return b.where()
	case p.word("FORALL"):
		independent := b.pending
		b.pending = nil
		f := b.forall()
		b.pending = independent
		return f
	}
	if p.format(b.unit) {
		return nil
	}
	if p.word("ENTRY") {
		return b.entry()
	}
	if s := p.simple(); s != nil {
		return s
	}
	p.i = from
	if s := p.spec(); s != nil {
		if d, ok := s.(*Data); ok {
			b.unit.Specs = append(b.unit.Specs, d)
			return nil
		}
		p.fail(from, "declarations first", "a declaration follows an executable statement")
	}
	return nil
}

// simple reads a statement that contains no other. It returns nil for other statements.
func (p *parser) simple() Stmt {
	if p.assignment() {
		return p.assign()
	}
	h := p.head()
	switch {
	case p.word("CALL"):
		c := &Call{Head: h, Proc: p.name("the name of a subroutine")}
		if p.is("(") {
			c.Args, c.Labels = p.callArgs()
		}
		p.finish()
		return c
	case p.word("CONTINUE"):
		p.finish()
		return &Continue{h}
	case p.word("RETURN"):
		r := &Return{Head: h}
		if !p.done() {
			r.Number = p.expr()
		}
		p.finish()
		return r
	case p.word("STOP"), p.word("ERROR STOP"):
		s := &Stop{Head: h, Failed: p.text[0] == 'E'}
		if !p.done() {
			s.Code = p.primary()
		}
		p.finish()
		return s
	case p.word("CYCLE"):
		return &Cycle{h, p.optionalName()}
	case p.word("EXIT"):
		return &Exit{h, p.optionalName()}
	case p.word("GO TO"):
		return p.goTo(h)
	case p.word("PRINT"):
		return p.print(h)
	case p.word("WRITE"):
		return p.write(h)
	case p.word("READ"):
		return p.read(h)
	case p.word("OPEN"):
		return p.fileStmt(h, "OPEN")
	case p.word("CLOSE"):
		return p.fileStmt(h, "CLOSE")
	case p.word("INQUIRE"):
		return p.fileStmt(h, "INQUIRE")
	case p.word("REWIND"):
		return p.fileStmt(h, "REWIND")
	case p.word("BACKSPACE"):
		return p.fileStmt(h, "BACKSPACE")
	case p.word("END FILE"):
		return p.fileStmt(h, "ENDFILE")
	case p.word("FLUSH"):
		return p.fileStmt(h, "FLUSH")
	case p.word("ALLOCATE"):
		return p.allocate(h)
	case p.word("DEALLOCATE"):
		return p.deallocate(h)
	case p.word("NULLIFY"):
		n := &Nullify{Head: h}
		p.expect("(", "after NULLIFY")
		p.commas(func() { n.Pointers = append(n.Pointers, p.reference()) })
		p.expect(")", "after the pointers of NULLIFY")
		p.finish()
		return n
	}
	return nil
}

func (p *parser) optionalName() string {
	if p.done() {
		return ""
	}
	n := p.name("the name of a loop")
	p.finish()
	return n.Text
}

func (p *parser) assign() Stmt {
	a := &Assign{Head: p.head()}
	a.Left = p.reference()
	if p.accept("=>") {
		s := &PointerAssign{Head: a.Head, Left: a.Left, Right: p.expr()}
		p.finish()
		return s
	}
	p.expect("=", "in an assignment")
	a.Right = p.expr()
	p.finish()
	return a
}

func (p *parser) goTo(h Head) Stmt {
	g := &Goto{Head: h}
	if p.accept("(") {
		p.commas(func() {
			g.Labels = append(g.Labels, p.labelRef())
		})
		p.expect(")", "in the labels of a computed GO TO")
		p.accept(",")
		g.Value = p.expr()
	} else {
		if letter(p.peek(0)) {
			p.fail(p.i, "a label", "the assigned GO TO is legal Fortran, but not in the subset")
		}
		g.Labels = []int{p.labelRef()}
	}
	p.finish()
	return g
}

func (p *parser) allocate(h Head) Stmt {
	a := &Allocate{Head: h}
	p.expect("(", "after ALLOCATE")
	if p.typeAhead(")") {
		if a.Type = p.optionalType(); a.Type == nil {
			a.Type = &Type{Pos: p.pos(), Base: StructureType, Of: p.name("a type")}
		}
		p.expect("::", "after the type of ALLOCATE")
	}
	p.allocations("allocate", map[string]*Expr{"STAT": &a.Stat, "ERRMSG": &a.Message, "SOURCE": &a.Source, "MOLD": &a.Mold}, func() {
		switch x := p.reference().(type) {
		case *Component:
			dims := dimsOf(x.Args)
			a.Components = append(a.Components, Allocation{&Component{X: x.X, Name: x.Name}, dims})
		case *Apply:
			a.Arrays = append(a.Arrays, Entity{Name: x.Name, Dims: dimsOf(x.Args)})
		case *Var:
			a.Arrays = append(a.Arrays, Entity{Name: x.Name})
		default:
			p.report(x.Position(), "a variable or a component", "this cannot be allocated")
		}
	})
	return a
}

func (p *parser) deallocate(h Head) Stmt {
	d := &Deallocate{Head: h}
	p.expect("(", "after DEALLOCATE")
	p.allocations("deallocate", map[string]*Expr{"STAT": &d.Stat, "ERRMSG": &d.Message}, func() {
		switch x := p.reference().(type) {
		case *Component:
			d.Components = append(d.Components, x)
		case *Var:
			d.Arrays = append(d.Arrays, x.Name)
		default:
			p.report(x.Position(), "a whole variable or component", "this cannot be deallocated")
		}
	})
	return d
}

// dimsOf returns the bounds that subscripts of an ALLOCATE stand for.
func dimsOf(args []Arg) []Dim {
	var out []Dim
	for _, a := range args {
		if s, ok := a.Value.(*Section); ok {
			out = append(out, Dim{s.Lo, s.Hi})
		} else {
			out = append(out, Dim{Hi: a.Value})
		}
	}
	return out
}

// allocations reads the arrays of an ALLOCATE or DEALLOCATE statement and the controls among them.
func (p *parser) allocations(verb string, controls map[string]*Expr, array func()) {
	p.commas(func() {
		if !p.controlAhead() {
			array()
			return
		}
		from := p.i
		key := p.scanName()
		to := controls[key]
		if to == nil {
			p.fail(from, strings.Join(slices.Sorted(maps.Keys(controls)), ", "), "%s= does not belong to %s", key, strings.ToUpper(verb))
		}
		if *to != nil {
			p.fail(from, "each control once", "%s= is given twice", key)
		}
		p.i++
		*to = p.expr()
	})
	p.expect(")", "in the arrays to "+verb)
	p.finish()
}
