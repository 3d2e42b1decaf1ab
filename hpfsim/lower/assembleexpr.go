package lower

import (
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// subscripts writes the code of subscripts, except for those of a variable and a constant, which are part of the
// address.
func (a *assembler) subscripts(e *Element) {
	for _, s := range e.Subs {
		if s.Section || s.Index == nil {
			continue
		}
		if sum, ok := affineOf(s.Index); ok && len(sum.factors) <= 1 {
			continue
		}
		a.expr(s.Index)
	}
}

// address returns the operand for an argument or an item of input or output: a variable by its name, a value in a
// register.
func (a *assembler) address(x Expr) string {
	switch x := x.(type) {
	case *Ref, *Loop:
		return text(x)
	case *Element:
		a.subscripts(x)
		return text(x)
	case *Const:
		return text(x)
	}
	return a.expr(x)
}

// expr writes the code that computes one element of an expression, and returns the register of its value.
func (a *assembler) expr(x Expr) string {
	if x == nil {
		return ""
	}
	t := x.Type()
	switch e := x.(type) {
	case *Const:
		return text(e)
	case *Ref:
		if e.N == 0 && e.Sym.Rank() == 0 {
			return strings.ToLower(e.Sym.Name)
		}
		r := a.register(t)
		a.emit(opLoad+suffix(t), costLoad, r, text(e))
		return r
	case *Element:
		a.subscripts(e)
		r := a.register(t)
		a.emit(opLoad+suffix(t), costLoad, r, text(e))
		return r
	case *Substring:
		r := a.register(t)
		a.emit(opSubstring, costText, r, text(e))
		return r
	case *Unary:
		v := a.expr(e.X)
		r := a.register(t)
		op := opNegate
		if e.Op == syntax.Not {
			op = opNot
		}
		a.emit(op+suffix(t), costInteger, r, v)
		return r
	case *Conv:
		v := a.expr(e.X)
		r := a.register(t)
		a.emit(opConvert+suffix(e.X.Type())+suffix(t), costFloat, r, v)
		return r
	case *Binary:
		l, v := a.expr(e.X), a.expr(e.Y)
		r := a.register(t)
		op, cost := operation(e)
		a.emit(op, cost, r, l, v)
		return r
	case *Call:
		return a.call(e)
	case *Invoke:
		args := []string{strings.ToLower(e.Sym.Name)}
		for _, y := range e.Args {
			if y != nil {
				args = append(args, a.address(y))
			}
		}
		r := a.register(t)
		if e.Sym.Class == StatementFunction {
			outside := a.inside
			a.inside = true // several statements may have the value
			a.expr(e.Sym.Func.Value)
			a.inside = outside
			a.emit(opFunction, costInteger, append([]string{r}, args...)...)
		} else {
			a.emit(OpcodeCall, costCall, append([]string{r}, args...)...)
		}
		return r
	}
	r := a.register(t)
	a.emit(opLoad+suffix(t), costLoad, r, text(x))
	return r
}

func (a *assembler) call(e *Call) string {
	var args []string
	array := e.Fn.Sort == Reduction || e.Fn.Sort == Transform
	from := len(a.unit.Code)
	if array {
		if w := firstArray(e); w != nil {
			a.emit(opOwn, costInteger, text(w))
			if !a.inside && (e.Fn.Sort == Reduction || e.Fn.Op == OpMatmul) {
				e.Over = w
			}
		}
	}
	for _, y := range e.Args {
		if y == nil {
			continue
		}
		if e.Fn.Sort == Inquiry {
			args = append(args, text(y))
			continue
		}
		args = append(args, a.expr(y))
	}
	r := a.register(e.T)
	a.emit(strings.ToLower(e.Fn.Name), e.Fn.Cost, append([]string{r}, args...)...)
	if array {
		a.emit(opNext, costBranch)
	}
	if e.Over != nil {
		a.sweeps = append(a.sweeps, sweep{e, slices.Clone(a.unit.Code[from:])})
		a.unit.Code = a.unit.Code[:from]
	}
	return r
}

// firstArray returns the first reference to an array in the arguments of a call.
func firstArray(e *Call) Expr {
	var first Expr
	for _, x := range e.Args {
		references(x, func(r Expr) {
			if first == nil && r.Rank() > 0 {
				first = r
			}
		})
	}
	return first
}
