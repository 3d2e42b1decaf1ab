// Package activity derives the state of each PE over time (busy, overhead or idle) and the steps that it ran. It keeps the pieces of time that package
// account finds: a PE is busy while it works, has overhead in the classes of Times.Overhead and is idle in those of Times.Idle. So the times of a PE
// in any picture add up to its row of the account. Pauses say what ended idle time.
//
// A PE is a lane: a track with its states, and its steps. A track holds a piece for each change of state, with sums from the beginning, so
// the time in each state between two instants takes two searches and is exact. A picture thus gets the shares of its columns at any zoom,
// and columns add up to the whole. Sum adds several tracks, for a row that stands for many PEs or for all.
package activity

import (
	"sort"

	"whorl/tracer/derive/account"
	"whorl/tracer/derive/onward"
)

// An Activity holds the states and steps of the PEs of a run from its first event, From, to To, in ns of the trace's clock. It does not
// change.
type Activity struct {
	From, To int64
	Basis    account.Basis
	PEs      int    // of the machine
	Lanes    []Lane // by PE, up to the last with events; PEs without a lane never worked
	Separate bool   // times of different PEs cannot be compared: how long they were idle is unknown
	Tick     int64  // for Instants: the length of a clock tick, the greatest common divisor of all times; for Samples: the usual interval between two
	Lasting  bool   // samples say how long they lasted
	Steps    int64  // in all lanes
	Ignored  int64  // events of PEs that the machine does not have
	Outlined bool   // the lanes have no steps (Outline)
	Grain    int64  // ns, within which an outline does not keep the order of states; 0 if it keeps it everywhere

	line     *builder // the builder that made it and continues when the trace grows
	restarts int      // of the builder, until then
	settled  int64    // later events do not change the times before
	steady   bool     // settled is known
	next     *onward.State[builder]
}

// A Lane is one PE.
type Lane struct {
	Track
	Steps  Steps
	Closed int             // number of steps that later events do not change
	Pauses []account.Pause // in the order of time
}

// Pause returns the pause at an instant, nil if there is none.
func (l *Lane) Pause(at int64) *account.Pause {
	i := sort.Search(len(l.Pauses), func(i int) bool { return l.Pauses[i].To > at })
	if i == len(l.Pauses) || l.Pauses[i].From > at {
		return nil
	}
	return &l.Pauses[i]
}

// A Track holds the states of its PEs over time.
type Track struct {
	Pieces []Piece // in the order of time; before the first and from End on all PEs are idle
	End    int64
	PEs    int32 // number of PEs whose tracks it adds up
}

// A Piece is a time without a change of state. It ends where the next one begins.
type Piece struct {
	Start      int64
	Busy, Over int64         // ns that PEs were busy or had overhead before Start, all PEs together
	NBusy      int32         // PEs that are busy
	NOver      int32         // PEs that have overhead
	Code       uint32        // in a track of one PE: the reason in the trace, 0 for none
	Class      account.Class // in a track of one PE: what the time is spent on; NumClasses if unknown
}

// Until returns the ns that all PEs together were busy and had overhead before an instant.
func (t *Track) Until(at int64) (busy, over int64) { return t.until(t.Find(at), at) }

func (t *Track) until(i int, at int64) (busy, over int64) {
	if i < 0 {
		return 0, 0
	}
	p := &t.Pieces[i]
	d := min(at, t.End) - p.Start
	return p.Busy + int64(p.NBusy)*d, p.Over + int64(p.NOver)*d
}

// Find returns the index of the piece at an instant, -1 before the first.
func (t *Track) Find(at int64) int {
	return sort.Search(len(t.Pieces), func(i int) bool { return t.Pieces[i].Start > at }) - 1
}

// Span returns the times at which piece i begins and ends.
func (t *Track) Span(i int) (from, to int64) {
	if i+1 < len(t.Pieces) {
		return t.Pieces[i].Start, t.Pieces[i+1].Start
	}
	return t.Pieces[i].Start, max(t.End, t.Pieces[i].Start)
}

// A Share holds the ns that the PEs of a track were busy, had overhead and were idle during an interval.
type Share struct{ Busy, Over, Idle int64 }

// Columns fills shares with the shares of the intervals between consecutive bounds. There is one bound more than shares, and bounds do not fall.
// It takes time proportional to the columns and the logarithm of the pieces between them.
func (t *Track) Columns(bounds []int64, shares []Share) {
	if len(bounds) == 0 {
		return
	}
	i := t.Find(bounds[0])
	busy, over := t.until(i, bounds[0])
	for k := range shares {
		from, to := bounds[k], bounds[k+1]
		i = t.gallop(i, to)
		b, o := t.until(i, to)
		shares[k] = Share{b - busy, o - over, int64(t.PEs)*(to-from) - (b - busy) - (o - over)}
		busy, over = b, o
	}
}

// gallop is Find for an instant in piece i or later.
func (t *Track) gallop(i int, at int64) int {
	n := len(t.Pieces)
	lo, step := i, 1 // lo is at or before the instant
	for lo+step < n && t.Pieces[lo+step].Start <= at {
		lo += step
		step *= 2
	}
	for hi := min(lo+step, n); lo+1 < hi; {
		mid := int(uint(lo+hi) / 2)
		if t.Pieces[mid].Start <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// First returns the index of the first step that ends after an instant.
func (l *Lane) First(at int64) int {
	return sort.Search(l.Steps.n, func(i int) bool { return l.Steps.End(i) > at })
}

// FirstFrom is First for a result of at least i. It is fast if the result is near i.
func (l *Lane) FirstFrom(i int, at int64) int {
	step := 1
	for i+step < l.Steps.n && l.Steps.End(i+step) <= at {
		i += step
		step *= 2
	}
	end := min(i+step, l.Steps.n)
	return i + sort.Search(end-i, func(k int) bool { return l.Steps.End(i+k) > at })
}

// Total returns the share of a PE over the whole run. A PE without a lane was idle.
func (a *Activity) Total(pe int) Share {
	s := Share{Idle: a.To - a.From}
	if pe < len(a.Lanes) {
		s.Busy, s.Over = a.Lanes[pe].Until(a.To)
		s.Idle -= s.Busy + s.Over
	}
	return s
}

// Extends reports whether a continues prev, which may be nil: the closed steps of prev are the first steps of its lanes.
func (a *Activity) Extends(prev *Activity) bool {
	return prev != nil && a.line == prev.line && a.restarts == prev.restarts
}
