// Package messages pairs what was sent with what was received: the lines between PEs that a view over time draws.
//
// A Send and a Recv belong together by the id of the message, their Ref. A trace without messages, as on a bus, may still tell of work that
// moved (Move): then each move is a message that takes no time.
package messages

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/onward"
)

// A Message went from a PE to another. Received is -1 where no Recv is known.
type Message struct {
	Sent, Received int64 // ns
	Bytes          int64
	Task           uint64 // that it carried, 0 for none
	From, To       int32
	Code           uint32 // message class, line or reason
}

// Messages are those of one run.
type Messages struct {
	All     []Message // by Sent
	Longest int64     // ns in flight
	Slow    []int32   // indices of those that were longest in flight, ascending, at most 64
	Moves   bool      // they are Move events
	Lost    int64     // Recv events without a Send

	next *onward.State[map[uint64]int32] // by id of the message: where it stands that has not arrived
}

const slow = 64

// Grow reads the messages of a trace. prev, which may be nil, are the messages of the same trace when it was shorter: Grow reads only what
// has come since. The result never depends on prev, which is not changed. tick, which may be nil, gets the progress; its error ends the work.
func Grow(src tracer.Source, prev *Messages, tick func(done, total int64) error) (*Messages, error) {
	m := &Messages{Moves: src.Counts()[tracer.Send] == 0}
	want := tracer.Kinds(tracer.Send, tracer.Recv)
	if m.Moves {
		want = tracer.Kinds(tracer.Move)
	}
	var flying *map[uint64]int32
	rest := src
	if prev != nil && prev.Moves == m.Moves {
		flying, rest = prev.next.Take(src)
	}
	if flying != nil {
		m.All, m.Longest, m.Lost = slices.Clone(prev.All), prev.Longest, prev.Lost
	} else {
		flying = &map[uint64]int32{}
	}
	if err := onward.Scan(rest, want, tick, func(e *tracer.Event) { m.take(e, *flying) }); err != nil {
		return nil, err
	}
	if m.sort() {
		m.next = onward.Keep(src, flying)
	}
	return m, nil
}

func (m *Messages) take(e *tracer.Event, flying map[uint64]int32) {
	switch e.Kind {
	case tracer.Move:
		m.All = append(m.All, Message{e.Time, e.Time, e.Value, e.Task, e.Peer, e.PE, e.Code})
	case tracer.Send:
		flying[e.Ref] = int32(len(m.All))
		m.All = append(m.All, Message{e.Time, -1, e.Value, e.Task, e.PE, e.Peer, e.Code})
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

// sort puts the messages in order and finds the slow ones. It says whether they were in order.
func (m *Messages) sort() bool {
	bySent := func(a, b Message) int { return cmp.Compare(a.Sent, b.Sent) }
	sorted := slices.IsSortedFunc(m.All, bySent)
	if !sorted {
		slices.SortStableFunc(m.All, bySent)
	}
	flight := func(i int32) int64 { return m.All[i].Received - m.All[i].Sent }
	least := 0 // of Slow: where the shortest flight stands
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

// Between returns the range of indices outside which no message was under way between two instants.
func (m *Messages) Between(from, to int64) (first, end int) {
	at := func(t int64) int {
		k, _ := slices.BinarySearchFunc(m.All, t, func(a Message, t int64) int { return cmp.Compare(a.Sent, t) })
		return k
	}
	return at(from - m.Longest), at(to + 1)
}
