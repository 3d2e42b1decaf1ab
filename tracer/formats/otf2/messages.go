package otf2

import (
	"slices"

	"whorl/tracer"
)

// A flight identifies messages that keep their order: those of one sender to one receiver with one communicator and one tag.
type flight struct {
	comm, tag uint32
	from, to  int32 // PEs
}

// A queue holds the messages of a flight that only one side knows.
type queue struct {
	sent     []parcel // not received
	received []uint64 // not sent: the clock of the receiver is behind
	head     int      // the first in sent
}

// A parcel is a message on its way.
type parcel struct {
	message uint64
	time    int64
}

// A communicator is a group of locations that talk to each other.
type communicator struct {
	members, remote []*location       // by rank; the other group of an intercommunicator
	ranks           map[*location]int // of members
}

// communicator returns the communicator of a global identifier.
func (r *reader) communicator(id uint32) *communicator {
	c, ok := r.comms[id]
	if !ok {
		c = &communicator{}
		of, other := r.d.locationsOf(id)
		c.members, c.remote, c.ranks = r.all(of), r.all(other), map[*location]int{}
		for rank, l := range slices.Backward(c.members) { // the first one counts
			c.ranks[l] = rank
		}
		r.comms[id] = c
	}
	return c
}

// all returns the locations with some identifiers.
func (r *reader) all(ids []uint64) []*location {
	ls := make([]*location, len(ids))
	for i, id := range ids {
		ls[i] = r.places[id]
	}
	return ls
}

// peer returns the location of a rank as another one sees it, nil for none.
func (c *communicator) peer(l *location, rank uint32) *location {
	from := c.members
	if _, member := c.ranks[l]; member && len(c.remote) > 0 {
		from = c.remote
	}
	if uint64(rank) < uint64(len(from)) {
		return from[rank]
	}
	return nil
}

// message records a message that a location sends or has received.
func (r *reader) message(l *location) {
	c := &l.body
	rank, comm := c.ref(), uint32(l.maps[mapComm].global(uint64(c.ref())))
	tag, bytes := c.ref(), c.number()
	if c.bad {
		r.w.Dropped.Add("records shorter than their type", 1)
		return
	}
	other := r.communicator(comm).peer(l, rank)
	switch {
	case other == nil && int32(rank) < 0: // no rank: MPI_PROC_NULL
		return
	case other == nil:
		r.w.Dropped.Add("messages of unknown ranks", 1)
		return
	}
	e := l.event(tracer.Recv)
	e.Peer, e.Value = other.pe, int64(min(bytes, farthest))
	if l.kind == mpiSend || l.kind == mpiIsend {
		e.Kind = tracer.Send
		e.Ref = r.send(flight{comm, tag, l.pe, other.pe}, l.time)
		l.add(e)
		return
	}
	var sent int64
	e.Ref, sent = r.receive(flight{comm, tag, other.pe, l.pe}, l.time)
	l.add(e)
	if top := l.task.top(); top == nil || !top.talks || top.polls {
		return
	}
	if w := &l.wait; !w.is || w.after >= 0 && sent >= w.sent {
		*w = wait{is: true, from: l.since, to: l.time, after: len(l.part) - 1, reason: r.codes.message, wakes: r.codes.message, pe: l.pe, sent: sent}
	}
}

func (r *reader) queue(f flight) *queue {
	q, ok := r.flights[f]
	if !ok {
		q = &queue{}
		r.flights[f] = q
	}
	return q
}

// send returns the number of a message that is sent.
func (r *reader) send(f flight, at int64) uint64 {
	q := r.queue(f)
	if len(q.received) > 0 {
		m := q.received[0]
		q.received = q.received[1:]
		r.early++
		return m
	}
	r.messages++
	if q.head > len(q.sent)/2 {
		q.sent, q.head = q.sent[:copy(q.sent, q.sent[q.head:])], 0
	}
	q.sent = append(q.sent, parcel{r.messages, at})
	return r.messages
}

// receive returns the number of a message that has been received, and when it was sent; the time of the receipt if that is not known.
func (r *reader) receive(f flight, at int64) (message uint64, sent int64) {
	q := r.queue(f)
	if q.head < len(q.sent) {
		p := q.sent[q.head]
		if q.head++; q.head == len(q.sent) {
			q.sent, q.head = q.sent[:0], 0
		}
		return p.message, p.time
	}
	r.messages++
	q.received = append(q.received, r.messages)
	return r.messages, at
}

// unmatched counts the messages that only one side knows.
func (r *reader) unmatched() {
	sent, received := 0, 0
	for _, q := range r.flights { // sums: the order does not matter
		sent += len(q.sent) - q.head
		received += len(q.received)
	}
	r.w.Dropped.Add("messages without a receipt", int64(sent))
	r.w.Dropped.Add("messages without an origin", int64(received))
}
