package table

import (
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestOtherEvents checks that events which belong to no column are left out, and that a damaged table takes no gigabytes.
func TestOtherEvents(t *testing.T) {
	m := tracer.NewMemory()
	metric := m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: "pes", Scale: 1})
	function := m.Dict().Add(tracer.Code{Type: tracer.Function, Name: "f"})
	s := m.Stream(tracer.StreamInfo{})
	for _, e := range []tracer.Event{
		{Kind: tracer.Counter, Task: 1, Code: metric, Value: 4},
		{Kind: tracer.Counter, Task: 0, Code: metric, Value: 5},
		{Kind: tracer.Counter, Task: 1 << 40, Code: metric, Value: 5},
		{Kind: tracer.Counter, Task: 2, Code: 99, Value: 5},
		{Kind: tracer.Mark, Task: 2, Code: function},
		{Kind: tracer.Mark, Task: 2, Code: metric},
	} {
		*s.Slot() = e
	}
	must.Do(t, m.Close())
	got := must.Get(Build(m))(t)
	if got.Rows != 2 || len(got.Columns) != 1 || got.Columns[0].Numbers[0] != 4 || got.Columns[0].Numbers[1] == got.Columns[0].Numbers[1] {
		t.Errorf("%+v", got)
	}
	for i := range 100 {
		m.Dict().Add(tracer.Code{Type: tracer.Metric, Name: strings.Repeat("x", i)})
	}
	*s.Slot() = tracer.Event{Kind: tracer.Counter, Task: maxRows, Code: metric}
	must.Do(t, m.Close())
	if _, err := Build(m); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a damaged table: %v", err)
	}
}
