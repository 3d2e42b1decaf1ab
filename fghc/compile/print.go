package compile

import "fmt"

// String prints an instruction: its operation, registers and immediate, then the site, the labels and the node and
// priority that it has.
func (in Ins) String() string {
	s := in.Op.String() + in.operands()
	if in.Site != 0 {
		s += fmt.Sprintf(" site %d", in.Site)
	}
	for _, l := range []struct {
		name  string
		label int32
	}{{"to", in.Target}, {"fail", in.Fail}, {"blocked", in.Blocked}, {"type", in.Type}} {
		if l.label != 0 {
			s += fmt.Sprintf(" %s %d", l.name, l.label)
		}
	}
	if in.Op != Goal && in.Op != Delay {
		return s
	}
	if r, ok := in.Node(); ok {
		s += fmt.Sprintf(" at x%d", r)
	}
	if r, ok := in.Priority(); ok {
		lower := ""
		if in.Lower {
			lower = "lower by "
		}
		s += fmt.Sprintf(" priority %sx%d", lower, r)
	}
	return s
}

// operands prints the registers and the immediate of an instruction.
func (in *Ins) operands() string {
	a, b, c := fmt.Sprintf(" x%d", in.A), fmt.Sprintf("x%d", in.B), fmt.Sprintf("x%d", in.C)
	switch in.Op {
	case Switch:
		return fmt.Sprintf("%s table %d", a, in.K)
	case LoadList:
		return fmt.Sprintf("%s -> %s x%d", a, b, in.B+1)
	case LoadArgs:
		return fmt.Sprintf("%s -> %s.. %d", a, b, in.N)
	case IsBound, IsInt, IsAtom, IsList, IsAtomic, NewVar:
		return a
	case Equal, Differ:
		return a + " " + b
	case Compare, FloatCompare:
		return fmt.Sprintf("%s %s %s", a, in.Rel(), b)
	case Arith:
		return fmt.Sprintf("%s = %s %s %s", a, b, in.ArithOp(), c)
	case Test, Call:
		return fmt.Sprintf(" %s args %d", in.Builtin().Title(), in.Args)
	case Commit:
		return fmt.Sprintf(" clause %d", in.K)
	case Const:
		return fmt.Sprintf("%s = %#x", a, uint64(in.K))
	case Boxed:
		return fmt.Sprintf("%s = constant %d", a, in.K)
	case Move, Unify:
		return a + " = " + b
	case PutList:
		fresh := [4]string{"", " new head", " new tail", " new head, tail"}[in.K&3]
		return fmt.Sprintf("%s = [%s|%s]%s", a, b, c, fresh)
	case PutStr:
		return fmt.Sprintf("%s functor %d/%d", a, in.K, in.N)
	case SetArg:
		return fmt.Sprintf("%s.%d = %s", a, in.N, b)
	case Goal, Delay:
		return fmt.Sprintf(" proc %d/%d args %d", in.Proc, in.N, in.Args)
	}
	return ""
}
