package emulator

import "sync/atomic"

// A meter counts the tries of a PE, and its reductions against the machine's limit. A try is a reduction, a suspension
// or the end of a builtin goal.
type meter struct {
	budget int // tries until the next safe point
	rest   int // the part of budget that follows the turn of the current goal

	tries                           int64
	suspensions, resumptions, dones int64
	reserved                        int64        // reductions reserved from the limit
	charged                         int64        // reductions when they were reserved
	shown                           atomic.Int64 // charged, for other goroutines
}

// account counts the tries of a slice. left is the number of unused ones.
func (t *meter) account(left int) {
	t.tries += int64(t.budget - left - t.rest)
	t.budget, t.rest = 0, 0
}

func (t *meter) reductions() int64 { return t.tries - t.suspensions - t.dones }

// allowed returns the number of reserved reductions that are left.
func (t *meter) allowed() int64 { return t.reserved - (t.reductions() - t.charged) }

// settle returns the reserved reductions that are left to the limit.
func (t *meter) settle(l *limit) {
	if left := t.allowed(); left > 0 {
		l.quota.Add(left)
	}
	if t.reserved > 0 {
		l.reserved.Add(-t.reserved)
		t.reserved = 0
	}
	t.charged = t.reductions()
	t.shown.Store(t.charged)
}

// A limit is the number of reductions that an Advance allows.
type limit struct {
	quota    atomic.Int64 // still to be reserved
	reserved atomic.Int64 // reserved by PEs
}

// reserve reserves up to n reductions. It returns 0 when none is left.
func (l *limit) reserve(n int64) int64 {
	for {
		left := l.quota.Load()
		if n = min(n, left); n <= 0 {
			return 0
		}
		l.reserved.Add(n)
		if l.quota.CompareAndSwap(left, left-n) {
			return n
		}
		l.reserved.Add(-n)
	}
}
