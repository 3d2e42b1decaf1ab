package replay

import (
	"math"
	"math/bits"

	"whorl/sim"
)

// speed returns the speed of the part that a task computes, nil for the usual one.
func (r *Replay) speed(n uint32) *sim.Speed { return r.graph.speed(r.speeds, n, r.tasks[n].part) }

// speed returns the speed of a part of a task, given as its number plus 1 or 0 for the function of the task.
func (g *Graph) speed(speeds []*sim.Speed, n, part uint32) *sim.Speed {
	if speeds == nil {
		return nil
	}
	return speeds[g.function(n, part)]
}

// function returns the number of the function that a part of a task belongs to.
func (g *Graph) function(n, part uint32) uint32 {
	if part > 0 {
		return g.parts[part-1].Code
	}
	return g.tasks[n].function
}

// scaled returns the time of a computation on the machine of the replay.
func (s *Setup) scaled(ns int64) int64 {
	if s.Instruction == s.RecordedInstruction {
		return ns
	}
	hi, lo := bits.Mul64(uint64(ns), uint64(s.Instruction))
	if hi >= uint64(s.RecordedInstruction) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(s.RecordedInstruction))
	return int64(min(q, math.MaxInt64))
}

// duration returns the time of a computation of a task.
func (r *Replay) duration(n uint32, recorded uint64) sim.Time {
	ns := r.setup.scaled(int64(recorded))
	if s := r.speed(n); s != nil {
		return s.Time(ns)
	}
	return ns
}
