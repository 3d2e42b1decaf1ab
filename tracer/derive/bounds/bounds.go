// Package bounds limits the PEs and the times of damaged traces, so that derivations neither allocate nor overflow without limit.
package bounds

import "whorl/tracer"

const (
	// MaxPEs is the size of the largest machine.
	MaxPEs = 1 << 20
	// Farthest is the largest time, in ns: 52 days. Sums of such times over the largest machine may overflow, differences may not.
	Farthest = 1 << 52

	somePEs = 1 << 14 // limit if the trace does not state the number of PEs
)

// Machine returns the number of PEs that a trace states, 0 if it states none.
func Machine(d tracer.Description) int { return min(max(d.Meta().PEs, 0), MaxPEs) }

// OnMachine reports whether a machine has a PE. pes is the result of Machine.
func OnMachine(pes int, pe int32) bool {
	if pes == 0 {
		pes = somePEs
	}
	return uint32(pe) < uint32(pes)
}

// Entry returns the entry of a PE in a table by PE, which grows as needed, or nil for a PE that no machine has.
func Entry[T any](table *[]T, pe int32) *T {
	if uint32(pe) >= MaxPEs {
		return nil
	}
	for int(pe) >= len(*table) {
		var zero T
		*table = append(*table, zero)
	}
	return &(*table)[pe]
}

// Time returns the time that is nearest to t within the bounds.
func Time(t int64) int64 { return min(max(t, -Farthest), Farthest) }

// Span returns the first and the last time of a trace. The last is not before the first; if times are rounded down, it is the end of the last unit.
func Span(d tracer.Description) (from, to int64) {
	from, to = d.Span()
	from = Time(from)
	to = max(Time(to), from)
	if meta, counts := d.Meta(), d.Counts(); counts != [tracer.NumKinds]int64{} {
		to = Time(to + meta.Resolution())
	}
	return from, to
}
