package compile

import (
	"strings"

	"whorl/fghc/builtin"
)

// Sets lists the registers that an instruction sets.
func (p *Program) Sets(in *Ins) []uint16 {
	switch in.Op {
	case LoadList:
		return []uint16{in.B, in.B + 1}
	case LoadArgs:
		out := make([]uint16, in.C)
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

// Reads lists the registers that an instruction uses, but for those that hold the numbers of a goal's pragmas.
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

// operands lists the registers of a builtin's arguments whose letters are among the given ones.
func (p *Program) operands(in *Ins, letters string) (out []uint16) {
	for k, r := range p.Args[in.At : int(in.At)+int(in.A)] {
		if strings.IndexByte(letters, builtin.All[in.K].Args[k]) >= 0 {
			out = append(out, r)
		}
	}
	return out
}

// Arguments lists the registers of the arguments of a Goal or Delay.
func (p *Program) Arguments(in *Ins) []uint16 {
	return p.Args[in.Fail : int(in.Fail)+int(in.A)]
}
