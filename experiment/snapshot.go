package experiment

import (
	"whorl/sim"
)

// A Snapshot is what a run that stands still holds: who has what to do, and what waits for what. It is cut where there is much; the
// totals count all.
type Snapshot struct {
	Reductions int64      `json:"reductions"`
	Virtual    int64      `json:"virtual_ns"`
	PEs        []Standing `json:"pes"`               // in their order; when there are too many, those that have work or had it last
	TotalPEs   int        `json:"total_pes"`         // of the machine
	Central    *Standing  `json:"central,omitempty"` // the central queue, where the policy has one; its PE is -1
	Waiting    []Pending  `json:"waiting"`           // suspended, or in joins, the oldest first
	Suspended  int        `json:"suspended"`         // all that is
}

// A Standing is a PE and its queue.
type Standing struct {
	PE      int       `json:"pe"`
	Doing   string    `json:"doing"` // busy, overhead, idle, or "" for a PE that has not done anything yet
	Clock   int64     `json:"clock_ns"`
	Current *Pending  `json:"current,omitempty"` // what it goes on with
	Queue   []Pending `json:"queue"`             // in the order in which it would take them
	Length  int       `json:"length"`            // of the whole queue
	Coming  int       `json:"coming"`            // on their way to it
}

// A Pending is a piece of work that has not ended: a goal, or a thread.
type Pending struct {
	Task   uint64   `json:"task"` // its id in the trace
	Text   string   `json:"text"`
	File   string   `json:"file"`
	Line   int32    `json:"line"`
	Column int32    `json:"column"`
	PE     int32    `json:"pe"`              // where it is, or was tried last
	Waits  []string `json:"waits,omitempty"` // the variables, or threads, it waits for
}

// How much a snapshot holds at most.
const (
	snapshotPEs   = 256
	snapshotQueue = 32   // of a PE
	snapshotTotal = 2000 // of all queues
	snapshotWaits = 500
)

// snapshot describes the run, which stands still.
func (x *simulated) snapshot() *Snapshot { return standing(x.machine, x.progress(), x.load.Inspect()) }

// standing describes a simulated machine and its work.
func standing(m *sim.Machine, at Progress, look inspector) *Snapshot {
	coming := m.InFlight()
	s := &Snapshot{Reductions: at.Reductions, Virtual: at.Virtual, TotalPEs: m.PEs()}
	left := snapshotTotal
	pe := func(pe int) Standing {
		h := m.Standing(pe, min(snapshotQueue, left))
		out := Standing{PE: pe, Doing: h.Doing, Clock: h.Clock, Length: h.Waiting}
		if h.Current.Work != 0 {
			p := look.Work(h.Current.Work)
			out.Current = &p
		}
		for _, w := range h.Queue {
			out.Queue = append(out.Queue, look.Work(w.Work))
		}
		left -= len(h.Queue)
		return out
	}
	if m.Traits().Central {
		c := pe(sim.Central)
		c.PE, c.Coming = -1, coming[m.PEs()]
		s.Central = &c
	}
	for _, n := range shownPEs(m, coming) {
		h := pe(n)
		h.Coming = coming[n]
		s.PEs = append(s.PEs, h)
	}
	s.Waiting, s.Suspended = look.Waiting(snapshotWaits)
	return s
}

// shownPEs are the PEs that a snapshot holds: all, or the first of those that have work, filled up with others.
func shownPEs(m *sim.Machine, coming []int) []int {
	n := m.PEs()
	take := make([]bool, n)
	left := snapshotPEs
	for _, pass := range []func(pe int) bool{
		func(pe int) bool {
			h := m.Standing(pe, 0)
			return h.Current.Work != 0 || h.Waiting+coming[pe] > 0
		},
		func(pe int) bool { return m.Account(pe).Busy > 0 },
		func(int) bool { return true },
	} {
		for pe := 0; pe < n && left > 0; pe++ {
			if !take[pe] && pass(pe) {
				take[pe] = true
				left--
			}
		}
	}
	out := make([]int, 0, snapshotPEs)
	for pe, shown := range take {
		if shown {
			out = append(out, pe)
		}
	}
	return out
}
