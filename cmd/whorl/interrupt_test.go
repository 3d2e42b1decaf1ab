package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"whorl/cmd/whorl/internal/cli"
	"whorl/testdata/must"
)

// TestInterrupt sends SIGINT while an endless program runs. The exit status is 130, and the trace has the events until then.
func TestInterrupt(t *testing.T) {
	for _, mode := range []string{"sim", "live"} {
		t.Run(mode, func(t *testing.T) { interruptRun(t, mode) })
	}
}

func interruptRun(t *testing.T, mode string) {
	dir := t.TempDir()
	program, trace := filepath.Join(dir, "spin.fghc"), filepath.Join(dir, "spin.whorl")
	must.Do(t, os.WriteFile(program, []byte("spin(N) :- true | N1 := N + 1, spin(N1).\n"), 0o644))
	go func() {
		for end := time.Now().Add(enough); ; time.Sleep(10 * time.Millisecond) {
			if _, err := os.Stat(trace); err == nil {
				break
			}
			if time.Now().After(end) {
				return
			}
		}
		time.Sleep(100 * time.Millisecond) // time for some reductions
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
		}
	}()
	var stdout, stderr bytes.Buffer
	args := []string{"run", program, "--goal", "spin(0)", "-o", trace, "--max-time", "10m", "--mode", mode}
	if status := cli.Main(args, strings.NewReader(""), &stdout, &stderr); status != 130 {
		t.Errorf("exit status %d", status)
	}
	if want := "whorl: interrupted; the trace until then is in " + trace + "\n"; stderr.String() != want {
		t.Errorf("%s", &stderr)
	}
	stderr.Reset()
	if status := cli.Main([]string{"stats", trace}, strings.NewReader(""), &stdout, &stderr); status != 0 {
		t.Fatalf("stats: exit status %d: %s", status, &stderr)
	}
	if out := stdout.String(); !strings.Contains(out, "interrupted") || !strings.Contains(out, "reductions") {
		t.Errorf("%s", out)
	}
}
