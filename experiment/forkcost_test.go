package experiment

import (
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestForkTakesTime: on one PE, each fork takes the time that the machine gives it. In FGHC every goal but that of the query is called by a body.
func TestForkTakesTime(t *testing.T) {
	for _, c := range []struct {
		program string
		args    []string
		forks   func(counts [tracer.NumKinds]int64) int64
	}{
		{"fghc/fibonacci", []string{"7"}, func(n [tracer.NumKinds]int64) int64 { return n[tracer.Reduce] - 1 }},
		{"dts/fibonacci", []string{"7"}, func(n [tracer.NumKinds]int64) int64 { return n[tracer.Fork] }},
	} {
		elapsed := func(machine string) (int64, int64) {
			r := Defaults(c.program)
			r.Args, r.PEs, r.Machine = c.args, 1, machine
			m := tracer.NewMemory()
			must.Get(must.Get(r.Resolve())(t).Run(t.Context(), m, nil))(t)
			from, to := m.Span()
			return to - from, c.forks(m.Counts())
		}
		without, forks := elapsed("symmetry")
		with, _ := elapsed("symmetry:fork=3us")
		if forks < 10 || with-without != 3000*forks {
			t.Errorf("%s: %d forks of 3 µs make the run %d ns longer", c.program, forks, with-without)
		}
	}
}
