package dts

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"whorl/dts/symbol"
	"whorl/sim"
)

// A Standing is the state of a PE of a paused live run.
type Standing struct {
	Current []Pending // the running thread, if any
	Queue   []Pending // the next unstarted threads, in the order of the PE
	Length  int       // of the whole queue
}

// A Pending is a thread that has not ended.
type Pending struct {
	Thread   uint64 // id in the trace
	Function string
	File     string // place where it is, or of its fork
	Line     int32
	PE       int
	On       []Pending // the thread that it joins
}

// inspectable is an engine whose paused run can be described. The run may be cancelled meanwhile.
type inspectable interface {
	held(pe int) []*thread // in the order of the PE
	central() []*thread
	inJoins() []*waiter
}

// Standing describes a paused live run: its PEs, the central queue if the policy has one, the threads that wait in
// joins, and their number. At most most entries of each queue and of waiting are returned. All results are zero if
// the run is not paused or is simulated.
func (c *Control) Standing(most int) (pes []Standing, central Standing, waiting []Pending, blocked int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.pauses.On() {
		return nil, Standing{}, nil, 0
	}
	s := c.sys
	e, ok := s.engine.(inspectable)
	if !ok { // simulated
		return nil, Standing{}, nil, 0
	}
	queue := func(ts []*thread, pe int) (q Standing) {
		q.Length = len(ts)
		for _, t := range ts[:min(most, len(ts))] {
			q.Queue = append(q.Queue, s.forkedAt(t, pe))
		}
		return q
	}
	for i := range s.workers {
		w := &s.workers[i]
		p := queue(e.held(i), i)
		if w.haltedAt != 0 {
			now := s.pending(w.haltedAt, w.cur, i)
			if w.log.Task != 0 {
				now.Thread = w.log.Task
			}
			p.Current = []Pending{now}
		}
		pes = append(pes, p)
	}
	for _, w := range e.inJoins() {
		p := s.pending(w.pc, w.cur, int(w.w.pe))
		if w.task != 0 {
			p.Thread = w.task
		}
		p.On = []Pending{s.forkedAt(w.on, int(w.w.pe))}
		waiting = append(waiting, p)
	}
	slices.SortFunc(waiting, func(a, b Pending) int { return cmp.Compare(a.Thread, b.Thread) })
	return pes, queue(e.central(), sim.Central), waiting[:min(most, len(waiting))], len(waiting)
}

// forkedAt describes a thread by the place of its fork.
func (s *system) forkedAt(t *thread, pe int) Pending {
	p := s.pending(t.site, t, pe)
	code := t.code
	if t.body != nil {
		code = t.body.function()
	}
	p.Function = symbol.Function(code)
	return p
}

// pending describes a thread at pc, or at the beginning of its function if pc is 0.
func (s *system) pending(pc uintptr, t *thread, pe int) Pending {
	at := symbol.Locate(pc, t.code)
	p := Pending{Thread: t.id, PE: pe, Function: at.Function, File: filepath.Base(at.Path), Line: int32(at.Line)}
	if s.book != nil {
		p.File = s.book.Symbols.File(at.Path)
	}
	return p
}

func (e *stacked) held(pe int) (ts []*thread) {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := &e.workers[pe]
	for i := range w.inbox {
		if t := w.inbox[i].t; t != nil {
			ts = append(ts, t)
		}
	}
	return append(ts, w.deque.All()...)
}

func (e *stacked) central() []*thread { return nil }

func (e *queued) held(pe int) (ts []*thread) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ts = threadsIn(e.pes[pe].entries)
	if e.traits.LIFO {
		slices.Reverse(ts)
	}
	return ts
}

func (e *queued) central() []*thread {
	e.mu.Lock()
	defer e.mu.Unlock()
	return threadsIn(e.middle)
}

func (j *joins) inJoins() []*waiter {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Keys(j.waiters))
}

func threadsIn(entries []entry) (ts []*thread) {
	for _, x := range entries {
		if x.t != nil {
			ts = append(ts, x.t)
		}
	}
	return ts
}
