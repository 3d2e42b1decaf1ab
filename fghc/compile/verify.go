package compile

import (
	"fmt"

	"whorl/fghc/arith"
	"whorl/fghc/builtin"
)

// Verify checks the rules that the engines rely on: labels, tables, procedures, constants and sites exist, an
// instruction has the labels that it needs, and no path leaves the code. Tests of the compiler and of the engine call
// it.
func (p *Program) Verify() error {
	limits := map[Op]int{ // of K
		Switch: len(p.Tables), Commit: len(p.Clauses), Boxed: len(p.Constants), Test: len(builtin.All), Call: len(builtin.All),
		Compare: int(numRels), FloatCompare: int(numRels),
	}
	for i := range p.Code[1:] {
		in := &p.Code[i+1]
		problem := ""
		if limit, ok := limits[in.Op]; ok && (in.K < 0 || in.K >= int64(limit)) {
			problem = "K is out of range"
		} else {
			problem = p.problem(in)
		}
		if problem != "" {
			return fmt.Errorf("instruction %d (%v %d): %s", i+1, in.Op, in.K, problem)
		}
	}
	if n := len(p.Code); n > 1 && p.Code[n-1].Op.Falls() {
		return fmt.Errorf("code runs off its end after %v", p.Code[n-1])
	}
	for i, pr := range p.Procs {
		if pr.Entry <= 0 || int(pr.Entry) >= len(p.Code) {
			return fmt.Errorf("procedure %d (%s/%d) has no entry", i, pr.Name, pr.Arity)
		}
	}
	return nil
}

// problem returns the fault of an instruction whose K is in range, "" for none.
func (p *Program) problem(in *Ins) string {
	calls := in.Op == Goal || in.Op == Delay || in.Op == Test || in.Op == Call
	if calls && (in.Args < 0 || int(in.Args)+int(in.N) > len(p.Args)) {
		return "arguments out of range"
	}
	for _, l := range p.Labels(in) {
		if l < 0 || int(l) >= len(p.Code) || l == 0 && in.Op == Switch {
			return "a label out of range"
		}
	}
	for _, r := range append(p.Sets(in), p.Reads(in)...) {
		if int(r) >= p.Registers {
			return "a register out of range"
		}
	}
	if in.Site < 0 || int(in.Site) >= len(p.Sites) {
		return "a site out of range"
	}
	switch in.Op {
	case Invalid:
		return "invalid"
	case PutStr:
		if in.K < 0 || p.Symbols.Lookup(int(in.K)).Arity != int(in.N) {
			return "not the functor's arity"
		}
	case Switch:
		if t := &p.Tables[in.K]; len(t.Keys) != len(t.Labels) {
			return "a case without a label"
		}
	case IsBound, IsInt, IsAtom, IsList, IsAtomic, Equal, Differ, Test:
		if in.Fail == 0 || in.Blocked == 0 {
			return "a test without a label"
		}
	case Compare, FloatCompare:
		if in.Fail == 0 || in.Blocked == 0 || in.Type == 0 {
			return "a comparison without a label"
		}
	case Arith:
		if in.ArithOp()&^(arith.Big|arith.Wrap) >= arith.NumOps {
			return "no such operation"
		}
		if in.Type == 0 && in.Site == 0 {
			return "neither a label nor a site for a wrong operand"
		}
	case Call, Unify:
		if in.Site == 0 {
			return "no site"
		}
	case Otherwise, Jump, Commit:
		if in.Target == 0 {
			return "no label"
		}
	case Goal, Delay:
		if in.Proc < 0 || int(in.Proc) >= len(p.Procs) || p.Procs[in.Proc].Arity != int(in.N) {
			return "no such procedure, or not its arity"
		}
	}
	if (in.Op == Test || in.Op == Call) && in.Builtin().Arity() != int(in.N) {
		return "not the builtin's arity"
	}
	return ""
}
