package structure

import "whorl/hpfsim/syntax"

// mapped returns an expression with some parts replaced: those for which replace returns true. Parts that contain replaced ones are copies.
func mapped(x syntax.Expr, replace func(syntax.Expr) (syntax.Expr, bool)) syntax.Expr {
	if x == nil {
		return nil
	}
	if y, ok := replace(x); ok {
		return y
	}
	again := func(x syntax.Expr) syntax.Expr { return mapped(x, replace) }
	switch e := x.(type) {
	case *syntax.Complex:
		return &syntax.Complex{Pos: e.Pos, Re: again(e.Re), Im: again(e.Im)}
	case *syntax.Unary:
		return &syntax.Unary{Pos: e.Pos, Op: e.Op, X: again(e.X)}
	case *syntax.Paren:
		return &syntax.Paren{Pos: e.Pos, X: again(e.X)}
	case *syntax.Binary:
		return &syntax.Binary{OpPos: e.OpPos, Op: e.Op, X: again(e.X), Y: again(e.Y)}
	case *syntax.Defined:
		return &syntax.Defined{OpPos: e.OpPos, Op: e.Op, X: again(e.X), Y: again(e.Y)}
	case *syntax.Apply:
		return &syntax.Apply{Name: e.Name, Args: argsMapped(e.Args, again)}
	case *syntax.Selected:
		return &syntax.Selected{Name: e.Name, Holder: again(e.Holder), Args: argsMapped(e.Args, again)}
	case *syntax.Component:
		return &syntax.Component{X: again(e.X), Name: e.Name, Args: argsMapped(e.Args, again)}
	case *syntax.Substring:
		return &syntax.Substring{X: again(e.X), Lo: again(e.Lo), Hi: again(e.Hi)}
	case *syntax.Section:
		return &syntax.Section{Pos: e.Pos, Lo: again(e.Lo), Hi: again(e.Hi), Step: again(e.Step)}
	case *syntax.Constructor:
		return &syntax.Constructor{Pos: e.Pos, Type: e.Type, Items: listMapped(e.Items, again)}
	case *syntax.ImpliedDo:
		return &syntax.ImpliedDo{Pos: e.Pos, Items: listMapped(e.Items, again), Control: controlMapped(e.Control, again)}
	}
	return x
}

func argsMapped(args []syntax.Arg, again func(syntax.Expr) syntax.Expr) []syntax.Arg {
	if args == nil {
		return nil
	}
	out := make([]syntax.Arg, len(args))
	for k, a := range args {
		out[k] = syntax.Arg{Keyword: a.Keyword, Value: again(a.Value)}
	}
	return out
}

func listMapped(list []syntax.Expr, again func(syntax.Expr) syntax.Expr) []syntax.Expr {
	out := make([]syntax.Expr, len(list))
	for k, x := range list {
		out[k] = again(x)
	}
	return out
}

func controlMapped(c syntax.Control, again func(syntax.Expr) syntax.Expr) syntax.Control {
	return syntax.Control{Var: c.Var, Lo: again(c.Lo), Hi: again(c.Hi), Step: again(c.Step)}
}
