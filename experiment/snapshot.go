package experiment

import "whorl/sim"

// A Snapshot describes the work of a run that stands still. Long lists are cut; the totals count everything.
type Snapshot struct {
	Reductions int64      `json:"reductions"`
	Virtual    int64      `json:"virtual_ns"`
	PEs        []Standing `json:"pes"`               // in order; if there are too many, those with work now or before
	TotalPEs   int        `json:"total_pes"`         // of the machine
	Central    *Standing  `json:"central,omitempty"` // the central queue, where the policy has one; its PE is -1
	Waiting    []Pending  `json:"waiting"`           // suspended or in joins, the oldest first
	Suspended  int        `json:"suspended"`         // total of Waiting
}

// A Standing is a PE and its queue.
type Standing struct {
	PE      int       `json:"pe"`
	Doing   string    `json:"doing"` // busy, overhead, idle, or "" for a PE that has not worked yet
	Clock   int64     `json:"clock_ns"`
	Current *Pending  `json:"current,omitempty"` // the work it continues with
	Queue   []Pending `json:"queue"`             // in the order of the PE
	Length  int       `json:"length"`            // of the whole queue
	Coming  int       `json:"coming"`            // on the way to it
}

// A Pending is a goal or a thread that has not ended.
type Pending struct {
	Task   uint64   `json:"task"` // its id in the trace
	Text   string   `json:"text"`
	File   string   `json:"file"`
	Line   int32    `json:"line"`
	Column int32    `json:"column"`
	PE     int32    `json:"pe"`              // where it is, or was tried last
	Waits  []string `json:"waits,omitempty"` // the variables or threads that it waits for
}

// Limits of the lists of a snapshot.
const (
	snapshotPEs   = 256
	snapshotQueue = 32   // of a PE
	snapshotTotal = 2000 // of all queues
	snapshotWaits = 500
)

func newSnapshot(p Progress, pes int) *Snapshot {
	return &Snapshot{Reductions: p.Reductions, Virtual: p.Virtual, TotalPEs: pes}
}

// machineSnapshot describes a simulated machine and its work.
func machineSnapshot(m *sim.Machine, p Progress, look inspector) *Snapshot {
	coming := m.InFlight()
	s := newSnapshot(p, m.PEs())
	left := snapshotTotal
	standing := func(pe int) Standing {
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
		c := standing(sim.Central)
		c.PE, c.Coming = -1, coming[m.PEs()]
		s.Central = &c
	}
	for _, pe := range shownPEs(m, coming) {
		h := standing(pe)
		h.Coming = coming[pe]
		s.PEs = append(s.PEs, h)
	}
	s.Waiting, s.Suspended = look.Waiting(snapshotWaits)
	return s
}

// shownPEs returns the PEs of a snapshot up to the limit: first those with work, then those that had work, then others.
func shownPEs(m *sim.Machine, coming []int) []int {
	n := m.PEs()
	shown := make([]bool, n)
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
			if !shown[pe] && pass(pe) {
				shown[pe] = true
				left--
			}
		}
	}
	out := make([]int, 0, snapshotPEs)
	for pe, is := range shown {
		if is {
			out = append(out, pe)
		}
	}
	return out
}
