package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// children returns the processes that a process has started.
func children(t *testing.T, pid int) (found []int) {
	t.Helper()
	files := must.Get(filepath.Glob("/proc/[0-9]*/stat"))(t)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		var child, parent int
		var state string
		rest := text[bytes.LastIndexByte(text, ')')+1:] // after the name of its file
		if _, err := fmt.Sscan(string(rest), &state, &parent); err == nil && parent == pid {
			if _, err := fmt.Sscan(filepath.Base(filepath.Dir(name)), &child); err == nil {
				found = append(found, child)
			}
		}
	}
	return found
}

// A killable is a whorl run on three nodes.
type killable struct {
	*exec.Cmd
	out, log testenv.Buffer
	ended    chan error
}

func startKillable(t *testing.T, args ...string) *killable {
	t.Helper()
	k := &killable{Cmd: exec.Command(whorlPath(t), append([]string{"run"}, append(args, "--nodes", "3")...)...), ended: make(chan error, 1)}
	k.Stdout, k.Stderr = &k.out, &k.log // pipes, whose ends Wait reads when the nodes have ended too
	must.Do(t, k.Start())
	go func() { k.ended <- k.Wait() }()
	return k
}

// until waits until a condition holds. It returns false if the run ends first.
func (k *killable) until(t *testing.T, holds func() bool) bool {
	t.Helper()
	for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(time.Millisecond) {
		select {
		case err := <-k.ended:
			k.ended <- err
			return false
		default:
		}
		if holds() {
			return true
		}
	}
	_ = k.Process.Kill()
	t.Fatalf("nothing happens: %s%s", &k.out, &k.log)
	return false
}

// TestNodeKilledEarly kills one of three nodes before and while they join. The others give the answer.
func TestNodeKilledEarly(t *testing.T) {
	for i, delay := range []time.Duration{0, 30 * time.Millisecond, 100 * time.Millisecond} {
		t.Run(delay.String(), func(t *testing.T) {
			t.Parallel()
			k := startKillable(t, "dts/nqueens", "9")
			var nodes []int
			if k.until(t, func() bool { nodes = children(t, k.Process.Pid); return len(nodes) == 3 }) {
				time.Sleep(delay)
				_ = syscall.Kill(nodes[i], syscall.SIGKILL) // on a busy machine the run may be over
			}
			if err := <-k.ended; err != nil || k.out.String() != "352\n" {
				t.Errorf("%v, %s%s", err, &k.out, &k.log)
			}
		})
	}
}

// TestParentKilled kills whorl run. Its nodes end with it, and do not wait for the server.
func TestParentKilled(t *testing.T) {
	k := startKillable(t, "dts/mandelbrot", "2000", "2000", "100000", "--store", t.TempDir())
	if !k.until(t, func() bool { return strings.Contains(k.log.String(), "job ") }) {
		t.Fatal(&k.log)
	}
	must.Do(t, k.Process.Kill())
	if <-k.ended; strings.Contains(k.log.String(), "no server has answered") {
		t.Errorf("the nodes waited for the server: %s", &k.log)
	}
}
