package view

import (
	"slices"

	"whorl/tracer"
)

// An Arrangement is a way to arrange the views of traces in a window.
type Arrangement uint8

// The arrangements.
const (
	Goals     Arrangement = iota // for runs of goals: the tree beside views of time and text
	Threads                      // for runs of threads that fork and join
	Samples                      // for sampled runs: the whole program beside single lines
	Processes                    // for sampled runs of many processes
	Profiles                     // for profiles of other programs: calls and text
	Tables                       // for tables of runs
	Compared                     // for compared runs: a column for each, and text beside the columns
	Printed                      // for pictures of compared runs in one table: the first view that opens them

	// Arrangements that answer the questions of the gallery.
	BalanceOfTasks
	BalanceOfCode
	WaitingThreads
	WaitingPEs
	Communication
	CodeLines
	Contexts
	Policies
)

// A Slot is a place in an arrangement. Each of its views is a tab.
type Slot uint8

// The slots.
const (
	Main   Slot = iota // at the left; in Compared, at the top of each column
	Under              // below Main
	Right              // right of Main; in Compared, right of all columns
	Corner             // below Right
	Far                // right of Right
)

// A Position is the slot of a view in an arrangement.
type Position struct {
	In    Arrangement
	Slot  Slot
	Rank  int            // orders the tabs of a slot; the lowest is in front
	Needs tracer.KindSet // events that the trace must have in addition to Kind.Needs
	Set   string         // a parameter that differs from its default, as in color=pe; "" for none
}

// InSlot returns the views with a position in a slot of an arrangement, ordered by rank, and these positions.
func InSlot(kinds []*Kind, in Arrangement, s Slot) (all []*Kind, positions []Position) {
	for _, k := range kinds {
		for _, p := range k.Positions {
			if p.In != in || p.Slot != s {
				continue
			}
			i, _ := slices.BinarySearchFunc(positions, p.Rank+1, func(q Position, rank int) int { return q.Rank - rank })
			all, positions = slices.Insert(all, i, k), slices.Insert(positions, i, p)
		}
	}
	return all, positions
}

// Opening returns the view in front of the Main slot of an arrangement, or nil.
func Opening(kinds []*Kind, in Arrangement) *Kind {
	for _, k := range kinds {
		if slices.Contains(k.Positions, Position{In: in}) {
			return k
		}
	}
	return nil
}
