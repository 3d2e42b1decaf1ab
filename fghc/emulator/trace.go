package emulator

import (
	"fmt"
	"sync/atomic"
	"time"

	"whorl/dts/clock"
	"whorl/fghc/bytecode"
	"whorl/fghc/report"
	"whorl/tracer"
)

// codes are the entries of the trace's code table.
type codes struct {
	clauses, procs      []uint32
	bySite              []uint32 // clause of each site
	host, noWork, steal uint32
	place, gc           uint32
	stop, offCPU        uint32
}

func (m *Machine) name(d *tracer.Dict) {
	c := &m.codes
	c.procs, c.clauses = report.Codes(m.Program, d)
	c.bySite = make([]uint32, len(m.Sites))
	for i, s := range m.Sites {
		c.bySite[i] = c.clauses[s.Clause]
	}
	c.host = d.Add(tracer.Code{Type: tracer.Host, Name: "live"})
	c.noWork = d.Add(tracer.Code{Type: tracer.Reason, Name: "no work"})
	c.steal = d.Add(tracer.Code{Type: tracer.Reason, Name: "steal"})
	c.place = d.Add(tracer.Code{Type: tracer.Reason, Name: "place"})
	c.gc = d.Add(tracer.Code{Type: tracer.Reason, Name: "gc"})
	c.stop = d.Add(tracer.Code{Type: tracer.Reason, Name: "stop"})
	c.offCPU = d.Add(tracer.Code{Type: tracer.Reason, Name: "off cpu"})
}

