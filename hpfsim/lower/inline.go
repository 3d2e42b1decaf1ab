package lower

import "whorl/hpfsim/syntax"

const maxInlined = 200 // nodes of an expression

// inlined returns the value of a statement function with the arguments in place of its parameters, so that the reads
// of the function are visible at the call. It returns false if the expression would be long, or an argument calls a
// function of the program.
func (f *Func) inlined(args []Expr, pos syntax.Pos) (Expr, bool) {
	left := maxInlined
	in := inliner{map[*Symbol]Expr{}, pos, &left}
	for i, p := range f.Params {
		calls := false
		Walk(args[i], func(x Expr) {
			_, call := x.(*Invoke)
			calls = calls || call
		})
		if calls {
			return nil, false
		}
		in.args[p] = args[i]
	}
	x := in.expr(f.Value)
	return x, left >= 0
}

// An inliner copies an expression with other expressions in the places of some scalars.
type inliner struct {
	args map[*Symbol]Expr
	pos  syntax.Pos // where the function is called
	left *int       // nodes that may still be copied
}

func (in inliner) list(all []Expr) []Expr {
	out := make([]Expr, len(all))
	for i, x := range all {
		out[i] = in.expr(x)
	}
	return out
}

func (in inliner) expr(x Expr) Expr {
	if *in.left--; x == nil || *in.left < 0 {
		return nil
	}
	switch e := x.(type) {
	case *Ref:
		if arg := in.args[e.Sym]; arg != nil {
			return inliner{left: in.left}.expr(arg)
		}
		y := *e
		return &y
	case *Element:
		y := *e
		y.Subs = make([]Sub, len(e.Subs))
		for i, s := range e.Subs {
			y.Subs[i] = Sub{in.expr(s.Index), s.Section, in.expr(s.Lo), in.expr(s.Hi), in.expr(s.Step)}
		}
		return &y
	case *Substring:
		y := *e
		y.X, y.Lo, y.Hi = in.expr(e.X), in.expr(e.Lo), in.expr(e.Hi)
		return &y
	case *Unary:
		y := *e
		y.X = in.expr(e.X)
		return fold(&y)
	case *Binary:
		y := *e
		y.X, y.Y = in.expr(e.X), in.expr(e.Y)
		return fold(&y)
	case *Conv:
		y := *e
		y.X = in.expr(e.X)
		return &y
	case *Call:
		y := *e
		y.Args = in.list(e.Args)
		return &y
	case *Invoke:
		y := *e
		if y.Args = in.list(e.Args); in.args != nil {
			y.Pos = in.pos
		}
		return &y
	case *List:
		y := *e
		y.Items = in.list(e.Items)
		return &y
	case *Loop:
		y := *e
		y.Items, y.Lo, y.Hi, y.Step = in.list(e.Items), in.expr(e.Lo), in.expr(e.Hi), in.expr(e.Step)
		return &y
	}
	return x
}
