package workspan

// A wake is a Resume that precedes the Reduce that caused it.
type wake struct {
	task     uint64
	sum      int64  // the path of the task then
	burdened int64  // the same with burdens
	next     uint32 // of the same binder, or unused, + 1; 0 for the last
	ended    Block  // the wait that it ended, if any
}

// forget drops the wakes of a goal that is never reduced.
func (g *Goals) forget(own *goal) {
	for n := g.release(own); n > 0; n = g.drop(n) {
	}
}

// await adds a wake to a goal.
func (g *Goals) await(by *goal, w wake) {
	n := g.spare
	if n > 0 {
		g.spare = g.wakes[n-1].next
		g.wakes[n-1] = w
	} else {
		g.wakes = append(g.wakes, w)
		n = uint32(len(g.wakes))
	}
	by.level = n
	by.state |= goalAwaited
}

// release removes the wakes from a goal and returns the first, + 1; 0 for none.
func (g *Goals) release(by *goal) uint32 {
	if by.state&goalAwaited == 0 {
		return 0
	}
	n := by.level
	by.level = 0
	by.state &^= goalAwaited
	return n
}

// drop makes a wake unused and returns the next of its list.
func (g *Goals) drop(n uint32) uint32 {
	w := &g.wakes[n-1]
	next := w.next
	w.next, g.spare = g.spare, n
	return next
}

// wake raises the paths of the goals that a reduction had resumed before it was recorded. early is the last of its wakes, + 1.
func (g *Goals) wake(task uint64, by *goal, early uint32) {
	for n := early; n > 0; n = g.drop(n) {
		w := g.wakes[n-1]
		own := g.goals.Find(w.task)
		if own.sum == w.sum { // it has not continued
			own.until = max(own.until, by.until)
		}
		if x := w.ended; x.Count > 0 {
			g.by.remove(x)
			x.By = by.code
			g.by.add(x)
		}
		g.raise(w.task, own, add(by.sum, own.sum-w.sum), task)
		g.load(own, add(by.burdened, own.burdened-w.burdened))
	}
}
