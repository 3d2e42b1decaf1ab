// Package clocks aligns the clocks of several hosts by the messages between them.
//
// A message is received after it was sent. So each message from a host is an upper bound of the correction of its clock at that instant, and
// each message to it a lower bound: over time, the correction runs between two sets of points (A. Duda, G. Harrus, Y. Haddad, G. Bernard,
// "Estimating Global Time in Distributed Systems", ICDCS 1987). A clock has a constant offset and a constant drift, so the correction is a
// line. The lines between the points form a convex set in the plane of (correction at the first instant, correction at the last instant).
// Align chooses the centre of the bounding box of this set. The centre is in the set, no other line has a smaller largest error, and the error
// is known.
//
// Messages in one direction give bounds on one side only. Then Align assumes no drift, and that the fastest message took no time.
//
// Times are never clamped: moving only the events that are too early would keep the offset of all others.
package clocks

import (
	"cmp"
	"container/heap"
	"math"
)

// A Message went from one host to another. Its times are by the clocks of the two hosts, in ns. A fork and its start, and an end and the join
// that waited for it, count as messages too.
type Message struct {
	From, To       int32
	Sent, Received int64
}

// A Range is the time of a host from its first event to its last, by its clock, in ns.
type Range struct{ From, To int64 }

// A Clock corrects the times of a host.
type Clock struct {
	Base   int64   // ns, by the host's clock
	Offset int64   // ns to add at Base
	Drift  float64 // ns more to add for each ns since Base
	Bound  int64   // ns; largest error if clocks run evenly; -1 without messages in both directions
	Skew   int64   // ns; the most that a message still arrives before it was sent, because a clock does not run evenly
	Known  bool    // messages connect the host with host 0
}

// Time converts a time of the host to the clock of host 0.
func (c Clock) Time(t int64) int64 {
	return t + c.Offset + int64(math.Round(float64(float64(t-c.Base)*c.Drift)))
}

// Steady leaves out a drift that changes less than the error: hosts keep their clocks at the same rate, and few messages tell nothing else. The range is
// that of the host.
func (c *Clock) Steady(r Range) {
	if c.Bound >= 0 && math.Abs(c.Drift)*float64(r.To-r.From) > float64(c.Bound) {
		return
	}
	middle := r.From + (r.To-r.From)/2
	c.Offset, c.Base, c.Drift = c.Time(middle)-middle, middle, 0
}

// MostDrift is the largest drift between two clocks: quartz is within 1e-4, and systems adjust a clock by up to 5e-4.
const MostDrift = 1e-3

// Align returns the clocks of the hosts. Host 0 is the reference. A host that no chain of messages connects with host 0 is not Known; such hosts
// are aligned with each other if messages connect them.
func Align(hosts []Range, messages []Message) []Clock {
	a := aligner{
		hosts: hosts, messages: messages, byHost: make([][]int32, len(hosts)), clocks: make([]Clock, len(hosts)), done: make([]bool, len(hosts)),
		in: make([]int, len(hosts)), out: make([]int, len(hosts)),
	}
	for i, m := range messages {
		if a.sound(&m) {
			a.byHost[m.From] = append(a.byHost[m.From], int32(i))
			a.byHost[m.To] = append(a.byHost[m.To], int32(i))
		}
	}
	for h := range hosts {
		a.clocks[h] = Clock{Base: hosts[h].From, Bound: -1}
		a.queue = append(a.queue, candidate{host: int32(h)})
	}
	for len(a.queue) > 0 {
		h := heap.Pop(&a.queue).(candidate).host
		if a.done[h] {
			continue
		}
		known := a.in[h]+a.out[h] > 0
		switch {
		case known:
			a.clocks[h] = a.fit(int(h))
			a.clocks[h].Known = a.reached
		case h == 0:
			a.clocks[h].Known, a.clocks[h].Bound, a.reached = true, 0, true
		default: // the first host that no message connects with those before
			a.clocks[h].Bound, a.reached = 0, false
		}
		a.done[h] = true
		a.count(h)
	}
	for h := range hosts {
		if !a.clocks[h].Known {
			a.clocks[h].Bound = -1
		}
	}
	return a.clocks
}

// An aligner adds one host after the other to those whose clocks are known.
type aligner struct {
	hosts    []Range
	messages []Message
	byHost   [][]int32 // messages of each host
	clocks   []Clock
	done     []bool
	in, out  []int // messages to and from hosts that are done
	queue    queue
	reached  bool // the hosts that are added now are connected with host 0
}

func (a *aligner) sound(m *Message) bool {
	return m.From != m.To && min(m.From, m.To) >= 0 && int(max(m.From, m.To)) < len(a.hosts)
}

// count counts the messages of a host that is done.
func (a *aligner) count(h int32) {
	others := map[int32]bool{}
	for _, i := range a.byHost[h] {
		if m := &a.messages[i]; m.From == h {
			a.in[m.To]++
			others[m.To] = true
		} else {
			a.out[m.From]++
			others[m.From] = true
		}
	}
	for o := range others { // the order does not matter: that of the heap is total
		if !a.done[o] {
			heap.Push(&a.queue, candidate{min(a.in[o], a.out[o]), a.in[o] + a.out[o], o})
		}
	}
}

// A candidate is a host that may be aligned next. A host has several; its counts only grow, so that the newest one comes first.
type candidate struct {
	both int // the smaller number of messages in one direction
	all  int
	host int32
}

// A queue is a heap of candidates: the host with the most messages both ways comes first, then with the most in either direction. Host 0 is done
// before any message counts.
type queue []candidate

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return cmp.Or(-cmp.Compare(q[i].both, q[j].both), -cmp.Compare(q[i].all, q[j].all), cmp.Compare(q[i].host, q[j].host)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(c any)   { *q = append(*q, c.(candidate)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}

// fit returns the clock of a host by its messages to and from hosts that are done.
func (a *aligner) fit(h int) Clock {
	r := a.hosts[h]
	var limits []limit
	var beyond int64 // largest error of the other hosts
	bounded := true
	uppers, lowers := 0, 0
	for _, i := range a.byHost[h] {
		m := &a.messages[i]
		l := limit{upper: int(m.From) == h}
		other, own, there := m.From, m.Received, m.Sent
		if l.upper {
			other, own, there = m.To, m.Sent, m.Received
		}
		if !a.done[other] {
			continue
		}
		if l.upper {
			uppers++
		} else {
			lowers++
		}
		beyond = max(beyond, a.clocks[other].Bound)
		bounded = bounded && a.clocks[other].Bound >= 0
		r.From, r.To = min(r.From, own), max(r.To, own)
		l.time, l.shift = own, a.clocks[other].Time(there)-own
		limits = append(limits, l)
	}
	c := Clock{Base: r.From, Bound: -1}
	if uppers == 0 || lowers == 0 {
		c.Offset = oneWay(limits)
		return c
	}
	f := newField(r, limits)
	area, skew := f.possible()
	v, width := area.middle()
	if bounded {
		c.Bound = int64(math.Ceil(width/2)) + beyond
	}
	c.Skew = int64(skew)
	c.Offset = f.base + int64(math.Round(v[0]))
	c.Drift = (v[1] - v[0]) / f.length
	return c
}

// oneWay returns the correction that gives the fastest message no duration and no message a negative one.
func oneWay(limits []limit) int64 {
	by := limits[0].shift
	for _, l := range limits {
		if l.upper {
			by = min(by, l.shift)
		} else {
			by = max(by, l.shift)
		}
	}
	return by
}
