package threadgraph

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/taskindex"
)

// outlineKinds are the kinds of events of goals.
var outlineKinds = tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.Resume, tracer.End)

// An outline follows the goals of a trace without storing nodes. It knows the thread of each goal and the length of the longest path to its last
// event, the virtual time. A condensation reads the trace twice with an outline: the first pass measures the threads, the second makes nodes.
type outline struct {
	goals   taskindex.Table[progress]
	lanes   []lane
	threads int32
}

// progress is the state of a goal.
type progress struct {
	virtual int64 // ns
	thread  int32 // + 1
	depth   int32 // edges on a longest path
}

// A lane is the last reduction of a PE without later tries.
type lane struct {
	goal  uint64
	until int64
}

// A move is the change that one event makes.
type move struct {
	thread  int32
	parent  int32 // of a new thread, -1 for none or for another thread
	fresh   bool  // the event is the first of its thread
	begin   int64 // virtual time before the event
	virtual int64 // and after it
	depth   int32
	until   int64 // ns; end of the try
	by      int32 // thread of the binder of a resumed goal, -1 if unknown
	wake    int64 // virtual time of the binder
}

// event follows an event. ok is false if the event concerns no known goal.
func (o *outline) event(e *tracer.Event) (m move, ok bool) {
	if e.Task == 0 {
		return m, false
	}
	if e.Kind == tracer.Resume || e.Kind == tracer.End {
		return o.resume(e)
	}
	own := o.goals.Place(e.Task)
	on := bounds.Entry(&o.lanes, e.PE)
	m.parent = -1
	if own.thread == 0 {
		parent := o.goals.Find(e.Ref)
		if e.Ref == 0 || e.Ref == e.Task || parent == nil || parent.thread == 0 {
			parent = nil
		} else {
			own.virtual, own.depth = parent.virtual, parent.depth
		}
		if parent != nil && on != nil && on.goal == e.Ref && e.Time >= on.until {
			own.thread = parent.thread
		} else {
			if parent != nil {
				m.parent = parent.thread - 1
			}
			o.threads++
			own.thread, m.fresh = o.threads, true
		}
	}
	cost := max(e.Value, 0)
	m.thread, m.begin = own.thread-1, own.virtual
	if m.until = e.Time + cost; m.until < e.Time {
		m.until = e.Time
	}
	if own.virtual += cost; own.virtual < 0 { // the sum of damaged costs
		own.virtual = m.begin
	}
	own.depth++
	m.virtual, m.depth = own.virtual, own.depth
	switch {
	case on == nil:
	case e.Kind == tracer.Reduce:
		*on = lane{e.Task, m.until}
	case m.until >= on.until: // false for a builtin that waits during the reduction of its goal
		*on = lane{}
	}
	return m, true
}

// resume follows the end of a wait or of a builtin.
func (o *outline) resume(e *tracer.Event) (m move, ok bool) {
	own := o.goals.Find(e.Task)
	if own == nil || own.thread == 0 {
		return m, false
	}
	m = move{thread: own.thread - 1, parent: -1, begin: own.virtual, until: e.Time, by: -1}
	if by := o.goals.Find(e.Ref); e.Kind == tracer.Resume && e.Ref != 0 && e.Ref != e.Task && by != nil && by.thread > 0 {
		m.by, m.wake = by.thread-1, by.virtual
		if by.virtual > own.virtual {
			own.virtual, own.depth = by.virtual, max(own.depth+1, by.depth)
		}
	}
	m.virtual, m.depth = own.virtual, own.depth
	return m, true
}

// A measured thread is one after the first pass. Threads are in the order of their first events, so parents precede their children.
type measured struct {
	begin, end int64 // virtual times; the end is that of the subtree after sum
	run        int64 // ns; of the subtree after sum
	last       int64 // ns; end of the last try, of the subtree after sum
	own        int64 // virtual time of its own end, after sum
	parent     int32
	size       int32 // threads of the subtree
	depth      int32 // edges between begin and end
	columns    int32 // side by side in the subtree
}

// sum adds the threads of each subtree up to its root, and computes the columns of each subtree: one, and as many as the children that last at one
// virtual time need.
func sum(threads []measured) {
	for i := range threads {
		threads[i].size, threads[i].own = 1, threads[i].end
	}
	first, next := make([]int32, len(threads)), make([]int32, len(threads)) // child + 1
	var sides []side
	for i := len(threads) - 1; i >= 0; i-- {
		t := &threads[i]
		sides = sides[:0]
		for c := first[i]; c > 0; c = next[c-1] {
			child := &threads[c-1]
			sides = append(sides, side{child.begin, child.columns}, side{max(child.end, child.begin+1), -child.columns})
		}
		t.columns = 1 + widest(sides)
		if t.parent < 0 {
			continue
		}
		next[i], first[t.parent] = first[t.parent], int32(i)+1
		p := &threads[t.parent]
		p.size += t.size
		p.run += t.run
		p.end, p.last = max(p.end, t.end), max(p.last, t.last)
		p.depth = max(p.depth, t.depth)
	}
}

// A side is the begin of a subtree with columns, or its end, with a negative number of them.
type side struct {
	virtual int64
	columns int32
}

// widest returns the largest number of columns at one virtual time.
func widest(sides []side) (columns int32) {
	slices.SortFunc(sides, func(a, b side) int {
		return cmp.Or(cmp.Compare(a.virtual, b.virtual), cmp.Compare(a.columns, b.columns))
	})
	open := int32(0)
	for _, s := range sides {
		open += s.columns
		columns = max(columns, open)
	}
	return columns
}
