package source

import (
	"fmt"
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/visual/view"
)

// TestCountsOfManyNodes counts nodes that several goroutines share.
func TestCountsOfManyNodes(t *testing.T) {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "many", Substrate: "fghc", PEs: 4, Source: []tracer.SourceFile{{Name: "many.fghc", Text: "a.\nb.\nc.\n"}}})
	for i := range 3 {
		m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: fmt.Sprintf("p%d/0", i), File: "many.fghc", Line: int32(i + 1)})
	}
	const n = 5 * piece / 2
	s := m.Stream(tracer.StreamInfo{})
	for i := range n {
		*s.Slot() = tracer.Event{Kind: tracer.Reduce, Time: int64(10 * i), Task: uint64(i + 1), Ref: uint64(i / 2), PE: int32(i * 7 % 4), Peer: -1, Code: uint32(i*i%3 + 1), Value: int64(i % 7)}
	}
	s.Sync()
	g, _ := shown(t, m, 500, 300)
	span := &view.Span{First: 10 * 1000, Last: 10 * (n - 500)}
	for _, c := range []struct {
		s    view.Selection
		time *view.Span
	}{
		{s: view.Selection{PEs: []view.Span{{First: 1, Last: 2}}}},
		{time: span},
		{s: view.Selection{PEs: []view.Span{{First: 0, Last: 0}}, Time: span}, time: &view.Span{Last: 10 * 2000}},
		{s: view.Selection{Codes: []uint32{2}, Tasks: []view.Tasks{{First: 3, Last: n / 3}}}},
	} {
		want := make([]total, len(g.parts))
		for i := range n {
			time, pe, task, code := int64(10*i), int64(i*7%4), uint64(i+1), i*i%3
			in := len(c.s.PEs) == 0 || c.s.PEs[0].Contains(pe)
			in = in && (c.time == nil || c.time.Contains(time)) && (c.s.Time == nil || c.s.Time.Contains(time))
			in = in && (len(c.s.Codes) == 0 || c.s.Codes[0] == uint32(code+1))
			if in && (len(c.s.Tasks) == 0 || task >= c.s.Tasks[0].First && task <= c.s.Tasks[0].Last) {
				want[code].nodes++
				want[code].cost += int64(i % 7)
			}
		}
		if got := g.sum(query{c.s, c.time})[:len(g.parts)]; !slices.Equal(got, want) {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
}
