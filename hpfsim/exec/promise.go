package exec

import (
	"fmt"
	"strings"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A promise is an INDEPENDENT loop that runs while promises are checked: no iteration may give a value to what another one reads or writes,
// but for what NEW and REDUCTION name and for the variables of loops within (HPF 2.0, section 5.1).
type promise struct {
	loop     *lower.Do
	variable *array             // the loop's: which iteration runs
	exempt   map[any]bool       // memory of what the promise leaves out
	cells    map[any]*iteration // by address of an element
}

// An iteration is which ones used an element: the last that wrote it, and one or two that read it.
type iteration struct {
	wrote, read, other          int64
	hasWritten, hasRead, second bool
}

// promised begins to watch a loop, until the function that it returns is called.
func (f *frame) promised(d *lower.Do, v *array) (done func()) {
	p := &promise{d, v, map[any]bool{memory(v): true}, map[any]*iteration{}}
	within := sharing{}
	within.loops(d.Body)
	for _, list := range [][]*lower.Symbol{d.Parallel.Private, d.Parallel.Reduction, within.private} {
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

// memory tells the memory of arrays apart, which parts of an array share with it.
func memory(a *array) any {
	switch {
	case len(a.i) > 0:
		return &a.i[0]
	case len(a.f) > 0:
		return &a.f[0]
	case len(a.z) > 0:
		return &a.z[0]
	case len(a.s) > 0:
		return &a.s[0]
	}
	return a
}

// address is that of an element.
func (a *array) address(at int) any {
	switch {
	case a.i != nil:
		return &a.i[at]
	case a.f != nil:
		return &a.f[at]
	case a.z != nil:
		return &a.z[at]
	}
	return &a.s[at]
}

// uses notes that an element is read or written, and fails where that breaks a promise.
func (m *Machine) uses(a *array, at int, write bool, name string, pos syntax.Pos) {
	for _, p := range m.promises {
		if p.exempt[memory(a)] {
			continue
		}
		key, now := a.address(at), p.variable.i[p.variable.off]
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
func (p *promise) broken(a *array, at int, name string, pos syntax.Pos, before, now int64, did string, write bool) {
	does := "reads"
	if write {
		does = "writes"
	}
	v := p.loop.Var.Name
	fail(pos, "the loop in line %d is not INDEPENDENT: its iteration %s = %d %s %s, and its iteration %s = %d %s it here",
		p.loop.At.Line, v, before, did, name+a.indexText(at), v, now, does)
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

// usesAll notes that all elements of an array or a section are read or written.
func (f *frame) usesAll(a *array, x lower.Expr, write bool) {
	whole, name := f.wholeOf(x)
	a.each(func(at int) { f.uses(whole, at, write, name, x.Pos()) })
}

// wholeOf is the variable that a reference is to.
func (f *frame) wholeOf(x lower.Expr) (*array, string) {
	switch e := x.(type) {
	case *lower.Ref:
		return f.variable(e.Sym), e.Sym.Name
	case *lower.Element:
		return f.variable(e.Sym), e.Sym.Name
	}
	return nil, ""
}
