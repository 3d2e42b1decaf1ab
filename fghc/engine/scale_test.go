package engine

import (
	"runtime"
	"testing"

	"whorl/testdata/testenv"
)

// tree spawns a binary tree of goals with 2^n leaves.
const tree = `
go(N, S) :- tree(N, S).
tree(0, S) :- S = 1.
tree(N, S) :- N > 0 | M := N - 1, tree(M, A), tree(M, B), add(A, B, S).
add(A, B, S) :- T := A + B, S = T.
`

// TestAMillionPEs runs a program with a million goals at its widest on a million PEs within 4 GiB.
func TestAMillionPEs(t *testing.T) {
	if testing.Short() || testenv.Race {
		t.Skip("takes seconds and a gigabyte, and several under the race detector")
	}
	const levels = 20
	r := runUnrecorded(t, tree, "go(20, S)", setup{pes: 1 << levels, policy: "random", net: "bus", seed: 1})
	if r.err != nil || r.answer != "S = 1048576" {
		t.Fatalf("%s, %v", r.answer, r.err)
	}
	if r.sim.Worked < 1<<levels/2 {
		t.Errorf("%d PEs worked, expected more than half of %d", r.sim.Worked, 1<<levels)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.Sys > 4<<30 {
		t.Errorf("%d MB, expected less than 4 GiB", m.Sys>>20)
	}
	t.Logf("%d reductions, %d goals at most, %d MB", r.stats.Reductions, r.stats.MaxGoals, m.Sys>>20)
}
