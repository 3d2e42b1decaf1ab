package compile

import (
	"fmt"

	"whorl/fghc/builtin"
)

// Verify checks that code keeps the rules that the engine relies on: labels, tables, procedures and constants exist, a passive
// instruction says where to go on, and nothing runs off the end. It is for tests, and for whoever changes the compiler.
func (p *Program) Verify() error {
	label := func(l int32) bool { return l > 0 && int(l) < len(p.Code) }
	for i, in := range p.Code[1:] {
		bad := func(what string) error { return fmt.Errorf("instruction %d (%v): %s", i+1, in, what) }
		if int(in.A) >= p.Registers && in.Op != Goal && in.Op != Delay && in.Op != Test && in.Op != Call || int(in.B) > p.Registers {
			return bad("a register out of range")
		}
		switch in.Op {
		case PutStr:
			if in.K < 0 || p.Symbols.Lookup(int(in.K)).Arity != int(in.C) {
				return bad("not the functor's arity")
			}
		case Switch:
			if in.K < 0 || int(in.K) >= len(p.Tables) {
				return bad("no such table")
			}
			t := &p.Tables[in.K]
			if !label(t.Default) || !label(t.Blocked) || !label(t.List) || len(t.Keys) != len(t.Labels) {
				return bad("the table has a case without a label")
			}
			for _, l := range t.Labels {
				if !label(l) {
					return bad("the table has a case without a label")
				}
			}
		case IsBound, IsInt, IsAtom, IsList, IsAtomic, Equal, Differ:
			if !label(in.Fail) || !label(in.Blocked) {
				return bad("a test without a label")
			}
		case Compare, FloatCompare:
			if !label(in.Fail) || !label(in.Blocked) || !label(in.Type) || in.K < 0 || int(in.K) >= len(relNames) {
				return bad("a comparison without a label or a relation")
			}
		case Arith:
			if op := ArithOp(in.K) &^ (Big | builtin.Wrap); op >= builtin.NumArithOps {
				return bad("no such operation")
			}
			if in.Type == 0 && (int(in.Fail) >= len(p.Sites) || in.Fail == 0) {
				return bad("neither a label nor a site for a wrong operand")
			}
		case Test, Call:
			if in.K < 0 || int(in.K) >= len(builtin.All) || builtin.All[in.K].Arity() != int(in.A) || int(in.At)+int(in.A) > len(p.Args) {
				return bad("no such builtin, or not its arguments")
			}
			if in.Op == Test && (!label(in.Fail) || !label(in.Blocked)) {
				return bad("a test without a label")
			}
			if in.Op == Call && (in.Fail == 0 || int(in.Fail) >= len(p.Sites)) {
				return bad("no site")
			}
		case Otherwise, Jump:
			if !label(in.Fail) {
				return bad("no label")
			}
		case Commit:
			if in.K <= 0 || int(in.K) >= len(p.Clauses) || !label(in.Fail) {
				return bad("no such clause, or no body")
			}
		case Boxed:
			if in.K < 0 || int(in.K) >= len(p.Constants) {
				return bad("no such constant")
			}
		case Unify:
			if in.K <= 0 || int(in.K) >= len(p.Sites) {
				return bad("no such site")
			}
		case Goal, Delay:
			if in.K < 0 || int(in.K) >= len(p.Procs) || p.Procs[in.K].Arity != int(in.A) {
				return bad("no such procedure, or not its arity")
			}
			if int(in.Fail)+int(in.A) > len(p.Args) || int(in.Blocked) >= len(p.Sites) {
				return bad("arguments or site out of range")
			}
		case Invalid:
			return bad("invalid")
		}
	}
	if n := len(p.Code); n > 1 {
		switch p.Code[n-1].Op {
		case Jump, Proceed, Done, Suspend, Commit:
		default:
			return fmt.Errorf("code runs off its end behind %v", p.Code[n-1])
		}
	}
	for i, pr := range p.Procs {
		if !label(pr.Entry) {
			return fmt.Errorf("procedure %d (%s/%d) has no entry", i, pr.Name, pr.Arity)
		}
	}
	return nil
}
