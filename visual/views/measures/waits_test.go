package measures

import (
	"fmt"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestManyWaits checks the tables of a run with more waits than a table has rows, of which one is for a value from another PE: the shortest share a
// row, and the sums are those of all.
func TestManyWaits(t *testing.T) {
	const goals = mostWaits + 3
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{PEs: 1})
	s := m.Stream(tracer.StreamInfo{})
	put := func(e tracer.Event) { *s.Slot() = e }
	for i := range uint32(goals) {
		m.Dict().Add(tracer.Code{Type: tracer.Procedure, Name: fmt.Sprintf("p%d/0", i+1)})
		put(tracer.Event{Kind: tracer.Suspend, Task: uint64(i + 1), Code: i + 1, Peer: tracer.None})
	}
	put(tracer.Event{Kind: tracer.Reduce, Time: 0, Task: 100, Value: 1, Peer: tracer.None})
	for i := range uint32(goals) {
		ref := uint64(100)
		if i == goals-1 {
			ref = 0
		}
		put(tracer.Event{Kind: tracer.Resume, Time: 10 * int64(i+1), Task: uint64(i + 1), Ref: ref, Code: i + 1})
	}
	must.Do(t, m.Close())
	g, _ := shown(t, m, 600, 400)
	var table *table
	for i := range g.tables {
		if g.tables[i].title == "Blocked" {
			table = &g.tables[i]
		}
	}
	if table == nil {
		t.Fatal("the table is missing")
	}
	if table.n != mostWaits+1 {
		t.Errorf("%d rows", table.n)
	}
	for _, c := range []struct {
		row         int
		name        string
		waits, time string
	}{
		{-1, "all", "15", "1.200"},
		{0, "p15/0 by fetched values", "1", "0.150"},
		{1, "p14/0 by unknown", "1", "0.140"},
		{mostWaits, "3 others", "3", "0.060"},
	} {
		if name, waits, time := table.name(c.row), table.columns[0].cell(c.row), table.columns[1].cell(c.row); name != c.name || waits != c.waits || time != c.time {
			t.Errorf("row %d: %s, %s, %s; want %v", c.row, name, waits, time, c)
		}
	}
}
