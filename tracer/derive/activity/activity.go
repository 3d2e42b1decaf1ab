// Package activity derives what each PE did when: busy, with overhead or idle, and which steps it was busy with.
//
// A PE is a lane: a track, which tells its state at any instant and how long it was in each state before, and the steps that ran on it.
// A track holds a piece for each change, with the sums so far, so that the time spent between any two instants is two searches and exact:
// a picture takes the shares of each of its columns from it at any zoom, and columns add up to the whole. Several tracks add up to one
// (Sum), for a row that stands for many PEs or for all.
//
// States are those that a trace tells by Busy, Idle and Overhead events. Where it has none, a PE is busy while it runs a step whose cost
// is known, or a thread; where not even costs are known, as in the files of VISTA, while the clock shows an instant at which it did
// something. What is neither busy nor overhead is idle.
package activity

import (
	"sort"

	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// Basis says what the states of the PEs were told by.
type Basis uint8

// The bases.
const (
	Nothing  Basis = iota // the trace does not tell
	States                // Busy, Idle and Overhead events
	Costs                 // costs of Reduce, Suspend and Fail events
	Threads               // Start, End, JoinBegin and JoinEnd events
	Instants              // times of Reduce, Suspend and Fail events without costs
)

// An Activity is what the PEs of one run did from From, its first event, to To, in ns of the trace's clock. Nobody changes it.
type Activity struct {
	From, To int64
	Basis    Basis
	PEs      int    // of the machine
	Lanes    []Lane // by PE, as far as there are events; PEs without a lane never worked
	Tick     int64  // of Instants: how long an instant lasts, the largest time that divides all times
	Steps    int64  // of all lanes
	Ignored  int64  // events of PEs that the machine has not

	line   *builder // that made it, and goes on
	last   int64    // time of the last event
	steady bool     // nothing that came later has changed what was before that time
	next   *onward.State[builder]
}

// A Lane is one PE.
type Lane struct {
	Track
	Steps Steps
}

// A Step is a try or a commit of a goal, or a piece of a thread's run.
type Step struct {
	Time, End int64
	Task      uint64
	Code      uint32
	Kind      tracer.Kind // Reduce, Suspend, Fail, or Start for a thread
}

// A Track tells in which state its PEs were, over time.
type Track struct {
	Pieces []Piece // in the order of time; before the first and from End on all PEs are idle
	End    int64
	PEs    int32 // how many PEs it is the sum of
}

// A Piece is a time in which nothing changes: it lasts to the beginning of the next one.
type Piece struct {
	At         int64
	Busy, Over int64  // ns that PEs were busy or had overhead before At, all PEs together
	NBusy      int32  // PEs that are busy
	NOver      int32  // PEs that have overhead
	Code       uint32 // of a track of one PE: the reason that the trace gives, 0 for none
	_          uint32
}

// Until returns how many ns the PEs were busy and had overhead before an instant, all together.
func (t *Track) Until(at int64) (busy, over int64) { return t.until(t.Find(at), at) }

func (t *Track) until(i int, at int64) (busy, over int64) {
	if i < 0 {
		return 0, 0
	}
	p := &t.Pieces[i]
	d := min(at, t.End) - p.At
	return p.Busy + int64(p.NBusy)*d, p.Over + int64(p.NOver)*d
}

// Find is the index of the piece at an instant, -1 before the first.
func (t *Track) Find(at int64) int {
	return sort.Search(len(t.Pieces), func(i int) bool { return t.Pieces[i].At > at }) - 1
}

// Span is when piece i begins and ends.
func (t *Track) Span(i int) (from, to int64) {
	if i+1 < len(t.Pieces) {
		return t.Pieces[i].At, t.Pieces[i+1].At
	}
	return t.Pieces[i].At, max(t.End, t.Pieces[i].At)
}

// A Share is how many ns the PEs of a track were busy, had overhead and were idle in some time.
type Share struct{ Busy, Over, Idle int64 }

// Columns fills shares with those of the times between consecutive bounds, of which there is one more than shares. Bounds do not fall. It
// takes time proportional to the columns and the logarithm of the pieces between them.
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

// gallop is Find for an instant that is not before piece i.
func (t *Track) gallop(i int, at int64) int {
	n := len(t.Pieces)
	lo, step := i, 1 // lo is at or before the instant
	for lo+step < n && t.Pieces[lo+step].At <= at {
		lo += step
		step *= 2
	}
	for hi := min(lo+step, n); lo+1 < hi; {
		mid := int(uint(lo+hi) / 2)
		if t.Pieces[mid].At <= at {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// First is the index of the first step that ends after an instant.
func (l *Lane) First(at int64) int {
	return sort.Search(l.Steps.n, func(i int) bool { return l.Steps.At(i).End > at })
}

// Onward is First for an instant that step i, or one after it, is the first to outlast; it is quick where that is near.
func (l *Lane) Onward(i int, at int64) int {
	step := 1
	for i+step < l.Steps.n && l.Steps.At(i+step).End <= at {
		i += step
		step *= 2
	}
	end := min(i+step, l.Steps.n)
	return i + sort.Search(end-i, func(k int) bool { return l.Steps.At(i+k).End > at })
}

// StepAt is the index of the step that runs at an instant, -1 where none does.
func (l *Lane) StepAt(at int64) int {
	if i := l.First(at); i < l.Steps.n && l.Steps.At(i).Time <= at {
		return i
	}
	return -1
}

// Total is the share of one PE, which need not have a lane, in the whole run.
func (a *Activity) Total(pe int) Share {
	s := Share{Idle: a.To - a.From}
	if pe < len(a.Lanes) {
		s.Busy, s.Over = a.Lanes[pe].Until(a.To)
		s.Idle -= s.Busy + s.Over
	}
	return s
}

// Extends says that a goes on where prev, which may be nil, ended: the steps of prev are the first of its lanes.
func (a *Activity) Extends(prev *Activity) bool { return prev != nil && a.line == prev.line }
