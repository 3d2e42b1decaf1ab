package dts

import "whorl/dts/goroutine"

// A Standstill describes a host on which no thread runs.
type Standstill struct {
	Waits   []Wait // threads that wait, at most 1,000
	Total   int
	Calls   int  // threads that other hosts have
	Blocked bool // some threads wait for something other than a thread
}

// Idle reports whether all PEs of the host sleep, so that no thread runs or is ready to run. Progress is the number of
// threads that have become ready to run: if it is the same at two times at which the host is idle, no thread ran in
// between.
func (h *Host) Idle() (progress uint64, idle bool) {
	h.e.mu.Lock()
	defer h.e.mu.Unlock()
	return h.e.progress, h.e.asleep == len(h.e.pes) && h.e.quiet()
}

// Standstill returns the threads of the host if none of them runs: each waits in a join, or holds its PE and waits for
// a channel or a lock. In the second case a timer may still wake it.
func (h *Host) Standstill() (s Standstill, ok bool) {
	h.e.mu.Lock()
	quiet, awake := h.e.quiet(), len(h.e.pes)-h.e.asleep
	joins := h.e.deadlocked(h.e.waiters)
	s = Standstill{Waits: joins.Waiting, Total: joins.Total, Calls: len(h.e.calls)}
	h.e.mu.Unlock()
	if !quiet {
		return s, false
	}
	if awake == 0 {
		return s, true
	}
	blocked, ok := goroutine.Blocked(goroutine.Others())
	waits := make([]Wait, 0, len(blocked)+len(s.Waits))
	for _, b := range blocked {
		waits = append(waits, Wait{Function: b.Function, Place: b.Place, For: b.State})
	}
	s.Waits, s.Total, s.Blocked = append(waits, s.Waits...), s.Total+len(blocked), true
	s.Waits = s.Waits[:min(mostWaiting, len(s.Waits))]
	return s, ok && len(blocked) == awake
}
