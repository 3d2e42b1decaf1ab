package cluster

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
)

// A callID identifies a call. It follows from the job and the position of the fork in the job's tree of forks, so a
// call that is forked again after the death of a node keeps its id.
type callID [16]byte

// String returns the first half of the id in hexadecimal, which suffices to find it.
func (id callID) String() string { return hex.EncodeToString(id[:8]) }

// Kinds of messages between nodes.
const (
	msgCall    = 1 + iota // run this call
	msgAccept             // ids: accepted calls that are not done
	msgResult             // result of a call
	msgAsk                // ids: asks for these calls
	msgUnknown            // ids: calls unknown to the sender
	msgOrphans            // ids: calls at the sender whose parents have died
	msgProbe              // ids: a cut that the sender asks for; text: its nodes
	msgFlush              // ids: a cut; earlier messages from the sender have arrived
	msgState              // ids: a cut; text: the state of the sender in it
	msgKinds
)

// msgNames are the names of the kinds in traces. Kinds without a name are not recorded.
var msgNames = [msgKinds]string{msgCall: "call", msgAccept: "accept", msgResult: "result", msgAsk: "ask", msgUnknown: "unknown", msgProbe: "probe", msgFlush: "flush", msgState: "state"}

// A message is sent from node to node. Each message contains its sender and the number of calls at hand there, so
// that placement uses recent loads.
type message struct {
	kind   uint8
	from   string // id of the sending node
	load   int    // calls at hand at the sender
	serial uint64 // id in traces, 0 if the sender does not record
	ids    []callID
	text   []byte
	call
	result
}

// A call is the request to run a function on another node.
type call struct {
	id       callID
	task     uint64 // id of the thread in traces
	attempt  int    // from 1
	from     int32  // number in traces of the PE that forked it
	function string
	arg      []byte
}

// A result is the result of a call.
type result struct {
	id      callID
	pe      int32  // number in traces of the PE where it ended
	ran     int64  // ns since its start
	held    int64  // ns since its arrival
	failure string // "" if the function returned
	stack   string // of a panic
	value   []byte
}

// Bounds of fields of a message. The server bounds arguments and results.
const (
	maxName = 1 << 10
	maxIDs  = 1 << 16
)

var errMessage = errors.New("invalid message")

// append appends the encoded message.
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
		b = append(b, m.text...)
	}
	return b
}

// readMessage decodes a message. Its argument, result value or text shares memory with b.
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
	case msgAccept, msgAsk, msgUnknown, msgOrphans, msgProbe, msgFlush, msgState:
		n := r.int()
		if n > maxIDs || n > len(r.rest)/len(callID{}) {
			return nil, errMessage
		}
		for range n {
			m.ids = append(m.ids, r.id())
		}
		switch m.kind {
		case msgProbe, msgFlush, msgState:
			m.text = r.rest
			if n != 1 {
				return nil, errMessage
			}
		default:
			if len(r.rest) > 0 {
				return nil, errMessage
			}
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

// A reader consumes values from the front of rest. Past the end it returns zero values and sets short.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) next(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short, r.rest = true, nil
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() uint8 {
	if b := r.next(1); b != nil {
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

// int reads a nonnegative number that fits an int.
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
	return string(r.next(n))
}

func (r *reader) id() (id callID) {
	copy(id[:], r.next(len(id)))
	return id
}
