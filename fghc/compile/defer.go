package compile

import "slices"

// A Deferral is a builtin of a body whose operands the goals of the same body compute. It could only be tried in vain
// in its place. An executor that runs the goals of a body in textual order, each with all its descendants, calls its
// waiter like another goal instead, which mostly finds the operands bound.
type Deferral struct {
	Fresh, Results int32 // label of the first NewVar of its results, and their number
	Delay          *Ins  // the call of its waiter
	To             int32 // label of the instruction behind it
	Goals          int   // number of goals of the body that run before it, at least 1
}

// Deferrals returns the deferrals of the body at a label, by the label of the first instruction of each. Label 0 has none.
func (p *Program) Deferrals(body int32) map[int32]Deferral {
	all := map[int32]Deferral{}
	fresh := map[uint16]bool{}   // registers with variables that only goals of this body can bind
	computed := map[uint16]int{} // by register: the number of goals until a deferral has computed it
	goals := 0
	for pc := body; pc != 0 && p.Code[pc].Op != Proceed; pc++ {
		in := &p.Code[pc]
		switch in.Op {
		case Goal:
			goals++
			continue
		case Unify: // it may bind a variable, or pass it to other PEs
			delete(fresh, in.A)
			delete(fresh, in.B)
			continue
		}
		if d, ok := p.deferral(body, pc, goals, fresh, computed); ok {
			all[pc] = d
			for k := range d.Results {
				r := p.Code[d.Fresh+k].A
				fresh[r], computed[r] = true, d.Goals
			}
			pc = d.To - 1
			continue
		}
		for _, r := range p.Sets(in) {
			fresh[r] = in.Op == NewVar || in.Op == PutList && r != in.A
		}
	}
	return all
}

// deferral returns the deferral of the builtin at pc, behind a number of goals, if it needs variables that goals of the
// body compute.
func (p *Program) deferral(body, pc int32, goals int, fresh map[uint16]bool, computed map[uint16]int) (d Deferral, ok bool) {
	label := p.Code[pc].Blocked
	if label == 0 {
		return d, false
	}
	for d.Fresh = label; p.Code[label].Op == NewVar; label++ {
		d.Results++
	}
	if p.Code[label+1].Op != Jump { // the fallback of a pragma
		return d, false
	}
	d.Delay, d.To, d.Goals = &p.Code[label], p.Code[label+1].Target, goals
	needs := false
	for at := pc; at < d.To; at++ {
		for _, r := range p.inputs(&p.Code[at]) {
			if !fresh[r] {
				continue
			}
			n := computed[r]
			if n == 0 {
				n = p.computing(body, r)
			}
			if n == 0 {
				return d, false
			}
			needs, d.Goals = true, max(d.Goals, n)
		}
	}
	return d, needs
}

// inputs lists the registers that a builtin needs bound.
func (p *Program) inputs(in *Ins) []uint16 {
	switch in.Op {
	case Arith:
		return []uint16{in.B, in.C}
	case Call:
		return p.operands(in, "i")
	}
	return nil
}

// computing returns the number of the first goal of a body, from 1, that has a register among its arguments and runs in
// its place, 0 if there is none.
func (p *Program) computing(body int32, r uint16) int {
	n := 0
	for pc := body; p.Code[pc].Op != Proceed; pc++ {
		if in := &p.Code[pc]; in.Op == Goal {
			n++
			if in.B == NoReg && in.C == NoReg && slices.Contains(p.Arguments(in), r) {
				return n
			}
		}
	}
	return 0
}
