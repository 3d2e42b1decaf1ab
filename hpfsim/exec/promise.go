package exec

import (
	"fmt"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A promise checks a running INDEPENDENT loop or FORALL: no iteration may write an element that another one reads or
// writes, except for variables in NEW and REDUCTION and those of inner loops (HPF 2.0, section 5.1).
type promise struct {
	what   string // DO or FORALL, in errors
	pos    syntax.Pos
	vars   []*lower.Symbol    // the loop's, or the indices
	places []*array           // of the variables; they tell the current iteration
	exempt map[any]bool       // memory of variables that are not checked
	cells  map[any]*iteration // by address of an element
}

// A combination holds the values of the loop's variable or of the indices. Fortran has at most seven dimensions.
type combination [7]int64

// An iteration records which iterations used an element: the last that wrote it, and one or two that read it.
type iteration struct {
	wrote, read, other          combination
	hasWritten, hasRead, second bool
}

// promised checks a loop or a FORALL until the function that it returns is called.
func (f *frame) promised(what string, pos syntax.Pos, vars []*lower.Symbol, body []lower.Stmt, exempt ...*lower.Symbol) (done func()) {
	p := &promise{what: what, pos: pos, vars: vars, exempt: map[any]bool{}, cells: map[any]*iteration{}}
	for _, v := range vars {
		p.places = append(p.places, f.variable(v))
	}
	within := sharing{}
	within.loops(body)
	for _, list := range [][]*lower.Symbol{vars, exempt, within.private} {
		for _, s := range list {
			if a := f.variable(s); a != nil {
				p.exempt[memory(a)] = true
			}
		}
	}
	m := f.Machine
	m.promises = append(m.promises, p)
	return func() { m.promises = m.promises[:len(m.promises)-1] }
}

// now returns the current iteration.
func (p *promise) now() combination {
	var c combination
	for i, a := range p.places {
		c[i%len(c)] = a.int(a.off)
	}
	return c
}

// text writes an iteration as values of the variables.
func (p *promise) text(c combination) string {
	var out []string
	for i, v := range p.vars {
		out = append(out, fmt.Sprintf("%s = %d", v.Name, c[i%len(c)]))
	}
	return strings.Join(out, ", ")
}

// memory identifies the memory of an array. Sections share it with their array.
func memory(a *array) any {
	if at := a.address(0); at != nil {
		return at
	}
	return a
}

// uses records that an element is read or written, and fails if that breaks a promise.
func (m *Machine) uses(a *array, at int, write bool, name string, pos syntax.Pos) {
	for _, p := range m.promises {
		if p.exempt[memory(a)] {
			continue
		}
		key, now := a.address(at), p.now()
		c := p.cells[key]
		if c == nil {
			c = &iteration{}
			p.cells[key] = c
		}
		switch {
		case c.hasWritten && c.wrote != now:
			p.broken(a, at, name, pos, c.wrote, now, "writes", write)
		case write && c.hasRead && c.read != now:
			p.broken(a, at, name, pos, c.read, now, "reads", write)
		case write && c.second && c.other != now:
			p.broken(a, at, name, pos, c.other, now, "reads", write)
		}
		switch {
		case write:
			c.wrote, c.hasWritten = now, true
		case !c.hasRead:
			c.read, c.hasRead = now, true
		case c.read != now:
			c.other, c.second = now, true
		}
	}
}

// broken fails with the two iterations and the element.
func (p *promise) broken(a *array, at int, name string, pos syntax.Pos, before, now combination, did string, write bool) {
	does := "reads"
	if write {
		does = "writes"
	}
	fail(pos, "the %s in line %d is not INDEPENDENT: its iteration %s %s %s, and its iteration %s %s it here",
		p.what, p.pos.Line, p.text(before), did, name+a.indexText(at), p.text(now), does)
}

// indexText writes the indices of an element.
func (a *array) indexText(at int) string {
	if len(a.n) == 0 {
		return ""
	}
	out := make([]string, len(a.n))
	rest := at - a.off
	for d := len(a.n) - 1; d >= 0; d-- {
		k := 0
		if a.step[d] != 0 {
			k = rest / a.step[d]
		}
		rest -= k * a.step[d]
		out[d] = fmt.Sprint(a.lo[d] + k)
	}
	return "(" + strings.Join(out, ",") + ")"
}

// usesAll records that all elements of an array or a section are read or written.
func (f *frame) usesAll(a *array, x lower.Expr, write bool) {
	whole, name := f.wholeOf(x)
	a.eachElement(func(at int) { f.uses(whole, at, write, name, x.Position()) })
}

// wholeOf returns the variable of a reference.
func (f *frame) wholeOf(x lower.Expr) (*array, string) {
	switch e := x.(type) {
	case *lower.Ref:
		return f.variable(e.Sym), e.Sym.Name
	case *lower.Element:
		return f.variable(e.Sym), e.Sym.Name
	}
	return nil, ""
}
