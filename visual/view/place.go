package view

import (
	"slices"

	"whorl/tracer"
)

// An Arrangement is a way to arrange the views of traces in a window.
type Arrangement uint8

// The arrangements.
const (
	Goals     Arrangement = iota // a run of goals: its picture beside time and text
	Threads                      // a run of threads that fork and join
	Samples                      // a sampled run: the whole program beside single lines
	Processes                    // a sampled run of many processes
	Compared                     // compared runs: a column for each, and text beside the columns
)

// A Slot is a place in an arrangement. Each of its views is a tab.
type Slot uint8

// The slots.
const (
	Main   Slot = iota // the first picture, at the left; of Compared at the top of each column
	Under              // below Main
	Right              // right of Main; of Compared right of all columns
	Corner             // below Right
	Far                // right of Right
)

// A Position says that a view opens in a slot when a trace is opened in an arrangement.
type Position struct {
	In    Arrangement
	Slot  Slot
	Rank  int            // orders the tabs of a slot; the lowest is in front
	Needs tracer.KindSet // events that the trace must have besides those that the view needs
}

// Opening returns the first view that opens an arrangement, or nil.
func Opening(kinds []*Kind, in Arrangement) *Kind {
	for _, k := range kinds {
		if slices.Contains(k.Positions, Position{In: in}) {
			return k
		}
	}
	return nil
}
