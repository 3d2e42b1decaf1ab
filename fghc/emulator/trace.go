package emulator

import (
	"sync/atomic"
	"time"

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
}

// A recorder writes the events of a PE.
//
// It reads the clock at safe points only, because reading it takes longer than a reduction. Between them each try is
// assumed to last as long as one of the previous slice. This estimate at most doubles from slice to slice, because a
// slice may include time when the processor ran another process. Where a goal passes from one PE to another, their
// times are ordered: the second continues after the last event of the first (L. Lamport, "Time, Clocks, and the
// Ordering of Events in a Distributed System", 1978).
type recorder struct {
	stream *tracer.Stream // nil records nothing
	codes  *codes
	bySite []uint32 // codes.bySite
	me     int
	above  uint64 // me, above idBits
	phase  tracer.Kind

	self, parent uint64         // ids of the current goal and of its parent, with a PE above idBits
	from         int32          // PE of the parent's reduction
	deferred     []tracer.Event // events that follow the current commit

	ids, idsEnd     uint64 // ids for the goals of bodies
	spare, spareEnd uint64 // ids for goals of builtins
	nextID          *atomic.Uint64

	now, read int64        // ns: of the last event, and when the clock was last read
	ticked    int64        // tries when the clock was last read
	rate      int64        // ns per try in the slice before
	perTry    int64        // ns assumed per try in this slice
	published atomic.Int64 // now, when a goal last left this PE
}

// tick reads the clock at a safe point, after the given number of tries. Time never goes back.
func (r *recorder) tick(started time.Time, tries int64) {
	now := int64(time.Since(started))
	if n := tries - r.ticked; n > 0 {
		r.rate = max(1, min((now-r.read)/n, 2*r.rate))
	}
	r.read, r.ticked = now, tries
	r.now = max(r.now, now)
}

// pace sets the time assumed for each of the next n tries. It is less than the rate if the estimate has run ahead of the
// clock.
func (r *recorder) pace(n int) { r.perTry = max(1, r.rate-(r.now-r.read)/int64(n)) }

// publishTime makes the time known to the PE that continues with a goal of this one.
func (r *recorder) publishTime() {
	if r.stream != nil {
		r.published.Store(r.now)
	}
}

// follow advances the time to that of the PE which last recorded an event of goal g.
func (p *pe) follow(g uint64) {
	if p.stream == nil {
		return
	}
	if q := int(p.goals[g+idField] >> idBits & homeMask); q != p.me {
		p.now = max(p.now, p.m.pes[q].published.Load())
	}
}

func (r *recorder) event(e tracer.Event) {
	e.Time, e.PE = r.now, int32(r.me)
	*r.stream.Slot() = e
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
	r.commit(r.codes.bySite[bytecode.SiteOf(record)])
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
		// Field by field: a composite literal would be built on the stack and copied, and the copy would wait for the stores.
		e := r.stream.Slot()
		e.Value = r.perTry
		r.now += r.perTry
		e.Time = r.now
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
	r.now += r.perTry
	if r.self&idMask != 0 {
		r.goalEvent(tracer.End, record, 0, 0)
	}
}

// suspended records that the current goal waits. A deferred builtin has no id before.
func (r *recorder) suspended(record uint64) {
	r.now += r.perTry
	if r.self&idMask == 0 {
		r.self |= r.spareID()
	}
	r.goalEvent(tracer.Suspend, record, r.parent, r.perTry)
	r.publishTime()
}

// delayed records that a waiter of the current body waits from the start. The event follows the commit.
func (r *recorder) delayed(id, record uint64) {
	r.deferred = append(r.deferred, tracer.Event{
		Kind: tracer.Suspend, Task: id & idMask, Ref: r.self & idMask, Peer: tracer.None, Code: r.codeOf(record),
	})
}

func (r *recorder) flushDeferred() {
	for _, e := range r.deferred {
		r.event(e)
	}
	r.deferred = r.deferred[:0]
	r.publishTime()
}

// resumed records that goal g, which waited, is ready on PE home. A goal that waited for input has resumed itself.
func (p *pe) resumed(g uint64, home int) {
	waker := p.self & idMask
	if p.arriving {
		waker = p.goals[g+idField] & idMask
	}
	p.follow(g)
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
}

// exit ends the stream of a PE that has worked.
func (p *pe) exit() {
	if p.stream != nil && p.phase != 0 {
		p.tick(p.m.started, p.tries)
		p.event(tracer.Event{Kind: tracer.Exit, Peer: tracer.None, Code: p.m.codes.host, Value: int64(p.m.cause)})
		p.stream.Sync()
	}
}
