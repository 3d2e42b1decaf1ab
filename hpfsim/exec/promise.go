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
	construct string // DO or FORALL, in errors
	pos       syntax.Pos
	vars      []*lower.Symbol // the loop's, or the indices
	places    []*array        // of the variables; they tell the current iteration
	exempt    map[any]bool    // memory of variables that are not checked
	used      map[any][]use   // by memory of an array, and by element
	current   combination     // the current iteration
	number    uint32          // its number, from 1
	known     map[combination]uint32
	all       []combination // by number; the first is of no iteration
	last      any           // the memory of the latest element that was used, and its uses; nil if they are not checked
	uses      []use
}

// A combination holds the values of the loop's variable or of the indices. Fortran has at most seven dimensions.
type combination [7]int64

// A use records which iterations used an element, by number: the one that wrote it, and one or two that read it. A number of 0 is none.
type use struct{ wrote, read, other uint32 }

// promised checks a loop or a FORALL until the function that it returns is called.
func (f *frame) promised(what string, pos syntax.Pos, vars []*lower.Symbol, body []lower.Stmt, exempt ...*lower.Symbol) (done func()) {
	p := &promise{construct: what, pos: pos, vars: vars, exempt: map[any]bool{}, used: map[any][]use{}, known: map[combination]uint32{}, all: make([]combination, 1)}
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

// now returns the number of the current iteration.
func (p *promise) now() uint32 {
	c := p.current
	for i, a := range p.places {
		c[i%len(c)] = a.int(a.off)
	}
	if c == p.current && p.number > 0 {
		return p.number
	}
	n, ok := p.known[c]
	if !ok {
		n = uint32(len(p.all))
		p.known[c] = n
		p.all = append(p.all, c)
	}
	p.current, p.number = c, n
	return n
}

// usesOf returns the uses of the elements of an array, nil if they are not checked.
func (p *promise) usesOf(a *array) []use {
	m := memory(a)
	if m == p.last {
		return p.uses
	}
	p.last, p.uses = m, nil
	if !p.exempt[m] {
		if p.uses = p.used[m]; p.uses == nil {
			p.uses = make([]use, max(a.stored(), 1))
			p.used[m] = p.uses
		}
	}
	return p.uses
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
		uses := p.usesOf(a)
		if uses == nil {
			continue
		}
		c, now := &uses[at], p.now()
		switch {
		case c.wrote != 0 && c.wrote != now:
			p.broken(a, at, name, pos, c.wrote, "writes", write)
		case write && c.read != 0 && c.read != now:
			p.broken(a, at, name, pos, c.read, "reads", write)
		case write && c.other != 0 && c.other != now:
			p.broken(a, at, name, pos, c.other, "reads", write)
		}
		switch {
		case write:
			c.wrote = now
		case c.read == 0:
			c.read = now
		case c.read != now:
			c.other = now
		}
	}
}

// broken fails with the earlier iteration, the current one and the element.
func (p *promise) broken(a *array, at int, name string, pos syntax.Pos, before uint32, did string, write bool) {
	does := "reads"
	if write {
		does = "writes"
	}
	fail(pos, "the %s in line %d is not INDEPENDENT: its iteration %s %s %s, and its iteration %s %s it here",
		p.construct, p.pos.Line, p.text(p.all[before]), did, name+a.indexText(at), p.text(p.current), does)
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
