package engine

import (
	"fmt"
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

// TestManyPEs runs a program with 2^16 goals at its widest on 2^16 PEs, or 2^20 of both within 4 GiB.
func TestManyPEs(t *testing.T) {
	testenv.Sequential(t)
	levels := 16
	if testenv.Soak() {
		levels = 20
	}
	r := runUnrecorded(t, tree, fmt.Sprintf("go(%d, S)", levels), setup{pes: 1 << levels, policy: "random", net: "bus", seed: 1})
	if r.err != nil || r.answer != fmt.Sprintf("S = %d", 1<<levels) {
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
