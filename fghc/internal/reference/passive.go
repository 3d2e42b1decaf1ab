package reference

import (
	"errors"
	"fmt"
	"math/big"

	"whorl/fghc/syntax"
)

// A verdict is what is known of a test: it holds, it cannot hold any more, or that depends on variables that are unbound.
type verdict uint8

const (
	success verdict = iota
	fail
	blocked
)

// A passive is one try of one clause. It only reads; what it lacks is noted in on.
type passive struct {
	env  env
	on   []*variable
	lazy bool // stop at the first test that blocks
}

// all combines tests: one that fails decides, and otherwise one that blocks. A lazy try makes no further test once one has blocked.
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

// match is passive unification of a written pattern with a term.
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

// compare says whether two terms are equal.
func (p *passive) compare(a, b term) verdict {
	a, b = deref(a), deref(b)
	if a == b {
		return success
	}
	v, okA := a.(*variable)
	w, okB := b.(*variable)
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

// differ says whether two terms have different principal functors: \= looks no deeper.
func (p *passive) differ(a, b term) verdict {
	v, okA := a.(*variable)
	w, okB := b.(*variable)
	switch {
	case a == b:
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

// known says whether t is a variable that the head or a guard has named.
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
		return p.guard(c.Guard[i-len(head)]) // a variable that the head could not name yet counts as one that is unbound
	})
}

// isKind holds the guards that ask for the kind of a term.
var isKind = map[string]func(t term) bool{
	"wait":    func(term) bool { return true },
	"integer": func(t term) bool { _, ok := t.(integer); return ok },
	"atom":    func(t term) bool { _, ok := t.(atom); return ok },
	"list":    func(t term) bool { c, ok := t.(*compound); return ok && c.name == "." },
	"atomic":  func(t term) bool { _, ok := t.(*compound); return !ok },
}

// relations holds the comparisons, of what Cmp says.
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
	if rel, ok := relations[name]; ok && len(args) == 2 {
		a, b, v := p.twoNumbers(args[0], args[1])
		if v != success {
			return v
		}
		return holds(rel(a.Cmp(b)))
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
		n, v := p.number(args[1])
		if v == success {
			p.env[args[0].(*syntax.Var).Name] = integer{n}
		}
		return v
	}
	panic("reference: no guard " + syntax.Format(g.Term))
}

// number computes an expression of a guard, which fails where it has no value.
func (p *passive) number(e syntax.Term) (*big.Int, verdict) {
	n, on, err := p.env.evaluate(e, false)
	switch {
	case err != nil:
		return nil, fail
	case on != nil:
		p.on = append(p.on, on)
		return nil, blocked
	}
	return n, success
}

func (p *passive) twoNumbers(l, r syntax.Term) (a, b *big.Int, v verdict) {
	v = p.all(2, func(i int) (v verdict) {
		if i == 0 {
			a, v = p.number(l)
		} else {
			b, v = p.number(r)
		}
		return v
	})
	return a, b, v
}

// evaluate computes an expression, or says which variable it waits for. Unless wide is set no operation may leave 64 bits.
func (e env) evaluate(t syntax.Term, wide bool) (n *big.Int, on *variable, err error) {
	name, args, ok := children(t)
	if !ok {
		switch v := deref(e.build(t)).(type) {
		case integer:
			return v.Int, nil, nil
		case *variable:
			return nil, v, nil
		}
		return nil, nil, fmt.Errorf("%s is no integer", syntax.Format(t))
	}
	var x [2]*big.Int
	if len(args) > 2 {
		return nil, nil, fmt.Errorf("%s is no expression", syntax.Format(t))
	}
	for i, a := range args {
		if x[i], on, err = e.evaluate(a, wide); on != nil || err != nil {
			return nil, on, err
		}
	}
	n, err = operate(fmt.Sprint(name, len(args)), x[0], x[1])
	if err == nil && !wide && !n.IsInt64() {
		err = errors.New("the result does not fit 64 bits")
	}
	return n, nil, err
}

// operate applies the operator name/arity.
func operate(name string, x, y *big.Int) (*big.Int, error) {
	n := new(big.Int)
	switch name {
	case "+/2":
		return n.Add(x, y), nil
	case "-/2":
		return n.Sub(x, y), nil
	case "*/2":
		return n.Mul(x, y), nil
	case "//2", "mod/2":
		if y.Sign() == 0 {
			return nil, errors.New("division by zero")
		}
		if name == "mod/2" {
			return n.Rem(x, y), nil // the sign of the dividend
		}
		return n.Quo(x, y), nil
	case `/\/2`:
		return n.And(x, y), nil
	case `\//2`:
		return n.Or(x, y), nil
	case "xor/2":
		return n.Xor(x, y), nil
	case "<</2", ">>/2":
		if y.Sign() < 0 || y.Cmp(big.NewInt(1<<16)) >= 0 {
			return nil, errors.New("shift by an impossible amount")
		}
		if name == "<</2" {
			return n.Lsh(x, uint(y.Int64())), nil
		}
		return n.Rsh(x, uint(y.Int64())), nil
	case "-/1":
		return n.Neg(x), nil
	case "+/1":
		return x, nil
	case `\/1`:
		return n.Not(x), nil
	}
	return nil, fmt.Errorf("there is no operator %s", name)
}
