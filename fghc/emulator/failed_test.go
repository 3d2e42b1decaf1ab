package emulator

import (
	"testing"

	"whorl/fghc/report"
	"whorl/testdata/must"
)

// Goals whose variables only the failed goal could have bound are not reported as lost while the run ends.
func TestNothingIsLostWhenTheRunFails(t *testing.T) {
	const text = `
main(N) :- hold(N, []), waste(100000, _), waste(100000, _).
hold(0, Xs) :- fail(Xs).
hold(N, Xs) :- N > 0 | wait2(X), hold(~(N-1), [X|Xs]).
fail([]).
wait2(1).
waste(0, A) :- A = [].
waste(N, A) :- N > 0 | M := N-1, A = [1,2,3,4|B], waste(M, B).
`
	prog, q := prepare(t, text, "main(20)")
	for i := range 40 {
		lost := func(some []report.Pending, n int) { t.Errorf("seed %d: %d goals are lost: %v", i, n, some) }
		m := must.Get(New(prog, q, Options{PEs: 4, Policy: named(t, "random"), Seed: uint64(i), Collect: true, Lost: lost}))(t)
		if err := m.Run(t.Context()); err == nil {
			t.Fatal("fail([_|_]) has reduced")
		}
	}
}
