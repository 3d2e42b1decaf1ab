package waits

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// An Activity is how a piece of a path is spent.
type Activity uint8

// The activities.
const (
	Runs    Activity = iota // the task runs
	System                  // it is in the kernel
	Serve                   // it is in the runtime system
	Collect                 // its PE collects garbage
	Queue                   // it is ready and waits for a PE
	Message                 // it sends or receives, or a message is on its way
	Outside                 // it waits for something that is no task of the trace: a timer, the network, a device
	Before                  // the trace says nothing
	NumActivities
)

var activityNames = [NumActivities]string{"runs", "in the kernel", "in the runtime system", "garbage collection", "waits for a PE", "messages", "outside", "before its first event"}

// String returns the name for legends.
func (a Activity) String() string {
	if a < NumActivities {
		return activityNames[a]
	}
	return "unknown"
}

// A Piece is a part of a path.
type Piece struct {
	From, To int64
	Task     uint64
	PE       int32 // tracer.None if the task is on none
	Activity Activity
	Code     uint32 // function of the task
	Reason   uint32 // of Outside; 0 if unknown
	Several  int32  // number of pieces folded into this one, which has the kind of the longest; 0 for a single piece
}

// A Share is the part of a path that consists of the same.
type Share struct {
	Activity Activity
	Code     uint32 // function of the task
	Reason   uint32 // of Outside
	Time     int64
	Count    int64 // pieces
}

// A Path is a critical path through wake-ups.
type Path struct {
	From, To int64
	Pieces   []Piece // in the order of time, without gaps; at most MostPieces
	Shares   []Share // longest first; their times add up to To - From
	PEs      []int64 // ns by PE; the rest has no PE
	Hops     int64   // from one task to another
	Inferred int64   // hops to wakers that are not in the trace but follow from the usual order of tasks
	Root     uint64  // the task whose life the path is, if the run as a whole has no path; 0 if it has
}

// MostPieces is the largest number of pieces of a Path. Short pieces are folded into longer ones until they fit.
const MostPieces = 1 << 17

// Sum returns the time of all pieces of the path with an activity, in ns.
func (p *Path) Sum(a Activity) (ns int64) {
	for _, s := range p.Shares {
		if s.Activity == a {
			ns += s.Time
		}
	}
	return ns
}

// TooFewPEs reports whether most of the path waits for a PE, so that the run had too few of them to show another cause.
func (p *Path) TooFewPEs() bool { return 2*p.Sum(Queue) > p.To-p.From }

// CausesUnknown reports whether most of the path waits for something other than tasks of the trace.
func (p *Path) CausesUnknown() bool { return 2*p.Sum(Outside) > p.To-p.From }

// pathKinds are the kinds of events that a path is derived from.
var pathKinds = Kinds | tracer.Kinds(tracer.Send, tracer.Recv)

// Path returns the critical path that ends with a task at a time; task 0 stands for the task that ran last, until the end of the trace. Walks of
// logic programs are in package workspan. It reads the trace once, backwards.
//
// The requests of a server do not wait for each other. If most of the path to the task that ran last lies before the first event of its request, Path
// returns the path of the task without a parent that lived longest: that of the slowest request. A task that waited for no other, such as the startup of
// a runtime system, is no such request.
func (w *Waits) Path(src tracer.Source, task uint64, until int64, tick func(done, total int64) error) (*Path, error) {
	if task != 0 {
		return w.Chain(src, Span{task, w.From, until}, tick)
	}
	p, err := w.Chain(src, Span{w.last, w.From, w.To}, tick)
	if err != nil || 2*p.Sum(Before) <= p.To-p.From || w.root.To <= w.root.From {
		return p, err
	}
	root, err := w.Chain(src, w.root, tick)
	if err != nil || root.Hops == 0 && p.Hops > 0 {
		return p, err
	}
	root.Root = w.root.Task
	return root, nil
}

