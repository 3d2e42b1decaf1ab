package traffic

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/testdata/tracertest"
)

// TestWakes: thread 1 on PE 0 wakes 2, which then runs on PE 1, and 3, which then runs on PE 0. A timer wakes 2 again.
func TestWakes(t *testing.T) {
	src := tracertest.Trace(
		tracer.Event{Kind: tracer.Wake, Time: 10, Task: 2, Ref: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wake, Time: 11, Task: 3, Ref: 1, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 20, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 21, Task: 3, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wait, Time: 30, Task: 2, PE: 1, Peer: tracer.None},
		tracer.Event{Kind: tracer.Wake, Time: 40, Task: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 50, Task: 2, PE: 0, Peer: tracer.None},
		tracer.Event{Kind: tracer.Busy, Time: 60, Task: 2, PE: 1, Peer: tracer.None}, // without a wake-up
	)
	tr := must.Get(Grow(src, Options{}, nil, nil))(t)
	if !tr.Wakes || tr.Moves || tr.Messages != 1 || len(tr.Flows) != 1 || tr.Flows[0].From != 0 || tr.Flows[0].To != 1 {
		t.Errorf("%d messages, flows %+v", tr.Messages, tr.Flows)
	}
}
