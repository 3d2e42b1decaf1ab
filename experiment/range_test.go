package experiment

import (
	"fmt"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// goTrace returns a trace of a Go program on some Ps.
func goTrace(t *testing.T, pes int, events string) tracer.Source {
	t.Helper()
	m := tracer.NewMemory()
	must.Do(t, tracer.ReadText(strings.NewReader(fmt.Sprintf("whorl 1\nmeta substrate=\"go\" pes=%d\n", pes)+`code 1 type="function" name="main"
code 2 type="function" name="work"
code 3 type="reason" name="mutex"
code 4 type="reason" name="no work"
code 5 type="name" name="observe lock"
`+events), m))
	must.Do(t, m.Close())
	return m
}

// ranged returns the range of the replay of a trace on some PEs, and the time that the replay takes.
func ranged(t *testing.T, src tracer.Source, pes int) (Range, int64) {
	t.Helper()
	r := must.Get(ReplayOf(t.Context(), src, "a trace"))(t)
	r.PEs = pes
	took, p, err := r.replayed(t.Context())
	must.Do(t, err)
	return must.Get(r.Recorded.Range(t.Context(), r, must.Get(p.Paths())(t), took))(t), took
}

// The first goroutine starts the second. Both run for 1 ms.
const pair = `0 Fork pe=0 task=1 code=1
0 Start pe=0 task=1
0 Fork pe=0 task=2 ref=1 code=2
1000000 End pe=0 task=1
1000000 Start pe=0 task=2
2000000 End pe=0 task=2
`

// TestRangeOfWaking: the range of a recording of one P covers none and twice the costs of waking another one.
func TestRangeOfWaking(t *testing.T) {
	for _, observed := range []bool{false, true} {
		events := pair
		if observed {
			events = strings.Replace(pair, "1000000 End", "500000 Mark pe=0 task=1 code=5 value=1\n1000000 End", 1)
		}
		got, took := ranged(t, goTrace(t, 1, events), 2)
		d := must.Get(ReadRecorded(goTrace(t, 1, events), RecordedOptions{}))(t)
		wake, hold := d.Costs.Wake, d.Costs.Hold
		if took < 1000000+(wake+hold)/2 || took > 1000000+(wake+hold)*3/2 {
			t.Errorf("observed %v: %d ns, want what waking and taking the newest work take more than 1 ms", observed, took)
		}
		least, most := int64(950000), scaled(1000000+(wake+hold), 1.05)
		if !observed {
			most = 2100000 // the recorded order
		}
		if got.From != least || got.To < most {
			t.Errorf("observed %v: %+v, want %d to at least %d", observed, got, least, most)
		}
	}
}

// TestRangeOfLocks: where a trace of one P shows that goroutines wait for locks, on two each may wake the other in vain.
func TestRangeOfLocks(t *testing.T) {
	got, took := ranged(t, goTrace(t, 1, strings.Replace(pair, `1000000 Start pe=0 task=2
`, `1000000 Start pe=0 task=2
1000000 Wait pe=0 task=2 code=3
1000000 Wake pe=0 task=2
1000000 Busy pe=0 task=2
`, 1)), 2)
	if got.From > took || got.From < 950000 || got.To < scaled(2000000, 1.37) {
		t.Errorf("%+v for a replay of %d ns", got, took)
	}
}

// TestRangeOfOne: on one PE nothing takes longer than all that the recording of two Ps has.
func TestRangeOfOne(t *testing.T) {
	got, took := ranged(t, goTrace(t, 2, `0 Fork pe=0 task=1 code=1
0 Start pe=0 task=1
0 Busy pe=1
10000 Idle pe=1 code=4
20000 Fork pe=0 task=2 ref=1 code=2
80000 Busy pe=1
180000 Busy pe=1 task=2
180000 Start pe=1 task=2
1000000 End pe=0 task=1
1180000 End pe=1 task=2
`), 1)
	if work := int64(2000000 - 30000); took != work || got.From > scaled(work, 0.95) || got.To < 2000000+30000 {
		t.Errorf("%+v for a replay of %d ns", got, took)
	}
}
