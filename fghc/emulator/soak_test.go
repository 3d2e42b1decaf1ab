//go:build unix

package emulator

import (
	"fmt"
	"os"
	process "os/exec"
	"strings"
	"syscall"
	"testing"

	"whorl/testdata/testenv"
)

// A pipeline and a server take less than 512 MiB for a billion reductions, each in a process of its own.
func TestSoakStreams(t *testing.T) {
	testenv.OnlySoak(t)
	const variable, most = "WHORL_SOAK_STREAM", 512 << 10 // KiB
	var (
		pes  int
		goal string
	)
	if n, _ := fmt.Sscan(os.Getenv(variable), &pes, &goal); n == 2 {
		o := Options{PEs: pes}
		if pes > 1 {
			o.Policy = named(t, "on-demand")
		}
		m := runProgram(t, streams, goal, o)
		if s := m.Stats(); s.Reductions < 1_000_000_000 {
			t.Errorf("%s: %d reductions", goal, s.Reductions)
		}
		fmt.Println(answerOf(m), m.Stats().Reductions, m.Stats().Elapsed)
		return
	}
	for _, c := range []struct{ goal, want string }{{"count(545000,N)", "N = 44949 "}, {"server(340000000,N)", "N = done "}} {
		for _, pes := range []int{1, 2} {
			child := process.Command(os.Args[0], "-test.run=^TestSoakStreams$")
			child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", variable, pes, c.goal))
			out, err := child.CombinedOutput()
			if err != nil || !strings.HasPrefix(string(out), c.want) {
				t.Errorf("%s, %d PEs: %v\n%s\nexpected %s", c.goal, pes, err, out, c.want)
			}
			peak := child.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			if peak > most {
				t.Errorf("%s, %d PEs: %d MiB", c.goal, pes, peak>>10)
			}
			t.Logf("%s, %d PEs: %d MiB, %v of processor time, %s", c.goal, pes, peak>>10, child.ProcessState.UserTime(), strings.TrimSuffix(string(out), "PASS\n"))
		}
	}
}
