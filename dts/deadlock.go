package dts

import (
	"cmp"
	"fmt"
	"slices"

	"whorl/dts/symbol"
)

// A DeadlockError reports that the remaining threads wait for each other.
type DeadlockError struct {
	Waiting []Wait // at most 1,000 of them, ordered by place
	Total   int
}

// A Wait is a thread that waits.
type Wait struct {
	Host     string // in a run on several hosts, the host where it waits
	Thread   uint64 // its id, in the trace if there is one
	Function string // the function that waits
	Place    string // file:line where it waits

	For string // what it waits for, such as "chan receive"; "" for the end of a thread, which it joins

	On         uint64 // id of the joined thread
	OnFunction string // function of the joined thread
	Forked     string // file:line of the joined thread's fork
}

func (w Wait) String() string {
	switch {
	case w.For != "":
		return fmt.Sprintf("on %s: %s (%s) waits (%s)", w.Host, w.Function, w.Place, w.For)
	case w.Host != "": // the ids of several hosts are numbered anew in their trace
		return fmt.Sprintf("on %s: %s (%s) waits for a thread (%s, forked at %s)", w.Host, w.Function, w.Place, w.OnFunction, w.Forked)
	}
	return fmt.Sprintf("thread %d (%s, %s) waits for thread %d (%s, forked at %s)", w.Thread, w.Function, w.Place, w.On, w.OnFunction, w.Forked)
}

// Maximum numbers of threads in a DeadlockError and in its text.
const (
	mostWaiting  = 1000
	shownWaiting = 8
)

func (e *DeadlockError) Error() string {
	text := fmt.Sprintf("deadlock: %d threads wait for each other", e.Total)
	if e.Total == 1 {
		text = "deadlock: a thread waits for another that does not end"
	}
	return text + e.List()
}

// List returns the first waiting threads, a line each, and the number of the others.
func (e *DeadlockError) List() (text string) {
	shown := e.Waiting[:min(shownWaiting, len(e.Waiting))]
	for _, w := range shown {
		text += "\n\t" + w.String()
	}
	if more := e.Total - len(shown); more > 0 {
		text += fmt.Sprintf("\n\tand %d more", more)
	}
	return text
}

// deadlocked returns the error about the waiting threads. No other thread runs.
func (s *system) deadlocked(waiters map[*waiter]struct{}) *DeadlockError {
	type waiting struct {
		Wait
		*waiter
	}
	all := make([]waiting, 0, len(waiters))
	for w := range waiters {
		join, fork := symbol.Locate(w.pc, w.cur.code), symbol.Locate(w.on.site, w.on.code)
		all = append(all, waiting{waiter: w, Wait: Wait{
			Function: join.Function, Place: join.String(),
			OnFunction: symbol.Function(w.on.body.function()), Forked: fork.String(),
		}})
	}
	slices.SortFunc(all, func(a, b waiting) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Forked, b.Forked), cmp.Compare(a.task, b.task))
	})
	d := &DeadlockError{Total: len(all)}
	for _, w := range all[:min(mostWaiting, len(all))] {
		if w.Thread = w.task; w.Thread == 0 {
			w.Thread = s.idOf(w.cur)
		}
		w.On = s.idOf(w.on)
		d.Waiting = append(d.Waiting, w.Wait)
	}
	return d
}

// idOf returns the id of a thread. Without a trace it assigns one.
func (s *system) idOf(t *thread) uint64 {
	if t.id == 0 {
		t.id = s.nextID.Add(1)
	}
	return t.id
}
