//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/testdata/must"
)

const endless = `package main

import (
	"context"
	"fmt"
	"os"

	"whorl/dts"
)

func fib(w *dts.Worker, n int) int {
	if n < 2 {
		return n
	}
	return dts.Fork(w, fib, n-1).Join(w) + fib(w, n-2)
}

func main() {
	if _, err := dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int { return fib(w, 90) }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

const slow = `package main

import (
	"context"
	"time"

	"whorl/dts"
)

func wait(_ *dts.Worker, d time.Duration) int {
	time.Sleep(d)
	return 0
}

func main() {
	_, _ = dts.Run(context.Background(), dts.Options{}, func(w *dts.Worker) int {
		for {
			dts.Fork(w, wait, 700*time.Millisecond).Join(w)
		}
	})
}
`

// TestOpenFolder shows the growing trace of a folder's program in a window, although the program records too few events to fill a block in half a
// minute. The window stops the program, whose trace file is then complete.
func TestOpenFolder(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	clone := moduleRoot(t)
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(slow), 0o600))
	whorl := whorlPath(t)
	trace, log := filepath.Join(dir, "run.whorl"), filepath.Join(dir, "log")
	run := exec.Command(whorl, "run", dir, "--mode", "live", "--pes", "2", "--open", "-o", trace, "--max-time", "10m")
	run.Env = append(os.Environ(), "WHORL_SOURCE="+clone, "VIEWER_LOG="+log, "VIEWER_DOES=stop", "DISPLAY=:0", "GORACE=atexit_sleep_ms=0")
	out, err := run.CombinedOutput()
	if run.ProcessState.ExitCode() != 130 || !strings.Contains(string(out), "interrupted; the trace until then is in "+trace) {
		t.Errorf("%v\n%s", err, out)
	}
	const want = "grown\ngrown more\nend\noutcome \"interrupted\", error \"stopped\", closed true, whole true\n"
	var saw []byte
	for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(10 * time.Millisecond) { // the window ends after whorl
		if saw, _ = os.ReadFile(log); strings.Contains(string(saw), "outcome") {
			break
		}
	}
	if string(saw) != want {
		t.Errorf("the viewer saw\n%s\nwant\n%s", saw, want)
	}
	if stats, err := exec.Command(whorl, "stats", trace).CombinedOutput(); err != nil || !strings.Contains(string(stats), "interrupted") || strings.Contains(string(stats), "missing") {
		t.Errorf("%v\n%s", err, stats)
	}
}

// TestInterruptFolder interrupts the program of a folder. The trace is complete and has the outcome interrupted.
func TestInterruptFolder(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	whorl := whorlPath(t)
	clone := moduleRoot(t)
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(endless), 0o600))
	trace := filepath.Join(dir, "run.whorl")
	run := exec.Command(whorl, "run", dir, "--mode", "live", "--pes", "2", "-o", trace)
	run.Env = append(os.Environ(), "WHORL_SOURCE="+clone)
	var said strings.Builder
	run.Stderr = &said
	must.Do(t, run.Start())
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if info, err := os.Stat(trace); err == nil && info.Size() > 1<<16 {
			break
		}
		if time.Since(begin) > enough {
			t.Fatal("the trace does not grow")
		}
	}
	must.Do(t, run.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	if err := run.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 || !strings.Contains(said.String(), "interrupted; the trace until then is in") {
		t.Errorf("%v, %s", err, said.String())
	}
	out, err := exec.Command(whorl, "stats", trace).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "interrupted") || strings.Contains(string(out), "missing") {
		t.Errorf("%v\n%s", err, out)
	}
}
