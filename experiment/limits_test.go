package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/tracer"
)

// TestLiveLimits meets each of the limits and checks that the error names the limit.
func TestLiveLimits(t *testing.T) {
	src := filepath.Join(t.TempDir(), "p.fghc")
	program := "loop(N) :- M := N+1, loop(M).\ngrow(L) :- grow([a|L]).\nspawn :- spawn, spawn.\n"
	must.Do(t, os.WriteFile(src, []byte(program), 0o600))
	for _, c := range []struct {
		goal, want string
		limits     Limits
	}{
		{"loop(0)", "stopped after 123,457 reductions", Limits{Reductions: 123_457}},
		{"loop(0), loop(1), loop(2)", "stopped after 1 reductions", Limits{Reductions: 1}},
		{"loop(0)", "stopped after 50ms", Limits{Time: 50 * time.Millisecond}},
		{"grow([])", "MiB of", Limits{Memory: 64 << 20}},
		{"spawn", "MiB of", Limits{Memory: 64 << 20}},
	} {
		for _, pes := range []int{1, 2} {
			r := Defaults(src)
			r.Goal, r.PEs, r.Mode, r.Limits = c.goal, pes, Live, c.limits
			p := must.Get(r.Resolve())(t)
			result := must.Get(p.Run(t.Context(), nil, nil))(t)
			if result.Outcome != tracer.Limited || result.Err == nil || !strings.Contains(result.Err.Error(), c.want) {
				t.Errorf("%s on %d PEs: outcome %v, %v, expected %s", c.goal, pes, result.Outcome, result.Err, c.want)
			}
		}
	}
}
