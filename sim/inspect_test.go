package sim_test

import (
	"context"
	"slices"
	"testing"

	"whorl/sim"
	"whorl/sim/policy"
	"whorl/sim/testdata/toy"
	"whorl/testdata/must"
)

// TestStandingIsTheOrder checks that the queue is listed in the order in which the PE then takes its works.
func TestStandingIsTheOrder(t *testing.T) {
	for _, name := range []string{"on-demand", "round-robin"} {
		pol := must.Get(policy.Named(name))(t)
		var took []sim.Work
		m := machine(t, sim.Config{PEs: 1, Policy: pol, PolicyName: name}, toy.Func{
			OnStep: func(_ *sim.PE, w sim.Work) (sim.Time, sim.Work) {
				took = append(took, w)
				return 10, 0
			},
		})
		for w := sim.Work(1); w <= 5; w++ {
			m.Boot(0, w, uint64(10*w))
		}
		before := m.Standing(0, 100)
		var listed []sim.Work
		for _, h := range before.Queue {
			if h.Task != uint64(10*h.Work) {
				t.Errorf("%s: work %d has task %d", name, h.Work, h.Task)
			}
			listed = append(listed, h.Work)
		}
		if cut := m.Standing(0, 2); cut.Waiting != 5 || !slices.Equal(cut.Queue, before.Queue[:2]) {
			t.Errorf("%s: cut to 2: %+v", name, cut)
		}
		if before.Doing != "" {
			t.Errorf("%s: %q before its first action", name, before.Doing)
		}
		must.Get(m.Advance(context.Background(), 2))(t)
		if s := m.Standing(0, 9); s.Waiting != 3 || s.Doing != "busy" || s.Clock == 0 {
			t.Errorf("%s: after two steps %+v", name, s)
		}
		finish(t, m)
		if !slices.Equal(took, listed) || len(took) != 5 {
			t.Errorf("%s: listed %v, took %v", name, listed, took)
		}
	}
}
