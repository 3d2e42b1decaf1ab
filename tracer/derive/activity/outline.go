package activity

import (
	"math"

	"whorl/internal/integer"
	"whorl/tracer"
	"whorl/tracer/store"
)

// Outlines reports whether a trace with these counts of events has the states that an outline needs.
func Outlines(counts *[tracer.NumKinds]int64) bool { return basisOf(counts) == States }

// Outline is like Build for a trace larger than memory: it reads the states of the PEs alone, and takes the number of their steps from the counts of the
// trace. A track that would take more than its part of memory bytes loses the order of the states within each Grain, but no time: the shares of
// intervals between multiples of Grain are exact. The trace must have states (Outlines).
func Outline(src tracer.Source, memory int64, tick func(done, total int64) error) (*Activity, error) {
	counts := src.Counts()
	o := NewOutliner(src, memory, nil)
	var done, total int64
	for k, n := range counts {
		if states.Contains(tracer.Kind(k)) {
			total += n
		}
	}
	query := store.Query{Kinds: states, Columns: store.Kind | store.PE | store.Time | store.Code, From: math.MinInt64, To: math.MaxInt64}
	err := store.Select(src, query, func(es []tracer.Event) error {
		for i := range es {
			o.Add(&es[i])
		}
		if done += int64(len(es)); tick != nil {
			return tick(done, total)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	a := o.Finish(src)
	a.Steps = counts[tracer.Reduce] + counts[tracer.Suspend] + counts[tracer.Fail]
	return a, nil
}

// An Outliner makes an outline of a trace whose events are read for other purposes too.
type Outliner struct {
	builder
	most   int // pieces of a track
	grain  int64
	coarse bool
}

// NewOutliner returns the Outliner of a trace for the given memory in bytes. watch gets the steps, those of a PE in the order of time. It may be nil if
// only states are added.
func NewOutliner(src tracer.Source, memory int64, watch func(pe int32, s Step)) *Outliner {
	o := &Outliner{builder: builder{basis: States, pes: machine(src), watch: watch}}
	from, to := src.Span()
	o.most = int(min(memory/pieceBytes/int64(max(o.pes, 1)), math.MaxInt32))
	o.most = max(o.most, leastPieces)
	o.grain = max((min(to, farthest)-max(from, -farthest))/int64(o.most/piecesOfGrain), 1)
	return o
}

// Add adds an event of one of Kinds, in the order of Scan.
func (o *Outliner) Add(e *tracer.Event) {
	o.add(e)
	if pe := e.PE; pe >= 0 && int(pe) < len(o.lanes) && len(o.lanes[pe].Pieces) > o.most {
		o.lanes[pe].coarsen(o.grain)
		o.coarse = true
	}
}

// Finish returns the outline after the last event of the trace.
func (o *Outliner) Finish(src tracer.Source) *Activity {
	a := o.finish(src)
	if a.Outlined = true; o.coarse {
		a.Grain = o.grain
	}
	return a
}

const (
	pieceBytes    = 256  // memory for a piece of a track, its copies in sums of tracks, and garbage
	leastPieces   = 8192 // of a track, however little memory there is: a grain is then narrower than a pixel of most pictures
	piecesOfGrain = 4    // a coarse track takes at most three quarters of its memory, so that coarsening is rare
)

// coarsen orders the states within each grain: first busy, then overhead, then idle. It keeps the last piece, which continues.
func (l *Lane) coarsen(grain int64) {
	last := l.Pieces[len(l.Pieces)-1]
	fine := Track{Pieces: l.Pieces, End: last.Start, PEs: 1}
	var coarse Lane
	i := 0
	for at := fine.Pieces[0].Start; at < last.Start; {
		end := min((integer.Floor(at, grain)+1)*grain, last.Start)
		busy, over := fine.until(i, at)
		i = fine.gallop(i, end)
		busyEnd, overEnd := fine.until(i, end)
		busy, over = busyEnd-busy, overEnd-over
		if busy > 0 {
			coarse.enter(at, 1, 0, 0)
		}
		if over > 0 {
			coarse.enter(at+busy, 0, 1, 0)
		}
		if at+busy+over < end {
			coarse.enter(at+busy+over, 0, 0, 0)
		}
		at = end
	}
	coarse.enter(last.Start, last.NBusy, last.NOver, last.Code)
	l.Pieces = coarse.Pieces
}
