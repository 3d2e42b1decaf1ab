package account_test

import (
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/testdata/tracertest"
)

// TestPlain lists traces of which the kinds of states tell, or do not tell, whether PEs work, have overhead or are idle.
func TestPlain(t *testing.T) {
	busy := tracer.Event{Kind: tracer.Busy}
	for _, c := range []struct {
		name       string
		other      tracer.Event
		over, idle []uint32
		want       bool
	}{
		{"no reasons", tracer.Event{Kind: tracer.Idle}, []uint32{0}, []uint32{0}, true},
		{"reasons of the same class", busy, []uint32{2}, []uint32{0, 1, 3}, true},
		{"overhead that is idle", busy, []uint32{1}, nil, false},
		{"idle time that is overhead", busy, nil, []uint32{2}, false},
		{"messages", tracer.Event{Kind: tracer.Send}, nil, nil, false},
		{"threads", tracer.Event{Kind: tracer.Start}, nil, nil, false},
	} {
		m := tracertest.Trace(busy, c.other)
		for _, name := range []string{"steal", "gc", "no work"} {
			m.Dict().Add(tracer.Code{Type: tracer.Reason, Name: name})
		}
		if got := account.Plain(m, c.over, c.idle); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if account.Plain(source(1, tracer.Event{Kind: tracer.Reduce, Task: 1, Value: 5}), nil, nil) {
		t.Error("a trace without states is plain")
	}
}
