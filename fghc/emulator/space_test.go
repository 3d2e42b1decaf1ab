package emulator

import (
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
)

// A builtin that lacks space runs before the goals of its body, which would run ahead of it forever in this program.
func TestLackOfSpace(t *testing.T) {
	prog, q := prepare(t, "square(X) :- bigint(X * X, Y), square(Y).", "square(3)")
	const reductions = 25 // 3 to the power of 2^n has more than 4194304 bits for n = 22
	for _, c := range []struct {
		name    string
		options []Options
	}{{"depth-first", []Options{{}, {Slice: 3}, {PEs: 2}}}, {"static", []Options{{Poll: 1}}}} {
		for _, o := range c.options {
			o.Policy = named(t, c.name)
			m := must.Get(New(prog, q, o))(t)
			must.Do(t, m.Start())
			for m.Advance(t.Context(), 7, time.Minute) {
				if m.Inspect(); m.Reductions() > 100_000 {
					break
				}
			}
			m.Stop(tracer.Interrupted, nil)
			if m.Err() == nil || !strings.Contains(m.Err().Error(), "the result has more than 4194304 bits") {
				t.Errorf("%s, %+v: %d reductions: %v", c.name, o, m.Reductions(), m.Err())
			}
			if o.PEs < 2 && m.Reductions() > reductions {
				t.Errorf("%s, %+v: %d reductions", c.name, o, m.Reductions())
			}
		}
	}
}
