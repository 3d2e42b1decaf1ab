package cluster

import (
	"sync"

	"whorl/tracer"
)

// A messageLog records the messages of a node, as they leave (Send) and arrive (Recv), in a stream of its own,
// because they are handled on goroutines that belong to no PE. A message about a thread is recorded on the PE that
// forked the thread or on which it ended, any other message on the node's first PE. Beats, stored data and orphans are
// not recorded: nodes announce orphans also when the others leave after the run, which would prolong its trace. A nil
// messageLog records nothing.
type messageLog struct {
	now   func() int64
	first int32 // first PE of the node
	codes [msgKinds]uint32

	mu     sync.Mutex
	stream *tracer.Stream // nil after close
	last   int64          // time of the last event
	id     uint64         // id of the last message sent
}

// firstMessage returns the first id for messages that a node sends. Ids of messages are in the upper half of the
// node's range of thread ids (firstTask).
func firstMessage(number uint64) uint64 { return firstTask(number) | 1<<39 }

// senderOf returns the first PE of the node that sent a message, None if the sender does not record.
func senderOf(id uint64) int32 {
	if id == 0 {
		return tracer.None
	}
	return int32(firstPE(id >> 40))
}

func newMessageLog(rec tracer.Recorder, number uint64, now func() int64) *messageLog {
	b := &messageLog{now: now, first: int32(firstPE(number)), id: firstMessage(number)}
	for kind, name := range msgNames {
		if name != "" {
			b.codes[kind] = rec.Dict().Add(tracer.Code{Type: tracer.MessageClass, Name: name})
		}
	}
	b.stream = rec.Stream(tracer.StreamInfo{Name: "messages", Clock: tracer.Monotonic})
	return b
}

// number gives an outgoing message its id, or 0 if messages are not recorded.
func (b *messageLog) number(m *message) {
	m.serial = 0
	if b == nil || msgNames[m.kind] == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stream != nil {
		b.id++
		m.serial = b.id
	}
}

// sent records an outgoing message of the given size to a node whose first PE is peer. It returns false if the log
// was closed after the message got its id.
func (b *messageLog) sent(m *message, bytes int, peer int32) bool {
	if b == nil || m.serial == 0 {
		return true
	}
	e := tracer.Event{Kind: tracer.Send, PE: b.first, Peer: peer, Ref: m.serial, Code: b.codes[m.kind], Value: int64(bytes)}
	switch m.kind {
	case msgCall:
		e.Task = m.call.task
		if m.call.from >= 0 {
			e.PE = m.call.from
		}
	case msgResult:
		e.Task = m.call.task
		if m.pe >= 0 {
			e.PE = m.pe
		}
		if m.call.from >= 0 {
			e.Peer = m.call.from
		}
	}
	return b.add(e)
}

// received records an incoming message of the given size, for a thread of a PE or None.
func (b *messageLog) received(m *message, bytes int, task uint64, pe int32) {
	if b == nil || m.serial == 0 {
		return
	}
	e := tracer.Event{Kind: tracer.Recv, PE: b.first, Peer: senderOf(m.serial), Ref: m.serial, Code: b.codes[m.kind], Value: int64(bytes), Task: task}
	if pe >= 0 {
		e.PE = pe
	}
	switch {
	case m.kind == msgCall && m.call.from >= 0:
		e.Peer = m.call.from
	case m.kind == msgResult && m.pe >= 0:
		e.Peer = m.pe
	}
	b.add(e)
}

// close ends the stream. Later messages are not recorded.
func (b *messageLog) close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stream = nil
}

func (b *messageLog) add(e tracer.Event) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stream == nil {
		return false
	}
	b.last = max(b.last, b.now())
	e.Time = b.last
	*b.stream.Slot() = e
	b.stream.Sync()
	return true
}
