package cluster

import (
	"reflect"
	"testing"
)

// Messages are encoded and decoded, whole and truncated at every byte.
func TestMessages(t *testing.T) {
	for _, m := range []message{
		{kind: msgCall, from: "a~1", load: 3, call: call{id: callID{1, 2}, task: 1 << 63, attempt: 2, from: -1, function: "fib", arg: []byte("xyz")}},
		{kind: msgResult, from: "b~2", result: result{id: callID{9}, pe: 8191, ran: 12345, held: 23456, failure: "no", stack: "here", value: []byte{0}}},
		{kind: msgAccept, from: "c~3", load: 1, ids: []callID{{1}, {2}}},
		{kind: msgAsk, from: "c~3"},
		{kind: msgProbe, from: "a~1", ids: []callID{{1}}, text: []byte("a~1 b~2")},
		{kind: msgFlush, from: "b~2", ids: []callID{{1}}},
	} {
		b := m.append(nil)
		got, err := readMessage(b)
		if err != nil || !reflect.DeepEqual(normal(*got), normal(m)) {
			t.Errorf("kind %d: read %+v, %v; written %+v", m.kind, got, err, m)
		}
		for n := range b {
			if got, err := readMessage(b[:n]); err == nil && reflect.DeepEqual(normal(*got), normal(m)) {
				t.Errorf("kind %d: the first %d of %d bytes decode without an error", m.kind, n, len(b))
			}
		}
	}
}

// normal replaces empty slices by nil.
func normal(m message) message {
	m.arg, m.value, m.text = append([]byte{}, m.arg...), append([]byte{}, m.value...), append([]byte{}, m.text...)
	return m
}

func FuzzMessage(f *testing.F) {
	f.Add((&message{kind: msgCall, from: "a", call: call{function: "fib", arg: []byte("x")}}).append(nil))
	f.Add((&message{kind: msgResult, from: "a", result: result{failure: "no"}}).append(nil))
	f.Add((&message{kind: msgAsk, from: "a", ids: []callID{{1}, {2}}}).append(nil))
	f.Add((&message{kind: msgState, from: "a", ids: []callID{{1}}, text: []byte("x")}).append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := readMessage(b)
		if err != nil {
			return
		}
		again, err := readMessage(m.append(nil))
		if err != nil || !reflect.DeepEqual(normal(*again), normal(*m)) {
			t.Fatalf("%+v decodes to %+v, %v", m, again, err)
		}
	})
}
