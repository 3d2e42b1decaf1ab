package experiment

import (
	"fmt"

	"whorl/hpfsim/exec"
	"whorl/hpfsim/lower"
	"whorl/sim"
)

// setSpeeds gives lines of a program in HPF speeds of their own. Costs are counted in a part of an instruction, so that the time of a line that is not
// twice as fast as others, but a tenth faster, is rounded little.
func setSpeeds(o *exec.Options, code *lower.Program, speeds []sim.Speed) error {
	if len(speeds) == 0 {
		return nil
	}
	lineOf := func(x *lower.Instruction) string { return fmt.Sprintf("%s:%d", x.Pos.File, x.Pos.Line) }
	var lines []string
	for _, u := range code.Units {
		for i := range u.Code {
			lines = append(lines, lineOf(&u.Code[i]))
		}
	}
	all, err := sim.SpeedsOf(speeds, lines)
	if err != nil {
		return err
	}
	byLine := map[string]*sim.Speed{}
	for i, line := range lines {
		byLine[line] = all[i]
	}
	parts := int64(1000)
	for o.Model.InstructionPs%parts != 0 {
		parts /= 10
	}
	o.Model.InstructionPs /= parts
	o.Costs = func(x *lower.Instruction) int {
		cost := int64(x.Cost) * parts
		if s := byLine[lineOf(x)]; s != nil {
			cost = s.Time(cost)
		}
		return int(cost)
	}
	return nil
}
