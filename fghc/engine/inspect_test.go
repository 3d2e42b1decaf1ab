package engine

import (
	"context"
	"reflect"
	"testing"

	"whorl/fghc/report"
	"whorl/fghc/testdata/fghctest"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
)

// TestInspectChangesNothing inspects a run after every action. The rest of the run stays the same, with shared and
// distributed memory.
func TestInspectChangesNothing(t *testing.T) {
	const src = "go(N, S) :- true | gen(N, L), sum(L, 0, S).\n" +
		"gen(0, L) :- true | L = [].\ngen(N, L) :- N > 0 | L = [N|T], M := N - 1, gen(M, T).\n" +
		"sum([], A, S) :- true | S = A.\nsum([X|T], A, S) :- true | B := A + X, sum(T, B, S).\n"
	prog, query := fghctest.Query(t, "sum.fghc", src, "go(12, S)")
	for _, net := range []string{"bus", "mesh2d"} {
		run := func(inspect bool) (sim.Stats, []report.Binding, int) {
			pol := must.Get(policy.Named("round-robin"))(t)
			n := must.Get(sim.NetworkNamed(net, 3))(t)
			e := New(prog, query, Options{})
			m, err := sim.New(sim.Config{PEs: 3, Policy: pol, Network: n, Seed: 1}, e)
			if err != nil {
				t.Fatal(err)
			}
			must.Do(t, e.Boot(m, nil))
			waited := 0
			for more := true; more; {
				if inspect {
					i := e.Inspect()
					again := e.Inspect()
					ws, total := i.Waiting(2)
					if ws2, _ := again.Waiting(2); !reflect.DeepEqual(ws, ws2) || len(ws) != min(2, total) {
						t.Fatalf("%s: %v, then %v of %d", net, ws, ws2, total)
					}
					for _, w := range ws {
						if len(w.Waits) == 0 || w.Goal == "" || w.Pos.Line == 0 {
							t.Fatalf("%s: waits for nothing: %+v", net, w)
						}
					}
					waited = max(waited, total)
					for pe := range 3 {
						for _, h := range m.Standing(pe, 5).Queue {
							if g := i.Goal(h.Work); g.Task != h.Task || g.Goal == "" {
								t.Fatalf("%s: %+v of task %d", net, g, h.Task)
							}
						}
					}
				}
				if more, err = m.Advance(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
			}
			return m.Stats(), e.Answer(), waited
		}
		s1, a1, _ := run(false)
		s2, a2, waited := run(true)
		if s1 != s2 || !reflect.DeepEqual(a1, a2) || a1[0].Value != "78" || waited == 0 {
			t.Errorf("%s: %+v %v, inspected: %+v %v; %d goals waited", net, s1, a1, s2, a2, waited)
		}
	}
}
