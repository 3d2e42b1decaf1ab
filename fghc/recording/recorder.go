package recording

import (
	"fmt"
	"sync/atomic"
	"time"

	"whorl/dts/clock"
	"whorl/tracer"
)

// A Recorder writes the events of a PE.
//
// The events of a slice get their times when the slice ends (EndSlice). Its user also reads the clock (Tick) where a goal
// passes from one PE to another, so that the events of the goal are in order on both: before another PE can wake a goal
// that waits, before the PE wakes a goal of another PE, and when it receives goals.
type Recorder struct {
	stream *tracer.Stream // nil records nothing
	began  *time.Time     // when the trace's clock was zero
	core   clock.Meter
	codes  *Codes
	pe     int32
	above  uint64 // pe, above IDBits
	phase  tracer.Kind

	Self, Parent uint64         // ids of the current goal and of its parent, with a PE above IDBits
	from         int32          // PE of the parent's reduction
	deferred     []tracer.Event // events that follow the current commit

	ids, idsEnd     uint64 // ids for the goals of bodies
	spare, spareEnd uint64 // ids for goals of builtins
	nextID          *atomic.Uint64

	now, read int64          // ns: of the next event, and when the clock was last read
	rows      []tracer.Event // of the open segment, from the first event whose time is not known yet; nil between two slices
	used      int            // rows that hold events
	waits     bool           // one of them says that a goal waits
	costs     costs
}

// New returns the Recorder of a PE, which records nothing until Begin. The Recorders of a run share nextID.
func New(pe int, nextID *atomic.Uint64) Recorder {
	return Recorder{pe: int32(pe), above: uint64(pe) << IDBits, nextID: nextID}
}

// Begin begins the stream of the PE, one of pes. The time of its events counts from began, which may move on while the
// PE stands still.
func (r *Recorder) Begin(rec tracer.Recorder, codes *Codes, began *time.Time, pes int) {
	r.stream = rec.Stream(tracer.StreamInfo{Name: fmt.Sprintf("PE %d", r.pe)})
	r.began = began
	r.codes = codes
	r.core = clock.NewMeter(pes)
	r.costs = newCosts(rec.Dict().Codes(), codes.bySite)
}

// On reports whether the PE records events.
func (r *Recorder) On() bool { return r.stream != nil }

// Waits reports whether an event whose time is not known yet says that a goal waits.
func (r *Recorder) Waits() bool { return r.waits }

// clock returns the time in ns since the run began.
func (r *Recorder) clock() int64 { return int64(time.Since(*r.began)) }

// Tick reads the clock. The time since the last tick belongs to the steps that were recorded since, except for the part
// when the PE had no core. Without a step it is overhead: the start of the query, a safe point, or the waking
// of goals of other PEs.
func (r *Recorder) Tick() {
	if r.stream == nil {
		return
	}
	now := r.clock()
	if r.spend(now, true) && r.phase == tracer.Busy {
		r.offCPU(now)
	}
	r.pass(now)
}

// EndSlice is Tick at a safe point. Where the steps go on, it may leave a part of the time to the next slice.
func (r *Recorder) EndSlice(goesOn bool) {
	if r.stream == nil {
		return
	}
	now := r.clock()
	if r.spend(now, !goesOn) && r.phase == tracer.Busy {
		r.offCPU(now)
	}
	r.rows = nil
}

// BeginSlice begins a slice of reductions.
func (r *Recorder) BeginSlice() {
	if r.stream != nil {
		r.rows = r.stream.Free()
	}
}

// spend gives the time until now to the steps since the last tick. If the PE had no core for a part of it, spend
// leaves that part and returns true.
func (r *Recorder) spend(now int64, exact bool) (lost bool) {
	took := max(now-r.read, 0)
	if r.core.Running() && r.core.Late(took) {
		without := r.core.Lost(took, now)
		took, lost = took-without, without > 0
	}
	expected := r.now - r.read
	if r.used > 0 {
		rows := r.rows[:r.used]
		if !lost {
			r.costs.measure(rows, float64(expected), float64(took))
		}
		took = fit(rows, r.read, expected, took, exact || lost)
		r.stream.Add(r.used)
		r.rows, r.used, r.waits = r.rows[r.used:], 0, false
	}
	until := r.read + took
	if expected == 0 && took > 0 && r.phase == tracer.Busy {
		r.apart(tracer.Overhead, 0, until)
	}
	r.pass(until)
	return lost
}