// Chain returns the part of the path to the end of a span of a task that lies in the span. It shows who woke whom during a wait.
func (w *Waits) Chain(src tracer.Source, s Span, tick func(done, total int64) error) (*Path, error) {
	k := &walk{
		w: w, codes: codes{dict: src.Dict()}, task: s.Task, now: s.To, shares: map[Share]*Share{}, pe: tracer.None, on: true,
		path: Path{From: s.From, To: s.To},
	}
	first, _ := src.Span()
	if err := backward(src, pathKinds, min(first, s.From), s.To, tick, func(e *tracer.Event) bool {
		return k.event(e) && k.now > s.From
	}); err != nil {
		return nil, err
	}
	k.piece(s.From, Before, 0)
	return k.finish(), nil
}

// A walk goes back from task to task.
type walk struct {
	w     *Waits
	codes codes
	path  Path
	task  uint64
	now   int64
	pe    int32
	on    bool // before now the task is on pe

	joins   uint64 // the thread whose end has ended a join of task, 0 for none
	expects bool   // the next Recv of task has the message that ended its wait
	message uint64 // the message that ended the wait of task, 0 for none

	reason uint32 // of the wake-up by something outside
	served bool   // the task that woke task serves the program, as the collector does
	fresh  bool   // the walk has just come to the task, and knows no later event of it
	shares map[Share]*Share
	longer int64 // pieces that are shorter are folded
}

// piece adds the time back to at.
func (k *walk) piece(at int64, activity Activity, reason uint32) {
	at = max(at, k.path.From)
	if at >= k.now {
		return
	}
	p := Piece{From: at, To: k.now, Task: k.task, PE: tracer.None, Activity: activity, Code: k.w.threads.table.Get(k.task).code, Reason: reason}
	if activity == Runs || activity == System || activity == Serve || activity == Collect || activity == Message && k.on {
		p.PE = k.pe
		if n := bounds.Entry(&k.path.PEs, k.pe); n != nil {
			*n += p.To - p.From
		}
	}
	k.now = at
	s := Share{Activity: activity, Code: p.Code, Reason: reason}
	sum := k.shares[s]
	if sum == nil {
		sum = new(Share)
		*sum = s
		k.shares[s] = sum
	}
	sum.Time, sum.Count = sum.Time+p.To-p.From, sum.Count+1
	k.add(p)
}

// add appends a piece, which ends where the last one begins. It joins pieces of the same kind, and folds short ones if there are too many.
func (k *walk) add(p Piece) {
	ps := k.path.Pieces
	if n := len(ps); n > 0 {
		last := &ps[n-1]
		same := last.Task == p.Task && last.PE == p.PE && last.Activity == p.Activity && last.Reason == p.Reason
		if same || p.To-p.From < k.longer && last.To-last.From < 4*k.longer {
			if !same {
				last.Several = max(last.Several, 1) + max(p.Several, 1)
			}
			last.From = p.From
			return
		}
	}
	if k.path.Pieces = append(ps, p); len(k.path.Pieces) < 2*MostPieces {
		return
	}
	for len(k.path.Pieces) > MostPieces {
		k.longer = max(2*k.longer, (k.path.To-k.now)/(8*MostPieces), 1)
		all := k.path.Pieces
		k.path.Pieces = all[:0]
		for _, p := range all {
			k.add(p)
		}
	}
}

// hop goes on with another task.
func (k *walk) hop(task uint64, pe int32) {
	k.task, k.pe, k.on = task, pe, true
	k.joins, k.expects, k.message, k.reason, k.served, k.fresh = 0, false, 0, 0, false, true
	k.path.Hops++
}

