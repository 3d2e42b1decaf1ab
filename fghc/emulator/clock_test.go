package emulator

import (
	"bytes"
	"testing"
	"time"

	"whorl/fghc/world"
	"whorl/testdata/must"
)

// Time passes for a program while it runs, on any number of PEs and with slices of any length.
func TestTimeGoesOn(t *testing.T) {
	text := `
:- module main.
main(N) :- timer:get_time_of_day(T0), again(N, T0).
again(0, T0) :- timer:get_time_of_day(T1), timer:sub(T1, T0, D), late(D).
again(N, T0) :- N > 0 | timer:instantiate_after(time(0,0,2000), X), next(X, N, T0).
next([], N, T0) :- again(~(N-1), T0).
late(time(D, S, U)) :- D + S + U / 10000 > 0 | builtin:print(late).
otherwise.
late(T) :- builtin:print(T).
`
	prog, q := prepare(t, text, "main(5)")
	for _, slice := range []time.Duration{time.Hour, 100 * time.Microsecond} {
		for _, pes := range []int{1, 2} {
			var out bytes.Buffer
			w := &world.World{Stdout: &out, Started: time.Now()}
			m := must.Get(New(prog, q, Options{PEs: pes, Policy: named(t, "on-demand"), World: w}))(t)
			w.Now = m.Now
			must.Do(t, m.Start())
			for m.Advance(t.Context(), 1<<40, slice) {
			}
			w.Close()
			if out.String() != "late\n" || m.Err() != nil {
				t.Errorf("%d PEs, slices of %v: %q, %v", pes, slice, out.String(), m.Err())
			}
			if s := m.Stats(); s.Elapsed < 10*time.Millisecond || s.Elapsed != m.Now() {
				t.Errorf("%d PEs, slices of %v: %v, and later %v", pes, slice, s.Elapsed, m.Now())
			}
		}
	}
}
