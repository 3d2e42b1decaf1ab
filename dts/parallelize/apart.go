package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whorl/dts/parallelize/effects"
)

// inPlace reports whether a function of the file works in place.
func (r *rewriter) inPlace(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && r.byObj[obj] != nil && r.byObj[obj].inPlace
}

// apart returns why calls cannot run beside a range of the code, "" if the memory that either of them writes is not used
// by the other. This may depend on conditions that the new program has to check.
func (p *plan) apart(from, to token.Pos, calls []*call) (why string, conditions []string) {
	beside, known := p.between(from, to)
	works := slices.ContainsFunc(calls, func(c *call) bool { return c.f.inPlace })
	if !works && !slices.ContainsFunc(beside, func(b effects.Access) bool { return p.callOf(b.In) != nil && p.callOf(b.In).f.inPlace }) {
		return "", nil
	}
	if !known {
		return p.title() + " has too many variables to compare the memory that is used", nil
	}
	for _, c := range calls {
		own := p.accessesOf(c)
		rowsChange := slices.ContainsFunc(append(own, beside...), func(a effects.Access) bool { return a.Write && (a.Elem == nil || effects.IsSlice(a.Elem)) })
		for _, a := range own {
			for _, b := range beside {
				if !a.Write && !b.Write || !effects.MayOverlap(a.Elem, b.Elem) || p.disjoint(a, b) {
					continue
				}
				condition := p.condition(a, b)
				if condition == "" || !p.early(p.argument(b), c.expr, p.callOf(b.In).expr, to, rowsChange) {
					return sprintf("it may use the memory of what runs beside it, which %s%s", b.What, p.r.analysis.Where(&effects.Cause{Pos: b.Pos})), nil
				}
				if !slices.Contains(conditions, condition) {
					conditions = append(conditions, condition)
				}
			}
		}
	}
	return "", conditions
}

// disjoint reports whether two accesses never use the same memory. The second comes after the first, in the same round of
// all loops.
func (p *plan) disjoint(a, b effects.Access) bool {
	switch {
	case a.Base == nil || b.Base == nil:
		return false
	case a.Base != b.Base:
		x, y := origin(a.Base), origin(b.Base)
		return x != y && (p.isMade(x) && (p.isMade(y) || isParameter(y)) || p.isMade(y) && isParameter(x))
	}
	z := p.r.analysis.Summaries[p.ssa].Survey.Before(b.In)
	return ordered(z, a.High, b.Low) || ordered(z, b.High, a.Low)
}

func ordered(z *effects.Zone, high, low []effects.Term) bool {
	return slices.ContainsFunc(high, func(h effects.Term) bool {
		return slices.ContainsFunc(low, func(l effects.Term) bool { return z.Holds(h, l) })
	})
}

// origin returns the variable of a slice of an array, else the slice itself.
func origin(base ssa.Value) ssa.Value {
	if s, ok := base.(*ssa.Slice); ok {
		return s.X
	}
	return base
}

// isMade reports whether a value is memory that its function, or one that it calls, makes.
func (p *plan) isMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeSlice, *ssa.Alloc:
		return true
	case *ssa.Call:
		callee := effects.Callee(v.Common())
		if callee == nil || callee.Signature.Results().Len() != 1 {
			return false
		}
		e := p.r.analysis.Effects[callee]
		return e != nil && e.Fresh[0]
	}
	return false
}

func isParameter(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

// condition returns the check that the slices passed to two calls share no memory, "" if there is none.
func (p *plan) condition(a, b effects.Access) string {
	x, y := p.argument(a), p.argument(b)
	if x == nil || y == nil || p.r.source(x) == p.r.source(y) || !types.Identical(a.Elem, b.Elem) {
		return ""
	}
	if _, whole := x.(*ast.Ident); whole && a.Base == b.Base {
		return ""
	}
	return sprintf("%s.Disjoint(%s, %s)", dtsName, p.r.source(x), p.r.source(y))
}

// early reports whether the argument e of a call can be evaluated at a fork, before a range of the code that ends at to:
// its variables are declared before and not assigned there, no rows that it uses change, and the call is always made if
// evaluating e may panic.
func (p *plan) early(e ast.Expr, fork, call ast.Expr, to token.Pos, rowsChange bool) bool {
	if _, isIdent := e.(*ast.Ident); !isIdent && !p.always(fork, call) {
		return false
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			ok = ok && !rowsChange
		case *ast.SelectorExpr, *ast.StarExpr:
			ok = false
		case *ast.Ident:
			if v, isVar := p.r.pkg.TypesInfo.Uses[n].(*types.Var); isVar {
				ok = ok && v.Pos() < fork.Pos() && !p.assignsBetween(fork.Pos(), to, v)
			}
		}
		return ok
	})
	return ok
}

