package recording

import (
	"whorl/fghc/bytecode"
	"whorl/tracer"
)

// The bits of a goal's id above IDBits hold a PE: the one where the goal was made or waited, or the one of its reduction.
const (
	IDBits = 48
	IDMask = 1<<IDBits - 1
)

// goalEvent records an event of the current goal, whose record word is given.
func (r *Recorder) goalEvent(kind tracer.Kind, record, ref uint64, value int64) {
	r.event(tracer.Event{Kind: kind, Task: r.Self & IDMask, Ref: ref & IDMask, Peer: tracer.None, Code: r.codeOf(record), Value: value})
}

// Reduced records that the current goal has reduced by a clause to the given number of goals.
func (r *Recorder) Reduced(clause, goals uint64) {
	r.commit(r.codes.clauses[clause])
	r.ids += goals
}

// Continues records that the current goal has reduced to the given number of goals. The first of them, with the given
// record word, continues in place. An inner loop does the frequent case itself, without a call:
//
//	if step := r.Step(site); step != 0 {
//		r.Reduction(r.Slot(), step)
//		r.First(goals)
//	}
func (r *Recorder) Continues(record, goals uint64) {
	r.commit(uint32(r.costs.bySite[bytecode.SiteOf(record)]))
	r.First(goals)
}

// First makes the first of the given number of goals of a body the current goal. The compiler inlines it.
func (r *Recorder) First(goals uint64) {
	r.Parent = r.Self
	r.Self = r.ids | r.above
	r.from = r.pe
	if r.Parent&IDMask == 0 {
		r.from = tracer.None
	}
	r.ids += goals
}

// Step returns the code of a reduction at a site, with its cost above costBits. The code is 0 if Continues has to record the
// reduction, because it is that of the query or other events follow it.
func (r *Recorder) Step(site uint64) uint64 {
	if len(r.deferred) > 0 {
		return 0
	}
	return r.costs.bySite[site]
}

// Reduction writes a reduction to a row, with its code and its cost above costBits. The compiler inlines it.
func (r *Recorder) Reduction(e *tracer.Event, step uint64) {
	// Field by field: a composite literal would be built on the stack and copied, and the copy would wait for the stores.
	cost := int64(step >> costBits)
	e.Time, e.Value = r.now, cost
	r.now += cost
	e.Task, e.Ref = r.Self&IDMask, r.Parent&IDMask
	e.PE, e.Peer = r.pe, r.from
	e.Code, e.Kind = uint32(step), tracer.Reduce
}

// commit records a reduction. The reduction of the query has code 0 and is no step: its time is overhead.
func (r *Recorder) commit(code uint32) {
	if code != 0 {
		r.Reduction(r.Slot(), uint64(r.costs.byCode[code])<<costBits|uint64(code))
	} else {
		r.Tick()
	}
	if len(r.deferred) > 0 {
		r.flushDeferred()
	}
}

// Enter makes a goal from the queue the current goal.
func (r *Recorder) Enter(id, parent uint64) {
	r.Self, r.Parent = id&IDMask|r.above, parent
	r.from = int32(parent >> IDBits)
	if parent&IDMask == 0 {
		r.from = tracer.None
	}
}

func (r *Recorder) codeOf(record uint64) uint32 {
	if i := bytecode.ProcOf(record); i < len(r.codes.procs) {
		return r.codes.procs[i]
	}
	return 0
}

// Ended records the end of a waiter, if it has waited. A builtin that has not is part of a reduction.
func (r *Recorder) Ended(record uint64) {
	if r.Self&IDMask != 0 {
		r.goalEvent(tracer.End, record, 0, 0)
		r.now += int64(r.costs.byCode[r.codeOf(record)])
	}
}

// Suspended records that the current goal waits. A deferred builtin has no id before.
func (r *Recorder) Suspended(record uint64) {
	if r.Self&IDMask == 0 {
		r.Self |= r.SpareID()
	}
	cost := int64(r.costs.byCode[r.codeOf(record)])
	r.goalEvent(tracer.Suspend, record, r.Parent, cost)
	r.now += cost
	r.waits = true
}

// Delayed records that a waiter of the current body waits from the start. The event follows the commit.
func (r *Recorder) Delayed(id, record uint64) {
	r.waits = true
	r.deferred = append(r.deferred, tracer.Event{
		Kind: tracer.Suspend, Task: id & IDMask, Ref: r.Self & IDMask, Peer: tracer.None, Code: r.codeOf(record),
	})
}

func (r *Recorder) flushDeferred() {
	for _, e := range r.deferred {
		r.event(e)
	}
	r.deferred = r.deferred[:0]
}

// Failed records that the current goal, whose record word is given, fails.
func (r *Recorder) Failed(record uint64) {
	if r.stream != nil {
		r.goalEvent(tracer.Fail, record, r.Parent, 0)
	}
}

// Resumed records that a goal which waited, with the given id and record word, is ready on PE home. Goal waker has woken
// it.
func (r *Recorder) Resumed(id, waker, record uint64, home int) {
	r.event(tracer.Event{Kind: tracer.Resume, Task: id & IDMask, Ref: waker & IDMask, Peer: int32(home), Code: r.codeOf(record)})
}

// PEs take ids in blocks from a shared counter. The goals of a body have consecutive ids; other goals take theirs from
// a separate block.
const idBlock = 4096

// EnsureIDs ensures that n ids are left in the block for bodies.
func (r *Recorder) EnsureIDs(n int) {
	if r.stream == nil || uint64(n) <= r.idsEnd-r.ids {
		return
	}
	size := uint64(max(n, idBlock))
	r.ids = r.nextID.Add(size) - size + 1
	r.idsEnd = r.ids + size
}

// SpareID returns an id for a goal that is not among the counted goals of a body.
func (r *Recorder) SpareID() uint64 {
	if r.spare == r.spareEnd {
		r.spare = r.nextID.Add(idBlock) - idBlock + 1
		r.spareEnd = r.spare + idBlock
	}
	r.spare++
	return r.spare - 1
}

// ID returns the id of the k-th goal of a body.
func (r *Recorder) ID(k uint64) uint64 { return r.ids + k }
