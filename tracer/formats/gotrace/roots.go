package gotrace

import (
	"bytes"
	"cmp"
	"slices"

	"whorl/internal/hashtable"
)

// look fills r.roots with the functions of goroutines that do not follow from their creation or their state at the beginning: in the first
// generation, and in generations where libraries start goroutines. It reads all records of each thread by itself, before they are merged, because the
// Fork of a goroutine has its function and precedes the stacks from which the function follows.
func (r *reader) look() {
	r.roots = hashtable.Table{}
	r.initial = r.initial[:0]
	if r.generations > 0 && !r.librariesStart() {
		return
	}
	r.looking = true
	var created hashtable.Table
	for _, th := range r.gen.order {
		th.rewind()
		g := uint64(0)
		if th.g >= 0 {
			g = r.goroutines[th.g].id
		}
		for th.read(r) {
			s := uint64(0)
			switch th.kind {
			case goStart, goSwitch, goSwitchDestroy:
				g = th.a[0]
			case procStatus:
				r.first(th)
			case goStatus, goStatusStack:
				r.first(th)
				if th.a[2] == running || th.a[2] == inSyscall && th.a[1] == th.id {
					g = th.a[0]
				}
			case goBlock, goStop, goSyscallBegin:
				s = th.a[1]
			case goUnblock, userRegionBegin:
				s = th.a[2]
			case goCreate, goCreateBlocked:
				s = th.a[2]
				created.Add(th.a[0]&mostID, 0)
			case goCreateSyscall:
				created.Add(th.a[0]&mostID, 0)
			}
			if s != 0 && g != 0 && s < uint64(len(r.stacks)) && r.stacks[s].raw != nil {
				if x := r.stack(s); x.root != 0 && !x.wrapped {
					r.roots.Add(g&mostID, x.root)
					g = 0
				}
			}
		}
	}
	r.looking = false
	r.beginning(&created)
}

// A status is a record of the state of a goroutine or a P.
type status struct {
	time uint64
	th   *thread
	kind record
	a    [mostNumbers - 1]uint64
}

// first notes the state of a goroutine or a P in the first generation.
func (r *reader) first(th *thread) {
	if r.generations == 0 {
		r.initial = append(r.initial, status{th.time, th, th.kind, th.a})
	}
}

// beginning records the goroutines and Ps that existed when the trace began. The runtime notes the state of a goroutine or a P before its first
// record, or at the end of the generation, but the state is that of the beginning, except for goroutines that were created since.
func (r *reader) beginning(created *hashtable.Table) {
	slices.SortStableFunc(r.initial, func(a, b status) int { return cmp.Compare(a.time, b.time) })
	for i := range r.initial {
		s := &r.initial[i]
		th := s.th
		if th.kind, th.a = s.kind, s.a; s.kind == procStatus {
			r.procStatus(th)
		}
	}
	others := false // goroutines that wait have started on a P
	for i := range r.initial {
		s := &r.initial[i]
		th := s.th
		if s.kind == procStatus || r.find(s.a[0]) >= 0 {
			continue
		}
		if _, ok := created.Get(s.a[0] & mostID); !ok {
			th.kind, th.a = s.kind, s.a
			r.status(th)
			others = others || s.a[2] == waiting || s.a[2] == inSyscall
		}
	}
	for p := range r.procs {
		if th := r.procs[p].on; others && th != nil && th.g >= 0 && r.goroutines[th.g].state == running {
			r.goes(th.g, int32(p))
		}
	}
	if r.alive > 0 {
		r.count(0)
	}
}

// librariesStart reports whether the generation has a function that starts goroutines for others.
func (r *reader) librariesStart() bool {
	for i := range r.texts {
		for _, w := range wrappers {
			if w != "runtime.main" && bytes.HasPrefix(r.texts[i].raw, []byte(w)) {
				return true
			}
		}
	}
	return false
}
