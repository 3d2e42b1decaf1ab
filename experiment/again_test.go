package experiment

import (
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestProcedures sums the costs of the procedures of a run, which together are those of its reductions.
func TestProcedures(t *testing.T) {
	m := tracer.NewMemory()
	r := Defaults("fghc/pascal")
	r.Args = []string{"6"}
	must.Get(must.Get(r.Resolve())(t).Run(t.Context(), m, nil))(t)
	sum, costs := int64(0), int64(0)
	procedures := must.Get(Procedures(m))(t)
	for i, g := range procedures {
		sum += g.Work
		if g.Kind != "procedure" || !strings.Contains(g.Name, "/") || i > 0 && g.Work > procedures[i-1].Work {
			t.Errorf("%+v after %+v", g, procedures[max(0, i-1)])
		}
	}
	must.Do(t, m.Scan(tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail), func(es []tracer.Event) error {
		for _, e := range es {
			costs += e.Value
		}
		return nil
	}))
	if sum != costs || sum == 0 {
		t.Errorf("the procedures take %d ns, the events %d ns", sum, costs)
	}
	meta := m.Meta()
	again := must.Get(Again(&meta))(t)
	elapsed, gains, err := WhatIf(t.Context(), again, procedures, nil)
	if _, to := m.Span(); err != nil || elapsed != to || gains[0].Least != 0 || gains[0].Best() >= elapsed {
		t.Errorf("as it is %d ns, %+v, %v", elapsed, gains[0], err)
	}
}
