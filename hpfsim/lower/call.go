package lower

import (
	"fmt"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// unknownCall reports a name with arguments that is not declared.
func (l *lowerer) unknownCall(n syntax.Name) {
	if slices.Contains(absent, n.Text) {
		l.fail(n.Pos, "", "the intrinsic function %s is not in the subset", n.Text)
		return
	}
	var known []string
	for u := l.unit; u != nil; u = u.Host {
		for name, s := range u.names {
			if s.Rank() > 0 || s.Class == Procedure || s.Class == StatementFunction {
				known = append(known, name)
			}
		}
	}
	for name := range l.units {
		known = append(known, name)
	}
	for name := range intrinsics {
		known = append(known, name)
	}
	slices.Sort(known)
	want := "an array that is declared, a function of the program or an intrinsic one"
	l.fail(n.Pos, nearest.Suggest(want, nearest.Names(n.Text, known)), "%s is neither an array nor a function", n.Text)
}

// unknownSubroutine reports a CALL of a subroutine that does not exist.
func (l *lowerer) unknownSubroutine(n syntax.Name) {
	if slices.Contains(absent, n.Text) {
		l.fail(n.Pos, "", "the intrinsic subroutine %s is not in the subset", n.Text)
		return
	}
	var known []string
	for _, u := range l.prog.Units {
		if u.Kind == syntax.Subroutine {
			known = append(known, u.Name)
		}
	}
	for n, fn := range intrinsics {
		if fn.Sort == Subroutine {
			known = append(known, n)
		}
	}
	slices.Sort(known)
	l.fail(n.Pos, nearest.Suggest("a subroutine of the program or an intrinsic one", nearest.Names(n.Text, known)), "there is no subroutine %s", n.Text)
}

// actuals resolves the arguments of a call.
func (l *lowerer) actuals(args []syntax.Arg) ([]Expr, bool) {
	out := make([]Expr, len(args))
	ok := true
	for i, a := range args {
		if v, alone := a.Value.(*syntax.Var); alone {
			s := l.passed(v.Name)
			if s == nil {
				s = l.find(v.Text)
			}
			if s != nil && s.Class == Generic {
				s = s.specific(v.Text)
			}
			if s != nil && s.Class == Procedure {
				out[i] = &Ref{typed{s.Type, 0, v.Pos}, s}
				continue
			}
		}
		if out[i] = l.expr(a.Value); out[i] == nil {
			ok = false
		}
	}
	return out, ok
}

// inParentheses turns variables in parentheses into values, which a procedure cannot change.
func (l *lowerer) inParentheses(args []syntax.Arg, values []Expr) {
	for i, a := range args {
		if _, ok := a.Value.(*syntax.Paren); ok {
			values[i] = l.value(values[i])
		}
	}
}

// arrange puts arguments into the order of dummy arguments, by position and by name. Requires reports whether an
// argument must be given.
func (l *lowerer) arrange(name string, pos syntax.Pos, args []syntax.Arg, values []Expr, dummies []string, requires func(int) bool) ([]Expr, bool) {
	out := make([]Expr, len(dummies))
	for i, a := range args {
		to := i
		if a.Keyword != "" {
			to = slices.Index(dummies, a.Keyword)
		}
		switch {
		case to < 0:
			l.fail(values[i].Position(), strings.Join(dummies, ", "), "%s has no argument %s", name, a.Keyword)
			return nil, false
		case to >= len(dummies):
			l.fail(pos, "", "%s takes %d arguments, but %d are given", name, len(dummies), len(args))
			return nil, false
		case out[to] != nil:
			l.fail(values[i].Position(), "", "%s has its argument %s twice here", name, dummies[to])
			return nil, false
		}
		out[to] = values[i]
	}
	for i := range dummies {
		if out[i] == nil && requires(i) {
			l.fail(pos, "", "%s lacks its argument %s here", name, dummies[i])
			return nil, false
		}
	}
	return out, true
}

// callStatementFunction resolves a call of a statement function.
func (l *lowerer) callStatementFunction(s *Symbol, e *syntax.Apply) Expr {
	args, ok := l.actuals(e.Args)
	if s.Func.open {
		l.fail(e.Pos, "a function that is not recursive", "the statement function %s calls itself", s.Name)
	}
	if !ok || s.Func.Value == nil {
		return nil
	}
	if len(args) != len(s.Func.Params) {
		l.fail(e.Pos, "", "%s takes %d arguments, but %d are given", s.Name, len(s.Func.Params), len(args))
		return nil
	}
	for i, p := range s.Func.Params {
		if args[i].Rank() > 0 || args[i].Type().Numeric() != p.Type.Numeric() {
			l.fail(args[i].Position(), p.Type.String(), "an argument of %s is %s", s.Name, described(args[i]))
			return nil
		}
		args[i] = l.convert(args[i], p.Type)
	}
	if s.Type.Base != syntax.CharacterType {
		if x, ok := s.Func.inlined(args, e.Pos); ok {
			return x
		}
	}
	return &Invoke{typed{s.Type, 0, e.Pos}, s, args}
}

// invoke resolves a call of a function of the program.
func (l *lowerer) invoke(s *Symbol, e *syntax.Apply) Expr {
	args, ok := l.actuals(e.Args)
	if !ok {
		return nil
	}
	return l.invokeWith(s, e.Pos, e.Args, args)
}

// invokeWith resolves a call of a function with resolved arguments.
func (l *lowerer) invokeWith(s *Symbol, pos syntax.Pos, args []syntax.Arg, values []Expr) Expr {
	l.inParentheses(args, values)
	p := s.Proc
	if p == nil {
		return &Invoke{typed{s.Type, s.results, pos}, s, values}
	}
	if p.Kind != syntax.Function {
		l.fail(pos, "CALL "+s.Name, "%s is a subroutine, but called as a function", s.Name)
		return nil
	}
	values, ok := l.against(p, pos, args, values)
	switch {
	case !ok:
		return nil
	case p.Out == nil:
		return &Invoke{typed{l.resultType(p), 0, pos}, s, values}
	case p.Out.Boxed:
		return &Invoke{typed{p.Out.Type, 0, pos}, s, values}
	case p.Elemental:
		return &Invoke{typed{p.Out.Type, ranks(values), pos}, s, values}
	}
	return &Invoke{typed{p.Out.Type, p.Out.Rank(), pos}, s, values}
}

// ranks returns the largest rank of the arguments that are given.
func ranks(values []Expr) int {
	n := 0
	for _, x := range values {
		if x != nil {
			n = max(n, x.Rank())
		}
	}
	return n
}

// resultType returns the type of a function whose declarations are not resolved yet.
func (l *lowerer) resultType(p *Unit) Type {
	if p.Type != nil {
		t, _ := l.typeOf(p.Type)
		return t
	}
	for _, spec := range p.Specs {
		if d, ok := spec.(*syntax.Declare); ok && d.Type != nil {
			for _, e := range d.Entities {
				if e.Text == p.Result {
					t, _ := l.typeOf(d.Type)
					return t
				}
			}
		}
	}
	return l.unit.rules[p.Result[0]-'A']
}

// against checks arguments against the dummy arguments of a procedure and puts them into their order.
func (l *lowerer) against(p *Unit, pos syntax.Pos, args []syntax.Arg, values []Expr) ([]Expr, bool) {
	out, ok := l.arrange(p.Name, pos, args, values, p.dummies(), p.requires)
	if !ok {
		return nil, false
	}
	all := ranks(out)
	for i, d := range p.Params[:min(len(p.Params), len(out))] {
		x := out[i]
		if x == nil || d.Class == Procedure {
			continue
		}
		t := x.Type()
		rank := d.Rank()
		if d.Boxed {
			rank = 0
		}
		if d.Pointer && !isPointer(x) {
			l.fail(x.Position(), "a variable that is declared POINTER", "argument %s of %s is a POINTER, but %s is given", d.Name, p.Name, described(x))
			return nil, false
		}
		if d.Allocatable {
			if !d.Pointer && !isAllocatable(x) {
				l.fail(x.Position(), "a variable that is declared ALLOCATABLE", "argument %s of %s is ALLOCATABLE, but %s is given", d.Name, p.Name, described(x))
				return nil, false
			}
			if out[i] = entire(x); out[i].Rank() != d.Rank() || out[i].(*Ref).Sym.Boxed != d.Boxed {
				l.fail(x.Position(), fmt.Sprintf("%d dimensions", d.Rank()), "argument %s of %s has another number of dimensions here", d.Name, p.Name)
				return nil, false
			}
			x, rank = out[i], d.Rank()
		}
		switch {
		case isProcedure(x) && p.Body == nil && rank == 0 && d.Intent == "" && d.Class == Variable:
			d.Class = Procedure // not declared EXTERNAL, and its body is not resolved yet
		case isProcedure(x):
			l.fail(x.Position(), "a variable or a value", "argument %s of %s is a procedure here", d.Name, p.Name)
			return nil, false
		case rank > 0 && x.Rank() == 0 && !sequence(x):
			l.fail(x.Position(), "an array", "argument %s of %s is an array, but a scalar is given", d.Name, p.Name)
			return nil, false
		case rank == 0 && x.Rank() > 0 && p.Elemental && x.Rank() != all:
			l.fail(x.Position(), "arrays of one rank, and scalars", "argument %s of %s is %s, and another has the rank %d", d.Name, p.Name, described(x), all)
			return nil, false
		case p.Elemental && p.Kind == syntax.Subroutine && d.Intent != "IN" && d.Intent != "" && x.Rank() != all:
			if strings.HasPrefix(d.Name, "VALUE%") {
				l.fail(pos, "scalar arguments, in a loop", "%s, whose value has a derived type, is called with arrays: legal, but not in the subset", p.Name)
			} else {
				l.fail(x.Position(), "an array of the rank of the other arguments", "%s changes its argument %s for each element, which is a scalar here", p.Name, d.Name)
			}
			return nil, false
		case rank == 0 && x.Rank() > 0 && !p.Elemental:
			l.fail(x.Position(), "a scalar", "argument %s of %s is a scalar, but %s is given", d.Name, p.Name, described(x))
			return nil, false
		case t != d.Type && (t.Base != d.Type.Base || t.Base == syntax.IntegerType || t.Base == syntax.ComplexType):
			if _, isConst := x.(*Const); isConst && t.Base == d.Type.Base {
				out[i] = l.convert(x, d.Type)
				continue
			}
			l.fail(x.Position(), d.Type.String(), "argument %s of %s is %v, but %v is given", d.Name, p.Name, d.Type, t)
			return nil, false
		case (d.Intent == "OUT" || d.Intent == "INOUT") && !definable(x):
			l.fail(x.Position(), "a variable", "%s changes its argument %s, which is not a variable here", p.Name, d.Name)
			return nil, false
		}
	}
	return out, true
}

// dummies returns the names of the arguments.
func (u *Unit) dummies() []string {
	names := make([]string, len(u.Unit.Params)-u.hidden)
	for i := range names {
		names[i] = u.Unit.Params[i].Text
	}
	return names
}

// requires reports whether argument i must be given.
func (u *Unit) requires(i int) bool { return len(u.Params) <= i || !u.Params[i].Optional }

func isProcedure(x Expr) bool {
	r, ok := x.(*Ref)
	return ok && r.Sym.Class == Procedure
}

// sequence reports whether an argument is an element of an array, at which an array argument may begin.
func sequence(x Expr) bool {
	e, ok := x.(*Element)
	return ok && e.N == 0
}

// definable reports whether an expression can be assigned to.
func definable(x Expr) bool {
	switch x := x.(type) {
	case *Ref:
		return x.Sym.Class == Variable
	case *Element:
		return true
	case *Substring:
		return definable(x.X)
	}
	return false
}
