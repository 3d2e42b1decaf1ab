package emulator

import (
	"fmt"
	"testing"

	"whorl/fghc/testdata/programs"
	"whorl/testdata/must"
	"whorl/tracer"
)

// The time between two events of a busy PE belongs to a step, except for its slices without steps.
func TestStepsTakeTheTime(t *testing.T) {
	prog, q := prepare(t, programs.NRev, "main(20,200,R)")
	for _, pes := range []int{1, 2} {
		t.Run(fmt.Sprint(pes), func(t *testing.T) {
			rec := tracer.NewMemory()
			m := must.Get(New(prog, q, Options{PEs: pes, Policy: named(t, "on-demand"), Recorder: rec}))(t)
			must.Do(t, m.Run(t.Context()))
			var steps, between int64
			ends := make([]int64, pes)
			must.Do(t, rec.Scan(tracer.AllKinds, func(es []tracer.Event) error {
				for _, e := range es {
					if ends[e.PE] > e.Time {
						t.Fatalf("%+v begins before the step before it ends, at %d", e, ends[e.PE])
					}
					if e.Kind == tracer.Reduce {
						between += e.Time - ends[e.PE]
						steps += e.Value
					}
					if ends[e.PE] = e.Time; e.Kind == tracer.Reduce || e.Kind == tracer.Suspend {
						ends[e.PE] += e.Value
					}
				}
				return nil
			}))
			if between > steps/4 {
				t.Errorf("%d ns between steps, %d in steps", between, steps)
			}
		})
	}
}
