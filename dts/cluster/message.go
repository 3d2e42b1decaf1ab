package cluster

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
)

// A callID names a call for ever. It follows from the job and the position of the fork in its tree of forks, so that a call forked again
// after a node has died has the id that it had before.
type callID [16]byte

// String returns the first half of the id in hexadecimal digits, which is enough to find it.
func (id callID) String() string { return hex.EncodeToString(id[:8]) }

// The kinds of messages between nodes.
const (
	msgCall    = 1 + iota // run this: call
	msgAccept             // these calls are here and not done yet: ids
	msgResult             // this call is done: result
	msgAsk                // are these calls with you: ids
	msgUnknown            // these calls are not: ids
	msgOrphans            // the parents of these calls, which are here, have died: ids
	msgKinds
)

// msgNames are what traces call them.
var msgNames = [msgKinds]string{msgCall: "call", msgAccept: "accept", msgResult: "result", msgAsk: "ask", msgUnknown: "unknown", msgOrphans: "orphans"}

// A message is what nodes send each other. Every message says who sends it and how many calls are at hand there, so that placement knows
// loads that are as new as the last word.
type message struct {
	kind   uint8
	from   string // node
	load   int    // calls at hand
	serial uint64 // in traces, 0 where the sender does not record
	ids    []callID
	call
	result
}

// A call is a function to be run elsewhere.
type call struct {
	id       callID
	task     uint64 // of the thread, in traces
	attempt  int    // from 1
	from     int32  // the PE that forks it, as traces count
	function string
	arg      []byte
}

// A result is what came of a call.
type result struct {
	id      callID
	pe      int32  // where it ended, as traces count
	ran     int64  // ns since it began
	held    int64  // ns since it came
	failure string // "" where the function returned
	stack   string // of a panic
	value   []byte
}

// Bounds of what is read from a message; arguments and results are bounded by what the server carries.
const (
	maxName = 1 << 10
	maxIDs  = 1 << 16
)

var errMessage = errors.New("a message that no node of this version sends")

// append writes the message.
func (m *message) append(b []byte) []byte {
	b = append(b, m.kind)
	b = appendText(b, m.from)
	b = binary.AppendUvarint(b, uint64(m.load))
	b = binary.AppendUvarint(b, m.serial)
	switch m.kind {
	case msgCall:
		b = append(b, m.call.id[:]...)
		b = binary.AppendUvarint(b, m.task)
		b = binary.AppendUvarint(b, uint64(m.attempt))
		b = binary.AppendVarint(b, int64(m.call.from))
		b = appendText(b, m.function)
		b = append(b, m.arg...)
	case msgResult:
		b = append(b, m.result.id[:]...)
		b = binary.AppendVarint(b, int64(m.pe))
		b = binary.AppendUvarint(b, uint64(m.ran))
		b = binary.AppendUvarint(b, uint64(m.held))
		b = appendText(b, m.failure)
		b = appendText(b, m.stack)
		b = append(b, m.value...)
	default:
		b = binary.AppendUvarint(b, uint64(len(m.ids)))
		for _, id := range m.ids {
			b = append(b, id[:]...)
		}
	}
	return b
}

// readMessage reads what append writes. The argument or the value of the result lies in b.
func readMessage(b []byte) (*message, error) {
	r := reader{rest: b}
	m := &message{kind: r.byte()}
	m.from = r.text(maxName)
	m.load = r.int()
	m.serial = r.uint()
	switch m.kind {
	case msgCall:
		m.call.id = r.id()
		m.task, m.attempt = r.uint(), r.int()
		m.call.from, m.function, m.arg = r.pe(), r.text(maxName), r.rest
	case msgResult:
		m.result.id = r.id()
		m.pe, m.ran, m.held = r.pe(), int64(r.int()), int64(r.int())
		m.failure, m.stack, m.value = r.text(len(b)), r.text(len(b)), r.rest
	case msgAccept, msgAsk, msgUnknown, msgOrphans:
		n := r.int()
		if n > maxIDs || n > len(r.rest)/len(callID{}) {
			return nil, errMessage
		}
		for range n {
			m.ids = append(m.ids, r.id())
		}
		if len(r.rest) > 0 {
			return nil, errMessage
		}
	default:
		return nil, fmt.Errorf("%w: kind %d", errMessage, m.kind)
	}
	if r.short {
		return nil, errMessage
	}
	return m, nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// A reader takes values off the front of rest; past its end they are zero, and short is set.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.short, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// int reads a number that is no index of anything yet, but must fit.
func (r *reader) int() int {
	v := r.uint()
	if v > 1<<62 {
		r.short = true
		return 0
	}
	return int(v)
}

// pe reads the number of a PE, or -1.
func (r *reader) pe() int32 {
	v, n := binary.Varint(r.rest)
	if n <= 0 || v < -1 || v > math.MaxInt32 {
		r.short, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return int32(v)
}

func (r *reader) text(most int) string {
	n := r.int()
	if n > most {
		r.short, r.rest = true, nil
		return ""
	}
	return string(r.take(n))
}

func (r *reader) id() (id callID) {
	copy(id[:], r.take(len(id)))
	return id
}
