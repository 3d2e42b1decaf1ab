package otf2

import "whorl/tracer"

// A gathering identifies a collective operation: the communicator and the number of operations on it before.
type gathering struct{ comm, number uint32 }

// A meeting is a collective operation that some of its ranks have ended.
type meeting struct {
	last     *location // to arrive
	arrived  int64     // when it arrived
	root     *location
	rootAt   int64
	ended    int
	messages uint64 // before the first
}

// mostPairs is the largest number of ranks whose collective operations are recorded as messages between all pairs.
const mostPairs = 16

// mostRooted is the largest number of ranks of a collective operation that is recorded as messages at all.
const mostRooted = 1 << 12

// collective ends a collective operation of a location.
func (r *reader) collective(l *location) {
	c := &l.body
	if l.kind == collectiveRequest {
		if l.requests == nil {
			l.requests = map[uint64]int64{}
		}
		if len(l.requests) < mostRequests {
			l.requests[c.number()] = l.time
		}
		return
	}
	op := c.u8()
	comm := uint32(0)
	if l.kind == rmaCollectiveEnd {
		c.ref() // level of synchronisation
		comm = r.d.windows[uint32(l.maps[mapWindow].global(uint64(c.ref())))]
	} else {
		comm = uint32(l.maps[mapComm].global(uint64(c.ref())))
	}
	root, sent, received := c.ref(), c.number(), c.number()
	from := l.gathered
	if l.kind == collectiveComplete {
		id := c.number()
		at, ok := l.requests[id]
		if !ok {
			at = l.time
		}
		delete(l.requests, id)
		from = at
	} else if !l.gathers {
		r.w.Dropped.Add("ends of collective operations without a beginning", 1)
		from = l.time
	} else {
		l.gathers = false
	}
	if c.bad {
		r.w.Dropped.Add("records shorter than their type", 1)
		return
	}
	name, kind := "collective", uint8(chain)
	if int(op) < len(collectives) {
		name, kind = collectives[op].name, collectives[op].kind
	}
	cm := r.communicator(comm)
	if len(cm.members) < 2 || len(cm.remote) > 0 {
		return
	}
	m := r.meet(l, comm, cm, from, kind, cm.peer(l, root))
	if m.root != nil {
		switch {
		case m.root == l:
			m.rootAt = from
		case m.root.gathers:
			m.rootAt = m.root.gathered
		}
	}
	r.marks(l, name, kind, m, from, sent, received)
	switch {
	case kind == allToAll || kind == allToOne && m.root == l:
		r.waits(l, name, from, m.last, m.arrived)
	case kind == oneToAll && m.root != l:
		r.waits(l, name, from, m.root, m.rootAt)
	}
	if rank, ok := cm.ranks[l]; ok {
		x := exchange{r, l, cm, m, kind, from, sent, received, rank}
		x.record(root)
	}
	if m.ended++; m.ended >= len(cm.members) {
		delete(r.gatherings, gathering{comm, l.counts[comm] - 1})
	}
}

// mostRequests bounds the collective operations that a location has begun without waiting for them.
const mostRequests = 1 << 20

// number counts a collective operation of a location and returns the number of those on its communicator before.
func (l *location) number(comm uint32) uint32 {
	if l.counts == nil {
		l.counts = map[uint32]uint32{}
	}
	l.counts[comm]++
	return l.counts[comm] - 1
}

// meet counts a collective operation of a location, which began at a time, and returns it.
func (r *reader) meet(l *location, comm uint32, cm *communicator, from int64, kind uint8, root *location) *meeting {
	g := gathering{comm, l.number(comm)}
	m, ok := r.gatherings[g]
	if !ok {
		m = &meeting{last: l, arrived: from, messages: r.messages}
		n := uint64(len(cm.members))
		if n <= mostPairs {
			n *= n
		}
		r.messages += n
		r.gatherings[g] = m
	}
	if m.root = root; from > m.arrived {
		m.last, m.arrived = l, from
	}
	if !ok && kind == allToAll || kind == allToOne && m.root == l {
		for _, other := range cm.members { // those that wait for l are in the operation, or have ended it
			if other != nil && other != l && other.gathers && other.gathered > m.arrived {
				m.last, m.arrived = other, other.gathered
			}
		}
	}
	return m
}

// marks records that a location began a collective operation.
func (r *reader) marks(l *location, name string, kind uint8, m *meeting, from int64, sent, received uint64) {
	e := l.event(tracer.Mark)
	e.Time, e.Code, e.Ref, e.Value = from, r.w.Name(tracer.CollectiveMark+name), m.messages+1, int64(min(sent, farthest))
	if kind == oneToAll {
		e.Value = int64(min(received, farthest))
	}
	if (kind == oneToAll || kind == allToOne) && m.root != nil {
		if e.Peer = m.root.pe; m.root == l {
			e.Value = 0
		}
	}
	l.add(e)
}

// waits notes that a location waited from a time until another one arrived.
func (r *reader) waits(l *location, name string, from int64, by *location, at int64) {
	if by == nil || by == l || by.task == nil || at <= from {
		return
	}
	from, at = max(from, l.since), min(at, l.time)
	if w := &l.wait; at > from && (!w.is || at-from > w.to-w.from) {
		*w = wait{is: true, from: from, to: at, after: -1, reason: r.w.Reason(name), by: by.task.id, pe: by.pe}
	}
}

// An exchange records the bytes of a collective operation as messages: between all pairs of few ranks, or else from each rank to the next; with a
// root, to it or from it.
type exchange struct {
	r              *reader
	l              *location
	cm             *communicator
	m              *meeting
	kind           uint8
	from           int64
	sent, received uint64
	me             int
}

func (x *exchange) record(root uint32) {
	n := len(x.cm.members)
	switch {
	case x.sent|x.received == 0:
	case n > mostRooted:
		x.r.w.Dropped.Add("parts of collective operations of too many ranks for messages", 1)
	case x.kind == oneToAll || x.kind == allToOne:
		switch {
		case uint64(root) >= uint64(n):
		case int(root) != x.me && x.kind == oneToAll:
			x.pair(int(root), x.me, 1)
		case int(root) != x.me:
			x.pair(x.me, int(root), 1)
		default:
			for rank := range n {
				if x.kind == oneToAll {
					x.pair(x.me, rank, n-1)
				} else {
					x.pair(rank, x.me, n-1)
				}
			}
		}
	case n <= mostPairs:
		for rank := range n {
			x.pair(x.me, rank, n-1)
			x.pair(rank, x.me, n-1)
		}
	default:
		x.pair(x.me, (x.me+1)%n, 1)
		x.pair((x.me+n-1)%n, x.me, 1)
	}
}

// pair records the message from one rank to another. The location is one of the two. The message has a part of the bytes.
func (x *exchange) pair(sender, receiver, parts int) {
	if sender == receiver {
		return
	}
	e := x.l.event(tracer.Recv)
	other, all := sender, x.received
	if sender == x.me {
		other, all = receiver, x.sent
		e.Kind, e.Time = tracer.Send, x.from
	}
	n := uint64(len(x.cm.members))
	switch {
	case n <= mostPairs:
		e.Ref = uint64(sender)*n + uint64(receiver)
	case x.kind == oneToAll:
		e.Ref = uint64(receiver)
	default:
		e.Ref = uint64(sender)
	}
	e.Ref += x.m.messages + 1
	e.Code, e.Value = x.r.codes.collective, int64(min(all/uint64(parts), farthest))
	if peer := x.cm.members[other]; peer != nil && all > 0 {
		e.Peer = peer.pe
		x.l.add(e)
	}
}
