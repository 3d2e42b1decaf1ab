package replay

import (
	"fmt"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
)

// A wait that is taken out of a program takes no time in the replay and in the longest path.
func TestZero(t *testing.T) {
	d := must.Get(Read(source(t, 1, `0 Fork pe=0 task=1 code=1
0 Busy pe=0 task=1 code=1
0 Start pe=0 task=1 code=1 value=1
10 Wait pe=0 task=1 code=5
10 Idle pe=0
510 Wake pe=0 task=1 code=5
510 Busy pe=0 task=1 code=1
520 End pe=0 task=1 code=1
`), ReadOptions{}))(t)
	s := Setup{Zero: []uint32{5}}
	if got := elapsed(t, d, 1, "steal", s); got != 20 {
		t.Errorf("%d ns, want 20", got)
	}
	if p := d.Graph.Paths(sim.Model{InstructionPs: 1}, nil, s); p.Span != 20 {
		t.Errorf("the longest path takes %d ns, want 20", p.Span)
	}
}

// Tasks wait for a message without a class by the reason "message", whatever else its entry of the code table is.
func TestZeroMessages(t *testing.T) {
	const class, reason = 6, 13
	for _, c := range []struct{ code, waits uint32 }{{0, reason}, {1, reason}, {class, class}} {
		code, waits := c.code, c.waits
		d := must.Get(Read(source(t, 2, fmt.Sprintf(`0 Busy pe=0
0 Busy pe=1
0 Idle pe=1 code=13
100 Send pe=0 ref=1 peer=1 code=%d value=8
100 Idle pe=0
100 Busy pe=1
100 Recv pe=1 ref=1 peer=0 value=8
150 Exit pe=0
150 Exit pe=1
`, code)), ReadOptions{}))(t)
		for _, zero := range []uint32{class, reason} {
			want := int64(150)
			if zero == waits {
				want = 100
			}
			s := Setup{Zero: []uint32{zero}}
			if got := elapsed(t, d, 2, "static", s); got != want {
				t.Errorf("code %d: %d ns without waits for %d, want %d", code, got, zero, want)
			}
			if p := d.Graph.Paths(sim.Model{InstructionPs: 1}, nil, s); p.Span != want {
				t.Errorf("code %d: the longest path without waits for %d takes %d ns, want %d", code, zero, p.Span, want)
			}
		}
		if n := d.Graph.Reasons()[waits]; n != 1 {
			t.Errorf("code %d: %d messages are waited for by %d, want 1", code, n, waits)
		}
	}
}

// lockTrace is a trace of two tasks that hold lock 5 of package observe. The second one waits twice: it is
// woken, and the first one is faster.
const lockTrace = `0 Fork pe=0 task=1 code=2
0 Fork pe=1 task=2 code=2
0 Busy pe=0 task=1 code=2
0 Start pe=0 task=1 code=2 value=1
0 Busy pe=1 task=2 code=2
0 Start pe=1 task=2 code=2 value=1
0 Mark pe=0 task=1 code=21 value=5
0 Wait pe=1 task=2 code=9
0 Idle pe=1
20 Mark pe=0 task=1 code=22 value=5
20 Wake pe=0 task=2 ref=1
20 Mark pe=0 task=1 code=21 value=5
20 Busy pe=1 task=2 code=2
20 Wait pe=1 task=2 code=9
20 Idle pe=1
40 Mark pe=0 task=1 code=22 value=5
40 Wake pe=0 task=2 ref=1
40 Busy pe=1 task=2 code=2
40 Mark pe=1 task=2 code=21 value=5
100 End pe=0 task=1 code=2
130 Mark pe=1 task=2 code=22 value=5
130 End pe=1 task=2 code=2
`

// Tasks wait only for the lock that package observe records, and no task waits for a lock that is open.
func TestLocks(t *testing.T) {
	d := must.Get(Read(source(t, 2, lockTrace), ReadOptions{}))(t)
	if got := d.Graph.Locks(); len(got) != 1 || got[5] != 3 {
		t.Errorf("locks %v, want lock 5 three times", got)
	}
	p := d.Graph.Paths(sim.Model{InstructionPs: 1}, nil, Setup{})
	if _, ok := p.Greedy(2); ok || p.Span != 100 {
		t.Errorf("the longest path takes %d ns, bounded %t; want 100, not bounded", p.Span, ok)
	}
	for i, want := range []struct{ wait, open int64 }{{190, 190}, {190, 100}} {
		if got := elapsed(t, d, i+1, "steal", Setup{}); got != want.wait {
			t.Errorf("%d ns on %d PEs, want %d", got, i+1, want.wait)
		}
		if got := elapsed(t, d, i+1, "steal", Setup{Open: map[uint32]bool{5: true}}); got != want.open {
			t.Errorf("%d ns on %d PEs with an open lock, want %d", got, i+1, want.open)
		}
	}
}

// TestPreempted: the collector, task 3, stops task 1 while it holds lock 5. Task 2 needs the lock before it wakes the collector, if task 1 comes first.
func TestPreempted(t *testing.T) {
	d := must.Get(Read(source(t, 2, `0 Fork pe=0 task=1 code=2
0 Fork pe=0 task=2 code=2
0 Fork pe=0 task=3 code=2
0 Busy pe=0 task=1 code=2
0 Start pe=0 task=1 code=2 value=1
0 Busy pe=1 task=3 code=2
0 Start pe=1 task=3 code=2 value=1
0 Wait pe=1 task=3 code=9
0 Busy pe=1 task=2 code=2
0 Start pe=1 task=2 code=2 value=1
10 Mark pe=1 task=2 code=21 value=5
20 Mark pe=1 task=2 code=22 value=5
30 Wake pe=1 task=3 ref=2
30 End pe=1 task=2 code=2
30 Busy pe=1 task=3 code=2
40 Mark pe=0 task=1 code=21 value=5
50 Wait pe=0 task=1 code=19
50 Idle pe=0
60 Wake pe=1 task=1 ref=3
60 End pe=1 task=3 code=2
60 Idle pe=1
60 Busy pe=0 task=1 code=2
70 Mark pe=0 task=1 code=22 value=5
80 End pe=0 task=1 code=2
`), ReadOptions{}))(t)
	for _, order := range []string{"steal", "breadth-first"} {
		if got := elapsed(t, d, 1, order, Setup{}); got < 130 {
			t.Errorf("%s: %d ns on one PE, want at least the 130 ns of work", order, got)
		}
	}
	if got := elapsed(t, d, 2, "steal", Setup{}); got != 80 {
		t.Errorf("%d ns on two PEs, want the 80 ns recorded", got)
	}
}
