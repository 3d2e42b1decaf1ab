//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"whorl/testdata/must"
)

// TestInterruptAnywhere sends signals to commands that wait at a pipe without a writer or without a reader. The commands end, no new file is left,
// and the old files are unchanged.
func TestInterruptAnywhere(t *testing.T) {
	whorl := whorlPath(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if out, err := exec.Command(whorl, "run", "queens", "6", "-o", in("a.whorl")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, pipe := range []string{"pipe.whorl", "pipe.svg", "pipe.txt", "open.txt", "pipe.fghc"} {
		must.Do(t, syscall.Mkfifo(in(pipe), 0o600))
	}
	// This pipe has a writer, which writes the beginning of a trace and never closes it.
	slow := must.Get(os.OpenFile(in("open.txt"), os.O_RDWR, 0))(t)
	defer slow.Close()
	before := map[string]string{"old.whorl": "old", "old.svg": "old"}
	for name, text := range before {
		must.Do(t, os.WriteFile(in(name), []byte(text), 0o600))
	}
	names := func() string {
		list := must.Get(os.ReadDir(dir))(t)
		var b strings.Builder
		for _, e := range list {
			b.WriteString(e.Name() + " ")
		}
		return b.String()
	}
	all := names()
	for _, args := range [][]string{
		{"stats", in("pipe.whorl")},
		{"dump", in("pipe.whorl")},
		{"dump", in("a.whorl")}, // to standard output, a pipe that is not read
		{"convert", in("pipe.whorl"), in("old.whorl")},
		{"convert", in("a.whorl"), in("pipe.txt")},
		{"render", in("pipe.whorl"), "--view", "kaleidoscope", "-o", in("old.svg")},
		{"render", in("a.whorl"), "--view", "kaleidoscope", "-o", in("pipe.svg")},
		{"compare", "pascal", "--pes", "1", "--picture", in("pipe.svg")},
		{"dump", "--read", in("open.txt"), "-o", in("old.whorl")},
		{"check", in("pipe.fghc")},
		{"run", in("pipe.fghc"), "--goal", "p"},
		{"run", "pascal", "-o", in("pipe.whorl")},
	} {
		for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			if args[1] == "--read" {
				must.Get(slow.WriteString("whorl 1\n1 Mark\n"))(t)
			}
			status, stderr := interrupted(t, sig, whorl, args...)
			if status != 130 || !strings.HasPrefix(stderr, "whorl: ") || !strings.HasSuffix(stderr, "interrupted\n") || strings.Count(stderr, "\n") > 1 {
				t.Errorf("%v, %v: exit status %d, %q", args, sig, status, stderr)
			}
			if now := names(); now != all {
				t.Errorf("%v, %v: the files are now %s", args, sig, now)
			}
		}
	}
	for name, text := range before {
		if got, err := os.ReadFile(in(name)); err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// interrupted starts whorl, does not read its output, and sends it a signal when it waits. It returns the exit status and standard error.
func interrupted(t *testing.T, sig syscall.Signal, whorl string, args ...string) (status int, errors string) {
	t.Helper()
	for wait := 150 * time.Millisecond; ; wait *= 2 {
		cmd := exec.Command(whorl, args...)
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		stdout := must.Get(cmd.StdoutPipe())(t)
		must.Do(t, cmd.Start())
		time.Sleep(wait)
		_ = cmd.Process.Signal(sig)
		hung := time.AfterFunc(enough, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		hung.Stop()
		stdout.Close()
		if ended, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ended.Signaled() && ended.Signal() == sig && wait < enough {
			continue // whorl did not yet catch the signal
		}
		return cmd.ProcessState.ExitCode(), stderr.String()
	}
}
