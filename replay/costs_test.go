package replay

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/testdata/must"
)

// The main task wakes PE 1 at 100, which looks for work from 160 on and finds it at 270. Half of the 60 is time of the system, not of the task, and so is the
// time for which PE 1 looks. The task that was woken is a quick one: it waits again.
const waking = `0 Fork pe=0 task=1 code=1
0 Start pe=0 task=1
0 Fork pe=0 task=2 ref=1 code=2
0 Busy pe=1
10 Busy pe=1 task=2
10 Start pe=1 task=2
20 Wait pe=1 task=2 code=7
20 Idle pe=1 code=18
100 Wake pe=0 task=2 ref=1
160 Busy pe=1
270 Busy pe=1 task=2
280 Wait pe=1 task=2 code=7
290 Wake pe=0 task=2 ref=1
300 Busy pe=1 task=2
310 End pe=1 task=2
400 End pe=0 task=1
`

func TestWaking(t *testing.T) {
	d := must.Get(Read(renamed{source(t, 2, waking), "go"}, ReadOptions{}))(t)
	if got, want := d.Graph.WorkBy(), (map[uint32]int64{1: 400 - 30, 2: 30}); !maps.Equal(got, want) {
		t.Errorf("functions compute %v, want %v", got, want)
	}
	p := d.Graph.Paths(sim.Model{InstructionPs: 1}, nil, Setup{})
	if d.Woken != 30 || p.Alone() != 400+30+10 {
		t.Errorf("tasks spend %d to wake PEs, want 30; alone they take %d, want 440", d.Woken, p.Alone())
	}
	// The trace does not contain all waits: they are as in the recording, and so is the work of the system on several PEs.
	if one, two := elapsed(t, d, 1, "steal", Setup{}), elapsed(t, d, 2, "steal", Setup{}); one != 400 || two != 400 {
		t.Errorf("%d and %d ns, want 400", one, two)
	}
	if d.Costs.Go {
		t.Errorf("%+v, want the times of thefts", d.Costs)
	}
}

// TestCosts finds the costs of goroutines where the trace has all waits, as those with operations of package observe, and often enough.
func TestCosts(t *testing.T) {
	var b strings.Builder
	begins, _, found := strings.Cut(waking, "100 Wake")
	if !found {
		t.Fatal(waking)
	}
	b.WriteString(begins)
	for i := range fewDelays {
		at := 1000 * i
		fmt.Fprintf(&b, "%d Wake pe=0 task=2 ref=1\n%d Busy pe=1\n%d Busy pe=1 task=2\n%d Wait pe=1 task=2 code=7\n%d Idle pe=1 code=18\n", at+100, at+160, at+270, at+280, at+280)
	}
	fmt.Fprintf(&b, "%d Mark pe=0 task=1 code=%d value=1\n", 1000*fewDelays, observes+1)
	d := must.Get(Read(renamed{source(t, 2, b.String()), "go"}, ReadOptions{}))(t)
	if want := (Costs{Go: true, Wake: 60, Hold: 110}); d.Costs != want {
		t.Errorf("%+v, want %+v", d.Costs, want)
	}
	d = must.Get(Read(renamed{source(t, 1, "0 Start pe=0 task=1\n10 End pe=0 task=1\n"), "go"}, ReadOptions{}))(t)
	if d.Costs != usual || usual.Model().Wake != usual.Wake || usual.Model().Steal != 0 {
		t.Errorf("%+v, want %+v", d.Costs, usual)
	}
}
