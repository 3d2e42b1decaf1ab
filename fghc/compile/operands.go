package compile

import "strings"

// Sets lists the registers that an instruction sets.
func (p *Program) Sets(in *Ins) []uint16 {
	switch in.Op {
	case LoadList:
		return []uint16{in.B, in.B + 1}
	case LoadArgs:
		out := make([]uint16, in.N)
		for i := range out {
			out[i] = in.B + uint16(i)
		}
		return out
	case Arith, Const, Boxed, NewVar, Move, PutStr:
		return []uint16{in.A}
	case Test, Call:
		return p.operands(in, "os")
	case PutList:
		out := []uint16{in.A}
		if in.K&FreshB != 0 {
			out = append(out, in.B)
		}
		if in.K&FreshC != 0 {
			out = append(out, in.C)
		}
		return out
	}
	return nil
}

// Reads lists the registers that an instruction reads, except those with the node and the priority of a goal.
func (p *Program) Reads(in *Ins) []uint16 {
	switch in.Op {
	case Switch, LoadList, LoadArgs, IsBound, IsInt, IsAtom, IsList, IsAtomic:
		return []uint16{in.A}
	case Equal, Differ, Compare, FloatCompare, Unify, SetArg:
		return []uint16{in.A, in.B}
	case Arith:
		return []uint16{in.B, in.C}
	case Move:
		return []uint16{in.B}
	case PutList:
		var out []uint16
		if in.K&FreshB == 0 {
			out = append(out, in.B)
		}
		if in.K&FreshC == 0 {
			out = append(out, in.C)
		}
		return out
	case Test, Call:
		return p.operands(in, "is-")
	case Goal, Delay:
		return p.Arguments(in)
	}
	return nil
}

// operands lists the registers of a builtin's arguments whose mode is one of the given letters.
func (p *Program) operands(in *Ins, modes string) (out []uint16) {
	for k, r := range p.Arguments(in) {
		if strings.IndexByte(modes, in.Builtin().Args[k]) >= 0 {
			out = append(out, r)
		}
	}
	return out
}

// Arguments lists the registers of the arguments of a Goal, Delay, Test or Call.
func (p *Program) Arguments(in *Ins) []uint16 { return p.Args[in.Args : int(in.Args)+int(in.N)] }

// Labels lists the labels where execution may continue after an instruction, other than the next one; a label of 0 is none.
func (p *Program) Labels(in *Ins) []int32 {
	if in.Op == Switch {
		t := &p.Tables[in.K]
		return append([]int32{t.List, t.Default, t.Blocked}, t.Labels...)
	}
	return []int32{in.Target, in.Fail, in.Blocked, in.Type}
}
