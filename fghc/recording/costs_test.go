package recording

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"whorl/tracer"
)

// The codes of the tests of costs: a procedure and its two clauses, at one site each.
var (
	costTable = []tracer.Code{{}, {Type: tracer.Procedure}, {Type: tracer.Clause, Parent: 1}, {Type: tracer.Clause, Parent: 1, Children: 2}}
	costSites = []uint32{2, 3}
)

// A slice that took longer or less than expected is stretched: its steps follow each other and end with it.
func TestStretch(t *testing.T) {
	rows := []tracer.Event{
		{Time: 100, Kind: tracer.Resume, Task: 1},
		{Time: 100, Kind: tracer.Reduce, Task: 2, Value: 10},
		{Time: 110, Kind: tracer.End, Task: 3}, // for 20 ns
		{Time: 130, Kind: tracer.Reduce, Task: 4, Value: 30},
	}
	for _, c := range []struct {
		took int64
		want []tracer.Event
	}{
		{60, rows},
		{120, []tracer.Event{
			{Time: 100, Kind: tracer.Resume, Task: 1},
			{Time: 100, Kind: tracer.Reduce, Task: 2, Value: 20},
			{Time: 120, Kind: tracer.End, Task: 3},
			{Time: 160, Kind: tracer.Reduce, Task: 4, Value: 60},
		}},
		{6, []tracer.Event{
			{Time: 100, Kind: tracer.Resume, Task: 1},
			{Time: 100, Kind: tracer.Reduce, Task: 2, Value: 1},
			{Time: 101, Kind: tracer.End, Task: 3},
			{Time: 103, Kind: tracer.Reduce, Task: 4, Value: 3},
		}},
	} {
		got := append([]tracer.Event(nil), rows...)
		stretch(got, 100, 60, c.took)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%d ns: %s", c.took, d)
		}
	}
}

// The steps of a slice of any length take exactly its time.
func TestStretchExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []tracer.Event
		from := rapid.Int64Range(0, 1<<50).Draw(t, "from")
		now := from
		for _, cost := range rapid.SliceOfN(rapid.Int64Range(1, mostCost), 1, 600).Draw(t, "costs") {
			rows = append(rows, tracer.Event{Time: now, Kind: tracer.Reduce, Value: cost})
			now += cost
		}
		took := rapid.Int64Range(1, 1<<50).Draw(t, "took")
		stretch(rows, from, now-from, took)
		end := from
		for i, e := range rows {
			if e.Time != end || e.Value < 0 {
				t.Fatalf("step %d begins at %d, after one that ends at %d, and takes %d ns", i, e.Time, end, e.Value)
			}
			end += e.Value
		}
		if end != from+took {
			t.Errorf("%d ns of %d", end-from, took)
		}
	})
}

// A slice that took a little longer than expected leaves the rest to the next one, unless its end has to be exact. One
// that took less is shrunk, since no event may be later than the clock.
func TestLeeway(t *testing.T) {
	for _, c := range []struct {
		took  int64
		exact bool
		want  int64
	}{{1000, false, 1000}, {1100, false, 1000}, {1100, true, 1100}, {1200, false, 1200}, {999, false, 999}, {0, false, 0}} {
		rows := []tracer.Event{{Kind: tracer.Reduce, Code: 2, Value: 1000}}
		if got := fit(rows, 0, 1000, c.took, c.exact); got != c.want || rows[0].Value != c.want {
			t.Errorf("%d ns, exactly %v: %d, and the step takes %d", c.took, c.exact, got, rows[0].Value)
		}
	}
}

// Costs converge to those of the clauses, if these occur in different proportions.
func TestCalibration(t *testing.T) {
	truth := []int64{1: 200, 2: 10, 3: 45} // the costs before calibration have another ratio
	c := newCosts(costTable, costSites)
	for i := range 4000 {
		var rows []tracer.Event
		now, took := int64(0), int64(0)
		for k := range 512 {
			e := tracer.Event{Time: now, Kind: tracer.Reduce, Code: 2}
			if (k*7+i)%16 < i%11 {
				e.Code = 3
			}
			if k%64 < i%3 {
				e.Kind, e.Code = tracer.Suspend, 1
			}
			e.Value = int64(c.byCode[e.Code])
			now += e.Value
			took += truth[e.Code]
			rows = append(rows, e)
		}
		c.measure(rows, float64(now), float64(took))
	}
	if ratio := c.units[3] / c.units[2]; ratio < 4.2 || ratio > 4.8 {
		t.Errorf("a reduction of the second clause costs %.2f of the first, want 4.5", ratio)
	}
	if ratio := c.units[1] / c.units[2]; ratio < 15 || ratio > 25 {
		t.Errorf("a suspension costs %.2f reductions, want 20", ratio)
	}
	if e := c.missed / c.spent; e > 0.1 {
		t.Errorf("the error is %.3f", e)
	}
	if site := c.bySite[1]; uint32(site) != 3 || uint32(site>>costBits) != c.byCode[3] {
		t.Errorf("the cost of a site is %d, of its clause %d", site>>costBits, c.byCode[3])
	}
}
