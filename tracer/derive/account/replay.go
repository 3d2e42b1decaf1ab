package account

import "whorl/tracer"

// A Replay is a run of the recording where only some classes of time pass. The others, and the transfer of messages, take no time.
type Replay uint8

// The replays. Each has the classes of those before it.
const (
	WithWork         Replay = iota
	WithRuntime             // work, scheduling, and requests for work that were answered
	WithCollector           // and garbage collection
	WithoutTransfers        // and the operating system: all but communication
	NumReplays
)

// firstReplay returns the first replay where a class of time passes, NumReplays if none.
func firstReplay(c Class) Replay {
	switch c {
	case Work:
		return WithWork
	case Scheduling, Stealing:
		return WithRuntime
	case Collector:
		return WithCollector
	case System:
		return WithoutTransfers
	}
	return NumReplays
}

// clocks are the times of a PE in the replays, in ns since the start of the run.
type clocks [NumReplays]int64

// join moves the clocks to those of another PE where these are later.
func (c *clocks) join(other *clocks) {
	for i, t := range other {
		c[i] = max(c[i], t)
	}
}

// add lets ns pass in the replays from one on.
func (c *clocks) add(from Replay, ns int64) {
	for i := from; i < NumReplays; i++ {
		c[i] += ns
	}
}

// A sent is a message on its way.
type sent struct {
	time int64
	clocks
}

// A replayed holds the clocks of a PE. Time without a task is a gap until the PE goes on. A gap ends when the PE may go on according to the clocks
// of the PEs that gave it work, or keeps its length if the trace does not name them. At the end of a run, a common gap of all PEs keeps
// its length.
type replayed struct {
	clocks
	upTo    int64 // the recorded time that the clocks cover
	begun   bool
	active  int64 // recorded time: the end of the last class that is not a gap, or of the last cause
	gap     int64
	request int64  // the last request for work in the gap
	caused  bool   // cause is known
	cause   clocks // of the PEs that ended the gap, when they did
	last    clocks // at the end of the last task
}

// spend lets time of a class pass until a recorded time.
func (r *replayed) spend(c Class, until int64) {
	ns := until - r.upTo
	r.upTo = until
	switch c {
	case Communication:
		r.active = until
		return
	case Stealing:
		r.request += ns
		r.gap += ns
		return
	case Waiting, Nothing, undecided:
		r.gap += ns
		return
	}
	if r.caused {
		r.add(WithRuntime, r.request)
		r.join(&r.cause)
		r.caused, r.cause = false, clocks{}
	} else if r.gap > 0 {
		r.add(WithWork, r.gap)
	}
	r.gap, r.request, r.active = 0, 0, until
	r.add(firstReplay(c), ns)
}

// replayUntil moves the clocks of a lane to a recorded time.
func (p *pass) replayUntil(l *lane, t int64) {
	r := &l.replayed
	if !r.begun {
		r.begun, r.upTo, r.active = true, p.from, p.from
	}
	if l.stepEnd > r.upTo && t > r.upTo && l.seen {
		r.spend(Work, min(t, l.stepEnd))
	}
	if t <= r.upTo {
		return
	}
	class := Nothing
	if l.seen {
		class = l.class
	}
	r.spend(class, t)
}

// clocksOf returns the clocks of a PE at a recorded time; ok is false for the PE of l and for a PE without events.
func (p *pass) clocksOf(pe int32, l *lane, t int64) (c *clocks, ok bool) {
	if uint32(pe) >= uint32(len(p.lanes)) || &p.lanes[pe] == l || !p.lanes[pe].seen {
		return nil, false
	}
	p.replayUntil(&p.lanes[pe], t)
	return &p.lanes[pe].clocks, true
}

// after lets a lane go on no earlier than the clocks of another.
func (r *replayed) after(c *clocks) {
	r.caused, r.active = true, r.upTo
	r.cause.join(c)
}

// unoccupied reports whether a lane has no task at a time.
func (l *lane) unoccupied(t int64) bool {
	return !l.seen || t >= l.stepEnd && (l.class == undecided || l.class == Nothing || l.class == Stealing)
}

// replay moves the clocks of a lane to an event, and notes which PE the lane goes on after. It runs before the event changes the lane.
func (p *pass) replay(l *lane, t int64, e *tracer.Event) {
	if l.class == Work && l.seen && goals.Contains(e.Kind) { // it works before and after
		return
	}
	p.replayUntil(l, t)
	switch e.Kind {
	case tracer.Recv:
		if m, ok := p.sent[e.Ref]; ok {
			l.after(&m.clocks)
		}
	case tracer.Resume:
		if uint32(e.Peer) < uint32(len(p.lanes)) && e.Peer != e.PE {
			if q := &p.lanes[e.Peer]; q.unoccupied(t) {
				p.replayUntil(q, t)
				q.after(&l.clocks)
			}
		}
	case tracer.Move, tracer.Start:
		if c, ok := p.clocksOf(e.Peer, l, t); ok && l.unoccupied(t) && (e.Ref == 0 || e.Kind == tracer.Start) {
			l.after(c)
		}
	case tracer.End:
		l.last = l.clocks
	case tracer.JoinEnd:
		if c, ok := p.clocksOf(e.Peer, l, t); ok {
			if q := &p.lanes[e.Peer]; q.ended.task == e.Ref {
				c = &q.last
			}
			l.after(c)
		}
	case tracer.Idle:
		l.request = 0
	}
}

// lengths returns the lengths of the replays once all time until to is accounted for. The steps of a damaged trace may overlap states; the bounds
// hold for it too.
func (p *pass) lengths(to int64) (lengths [NumReplays]int64) {
	if p.basis == Instants || !p.replays {
		return lengths
	}
	active, most := p.from, int64(0)
	for i := range p.lanes {
		l := &p.lanes[i]
		p.replayUntil(l, to)
		active, most = max(active, l.active), max(most, l.Times[Work])
		for k, t := range l.clocks {
			lengths[k] = max(lengths[k], t)
		}
	}
	for k, t := range lengths {
		lengths[k] = min(max(t+to-active, most), to-p.from)
	}
	return lengths
}
