package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whorl/testdata/must"
)

// TestRunStats compares the numbers that runs print with those of their traces, for all substrates and modes, and for runs that end early. Only the
// real time is not in a trace.
func TestRunStats(t *testing.T) {
	whorl := whorlPath(t)
	failing := filepath.Join(t.TempDir(), "p.fghc")
	must.Do(t, os.WriteFile(failing, []byte("p(1).\n"), 0o600))
	for _, c := range []struct {
		args   string
		status int
	}{
		{args: "fghc/fibonacci 18"},
		{args: "fghc/pascal 12 --pes 5 --net mesh2d"},
		{args: "fghc/queens 5 --pes 1"},
		{args: "fghc/queens 6 --mode live --pes 2"},
		{args: "fghc/primes 100 --mode live --pes 1"},
		{args: "dts/fibonacci 12 --policy steal"},
		{args: "dts/nqueens 6 --mode live --pes 2"},
		{args: "hpf/lu --pes 4"},
		{args: "hpf/rsa --mode live --pes 2"},
		{args: "fghc/queens 8 --max-reductions 500", status: 3},
		{args: "fghc/queens 8 --max-time 20ms", status: 3},
		{args: "fghc/queens 8 --max-memory 1M", status: 3},
		{args: failing + " --goal p(2)", status: 1},
	} {
		t.Run(strings.ReplaceAll(strings.TrimPrefix(c.args, filepath.Dir(failing)), "/", " "), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.whorl")
			run := exec.Command(whorl, append([]string{"run", "-o", path, "--stats"}, strings.Fields(c.args)...)...)
			out, err := run.Output()
			if run.ProcessState == nil || run.ProcessState.ExitCode() != c.status {
				t.Fatalf("%v, want exit status %d\n%s", err, c.status, out)
			}
			_, numbers, _ := strings.Cut("\n"+string(out), "\nprogram ")
			var got []string
			for line := range strings.Lines("program " + numbers) {
				if !strings.HasPrefix(line, "real time ") {
					got = append(got, line)
				}
			}
			if want := string(must.Get(exec.Command(whorl, "stats", path).Output())(t)); strings.Join(got, "") != want {
				t.Errorf("the run prints\n%s\nthe trace has\n%s", strings.Join(got, ""), want)
			}
		})
	}
}
