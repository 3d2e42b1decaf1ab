package emulator

import (
	"time"

	"whorl/fghc/report"
	"whorl/tracer"
)

// codes are the entries of the trace's code table.
type codes struct {
	clauses, procs      []uint32
	bySite              []uint32 // of the clause that a site lies in
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

// The clock is read at safe points, because reading it takes longer than a reduction; between them each reduction is taken to last as long
// as one of the slice before. A slice in which the processor did something else, and so was much slower, says little of the next. Where PEs
// meet, their times agree: a goal goes on after what another PE has recorded of it (L. Lamport, "Time, Clocks, and the Ordering of Events in a
// Distributed System", 1978).

// tick reads the clock at a safe point. Time never goes back.
func (p *pe) tick() {
	now := int64(time.Since(p.m.started))
	if n := p.tries - p.ticked; n > 0 {
		p.rate = max(1, min((now-p.read)/n, 2*p.rate))
	}
	p.read, p.ticked = now, p.tries
	p.now = max(p.now, now)
}

// pace says how long each of the next n tries is taken to last: less where the estimate has been ahead of the clock.
func (p *pe) pace(n int) { p.each = max(1, p.rate-(p.now-p.read)/int64(n)) }

// tell notes the time for whoever goes on with a goal of this PE.
func (p *pe) tell() {
	if p.stream != nil && !p.m.solo {
		p.told.Store(p.now)
	}
}

// follow has the time be no earlier than what another PE has last recorded of a goal.
func (p *pe) follow(g uint64) {
	if p.stream == nil {
		return
	}
	if q := int(p.goals[g+idField] >> idBits & homeMask); q != p.me {
		p.now = max(p.now, p.m.pes[q].told.Load())
	}
}

func (p *pe) event(e tracer.Event) {
	e.Time, e.PE = p.now, int32(p.me)
	*p.stream.Slot() = e
}

// reduced records that the goal in hand has reduced, by a clause, to so many goals.
func (p *pe) reduced(clause, goals uint64) {
	p.commit(p.m.codes.clauses[clause])
	p.ids += goals
}

// goesOn is reduced for a body whose first goal, with a record that has just been set, goes on in place.
func (p *pe) goesOn(goals uint64) {
	p.commit(p.m.codes.bySite[p.record>>40])
	p.parent = p.self
	p.self = p.ids | uint64(p.me)<<idBits
	p.from = int32(p.me)
	if p.parent&idMask == 0 {
		p.from = tracer.None
	}
	p.ids += goals
}

// commit records a reduction, unless it is that of the query.
func (p *pe) commit(code uint32) {
	if code != 0 {
		// Field by field: a whole Event would be made elsewhere and copied, and the copy waits for its own stores.
		e := p.stream.Slot()
		e.Value = p.each
		p.now += p.each
		e.Time = p.now
		e.Task, e.Ref = p.self&idMask, p.parent&idMask
		e.PE, e.Peer = int32(p.me), p.from
		e.Code, e.Kind = code, tracer.Reduce
	}
	if len(p.late) > 0 {
		p.flushLate()
	}
}

// take makes a goal's identity that of the goal in hand.
func (p *pe) take(id, parent uint64) {
	p.self, p.parent = id&idMask|uint64(p.me)<<idBits, parent
	p.from = int32(parent >> idBits)
	if parent&idMask == 0 {
		p.from = tracer.None
	}
}

func (p *pe) codeOf(record uint64) uint32 {
	if i := procOf(record); i < len(p.m.codes.procs) {
		return p.m.codes.procs[i]
	}
	return 0
}

func (p *pe) ended() {
	p.now += p.each
	p.event(tracer.Event{Kind: tracer.End, Task: p.self & idMask, Peer: tracer.None, Code: p.codeOf(p.record)})
}

func (p *pe) suspended() {
	p.now += p.each
	p.event(tracer.Event{
		Kind: tracer.Suspend, Task: p.self & idMask, Ref: p.parent & idMask, Peer: tracer.None, Code: p.codeOf(p.record), Value: p.each,
	})
	p.tell()
}

func (p *pe) failed() {
	p.event(tracer.Event{Kind: tracer.Fail, Task: p.self & idMask, Ref: p.parent & idMask, Peer: tracer.None, Code: p.codeOf(p.record)})
}

// delayed records that a builtin of the body in hand waits from the start, once the commit has been recorded.
func (p *pe) delayed(g uint64) {
	p.late = append(p.late, tracer.Event{
		Kind: tracer.Suspend, Task: p.goals[g+idField] & idMask, Ref: p.self & idMask, Peer: tracer.None, Code: p.codeOf(p.goals[g+recordField]),
	})
}

func (p *pe) flushLate() {
	for _, e := range p.late {
		p.event(e)
	}
	p.late = p.late[:0]
	p.tell()
}

// resumed records that a goal that waited is ready, on PE home. Where it waited for input it has been resumed by nobody but itself.
func (p *pe) resumed(g uint64, home int) {
	by := p.self & idMask
	if p.arriving {
		by = p.goals[g+idField] & idMask
	}
	p.follow(g)
	p.goals[g+idField] = p.goals[g+idField]&^(homeMask<<idBits) | uint64(p.me)<<idBits
	p.event(tracer.Event{
		Kind: tracer.Resume, Task: p.goals[g+idField] & idMask, Ref: by, Peer: int32(home), Code: p.codeOf(p.goals[g+recordField]),
	})
}

// Ids are taken in blocks of the counter that all PEs share. A body takes consecutive ones; goals that are made now and then take theirs
// from a block of their own.
const idBlock = 4096

func (p *pe) ensureIDs(n int) {
	if p.stream == nil || uint64(n) <= p.idsEnd-p.ids {
		return
	}
	size := uint64(max(n, idBlock))
	p.ids = p.m.nextID.Add(size) - size + 1
	p.idsEnd = p.ids + size
}

func (p *pe) spareID() uint64 {
	if p.spare == p.spareEnd {
		p.spare = p.m.nextID.Add(idBlock) - idBlock + 1
		p.spareEnd = p.spare + idBlock
	}
	p.spare++
	return p.spare - 1
}

// doing records what the PE does from now on, if that is something else than before.
func (p *pe) doing(k tracer.Kind, why uint32) {
	if p.stream == nil || p.phase == k {
		return
	}
	if p.phase == 0 {
		if k == tracer.Idle {
			return // it is not in the trace before it works
		}
		p.event(tracer.Event{Kind: tracer.Init, Peer: tracer.None, Code: p.m.codes.host})
	}
	p.phase = k
	p.event(tracer.Event{Kind: k, Peer: tracer.None, Code: why})
}

// exit ends the stream of a PE that has worked.
func (p *pe) exit() {
	if p.stream != nil && p.phase != 0 {
		p.tick()
		p.event(tracer.Event{Kind: tracer.Exit, Peer: tracer.None, Code: p.m.codes.host, Value: int64(p.m.cause)})
		p.stream.Sync()
	}
}
