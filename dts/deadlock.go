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

// A Wait is a thread that waits in a join.
type Wait struct {
	Thread   uint64 // its id, in the trace if there is one
	Function string // the function that contains the join
	Place    string // file:line of the join

	On         uint64 // id of the joined thread
	OnFunction string // function of the joined thread
	Forked     string // file:line of the joined thread's fork
}

func (w Wait) String() string {
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
func (s *system) deadlocked(waiters map[*waiter]struct{}) error {
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
