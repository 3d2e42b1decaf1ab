package lower

// checkArgs checks the arguments of an intrinsic subroutine against its parameters, and reports the first that does
// not fit.
func (l *lowerer) checkArgs(fn *Intrinsic, args []Expr) bool {
	for i, p := range fn.Params {
		if i >= len(args) || args[i] == nil {
			continue
		}
		x := args[i]
		switch {
		case p.Out && !definable(x):
			l.fail(x.Pos(), "a variable", "%s changes its argument %s, which is not a variable here", fn.Name, p.Name)
		case !p.Kinds.Has(x.Type().Base), p.Shape == Scalar && x.Rank() > 0, p.Shape == Vector && x.Rank() != 1:
			l.fail(x.Pos(), p.expected(), "argument %s of %s is %s", p.Name, fn.Name, described(x))
		default:
			continue
		}
		return false
	}
	return true
}

// expected describes the arguments that a parameter takes.
func (p Param) expected() string {
	switch {
	case p.Shape == Vector:
		return "a vector of integers"
	case p.Kinds == ints:
		return "an integer"
	case p.Kinds == floats:
		return "a real"
	case p.Kinds == chars:
		return "characters"
	}
	return "a number"
}
