// Package recording records the events of the PEs of package emulator, with times that cost little to take.
//
// Reading the clock takes longer than a reduction, so a Recorder reads it at safe points, and where a goal passes from one
// PE to another. The time of the slice between two readings is divided among its reductions and suspensions by their
// costs, which are calibrated by clause and by procedure while the program runs (costs.go). Time between two readings
// without a step, such as the start of the query, is overhead. Time never falls on a PE.
// A PE without a core, because the system or the goroutines that write the trace use it, works for no
// reduction: its time is recorded as idle.
//
// A Recorder also numbers goals, because a goal needs the id of the one that has made it. The emulator makes goals and
// keeps their ids in its goal records; the Recorder knows only those of the current goal and of its parent.
package recording
