package tracer_test

import (
	"math"
	"testing"

	"whorl/tracer"
)

func TestCostError(t *testing.T) {
	for _, c := range []struct {
		extra []tracer.KV
		want  float64
		ok    bool
	}{
		{nil, 0, false},
		{[]tracer.KV{{Key: "other", Value: "0.1"}, {Key: "cost error", Value: "0.25"}}, 0.25, true},
		{[]tracer.KV{{Key: "cost error", Value: "much"}}, 0, false},
		{[]tracer.KV{{Key: "cost error", Value: "-1"}}, 0, false},
		{[]tracer.KV{{Key: "cost error", Value: "NaN"}}, 0, false},
	} {
		m := tracer.Meta{Extra: c.extra}
		if got, ok := m.CostError(); ok != c.ok || ok && got != c.want {
			t.Errorf("%v: %v, %v", c.extra, got, ok)
		}
	}
	kept := tracer.Meta{Extra: make([]tracer.KV, 1, 4)}
	first, second := kept, kept
	first.SetCostError(0.0721)
	second.SetCostError(0.5)
	if got, ok := first.CostError(); !ok || math.Abs(got-0.072) > 1e-9 || len(kept.Extra) != 1 {
		t.Errorf("%v, %v, %v", got, ok, kept.Extra)
	}
}
