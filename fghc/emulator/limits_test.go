package emulator

import (
	"errors"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// A program that reaches its memory limit is stopped, on any PE.
func TestMemoryLimit(t *testing.T) {
	prog, q := prepare(t, "grow(L) :- grow([a,b,c,d|L]).", "grow([]), grow([]), grow([])")
	for _, pes := range []int{1, 4} {
		m := must.Get(New(prog, q, Options{PEs: pes, Policy: named(t, "random"), MaxWords: 1 << 20}))(t)
		if err := m.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "MiB") {
			t.Errorf("%d PEs: %v after %d reductions", pes, err, m.Reductions())
		}
	}
}

// The limit on reductions is exact, also when all PEs but one run out of work.
func TestReductionLimit(t *testing.T) {
	prog, q := prepare(t, "loop(N) :- N > 0 | M := N-1, loop(M). loop(0).", "loop(300), loop(700), loop(100000), loop(20000)")
	step := int64(3977)
	if testenv.Race {
		step *= 4
	}
	for _, name := range []string{"on-demand", "random", "depth-first", "steal-half"} {
		for limit := int64(990); limit < 40000; limit += step {
			m := must.Get(New(prog, q, Options{PEs: 4, Policy: named(t, name)}))(t)
			must.Do(t, m.Start())
			if !m.Advance(t.Context(), limit, time.Minute) || m.Reductions() != limit {
				t.Errorf("%s: %v after %d reductions, want %d", name, m.Err(), m.Reductions(), limit)
			}
			m.Stop(tracer.Interrupted, errors.New("enough"))
		}
	}
}
