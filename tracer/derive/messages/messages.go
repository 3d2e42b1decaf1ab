// Package messages pairs Send and Recv events, for the lines between PEs in views over time.
//
// A Send and a Recv with the same Ref are one message. In a trace without Send events, such as one of a machine with a bus, each Move event is a
// message that takes no time.
package messages

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// A Message went from one PE to another. Received is -1 without a Recv.
type Message struct {
	Sent, Received int64 // ns
	From, To       int32
}

// Messages holds the messages of a run.
type Messages struct {
	All     []Message // by Sent
	Longest int64     // longest time in flight, ns
	Slow    []int32   // indices of the at most 64 messages that were longest in flight, ascending
	Moves   bool      // the messages are Move events
	Lost    int64     // Recv events without a Send

	next *onward.State[map[uint64]int32] // by id of a message that has not arrived: its index
}

const slow = 64

// Grow reads the messages of a trace. prev, which may be nil, are the messages of an earlier part of the same trace: Grow then reads only the
// later events. The result does not depend on prev, and prev does not change. tick, which may be nil, gets the progress; its error ends the work.
func Grow(src tracer.Source, prev *Messages, tick func(done, total int64) error) (*Messages, error) {
	m := &Messages{Moves: src.Counts()[tracer.Send] == 0}
	want := tracer.Kinds(tracer.Send, tracer.Recv)
	if m.Moves {
		want = tracer.Kinds(tracer.Move)
	}
	var flying *map[uint64]int32
	rest := src
	if prev != nil && prev.Moves == m.Moves {
		flying, rest = prev.next.Resume(src)
	}
	if flying != nil {
		m.All, m.Longest, m.Lost = slices.Clone(prev.All), prev.Longest, prev.Lost
	} else {
		flying = &map[uint64]int32{}
	}
	if err := onward.Scan(rest, want, tick, func(e *tracer.Event) { m.add(e, *flying) }); err != nil {
		return nil, err
	}
	if m.sort() {
		m.next = onward.Keep(src, flying)
	}
	return m, nil
}

// add adds the message of an event. flying holds the indices of the messages in flight.
func (m *Messages) add(e *tracer.Event, flying map[uint64]int32) {
	switch e.Kind {
	case tracer.Move:
		m.All = append(m.All, Message{e.Time, e.Time, e.Peer, e.PE})
	case tracer.Send:
		flying[e.Ref] = int32(len(m.All))
		m.All = append(m.All, Message{e.Time, -1, e.PE, e.Peer})
	case tracer.Recv:
		i, ok := flying[e.Ref]
		if !ok {
			m.Lost++
			return
		}
		delete(flying, e.Ref)
		msg := &m.All[i]
		msg.Received = max(e.Time, msg.Sent)
		msg.To = e.PE
		m.Longest = max(m.Longest, msg.Received-msg.Sent)
	}
}

// sort sorts the messages and finds the slow ones. It reports whether they were in order.
func (m *Messages) sort() bool {
	bySent := func(a, b Message) int { return cmp.Compare(a.Sent, b.Sent) }
	sorted := slices.IsSortedFunc(m.All, bySent)
	if !sorted {
		slices.SortStableFunc(m.All, bySent)
	}
	flight := func(i int32) int64 { return m.All[i].Received - m.All[i].Sent }
	least := 0 // index in Slow of the shortest flight
	for i := range m.All {
		switch f := flight(int32(i)); {
		case f <= 0:
			continue
		case len(m.Slow) < slow:
			m.Slow = append(m.Slow, int32(i))
		case f > flight(m.Slow[least]):
			m.Slow[least] = int32(i)
		default:
			continue
		}
		for k := range m.Slow {
			if flight(m.Slow[k]) < flight(m.Slow[least]) {
				least = k
			}
		}
	}
	slices.Sort(m.Slow)
	return sorted
}

// Between returns a range of indices that holds all messages in flight between two instants.
func (m *Messages) Between(from, to int64) (first, end int) {
	search := func(t int64) int {
		k, _ := slices.BinarySearchFunc(m.All, t, func(a Message, t int64) int { return cmp.Compare(a.Sent, t) })
		return k
	}
	return search(from - m.Longest), search(to + 1)
}
