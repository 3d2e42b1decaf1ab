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

// A number that lacks space is computed later, also if its operands are constants.
func TestLargeConstants(t *testing.T) {
	for _, pes := range []int{1, 2, 8} {
		prog, q := prepare(t, "large(X) :- bigint(1 << 1500000, X).", "large(X), bigint(1 << 1500000, Y), X = Y")
		m := must.Get(New(prog, q, Options{PEs: pes}))(t)
		if err := m.Run(t.Context()); err != nil {
			t.Errorf("%d PEs: %v", pes, err)
		}
	}
}

// A new half of the arena has the size that the arena will have: more for the first collection, and twice as much if the
// last one has left many words, within the memory limit.
func TestSpareWords(t *testing.T) {
	prog, q := prepare(t, "p.", "p")
	for _, c := range []struct {
		name           string
		pes            int
		kept, words, n int
		limit          int // of words beyond the table of goals
	}{
		{"first", 1, 0, firstArena, 8 * firstArena, 0},
		{"first of two PEs", 2, 0, 2 * firstArena, 32 * firstArena, 0},
		{"few words kept", 2, 100, largeArena, largeArena, 0},
		{"many words kept", 2, largeArena / 3, largeArena, 2 * largeArena, 0},
		{"limited", 2, largeArena / 3, largeArena, 3 * largeArena / 2, 3 * largeArena},
		{"at the limit", 2, largeArena / 3, largeArena, largeArena, largeArena},
	} {
		m := must.Get(New(prog, q, Options{PEs: c.pes}))(t)
		m.arena, m.kept = make([]uint64, c.words), uint64(c.kept)
		if c.limit > 0 {
			m.opts.MaxWords = c.limit + len(m.goals)
		}
		if n := m.spareWords(); n != uint64(c.n) {
			t.Errorf("%s: %d words, expected %d", c.name, n, c.n)
		}
	}
}
