package activity

import (
	"math"

	"whorl/internal/integer"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
	"whorl/tracer/store"
)

// Outlines reports whether a trace with these counts of events has the states that an outline needs.
func Outlines(counts *[tracer.NumKinds]int64) bool {
	return counts[tracer.Busy]+counts[tracer.Idle]+counts[tracer.Overhead] > 0
}

// Outline is like Build for a trace larger than memory: it omits the steps of the PEs, whose number it takes from the counts of the trace. A track
// that would take more than its part of memory bytes loses the order of the states within each Grain, but no time: the shares of intervals between
// multiples of Grain are exact. The trace must have states (Outlines).
//
// Of a trace with more than mostRead events Outline reads only the sums that the file holds beside them (store.States), if it has them: its Grain is
// the width of their buckets.
func Outline(src tracer.Source, memory int64, tick func(done, total int64) error) (*Activity, error) {
	return outline(src, memory, mostRead, tick)
}

// mostRead is the number of events whose states are read in about a second.
const mostRead = 1 << 27

func outline(src tracer.Source, memory, mostRead int64, tick func(done, total int64) error) (*Activity, error) {
	counts := src.Counts()
	events := int64(0)
	for _, n := range counts {
		events += n
	}
	if events > mostRead {
		if s, ok := store.StatesOf(src); ok {
			if a, ok := summed(src, s); ok {
				return a, nil
			}
		}
	}
	kinds, rest := account.Kinds&^tracer.Kinds(tracer.Resume, tracer.Sample), src // an outline has no pauses
	if counts[tracer.Send]+counts[tracer.Start] == 0 {                            // states alone tell whether a PE is idle
		rest, kinds = states{src}, tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Exit)
	}
	o := newOutliner(src, memory, true)
	if err := onward.Scan(rest, kinds, tick, o.Add); err != nil {
		return nil, err
	}
	a, _ := o.Finish(src)
	a.Steps = counts[tracer.Reduce] + counts[tracer.Suspend] + counts[tracer.Fail]
	return a, nil
}

// summed makes an outline of sums, false if they do not tell what the account would find, or name a PE that the machine does not have.
func summed(src tracer.Source, s *store.States) (*Activity, bool) {
	if !account.Plain(src, s.Over, s.Idle) {
		return nil, false
	}
	from, to := bounds.Span(src)
	pes := bounds.Machine(src)
	b := new(builder)
	for i := range s.PEs {
		p := &s.PEs[i]
		if pes > 0 && int(p.PE) >= pes {
			return nil, false
		}
		l := b.lane(p.PE)
		for k := range p.Busy {
			from, to := max(s.From+int64(k)*s.Width, p.First), min(s.From+int64(k+1)*s.Width, p.Last)
			if from < to {
				l.spend(from, to, p.Busy[k], p.Over[k])
			}
		}
		last := Piece{Start: p.Last, Class: account.NumClasses}
		switch p.Kind {
		case tracer.Busy:
			last.NBusy, last.Class = 1, account.Work
		case tracer.Overhead:
			last.NOver = 1
		}
		l.enter(last)
	}
	a := activityOf(&account.Account{From: from, To: max(from, to), Basis: account.States, PEs: max(pes, len(b.lanes))}, b)
	counts := src.Counts()
	a.Steps, a.Outlined, a.Grain = counts[tracer.Reduce]+counts[tracer.Suspend]+counts[tracer.Fail], true, s.Width
	return a, true
}

// spend orders the states of a time: first busy, then overhead, then idle.
func (l *Lane) spend(from, to, busy, over int64) {
	if busy > 0 {
		l.enter(Piece{Start: from, NBusy: 1})
	}
	if over > 0 {
		l.enter(Piece{Start: from + busy, NOver: 1, Class: account.NumClasses})
	}
	if from+busy+over < to {
		l.enter(Piece{Start: from + busy + over, Class: account.NumClasses})
	}
}

// states is a source that decodes only the columns that the states need.
type states struct{ tracer.Source }

// Scan implements tracer.Source.
func (s states) Scan(kinds tracer.KindSet, yield func(es []tracer.Event) error) error {
	return store.Select(s.Source, store.Query{
		Kinds: kinds, Columns: store.Kind | store.PE | store.Time | store.Code, From: math.MinInt64, To: math.MaxInt64,
	}, yield)
}

// An Outliner makes an outline of a trace whose events are read for other purposes too, and its account.
type Outliner struct {
	builder
	watch  func(pe int32, s *account.Step)
	most   int // pieces of a track
	grain  int64
	coarse bool
}

// NewOutliner returns the Outliner of a trace for the given memory in bytes. watch, which may be nil, gets the steps, those of a PE in the order of time.
func NewOutliner(src tracer.Source, memory int64, watch func(pe int32, s *account.Step)) *Outliner {
	o := newOutliner(src, memory, false)
	o.watch = watch
	return o
}

func newOutliner(src tracer.Source, memory int64, brief bool) *Outliner {
	o := &Outliner{most: int(min(memory/pieceBytes/int64(max(bounds.Machine(src), 1)), math.MaxInt32))}
	o.most = max(o.most, leastPieces)
	from, to := bounds.Span(src)
	o.grain = max((to-from)/int64(o.most/piecesOfGrain), 1)
	o.sweep.Sink, o.sweep.Brief = o, brief
	o.sweep.Begin(src)
	return o
}

// Add adds an event of one of account.Kinds, in the order of Scan.
func (o *Outliner) Add(e *tracer.Event) { o.sweep.Add(e) }

// Finish returns the outline and the account after the last event of the trace.
func (o *Outliner) Finish(src tracer.Source) (*Activity, *account.Account) {
	times := o.sweep.Finish(src, o)
	a := activityOf(times, &o.builder)
	if a.Outlined = true; o.coarse {
		a.Grain = o.grain
	}
	return a, times
}

// Spend implements account.Sink.
func (o *Outliner) Spend(pe int32, p account.Piece) {
	o.builder.Spend(pe, p)
	if l := &o.lanes[pe]; len(l.Pieces) > o.most {
		l.coarsen(o.grain)
		o.coarse = true
	}
}

// Step implements account.Sink.
func (o *Outliner) Step(pe int32, s *account.Step) {
	if o.watch != nil {
		o.lane(pe) // a PE with a step has a lane, even if the step takes no time
		o.watch(pe, s)
		o.steps++
	}
}

// Pause implements account.Sink.
func (o *Outliner) Pause(int32, *account.Pause) {}

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
		coarse.spend(at, end, busyEnd-busy, overEnd-over)
		at = end
	}
	coarse.enter(Piece{Start: last.Start, NBusy: last.NBusy, NOver: last.NOver, Code: last.Code, Class: last.Class})
	l.Pieces = coarse.Pieces
}
