package experiment

import (
	"context"
	"math"
	"slices"

	"whorl/replay"
	"whorl/sim/machines"
)

// A Range holds the times in ns between which a replayed program ends on real PEs.
type Range struct{ From, To int64 }

// runsDiffer is the least relative difference between the times of two runs of a program on real cores.
const runsDiffer = 0.05

// Range returns the range of a replay that took some ns, whose program has the given paths (Prepared.Paths). docs/replay.md has the rules.
func (d *Recorded) Range(ctx context.Context, r Run, p replay.Paths, took int64) (Range, error) {
	off := 0.0 // the error of the replay of the recording, at least the difference between two runs of a program
	if d.Own > 0 {
		if d.Measured {
			off = runsDiffer
		}
		off = max(off, math.Abs(float64(d.Own-d.Elapsed))/float64(max(1, d.Elapsed)))
	}
	without, twice := took, took // without the costs of waking PEs, and with twice their costs
	if d.supposes(&r) {
		var err error
		if without, err = d.waking(ctx, r, 0); err != nil {
			return Range{}, err
		}
		if twice, err = d.waking(ctx, r, 2); err != nil {
			return Range{}, err
		}
	}
	most := max(took, twice)
	if !d.incomplete() {
		return Range{scaled(min(p.Bound(r.PEs), took), 1-off), scaled(most, 1+off)}, nil
	}
	locks, choices := d.shared()
	least := p.Bound(r.PEs)
	switch {
	case r.PEs == 1 && locks:
		least -= d.Woken
	case choices:
		p.Span = 0
		least = p.Bound(r.PEs)
	}
	from := scaled(min(least, took), 1-off)
	if locks && !choices && d.PEs == 1 && r.PEs > 1 {
		from = min(without, took)
	}
	if locks && d.supposes(&r) {
		// The lock may keep all others from working, while the one that holds it wakes a PE whenever that sleeps again.
		cycle := float64(d.Costs.Wake + d.Costs.Hold)
		return Range{from, max(scaled(most, 1+off), scaled(d.Elapsed, 1+float64(d.Costs.Wake)/cycle))}, nil
	}
	return Range{from, scaled(max(most, d.order(r.PEs, p)), 1+off)}, nil
}

// incomplete reports whether a trace of real PEs does not contain all waits.
func (d *Recorded) incomplete() bool { return d.Measured && d.Left.Observed == 0 }

// supposes reports whether the costs of waking PEs are not those of the trace.
func (d *Recorded) supposes(r *Run) bool {
	return d.Costs.Go && d.PEs == 1 && r.PEs > 1 && (r.Machine == "" || r.Machine == RecordedMachine)
}

// waking returns the ns that a replay takes with other costs of waking PEs.
func (d *Recorded) waking(ctx context.Context, r Run, times int64) (int64, error) {
	m := &d.Machine.Model
	r.Machine = machines.With(RecordedMachine, "wake", machines.TimeText(float64(times*m.Wake)))
	r.Machine = machines.With(r.Machine, "hold", machines.TimeText(float64(times*m.Hold)))
	ns, _, err := r.replayed(ctx)
	return ns, err
}

// locking and choosing are reasons for which tasks of a Go program wait for each other in an order that a trace does not contain: waits for locks,
// and waits for operations that other tasks could have taken.
var (
	locking  = []string{"mutex", "read-write lock", "lock"}
	choosing = []string{"condition", "channel receive", "channel send", "select"}
)

// shared reports whether tasks wait for locks, and whether they wait for operations that other tasks could have taken.
func (d *Recorded) shared() (locks, choices bool) {
	codes := d.dict.Codes()
	for code := range d.Graph.Reasons() {
		locks = locks || slices.Contains(locking, codes[code].Name)
		choices = choices || slices.Contains(choosing, codes[code].Name)
	}
	return locks, choices
}

// order returns the time in ns of the recorded order on a number of PEs: no task runs earlier relative to others than in the recording.
func (d *Recorded) order(pes int, p replay.Paths) int64 {
	if pes == 1 {
		return p.Alone()
	}
	return d.Elapsed * int64(max(1, (d.PEs+pes-1)/pes))
}

// scaled multiplies a time in ns. A product that an int64 does not hold is the longest time.
func scaled(ns int64, by float64) int64 {
	if x := float64(ns) * by; x < math.MaxInt64 {
		return int64(x)
	}
	return math.MaxInt64
}
