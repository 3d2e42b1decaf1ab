package engine

import (
	"strconv"

	"whorl/fghc/compile"
	"whorl/sim"
)

// procNames returns the names of the procedures as in the trace.
func procNames(prog *compile.Program) []string {
	names := make([]string, len(prog.Procs))
	for i := range prog.Procs {
		names[i] = prog.Procs[i].Name + "/" + strconv.Itoa(prog.Procs[i].Arity)
	}
	return names
}

// cost returns the time of the work of a step of a procedure.
func (e *Engine) cost(p *sim.PE, proc int32) sim.Time {
	if e.speeds == nil {
		return p.Cost(e.work)
	}
	return p.CostAt(e.work, e.speeds[proc])
}
