package replay

import (
	"slices"

	"whorl/sim"
	"whorl/tracer"
)

// Costs are times that the system of a recorded program took, in ns.
type Costs struct {
	Wake int64 // from the time at which a task becomes ready on one PE until another PE, which was idle, runs it: the median
}

// Model returns a machine with the costs. Its instructions take a picosecond, since the durations of a recorded program
// include them.
func (c Costs) Model() sim.Model {
	return sim.Model{InstructionPs: 1, Steal: min(c.Wake, sim.MaxModelTime)}
}

// maxDelays is the largest number of delays from which the median is taken.
const maxDelays = 1 << 16

// A delays collects the costs while a trace is read.
type delays struct {
	ready map[uint32]ready // tasks that have become ready
	left  map[int32]int64  // when a PE lost its task
	wakes []int64
}

type ready struct {
	at int64
	pe int32
}

func (d *delays) woken(n uint32, at int64, pe int32) {
	if len(d.ready) < maxDelays {
		d.ready[n] = ready{at, pe}
	}
}

func (d *delays) leaves(pe int32, at int64) { d.left[pe] = at }

// runs notes that a task runs on a PE.
func (d *delays) runs(n uint32, pe int32, at int64) {
	r, ok := d.ready[n]
	if !ok {
		return
	}
	delete(d.ready, n)
	left, known := d.left[pe]
	if r.pe != pe && r.pe != tracer.None && known && left < r.at && // a PE that has run nothing yet may have begun later
		len(d.wakes) < maxDelays {
		d.wakes = append(d.wakes, at-r.at)
	}
}

func (d *delays) costs() Costs { return Costs{Wake: median(d.wakes)} }

// median returns the median, 0 for none.
func median(ns []int64) int64 {
	if len(ns) == 0 {
		return 0
	}
	slices.Sort(ns)
	return ns[len(ns)/2]
}
