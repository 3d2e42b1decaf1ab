package reference

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"whorl/fghc/syntax"
)

// A verdict is the result of a test: it holds, it can never hold, or that depends on unbound variables.
type verdict uint8

const (
	success verdict = iota
	fail
	blocked
)

// A passive is a try of a clause. It binds nothing; on holds the unbound variables that it needs.
type passive struct {
	env  env
	on   []*variable
	lazy bool // Config.Lazy
	err  error
}

// all combines tests: it fails if one fails, and otherwise blocks if one blocks. A lazy try ends at the first test that blocks.
func (p *passive) all(n int, test func(i int) verdict) verdict {
	out := success
	for i := range n {
		switch test(i) {
		case fail:
			return fail
		case blocked:
			if out = blocked; p.lazy {
				return blocked
			}
		}
	}
	return out
}

// match matches a pattern with a term.
func (p *passive) match(pattern syntax.Term, t term) verdict {
	t = deref(t)
	if v, ok := pattern.(*syntax.Var); ok {
		known, ok := p.env[v.Name]
		switch {
		case v.Name == "_":
		case ok:
			return p.compare(known, t)
		default:
			p.env[v.Name] = t
		}
		return success
	}
	if v, ok := t.(*variable); ok {
		p.on = append(p.on, v)
		return blocked
	}
	name, args, ok := children(pattern)
	if !ok {
		if sameShape(constant(pattern), t) {
			return success
		}
		return fail
	}
	c, ok := t.(*compound)
	if !ok || c.name != name || len(c.args) != len(args) {
		return fail
	}
	return p.all(len(args), func(i int) verdict { return p.match(args[i], c.args[i]) })
}

// compare tests whether two terms are equal.
func (p *passive) compare(a, b term) verdict {
	a, b = deref(a), deref(b)
	v, okA := a.(*variable)
	w, okB := b.(*variable)
	if a == b && okA && !p.lazy {
		return success
	}
	if okA {
		p.on = append(p.on, v)
	}
	if okB {
		p.on = append(p.on, w)
	}
	if okA || okB {
		return blocked
	}
	if !sameShape(a, b) {
		return fail
	}
	x, ok := a.(*compound)
	if !ok {
		return success
	}
	return p.all(len(x.args), func(i int) verdict { return p.compare(x.args[i], b.(*compound).args[i]) })
}

// differ tests whether two terms have different principal functors, as \= does.
func (p *passive) differ(a, b term) verdict {
	v, okA := a.(*variable)
	w, okB := b.(*variable)
	switch {
	case a == b && !(okA && p.lazy):
		return fail
	case okA:
		p.on = append(p.on, v)
		return blocked
	case okB:
		p.on = append(p.on, w)
		return blocked
	}
	return holds(!sameShape(a, b))
}

func isVar(t syntax.Term) bool {
	_, ok := t.(*syntax.Var)
	return ok
}

// known reports whether t is a variable of the head or of an earlier guard.
func (p *passive) known(t syntax.Term) bool {
	v, ok := t.(*syntax.Var)
	if !ok || v.Name == "_" {
		return false
	}
	_, ok = p.env[v.Name]
	return ok
}

// clause tries the head and the guard of a clause for the arguments of a goal.
func (p *passive) clause(c *syntax.Clause, args []term) verdict {
	_, head := c.Head.Name()
	return p.all(len(head)+len(c.Guard), func(i int) verdict {
		if i < len(head) {
			return p.match(head[i], args[i])
		}
		return p.guard(c.Guard[i-len(head)]) // a variable that the head has not matched yet counts as unbound
	})
}

// isKind holds the type tests.
var isKind = map[string]func(t term) bool{
	"wait":    func(term) bool { return true },
	"integer": func(t term) bool { _, ok := t.(integer); return ok },
	"atom":    func(t term) bool { _, ok := t.(atom); return ok },
	"list":    func(t term) bool { c, ok := t.(*compound); return ok && c.name == "." },
	"atomic":  func(t term) bool { _, ok := t.(atom); _, num := t.(integer); return ok || num },
}