// event takes the walk back over an event. It returns false at the beginning of the path.
func (k *walk) event(e *tracer.Event) bool {
	at := min(bounds.Time(e.Time), k.now)
	switch {
	case k.message != 0 && e.Kind == tracer.Send && e.Ref == k.message:
		k.piece(at, Message, 0)
		k.hop(e.Task, e.PE)
		return true
	case k.joins != 0 && e.Kind == tracer.End && e.Task == k.joins:
		k.piece(at, Queue, 0)
		k.hop(e.Task, e.PE)
		return true
	case e.Kind == tracer.End && e.Peer == tracer.Inline && k.w.threads.joiner(e) == k.task:
		k.piece(at, Runs, 0)
		k.hop(e.Task, e.PE)
		return true
	case e.Task == 0 && e.PE == k.pe && k.on && e.Task != k.task:
		k.state(e, at)
		return true
	case e.Task != k.task:
		return true
	}
	fresh := k.fresh
	k.fresh = false
	switch e.Kind {
	case tracer.Busy, tracer.Idle, tracer.Overhead:
		k.pe = e.PE
		k.state(e, at)
		k.on = e.Kind != tracer.Busy
	case tracer.Start:
		k.pe, k.on = e.PE, false
		k.piece(at, Runs, 0)
		if e.Peer == tracer.Inline {
			k.hop(k.w.threads.joiner(e), e.PE)
		}
	case tracer.End:
		k.pe, k.on = e.PE, true
	case tracer.Fork:
		k.piece(at, Queue, 0)
		if e.Ref == 0 {
			k.task = 0
			return false
		}
		k.hop(e.Ref, e.PE)
	case tracer.JoinEnd:
		k.pe, k.on, k.joins = e.PE, false, e.Ref
		k.piece(at, Runs, 0)
	case tracer.JoinBegin:
		k.piece(at, Runs, 0) // of the call: the thread had ended before
		k.pe, k.on, k.joins = e.PE, true, 0
	case tracer.Recv:
		if k.expects {
			k.expects, k.message = false, e.Ref
		}
	case tracer.Wake:
		k.wake(e, at)
	case tracer.Wait:
		switch {
		case k.message != 0 || k.expects || fresh: // a waker that waits itself has sent something, which was on its way
			k.pe = tracer.None
			k.piece(at, Message, 0)
		case k.served:
			k.pe = tracer.None
			k.piece(at, Collect, 0)
		case k.reason != 0:
			k.piece(at, Outside, k.reason)
		default:
			k.piece(at, Outside, e.Code)
		}
		k.pe, k.on, k.message, k.expects, k.reason, k.served = e.PE, true, 0, false, 0, false
	}
	return true
}

// wake leads to the waker.
func (k *walk) wake(e *tracer.Event, at int64) {
	k.piece(at, Queue, 0)
	k.on = false
	name := ""
	if e.Code != 0 {
		name = k.codes.entry(e.Code).Name
	}
	switch {
	case name == tracer.ReasonMessage:
		k.expects = true
	case e.Ref == 0:
		k.reason = e.Code
	case k.w.threads.serves(e.Ref):
		k.served = true
	default:
		if name != "" {
			k.path.Inferred++
		}
		k.hop(e.Ref, e.PE)
	}
}

// activityIn has the activity of a path in each state of a task.
var activityIn = [NumStates]Activity{Running: Runs, Kernel: System, Runtime: Serve, Collector: Collect, Messaging: Message, Ready: Queue, Blocked: Outside}

// state adds the time since a state began.
func (k *walk) state(e *tracer.Event, at int64) {
	s := Running
	switch e.Kind {
	case tracer.Idle:
		s = Ready
	case tracer.Overhead:
		s = overhead(k.codes.entry(e.Code).Name)
	}
	k.piece(at, activityIn[s], 0)
}

func (k *walk) finish() *Path {
	p := &k.path
	slices.Reverse(p.Pieces)
	for _, s := range k.shares {
		p.Shares = append(p.Shares, *s)
	}
	slices.SortFunc(p.Shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Activity, b.Activity), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Reason, b.Reason))
	})
	return p
}
