package emulator

import (
	"testing"

	"whorl/testdata/must"
)

// TestManyGoalsWithoutCollections waits with more goals than the first table has records for. The table grows without a
// collection.
func TestManyGoalsWithoutCollections(t *testing.T) {
	const text = `
all(0,X) :- X = 1.
all(N,X) :- N > 0 | M := N-1, one(X), all(M,X).
one(X) :- integer(X) | true.
`
	for _, pes := range []int{1, 2} {
		m := runProgram(t, text, "all(10000,X)", Options{PEs: pes, Policy: named(t, "breadth-first")})
		if len(m.goals) < 10_000*recordSize || m.collections > 0 {
			t.Errorf("%d PEs: %d collections, and a table of %d words", pes, m.collections, len(m.goals))
		}
	}
}

// TestGrowGoals doubles the table of goals unless half of the records are unused or the memory limit is near.
func TestGrowGoals(t *testing.T) {
	prog, q := prepare(t, "p.", "p")
	for _, c := range []struct {
		name   string
		unused int // records
		limit  int // words beyond the memory in use
		grown  bool
	}{
		{"in use", 0, 0, true},
		{"a third unused", 3, 0, true},
		{"half unused", 5, 0, false},
		{"limited", 0, 1, false},
	} {
		m := must.Get(New(prog, q, Options{}))(t)
		p := m.pes[0]
		m.records = 10 * recordSize
		for g := uint64(recordSize); g <= uint64(c.unused*recordSize); g += recordSize {
			m.goals[g+recordField], p.free = p.free, g
		}
		if c.limit > 0 {
			m.opts.MaxWords = 2*len(m.arena) + len(m.goals) + c.limit
		}
		before := len(m.goals)
		if grown := m.growGoals(recordSize); grown != c.grown || len(p.goals) != len(m.goals) || grown != (len(m.goals) == 2*before) {
			t.Errorf("%s: %v, %d words after %d", c.name, grown, len(m.goals), before)
		}
	}
}