// A recorder writes the events of a PE.
//
// It reads the clock at safe points, because reading it takes longer than a reduction. The events of a slice get their
// times when the slice ends (costs). It also reads the clock where a goal passes from one PE to another, so that its
// events are in order on both: before another PE can wake a goal that waits, before it wakes one of another PE, and when
// it receives goals.
type recorder struct {
	stream *tracer.Stream // nil records nothing
	began  *time.Time     // when the trace's clock was zero
	core   clock.Meter
	codes  *codes
	me     int
	above  uint64 // me, above idBits
	phase  tracer.Kind

	self, parent uint64         // ids of the current goal and of its parent, with a PE above idBits
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

// beginTrace begins the stream of a PE.
func (p *pe) beginTrace(rec tracer.Recorder) {
	p.stream = rec.Stream(tracer.StreamInfo{Name: fmt.Sprintf("PE %d", p.me)})
	p.began = &p.m.began
	p.core = clock.NewMeter(len(p.m.pes))
	p.costs = newCosts(rec.Dict().Codes(), p.m.codes.bySite)
}

// clock returns the time in ns since the run began.
func (r *recorder) clock() int64 { return int64(time.Since(*r.began)) }

// tick reads the clock. The time since the last tick belongs to the steps that were recorded since, except for the part
// of it in which the PE had no core.
func (r *recorder) tick() {
	if r.stream == nil {
		return
	}
	now := r.clock()
	if r.spend(now, true) && r.phase == tracer.Busy {
		r.offCPU(now)
	}
	r.pass(now)
}

// endSlice is tick at a safe point. Where the steps go on, it may leave a part of the time to the next slice.
func (r *recorder) endSlice(goesOn bool) {
	if r.stream == nil {
		return
	}
	now := r.clock()
	if r.spend(now, !goesOn) && r.phase == tracer.Busy {
		r.offCPU(now)
	}
	r.rows = nil
}

// beginSlice begins a slice of reductions.
func (r *recorder) beginSlice() {
	if r.stream != nil {
		r.rows = r.stream.Free()
	}
}

// spend gives the time until now to the steps since the last tick. If the PE had no core for a part of it, spend
// leaves that part and returns true.
func (r *recorder) spend(now int64, exact bool) (lost bool) {
	took := max(now-r.read, 0)
	if r.core.Running() && r.core.Late(took) {
		without := r.core.Lost(took, now)
		took, lost = took-without, without > 0
	}
	if r.used > 0 {
		rows, expected := r.rows[:r.used], r.now-r.read
		if !lost {
			r.costs.measure(rows, float64(expected), float64(took))
		}
		took = fit(rows, r.read, expected, took, exact || lost)
		r.stream.Add(r.used)
		r.rows, r.used, r.waits = r.rows[r.used:], 0, false
	}
	r.pass(r.read + took)
	return lost
}

// pass advances the time to that of a reading of the clock.
func (r *recorder) pass(now int64) {
	r.read = max(r.read, now)
	r.now = r.read
}

// slot returns the row of the next event of a slice. The compiler inlines it.
func (r *recorder) slot() *tracer.Event {
	if r.used == len(r.rows) {
		r.nextSegment()
	}
	r.used++
	return &r.rows[r.used-1]
}

// nextSegment goes on to the next segment of the stream. While all segments are still to be written, the PE waits for
// the goroutines that write them.
func (r *recorder) nextSegment() {
	lost := r.spend(r.clock(), true)
	r.core.Unlock() // other goroutines may run meanwhile
	r.rows = r.stream.Free()
	now := r.clock()
	if r.phase == tracer.Busy && (lost || r.core.Late(now-r.read)) {
		r.offCPU(now)
	}
	r.meterCore()
}

// offCPU records that the PE had no core until now.
func (r *recorder) offCPU(now int64) {
	inside := r.rows != nil
	r.rows = nil
	r.event(tracer.Event{Kind: tracer.Idle, Peer: tracer.None, Code: r.codes.offCPU})
	r.pass(now)
	r.event(tracer.Event{Kind: tracer.Busy, Peer: tracer.None})
	if inside {
		r.rows = r.stream.Free()
	}
}

// reveal publishes the private cells before other PEs can reach them. Other PEs may then wake the goals that wait for
// them.
func (p *pe) reveal() {
	p.publish()
	if p.waits && !p.solo {
		p.tick()
	}
}

// stopped records at a safe point that the PE has waited because the world was stopped.
func (p *pe) stopped() {
	stopped, held := p.worker.Stopped()
	if !stopped || p.phase != tracer.Busy {
		return
	}
	why := p.codes.gc
	if held {
		why = p.codes.stop
	}
	p.event(tracer.Event{Kind: tracer.Overhead, Peer: tracer.None, Code: why})
	p.pass(p.recorder.clock())
	p.event(tracer.Event{Kind: tracer.Busy, Peer: tracer.None})
}

// meterCore begins to measure whether a busy PE has a core.
func (r *recorder) meterCore() {
	if r.phase == tracer.Busy && !r.core.Running() && r.core.Lock() {
		r.core.Start(r.clock())
	}
}

// row returns the row of the next event, in a slice or between two.
func (r *recorder) row() *tracer.Event {
	if r.rows == nil {
		return r.stream.Slot()
	}
	return r.slot()
}

func (r *recorder) event(e tracer.Event) {
	row := r.row() // which may change the time
	e.Time, e.PE = r.now, int32(r.me)
	*row = e
}

// goalEvent records an event of the current goal, whose record word is given.
func (r *recorder) goalEvent(kind tracer.Kind, record, ref uint64, value int64) {
	r.event(tracer.Event{Kind: kind, Task: r.self & idMask, Ref: ref & idMask, Peer: tracer.None, Code: r.codeOf(record), Value: value})
}

// reduced records that the current goal has reduced by a clause to the given number of goals.
func (r *recorder) reduced(clause, goals uint64) {
	r.commit(r.codes.clauses[clause])
	r.ids += goals
}

// continues records that the current goal has reduced to the given number of goals. The first of them, with the given
// record word, continues in place.
func (r *recorder) continues(record, goals uint64) {
	r.commit(uint32(r.costs.bySite[bytecode.SiteOf(record)]))
	r.parent = r.self
	r.self = r.ids | r.above
	r.from = int32(r.me)
	if r.parent&idMask == 0 {
		r.from = tracer.None
	}
	r.ids += goals
}

// commit records a reduction. The reduction of the query has code 0 and is not recorded.
func (r *recorder) commit(code uint32) {
	if code != 0 {
		cost := int64(r.costs.byCode[code])
		// Field by field: a composite literal would be built on the stack and copied, and the copy would wait for the stores.
		e := r.slot()
		e.Time, e.Value = r.now, cost
		r.now += cost
		e.Task, e.Ref = r.self&idMask, r.parent&idMask
		e.PE, e.Peer = int32(r.me), r.from
		e.Code, e.Kind = code, tracer.Reduce
	}
	if len(r.deferred) > 0 {
		r.flushDeferred()
	}
}

// enter makes a goal from the queue the current goal.
func (r *recorder) enter(id, parent uint64) {
	r.self, r.parent = id&idMask|r.above, parent
	r.from = int32(parent >> idBits)
	if parent&idMask == 0 {
		r.from = tracer.None
	}
}

func (r *recorder) codeOf(record uint64) uint32 {
	if i := bytecode.ProcOf(record); i < len(r.codes.procs) {
		return r.codes.procs[i]
	}
	return 0
}

// ended records the end of a waiter, if it has waited. A builtin that has not is part of a reduction.
func (r *recorder) ended(record uint64) {
	if r.self&idMask != 0 {
		r.goalEvent(tracer.End, record, 0, 0)
		r.now += int64(r.costs.byCode[r.codeOf(record)])
	}
}

// suspended records that the current goal waits. A deferred builtin has no id before.
func (r *recorder) suspended(record uint64) {
	if r.self&idMask == 0 {
		r.self |= r.spareID()
	}
	cost := int64(r.costs.byCode[r.codeOf(record)])
	r.goalEvent(tracer.Suspend, record, r.parent, cost)
	r.now += cost
	r.waits = true
}

// delayed records that a waiter of the current body waits from the start. The event follows the commit.
func (r *recorder) delayed(id, record uint64) {
	r.waits = true
	r.deferred = append(r.deferred, tracer.Event{
		Kind: tracer.Suspend, Task: id & idMask, Ref: r.self & idMask, Peer: tracer.None, Code: r.codeOf(record),
	})
}

func (r *recorder) flushDeferred() {
	for _, e := range r.deferred {
		r.event(e)
	}
	r.deferred = r.deferred[:0]
}

// resumed records that goal g, which waited, is ready on PE home. A goal that waited for input has resumed itself.
func (p *pe) resumed(g uint64, home int) {
	waker := p.self & idMask
	if p.arriving {
		waker = p.goals[g+idField] & idMask
	}
	if int(p.goals[g+idField]>>idBits&homeMask) != p.me {
		p.tick()
	}
	p.goals[g+idField] = p.goals[g+idField]&^(homeMask<<idBits) | p.above
	p.event(tracer.Event{
		Kind: tracer.Resume, Task: p.goals[g+idField] & idMask, Ref: waker, Peer: int32(home), Code: p.codeOf(p.goals[g+recordField]),
	})
}

// PEs take ids in blocks from a shared counter. The goals of a body have consecutive ids; other goals take theirs from
// a separate block.
const idBlock = 4096

// ensureIDs ensures that n ids are left in the block for bodies.
func (r *recorder) ensureIDs(n int) {
	if r.stream == nil || uint64(n) <= r.idsEnd-r.ids {
		return
	}
	size := uint64(max(n, idBlock))
	r.ids = r.nextID.Add(size) - size + 1
	r.idsEnd = r.ids + size
}

// spareID returns an id for a goal that is not among the counted goals of a body.
func (r *recorder) spareID() uint64 {
	if r.spare == r.spareEnd {
		r.spare = r.nextID.Add(idBlock) - idBlock + 1
		r.spareEnd = r.spare + idBlock
	}
	r.spare++
	return r.spare - 1
}

// doing records a change of the PE's activity, with its reason.
func (r *recorder) doing(k tracer.Kind, why uint32) {
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
	r.meterCore()
}

// leave ends the recording of a PE on its own goroutine.
func (r *recorder) leave() {
	r.endSlice(false)
	r.core.Unlock()
}

// exit ends the stream of a PE that has worked.
func (p *pe) exit() {
	if p.stream != nil && p.phase != 0 {
		p.tick()
		p.event(tracer.Event{Kind: tracer.Exit, Peer: tracer.None, Code: p.m.codes.host, Value: int64(p.m.cause)})
		p.stream.Sync()
	}
}
