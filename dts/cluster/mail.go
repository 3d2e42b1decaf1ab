package cluster

import (
	"sync"

	"whorl/tracer"
)

// A mailbook records the messages of a node, each as it leaves (Send) and as it comes (Recv), in a stream of its own: they come on goroutines
// that belong to no PE. What belongs to a thread is on the PE that forked it, or on which it ended; all else is on the first PE of the node.
// Beats and what the servers store are not recorded. The nil mailbook records nothing.
type mailbook struct {
	now   func() int64
	first int32 // PE of the node
	codes [msgKinds]uint32

	mu     sync.Mutex
	stream *tracer.Stream // nil at the end
	last   int64          // time of the last event
	id     uint64         // of the last message sent
}

// firstMessage is where the ids of the messages that a node sends begin. They share a space with those of threads (firstTask), whose half they
// leave free.
func firstMessage(number uint64) uint64 { return firstTask(number) | 1<<39 }

// sender is the first PE of the node that has sent a message, None where it does not record.
func senderOf(id uint64) int32 {
	if id == 0 {
		return tracer.None
	}
	return int32(firstPE(id >> 40))
}

func newMailbook(rec tracer.Recorder, number uint64, now func() int64) *mailbook {
	b := &mailbook{now: now, first: int32(firstPE(number)), id: firstMessage(number)}
	for kind, name := range msgNames {
		if name != "" {
			b.codes[kind] = rec.Dict().Add(tracer.Code{Type: tracer.MessageClass, Name: name})
		}
	}
	b.stream = rec.Stream(tracer.StreamInfo{Name: "messages", Clock: tracer.Monotonic})
	return b
}

// number gives a message that is to be sent its id: 0, which nobody records, where no mail is recorded.
func (b *mailbook) number(m *message) {
	m.serial = 0
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stream != nil {
		b.id++
		m.serial = b.id
	}
}

// sent notes that a message of so many bytes leaves for a node, whose first PE is peer. It is false where the mail ended after the message had
// got its id.
func (b *mailbook) sent(m *message, bytes int, peer int32) bool {
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

// received notes that a message of so many bytes has come, for a thread of a PE, None for none.
func (b *mailbook) received(m *message, bytes int, task uint64, pe int32) {
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

// close ends the stream: what comes from now on is not recorded.
func (b *mailbook) close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stream = nil
}

func (b *mailbook) add(e tracer.Event) bool {
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