// relations holds the comparisons, applied to the result of Cmp.
var relations = map[string]func(sign int) bool{
	"<":   func(s int) bool { return s < 0 },
	">":   func(s int) bool { return s > 0 },
	"=<":  func(s int) bool { return s <= 0 },
	">=":  func(s int) bool { return s >= 0 },
	"=:=": func(s int) bool { return s == 0 },
	`=\=`: func(s int) bool { return s != 0 },
}

func holds(b bool) verdict {
	if b {
		return success
	}
	return fail
}

func (p *passive) guard(g syntax.Goal) verdict {
	name, args := g.Name()
	if kind, ok := isKind[name]; ok && len(args) == 1 {
		t := deref(p.env.build(args[0]))
		if v, ok := t.(*variable); ok {
			p.on = append(p.on, v)
			return blocked
		}
		return holds(kind(t))
	}
	if rel, ok := relations[strings.TrimPrefix(name, "$")]; ok && len(args) == 2 && name[0] == '$' {
		l, r, v := p.floats(args[0], args[1])
		if v != success {
			return v
		}
		return holds(rel(cmp.Compare(l, r)))
	}
	if rel, ok := relations[name]; ok && len(args) == 2 {
		n, v := p.numbers(args...)
		if v != success {
			return v
		}
		return holds(rel(n[0].Cmp(n[1])))
	}
	switch {
	case name == "true" && len(args) == 0:
		return success
	case name == "=" && len(args) == 2:
		l, r := args[0], args[1]
		if !p.known(l) && (p.known(r) || !isVar(l)) {
			l, r = r, l
		}
		if isVar(l) && !p.known(l) {
			p.env[l.(*syntax.Var).Name] = p.env.build(r)
			return success
		}
		return p.match(r, p.env.build(l))
	case name == `\=` && len(args) == 2:
		return p.differ(deref(p.env.build(args[0])), deref(p.env.build(args[1])))
	case name == ":=" && len(args) == 2:
		if p.known(args[0]) || !isVar(args[0]) {
			return p.guard(syntax.Goal{Term: &syntax.Compound{Name: "=:=", Args: args}})
		}
		n, v := p.numbers(&syntax.Compound{Name: "+", Args: args[1:]})
		if v == success {
			p.env[args[0].(*syntax.Var).Name] = integer{n[0]}
		}
		return v
	case name == "$:=" && len(args) == 2:
		if p.known(args[0]) || !isVar(args[0]) {
			return p.guard(syntax.Goal{Term: &syntax.Compound{Name: "$=:=", Args: args}})
		}
		f, _, v := p.floats(args[1], args[1])
		if v == success {
			p.env[args[0].(*syntax.Var).Name] = float(f)
		}
		return v
	}
	return p.test(natives[p.lazy][place(g.Module, name, len(args))], args)
}

// floats evaluates two expressions of floats, as numbers does for integers.
func (p *passive) floats(l, r syntax.Term) (x, y float64, v verdict) {
	x, on, err := p.env.float(l)
	y, more, err2 := p.env.float(r)
	if _, _, nested := children(l); nested && (on != nil || err != nil) {
		more, err2 = nil, nil
	}
	if _, _, nested := children(r); nested && (more != nil || err2 != nil) {
		on, err = nil, nil
	}
	if on = append(on, more...); on != nil {
		p.on = append(p.on, on...)
		return 0, 0, blocked
	}
	switch err = cmp.Or(err, err2); {
	case errors.Is(err, errNone):
		return 0, 0, fail
	case err != nil:
		p.err = fmt.Errorf("%w: %w", ErrValue, err)
		return 0, 0, fail
	}
	return x, y, success
}

// numbers evaluates expressions of a guard. The guard fails if one has no value; a value of more than 64 bits is an
// error of the run.
func (p *passive) numbers(es ...syntax.Term) ([]*big.Int, verdict) {
	n, on, err := p.env.evaluate(es, false)
	switch {
	case on != nil:
		p.on = append(p.on, on...)
		return nil, blocked
	case errors.Is(err, errNone):
		return nil, fail
	case err != nil:
		p.err = fmt.Errorf("%w: %w", ErrValue, err)
		return nil, fail
	}
	return n, success
}
