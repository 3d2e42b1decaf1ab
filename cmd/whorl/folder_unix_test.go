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

// Ctrl-C ends the program of a folder in good order: its trace is whole and says that it was interrupted.
func TestInterruptFolder(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	whorl, err := exec.LookPath("whorl")
	if err != nil {
		t.Fatal(err)
	}
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	trace := filepath.Join(dir, "run.whorl")
	run := exec.Command(whorl, "run", dir, "--mode", "live", "--pes", "2", "-o", trace)
	run.Env = append(os.Environ(), "WHORL_SOURCE="+clone)
	var said strings.Builder
	run.Stderr = &said
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if info, err := os.Stat(trace); err == nil && info.Size() > 1<<16 {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("there is no trace")
		}
	}
	if err := run.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := run.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 || !strings.Contains(said.String(), "interrupted; what happened until then is in") {
		t.Errorf("%v, %s", err, said.String())
	}
	out, err := exec.Command(whorl, "stats", trace).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "interrupted") || strings.Contains(string(out), "missing") {
		t.Errorf("%v\n%s", err, out)
	}
}
