package experiment

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/totals"
)

// TestContextsAddUp compares the sums over the calling contexts of a run with its totals and with its account of time, for each substrate.
func TestContextsAddUp(t *testing.T) {
	for _, program := range []string{"fghc/pascal", "fghc/semigroup", "dts/fibonacci", "dts/quicksort", "dts/rsa"} {
		for _, mode := range []Mode{Sim, Live} {
			r := Defaults(program)
			r.Mode = mode
			result, trace := run(t, r)
			if result.Outcome != tracer.Done {
				t.Fatalf("%s: %v", program, result.Err)
			}
			tree := must.Get(callingcontext.Grow(trace, nil, nil, nil))(t)
			sums := must.Get(totals.Grow(trace, nil, nil))(t)
			count := "threads"
			want := trace.Counts()[tracer.Start]
			if sums.Reductions > 0 {
				count, want = "reductions", sums.Reductions
			}
			if got := tree.Total(callingcontext.Root, tree.Metric(count), true); got != want || got == 0 {
				t.Errorf("%s, %s: %d %s in the tree, %d in the trace", program, mode, got, count, want)
			}
			total := must.Get(account.Compute(trace))(t).Total()
			work := total[account.Work]
			if time := tree.Total(callingcontext.Root, tree.Metric("time"), true); time != work {
				t.Errorf("%s, %s: %d ns in the tree, %d ns of work", program, mode, time, work)
			}
			if n := tree.Nodes(); n < 2 || n > 100 || tree.Dropped > 0 {
				t.Errorf("%s, %s: %d nodes, %d events dropped", program, mode, n, tree.Dropped)
			}
		}
	}
}
