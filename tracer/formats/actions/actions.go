// Package actions records builds. The readers of several formats share it: a build consists of actions, each with its times and with the actions that it
// depends on, so that the trace has the true critical path of the build.
//
// An action is a task. The last of its dependencies to be done forks it, at that time; an action without one is forked by the action that it is a part
// of, or by nobody. An action that consists of others, such as one that runs make again, waits while its parts run, until the last of them is done.
//
// Most tools do not name the processes that run their actions, so PEs are slots: an action takes the free one with the lowest number.
package actions

import (
	"cmp"
	"fmt"
	"slices"

	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// An Action is a step of a build.
type Action struct {
	Name     string // its work: the function of its task
	Ran      bool   // it has times; an action without times passes on its dependencies
	Failed   bool
	From, To int64     // ns since the start of the build
	Deps     []*Action // those that have to be done before it begins
	Parent   *Action   // the action that runs this one as a part of itself, nil for none

	last    *Action // the dependency that was done last, nil for none
	born    int64
	task    uint64
	code    uint32
	pe      int32
	forked  *instant
	visited visit
	depth   int // of the actions that it is a part of
	parts   int // parts of it that run
}

// A visit is the state of the search for the last dependency of an action.
type visit uint8

const (
	unseen visit = iota
	open
	closed
)

// A Build is a build of a program.
type Build struct {
	Program string   // the tool
	Args    []string // the targets of the build
	Process string   // name of the process of all PEs
	Actions []*Action
	PEs     int             // the least number of PEs: those that the tool was allowed to use
	Dropped profile.Dropped // actions and dependencies that the trace lacks
}

const (
	mostSlots = 1 << 12 // PEs of a build
	mostDepth = 1 << 8  // of parts in parts
)

// Record records a build whose actions have times, at least one of them.
func (b *Build) Record(rec tracer.Recorder) {
	ran := b.order()
	all := instants(ran)
	pes := max(place(all), min(b.PEs, mostSlots))
	m := tracer.Meta{Program: b.Program, Args: b.Args, Substrate: "build", Mode: tracer.Live, Clock: tracer.Monotonic, PEs: pes}
	for pe := range pes {
		m.PEInfo = append(m.PEInfo, tracer.PE{Process: b.Process, Thread: fmt.Sprintf("slot %d", pe+1)})
	}
	if s := b.Dropped.String(); s != "" {
		m.Extra = []tracer.KV{{Key: tracer.MissingKey, Value: s}}
	}
	rec.SetMeta(m)
	write(rec, all, pes)
}

// order numbers the tasks in the order of their starts, and finds the actions that fork them.
func (b *Build) order() []*Action {
	var ran []*Action
	for _, a := range b.Actions {
		if a.Ran {
			ran = append(ran, a)
		}
	}
	for _, a := range ran {
		if p := a.Parent; p != nil && (!p.Ran || a.From < p.From || a.To > p.To || a.From == p.To) {
			a.Parent = nil // it cannot be a part
		}
	}
	for _, a := range ran { // parts come after the action that they belong to
		a.depth = 0
		for p := a.Parent; p != nil; p = p.Parent {
			if a.depth++; a.depth > mostDepth {
				a.Parent, a.depth = nil, 0
				break
			}
		}
	}
	slices.SortStableFunc(ran, func(x, y *Action) int {
		return cmp.Or(cmp.Compare(x.From, y.From), x.depth-y.depth, cmp.Compare(x.To, y.To))
	})
	for i, a := range ran {
		a.task = uint64(i) + 1
	}
	first := map[*Action]int64{} // when the first part of an action begins
	for _, a := range ran {
		if _, ok := first[a.Parent]; !ok {
			first[a.Parent] = a.From
		}
		for _, d := range a.Deps {
			if d = done(d); d != nil && d.To <= a.From && d.task < a.task {
				a.last = later(a.last, d)
			}
		}
		a.born = a.From
		switch {
		case a.last != nil:
			a.born = a.last.To
		case a.Parent != nil:
			a.born = first[a.Parent]
		}
	}
	return ran
}

// later returns the action with the later end. Either may be nil. If both end at one time, it returns the one that began first.
func later(a, b *Action) *Action {
	if b == nil || a != nil && (b.To < a.To || b.To == a.To && b.task >= a.task) {
		return a
	}
	return b
}

// done returns the action at whose end an action is done: the action itself if it ran, otherwise the last of those that it depends on. The
// dependencies may form chains of any length, and circles.
func done(of *Action) *Action {
	if of.Ran {
		return of
	}
	for stack := []*Action{of}; len(stack) > 0; {
		a := stack[len(stack)-1]
		if a.visited == unseen {
			a.visited = open
			for _, d := range a.Deps {
				if !d.Ran && d.visited == unseen {
					stack = append(stack, d)
				}
			}
			continue
		}
		stack = stack[:len(stack)-1]
		if a.visited == closed {
			continue
		}
		a.visited = closed
		for _, d := range a.Deps {
			if d.Ran {
				a.last = later(a.last, d)
			} else {
				a.last = later(a.last, d.last)
			}
		}
	}
	return of.last
}
