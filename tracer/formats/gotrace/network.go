package gotrace

// A write is a system call after which another goroutine that waits for the network may go on.
type write struct {
	from, to int64 // when it began and ended; to is 0 while it goes on
	task     uint64
	n        int32 // its entry
	spent    bool  // a wait is known to have ended by it
}

// longWrite is the longest time in ns from the beginning of a write to a wait that the write can end.
const longWrite = 1_000_000

// writes holds the last writes, in a ring.
type writes struct {
	ring [64]write
	n    int
}

func (w *writes) add(x write) {
	w.ring[w.n%len(w.ring)] = x
	w.n++
}

// end notes the end of the last write of a task.
func (w *writes) end(at int64, task uint64) {
	for i := w.n - 1; i >= 0 && i >= w.n-len(w.ring); i-- {
		if x := &w.ring[i%len(w.ring)]; x.task == task {
			x.to = at
			return
		}
	}
}

// senders counts how often others wrote while a goroutine waited for the network.
type senders struct {
	waits int
	by    [16]struct {
		task  uint64
		waits int
	}
}

// sender returns the task that ended the wait of n for the network, and the reason of the Wake. It is the task that wrote during most of the waits of
// n, if it wrote during at least 7 of 10 of them and during this one, and no other task wrote during as many. A write ends one wait.
func (r *reader) sender(n int32) (by uint64, reason uint32) {
	g := &r.goroutines[n]
	if g.senders == nil {
		g.senders = new(senders)
	}
	s := g.senders
	s.waits++
	most, tied := 0, false
	var sent *write
	w := &r.writes
	for i := w.n - 1; i >= 0 && i >= w.n-len(w.ring); i-- {
		wrote := &w.ring[i%len(w.ring)]
		if wrote.from < g.since-longWrite {
			break
		}
		if wrote.to != 0 && wrote.to < g.since {
			continue
		}
		if wrote.task == g.task || r.goroutines[wrote.n].task != wrote.task || w.later(i, wrote.task) {
			continue
		}
		switch k := s.count(wrote.task); {
		case wrote.spent:
		case k > most:
			sent, most, tied = wrote, k, false
		case k == most:
			tied = true
		}
	}
	if sent == nil || tied || most*10 < s.waits*7 {
		return 0, r.codes.network
	}
	sent.spent = true
	return sent.task, r.codes.inferred
}

// later reports whether a task wrote after write i, too.
func (w *writes) later(i int, task uint64) bool {
	for k := i + 1; k < w.n; k++ {
		if w.ring[k%len(w.ring)].task == task {
			return true
		}
	}
	return false
}

// count counts a wait during which a task wrote. A new task takes the place of the one with the fewest.
func (s *senders) count(task uint64) int {
	least := 0
	for i := range s.by {
		b := &s.by[i]
		if b.task == task {
			b.waits++
			return b.waits
		}
		if b.waits < s.by[least].waits {
			least = i
		}
	}
	s.by[least].task, s.by[least].waits = task, 1
	return 1
}