// pass advances the time to a reading of the clock.
func (r *Recorder) pass(now int64) {
	r.read = max(r.read, now)
	r.now = r.read
}

// Slot returns the row of the next event of a slice. The compiler inlines it.
func (r *Recorder) Slot() *tracer.Event {
	if r.used == len(r.rows) {
		r.nextSegment()
	}
	r.used++
	return &r.rows[r.used-1]
}

// nextSegment goes on to the next segment of the stream. While all segments are still to be written, the PE waits for
// the goroutines that write them.
func (r *Recorder) nextSegment() {
	lost := r.spend(r.clock(), true)
	r.core.Unlock() // other goroutines may run meanwhile
	r.rows = r.stream.Free()
	now := r.clock()
	if r.phase == tracer.Busy && (lost || r.core.Late(now-r.read)) {
		r.offCPU(now)
	}
	r.MeterCore()
}

// offCPU records that the PE had no core until now.
func (r *Recorder) offCPU(now int64) { r.apart(tracer.Idle, r.codes.offCPU, now) }

// apart records that a busy PE was in another state until an instant, with the reason.
func (r *Recorder) apart(state tracer.Kind, why uint32, until int64) {
	inside := r.rows != nil
	r.rows = nil
	r.event(tracer.Event{Kind: state, Peer: tracer.None, Code: why})
	r.pass(until)
	r.event(tracer.Event{Kind: tracer.Busy, Peer: tracer.None})
	if inside {
		r.rows = r.stream.Free()
	}
}

// MeterCore begins to measure whether a busy PE has a core.
func (r *Recorder) MeterCore() {
	if r.phase == tracer.Busy && !r.core.Running() && r.core.Lock() {
		r.core.Start(r.clock())
	}
}

// FreeCore ends the measurement of the core, before the PE waits and other goroutines may run on it.
func (r *Recorder) FreeCore() { r.core.Unlock() }

// row returns the row of the next event, in a slice or between two.
func (r *Recorder) row() *tracer.Event {
	if r.rows == nil {
		return r.stream.Slot()
	}
	return r.Slot()
}

func (r *Recorder) event(e tracer.Event) {
	row := r.row() // which may change the time
	e.Time, e.PE = r.now, r.pe
	*row = e
}

// Doing records a change of the PE's activity, with its reason.
func (r *Recorder) Doing(k tracer.Kind, why uint32) {
	if r.stream == nil || r.phase == k {
		return
	}
	if r.phase == 0 {
		if k == tracer.Idle {
			return // the PE joins the trace when it first works
		}
		r.event(tracer.Event{Kind: tracer.Init, Peer: tracer.None, Code: r.codes.host})
	}
	r.phase = k
	r.event(tracer.Event{Kind: k, Peer: tracer.None, Code: why})
	if k == tracer.Idle {
		r.core.Unlock()
	}
	r.MeterCore()
}

// Stopped records that a busy PE has waited until now, with the reason.
func (r *Recorder) Stopped(why uint32) {
	if r.phase != tracer.Busy {
		return
	}
	r.apart(tracer.Overhead, why, r.clock())
}

// Leave ends the recording of a PE on its own goroutine.
func (r *Recorder) Leave() {
	r.EndSlice(false)
	r.core.Unlock()
}

// Exit ends the stream of a PE that has worked.
func (r *Recorder) Exit(cause tracer.Outcome) {
	if r.stream != nil && r.phase != 0 {
		r.Tick()
		r.event(tracer.Event{Kind: tracer.Exit, Peer: tracer.None, Code: r.codes.host, Value: int64(cause)})
		r.stream.Sync()
	}
}

// CostError returns the time in ns of all slices, and the sum of the differences between their times and the costs of
// their steps.
func (r *Recorder) CostError() (spent, missed float64) { return r.costs.spent, r.costs.missed }
