//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"whorl/serve"
	"whorl/testdata/must"
)

// TestView opens whole, damaged and unfinished traces, workspaces, pipes, and files that are not traces.
func TestView(t *testing.T) {
	whorl := whorlPath(t)
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if out, err := exec.Command(whorl, "run", "pascal", "-o", in("whole.whorl")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole := must.Get(os.ReadFile(in("whole.whorl")))(t)
	damaged := func(at int) []byte {
		b := []byte(string(whole))
		b[at] ^= 1
		return b
	}
	for _, c := range []struct {
		name string
		b    []byte
	}{
		{"cut.whorl", whole[:len(whole)/2]}, {"middle.whorl", damaged(len(whole) / 2)}, {"end.whorl", damaged(len(whole) - 30)}, {"empty.whorl", nil}, {"saved.toml", []byte("whorl = 1\n")},
	} {
		must.Do(t, os.WriteFile(in(c.name), c.b, 0o600))
	}
	must.Do(t, syscall.Mkfifo(in("pipe.whorl"), 0o600))
	must.Do(t, os.Symlink("pipe.whorl", in("link.whorl")))
	piped := func(b []byte) *os.File {
		r, w, err := os.Pipe()
		must.Do(t, err)
		go func() { _, _ = w.Write(b); w.Close() }()
		return r
	}
	const addr = "--addr=127.0.0.1:0"
	for _, c := range []struct {
		args   []string
		served bool
		want   string // on standard error
		not    string
	}{
		{[]string{"serve", addr, in("whole.whorl")}, true, "Ctrl-C", "whole.whorl"},
		{[]string{"serve", addr, in("cut.whorl")}, true, "cut.whorl: the trace was not closed: its newest events are missing", "network"},
		{[]string{"serve", addr, in("middle.whorl")}, true, "middle.whorl: damaged file: block ", ""},
		{[]string{"serve", addr, in("end.whorl")}, true, "end.whorl: damaged file: block ", ""},
		{[]string{"serve", "--addr=0.0.0.0:0", in("whole.whorl")}, true, "anyone on the network can open this page and read its traces", ""},
		{[]string{"view", in("whole.whorl"), in("cut.whorl")}, true, "cut.whorl: the trace was not closed", ""},
		{[]string{"view", in("saved.toml")}, true, "Ctrl-C", ""},
		{[]string{"view", in("none.toml")}, false, "none.toml: no such file", ""},
		{[]string{"view", in("empty.whorl")}, false, "empty.whorl: not a trace: the file is empty", ""},
		{[]string{"view", in("pipe.whorl")}, true, "pipe.whorl: the trace was not closed", ""},
		{[]string{"serve", addr, in("link.whorl")}, true, "link.whorl: the trace was not closed", ""},
		{[]string{"view", "-"}, true, "standard input: the trace was not closed", ""},
		{[]string{"view", dir}, false, dir + ": a folder without a trace", ""},
		{[]string{"serve", addr, "/dev/zero"}, false, "/dev/zero: a device, not a file", ""},
	} {
		cmd := exec.Command(whorl, c.args...)
		cmd.Env = append(os.Environ(), "DISPLAY=", "GORACE=atexit_sleep_ms=0")
		switch last := filepath.Base(c.args[len(c.args)-1]); last {
		case "-":
			cmd.Stdin = piped(whole[:len(whole)/2])
		case "pipe.whorl", "link.whorl":
			go func() { _ = os.WriteFile(in("pipe.whorl"), whole[:len(whole)/2], 0) }() // opening it waits for the reader
		}
		out, _ := ended(cmd)
		status := 2
		if c.served {
			status = 0
			if err := serve.Built(); err != nil {
				status = 1
				if strings.Contains(c.want, "network") || c.want == "Ctrl-C" {
					c.want = err.Error()
				}
			}
		}
		if cmd.ProcessState.ExitCode() != status || !strings.Contains(out, c.want) || c.not != "" && strings.Contains(out, c.not) {
			t.Errorf("%q: exit status %d, want %d and %q\n%s", c.args, cmd.ProcessState.ExitCode(), status, c.want, out)
		}
	}
}
