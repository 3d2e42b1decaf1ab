package exec

import (
	"whorl/hpfsim/charge"
	"whorl/hpfsim/lower"
)

// newCode returns the instructions of a unit, with nothing compiled yet.
func newCode(u *lower.Unit, o Options) *code {
	instructions := make([]charge.Instruction, len(u.Code))
	for i, x := range u.Code {
		instructions[i] = charge.Instruction{Cost: x.Cost, File: x.Pos.File, Line: x.Pos.Line}
		if o.Costs != nil {
			instructions[i].Cost = o.Costs(&u.Code[i])
		}
	}
	unit := charge.Unit{Name: lowered(u.Name), File: u.Pos.File, Line: u.Pos.Line, Lines: max(u.End.Line-u.Pos.Line+1, 0)}
	return &code{
		Code: charge.NewCode(unit, instructions, func(i int) string { return u.Code[i].String() }),
		unit: u, nests: map[any]*nest{}, blocks: map[lower.Stmt]*block{}, loops: map[*lower.Do]*doCode{}, instructionPs: o.Model.InstructionPs, live: o.Live,
	}
}

// A subsetKey names the processors of a set that stand at a coordinate of an arrangement.
type subsetKey struct {
	set        *int32
	count      int
	grid       *lower.Grid
	axis       int
	coordinate int
}

// subset returns the processors of a set that stand at a coordinate along an axis of an arrangement.
func (m *Machine) subset(who []int32, g *lower.Grid, axis, coordinate int) []int32 {
	if len(who) == 0 {
		return nil
	}
	key := subsetKey{&who[0], len(who), g, axis, coordinate}
	if s, ok := m.subsets[key]; ok {
		return s
	}
	var out []int32
	size := g.Size()
	for _, p := range who {
		if int(p) < size && g.Coordinate(int(p), axis) == coordinate {
			out = append(out, p)
		}
	}
	m.subsets[key] = out
	return out
}

// run has the processors of the frame execute the instructions from first up to last some times.
func (f *frame) run(first, last int, times int64) {
	if times > 0 && first < last {
		f.charge(f.who, first, last, times)
	}
}

// charge has processors execute the instructions from first up to last some times.
func (f *frame) charge(who []int32, first, last int, times int64) {
	p := f.code.Repeat(first, last, times)
	f.spend(who, &p)
}

// spend has processors execute a pattern.
func (f *frame) spend(who []int32, p *charge.Pattern) {
	if !f.clocks.Spend(who, &f.context, p) {
		panic(&LimitError{"time"})
	}
}

// site returns the calling context of an instruction.
func (f *frame) site(instruction int) uint32 { return f.clocks.Site(&f.context, instruction) }

// inherit makes an instruction of the calling frame the context of this one.
func (f *frame) inherit(caller *frame, instruction int) {
	context := caller.context.Context
	if f.clocks.Recording() {
		context = caller.site(instruction)
	}
	f.context.Reset(f.code.Code, context)
}