// always reports whether a call is a statement, or the value of one, in the list of the statement with another call.
func (f *body) always(fork, call ast.Expr) (found bool) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		list := statements(n)
		forks := slices.ContainsFunc(list, func(s ast.Stmt) bool { return isCall(s, fork) })
		found = found || forks && slices.ContainsFunc(list, func(s ast.Stmt) bool { return isCall(s, call) })
		return !found
	})
	return found
}

func isCall(s ast.Stmt, call ast.Expr) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return ast.Unparen(s.X) == call
	case *ast.AssignStmt:
		return len(s.Rhs) == 1 && ast.Unparen(s.Rhs[0]) == call
	}
	return false
}

// assignsBetween reports whether a statement in a range of the code changes v.
func (f *body) assignsBetween(from, to token.Pos, v *types.Var) (found bool) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok && from <= s.Pos() && s.Pos() < to {
			switch s.(type) {
			case *ast.AssignStmt, *ast.IncDecStmt, *ast.RangeStmt:
				found = found || f.assigns(s, v)
			}
		}
		return !found
	})
	return found
}

// dtsName stands for the name of package dts in the new file, which is chosen later.
const dtsName = "\x00dts\x00"

// argument returns the slice that a call passes for an access within its length, if it can be evaluated before. Else it
// returns nil.
func (p *plan) argument(a effects.Access) ast.Expr {
	c := p.callOf(a.In)
	if c == nil || !a.Within || c.f.decl.Recv != nil || c.f.obj.Signature().Variadic() || p.r.spreads(c.expr) {
		return nil
	}
	e := c.expr.Args[a.Param]
	if !p.silentArgument(e) {
		return nil
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent {
			if v, isVar := p.r.pkg.TypesInfo.Uses[id].(*types.Var); isVar && !v.IsField() {
				ok = ok && p.local(id) != nil && !p.addressed(v)
			}
		}
		return ok
	})
	if !ok {
		return nil
	}
	return e
}

// callOf returns the call of a function of the file that an instruction is, nil for any other instruction.
func (p *plan) callOf(in ssa.Instruction) *call {
	if _, ok := in.(*ssa.Call); ok {
		for _, c := range p.calls {
			if c.expr.Lparen == in.Pos() {
				return c
			}
		}
	}
	return nil
}

// accessesOf returns the memory that a call uses.
func (p *plan) accessesOf(c *call) (all []effects.Access) {
	p.instructions(func(z *effects.Zone, s *effects.Survey, _ bool, in ssa.Instruction) {
		if p.callOf(in) == c {
			all = append(all, s.Accesses(z, in)...)
		}
	}, token.NoPos, token.NoPos)
	return all
}

// between returns the memory that a range of the code uses. It reports false if it is not known.
func (p *plan) between(from, to token.Pos) (all []effects.Access, known bool) {
	if p.r.analysis.Summaries[p.ssa] == nil {
		return nil, false
	}
	p.instructions(func(z *effects.Zone, s *effects.Survey, inside bool, in ssa.Instruction) {
		if inside {
			all = append(all, s.Accesses(z, in)...)
		}
	}, from, to)
	return all, true
}

// instructions calls visit for the instructions of the function with their bounds, and whether they lie in a range of the code. One
// without a position lies in it if another one of its block does, or if none of them has a position.
func (p *plan) instructions(visit func(z *effects.Zone, s *effects.Survey, inside bool, in ssa.Instruction), from, to token.Pos) {
	m := p.r.analysis.Summaries[p.ssa]
	if m == nil || m.Survey.In == nil {
		return
	}
	for _, b := range p.ssa.Blocks {
		if m.Survey.In[b.Index] == nil {
			continue
		}
		positions, inside := 0, 0
		for _, in := range b.Instrs {
			if pos := in.Pos(); pos.IsValid() {
				positions++
				if from <= pos && pos < to {
					inside++
				}
			}
		}
		z := m.Survey.In[b.Index].Clone()
		for _, in := range b.Instrs {
			pos := in.Pos()
			visit(z, m.Survey, pos.IsValid() && from <= pos && pos < to || !pos.IsValid() && (inside > 0 || positions == 0), in)
			m.Survey.Step(z, in)
		}
	}
}
