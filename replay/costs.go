package replay

import (
	"slices"

	"whorl/sim"
	"whorl/tracer"
)

// Costs are times that the system of a recorded program took, in ns: medians over the trace.
type Costs struct {
	Steal int64 // from the time at which a task becomes ready on one PE until another PE, which was idle, runs it
	Go    bool  // a program in Go: Wake and Hold apply in place of Steal
	Wake  int64 // from the time at which a PE that sleeps is woken until it looks for a goroutine
	Hold  int64 // from then until it takes the goroutine that another PE has made ready last
}

// usual are the costs of goroutines where a trace shows too few of them, such as one of a single PE: medians on a virtual machine with two cores
// (docs/replay.md).
var usual = Costs{Go: true, Wake: 65_000, Hold: 110_000}

// Model returns a machine with the costs. Its instructions take a picosecond, since the durations of a recorded program
// include them.
func (c Costs) Model() sim.Model {
	m := sim.Model{InstructionPs: 1}
	if c.Go {
		m.Wake, m.Hold = min(c.Wake, sim.MaxModelTime), min(c.Hold, sim.MaxModelTime)
	} else {
		m.Steal = min(c.Steal, sim.MaxModelTime)
	}
	return m
}

// maxDelays is the largest number of delays from which a median is taken. A median of fewer than fewDelays is not used.
const (
	maxDelays = 1 << 16
	fewDelays = 20
)

// A delays collects the costs while a trace is read.
type delays struct {
	ready                map[uint32]ready // tasks that have become ready
	pes                  map[int32]absence
	last                 map[int32]uint32 // by PE: the task that has become ready there last
	steals, rises, holds []int64

	asleep int    // PEs that sleep
	rising bool   // one of them has been woken
	waker  uint32 // by this task, or none that is known
	woke   int64  // at this time
}

type ready struct {
	since int64
	pe    int32
}

// An absence is the time of a PE without a task.
type absence struct {
	left, looks int64 // when the last task left, and since when it has looked for another one after it slept
	asleep      bool
}

// woken notes that a task becomes ready on a PE. If a PE sleeps and none has been woken yet, the waker of the task also wakes the PE.
func (d *delays) woken(n uint32, at int64, pe int32, waker uint32) {
	if len(d.ready) < maxDelays {
		d.ready[n] = ready{at, pe}
	}
	d.last[pe] = n
	if d.asleep > 0 && !d.rising {
		d.rising, d.waker, d.woke = true, waker, at
	}
}

// leaves notes that the task of a PE leaves it.
func (d *delays) leaves(pe int32, at int64) {
	if d.pes[pe].asleep { // the trace does not say when it began to look
		d.asleep--
	}
	d.pes[pe] = absence{left: at, looks: at}
}

// sleeps notes that a PE has nothing to do.
func (d *delays) sleeps(pe int32, at int64) {
	a, ok := d.pes[pe]
	if !ok {
		a.left = at
	}
	if !a.asleep {
		d.asleep++
	}
	a.asleep = true
	d.pes[pe] = a
}

// looks notes that a PE looks for a task. It returns the task that has woken it, none if no task is known to have done so, and the time which that
// task has spent: half of the time since then, as on machines with sim.Model.Wake. Much longer times are not work of the waker.
func (d *delays) looks(pe int32, at int64) (waker uint32, spent int64) {
	a := d.pes[pe]
	if !a.asleep {
		return none, 0
	}
	a.asleep, a.looks = false, at
	d.asleep--
	d.pes[pe] = a
	if !d.rising {
		return none, 0
	}
	d.rising = false
	if d.waker == none {
		return none, 0
	}
	rose := at - d.woke
	if len(d.rises) < maxDelays {
		d.rises = append(d.rises, rose)
	}
	return d.waker, min(rose, 2*usual.Wake) / 2
}

// runs notes that a task runs on a PE.
func (d *delays) runs(n uint32, pe int32, at int64) {
	r, ok := d.ready[n]
	if !ok {
		return
	}
	delete(d.ready, n)
	a, known := d.pes[pe]
	if r.pe == pe || r.pe == tracer.None || !known { // a PE that has run nothing yet may have begun later
		return
	}
	if a.left < r.since && len(d.steals) < maxDelays {
		d.steals = append(d.steals, at-r.since)
	}
	if d.last[r.pe] == n && len(d.holds) < maxDelays {
		d.holds = append(d.holds, at-a.looks)
	}
}

// costs returns the costs of a program, which consists of goroutines or of other tasks.
func (d *delays) costs(goroutines bool) Costs {
	if !goroutines {
		return Costs{Steal: median(d.steals)}
	}
	c := usual
	if len(d.rises) >= fewDelays {
		c.Wake = median(d.rises)
	}
	if len(d.holds) >= fewDelays {
		c.Hold = median(d.holds)
	}
	return c
}

// median returns the median, 0 for none.
func median(ns []int64) int64 {
	if len(ns) == 0 {
		return 0
	}
	slices.Sort(ns)
	return ns[len(ns)/2]
}
