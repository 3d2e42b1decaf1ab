package replay

import (
	"iter"

	"whorl/tracer"
)

// lives holds the states of tasks while a trace is read, by number. A program may have millions of tasks, and few are alive at a time. A stretch
// whose tasks have all ended therefore keeps only the past of each task.
type lives struct {
	n      uint32
	parts  []stretch
	unused [][]life // of stretches that have ended
}

// stretchLen is the number of tasks in a stretch.
const stretchLen = 256

// A stretch has the lives of tasks with successive numbers.
type stretch struct {
	lives []life
	past  []past // in place of lives when all have ended
	ended int
}

// A past is the part of a life that is kept after the end of its task.
type past struct {
	ran    int64
	pe     int32
	parent uint32
	begun  bool
}

// add adds the life of the next task.
func (l *lives) add() {
	if l.n%stretchLen == 0 {
		s := stretch{}
		if k := len(l.unused); k > 0 {
			s.lives, l.unused = l.unused[k-1][:0], l.unused[:k-1]
		} else {
			s.lives = make([]life, 0, stretchLen)
		}
		l.parts = append(l.parts, s)
	}
	s := &l.parts[l.n/stretchLen]
	s.lives = append(s.lives, life{pe: tracer.None, parent: none})
	l.n++
}

// life returns the life of a task. It may be a copy if the task has ended.
func (l *lives) life(n uint32) *life {
	s := &l.parts[n/stretchLen]
	if s.past == nil {
		return &s.lives[n%stretchLen]
	}
	p := s.past[n%stretchLen]
	return &life{ran: p.ran, pe: p.pe, parent: p.parent, begun: p.begun, ended: true}
}

// pe returns the last PE of a task.
func (l *lives) pe(n uint32) int32 {
	s := &l.parts[n/stretchLen]
	if s.past == nil {
		return s.lives[n%stretchLen].pe
	}
	return s.past[n%stretchLen].pe
}

// hasEnded reports whether a task has ended.
func (l *lives) hasEnded(n uint32) bool {
	s := &l.parts[n/stretchLen]
	return s.past != nil || s.lives[n%stretchLen].ended
}

// end marks a task as ended.
func (l *lives) end(n uint32) {
	s := &l.parts[n/stretchLen]
	t := &s.lives[n%stretchLen]
	t.ended, t.waiting, t.children = true, false, nil
	if s.ended++; s.ended < stretchLen {
		return
	}
	s.past = make([]past, stretchLen)
	for i := range s.lives {
		t := &s.lives[i]
		s.past[i] = past{t.ran, t.pe, t.parent, t.begun}
	}
	l.unused = append(l.unused, s.lives)
	s.lives = nil
}

// open returns the lives that have not ended, by number.
func (l *lives) open() iter.Seq2[uint32, *life] {
	return func(yield func(uint32, *life) bool) {
		for i := range l.parts {
			for j := range l.parts[i].lives {
				if t := &l.parts[i].lives[j]; !t.ended && !yield(uint32(i*stretchLen+j), t) {
					return
				}
			}
		}
	}
}

// A life is the state of a task while its trace is read.
type life struct {
	since    int64     // the time from which on its computation is not yet in the graph; while it waits, the beginning of the wait
	owed     int64     // ns of since then that the simulated machine took for operations
	ready    int64     // when it last became ready
	readyPE  int32     // the PE where that was
	ran      int64     // when it last began to run
	waited   [4]uint64 // indices of the operations of its last waits, plus 1; the last one first
	regionTo int64     // when the part of a region that it is in ends
	part     uint64    // number of the part of the program in the graph, plus 1
	next     uint64    // number of the part that it computes at the present time, plus 1
	regions  []uint32  // regions that marks have begun, the outermost first
	sampled  uint64    // number of the part that a sample of its processor has shown last, plus 1
	pe       int32     // last one
	parent   uint32    // the task that has forked it
	reason   uint32
	context  uint32
	children []uint32 // forked tasks that it has not waited for
	running  bool
	paused   bool // it is on its PE, but does not compute
	waiting  bool
	received bool // a message has arrived since it waits
	ended    bool
	begun    bool
	meets    []uint64   // pauses in which it meets others as soon as it holds no lock
	holds    int        // locks that it holds
	sending  bool       // its last observed operation is a send, which may wait
	gathers  *gathering // the last collective operation that became messages; nil if there was none
	met      bool       // it has waited for others to arrive
}
