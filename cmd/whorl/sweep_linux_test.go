package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"whorl/testdata/must"
	"whorl/testdata/testenv"
)

// sweepGrid has runs of some ms, so that a node is at work when it is killed.
const sweepGrid = `programs = ["fghc/queens 7", "fghc/pascal 60"]
pes      = [1, 4]
policies = ["on-demand", "steal"]
seeds    = 16
`

// results returns the lines of a table without the times by the clock.
func results(t *testing.T, folder string) (lines [][]string) {
	t.Helper()
	f := must.Get(os.Open(filepath.Join(folder, "table.csv")))(t)
	defer f.Close()
	lines = must.Get(csv.NewReader(f).ReadAll())(t)
	for i, name := range lines[0] {
		if name == "wall_ns" {
			for _, line := range lines {
				line[i] = ""
			}
		}
	}
	return lines
}

// startSweep starts a sweep on three nodes and waits until some results are known.
func startSweep(t *testing.T, grid, folder string) (cmd *exec.Cmd, log *testenv.Buffer) {
	t.Helper()
	log = new(testenv.Buffer)
	cmd = exec.Command(whorlPath(t), "sweep", grid, "-o", folder, "--nodes", "3", "--cores", "1")
	cmd.Stderr = log
	must.Do(t, cmd.Start())
	for end := time.Now().Add(enough); ; time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(folder, "runs.jsonl"))
		if err == nil && bytes.Count(text, []byte("\n")) >= 8 {
			return cmd, log
		}
		if time.Now().After(end) {
			_ = cmd.Process.Kill()
			t.Fatalf("no results: %s", log)
		}
	}
}

// TestSweepNodeKilled kills a node, and another time the process that keeps the results, in the middle of a sweep. The table is that of one host.
func TestSweepNodeKilled(t *testing.T) {
	folder := t.TempDir()
	grid := filepath.Join(folder, "grid.toml")
	must.Do(t, os.WriteFile(grid, []byte(sweepGrid), 0o600))
	alone := filepath.Join(folder, "alone")
	must.Do(t, exec.Command(whorlPath(t), "sweep", grid, "-o", alone).Run())
	want := results(t, alone)
	same := func(folder string, log *testenv.Buffer) {
		t.Helper()
		got := results(t, folder)
		if len(got) != len(want) {
			t.Fatalf("%d lines, expected %d: %s", len(got), len(want), log)
		}
		for i, line := range got {
			for k, value := range line {
				if value != want[i][k] {
					t.Errorf("line %d has %s %q, expected %q: %s", i, want[0][k], value, want[i][k], log)
				}
			}
		}
	}

	node := filepath.Join(folder, "node")
	cmd, log := startSweep(t, grid, node)
	if nodes := children(t, cmd.Process.Pid); len(nodes) > 0 { // on a busy machine the sweep may be over
		_ = syscall.Kill(nodes[0], syscall.SIGKILL)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	same(node, log)

	main := filepath.Join(folder, "main")
	cmd, log = startSweep(t, grid, main)
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // the nodes end with it: they have its standard error
	cmd = exec.Command(whorlPath(t), "sweep", grid, "-o", main, "--nodes", "2")
	cmd.Stderr = log
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	same(main, log)
}
