package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/sim"
	"whorl/tracer"
)

// slow is a model with many messages in flight at a time.
var slow = sim.Model{InstructionPs: 1000, Latency: 20000}

// TestLanguage runs the queries in the files of testdata and compares the results: "%? goals", followed by "%= answer" or "%! part of the
// error". Every query runs on one PE and on five, on a bus and with messages, with a collection before each step.
func TestLanguage(t *testing.T) {
	files, err := filepath.Glob("testdata/*.[fk]*")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	setups := []setup{
		onePE,
		{pes: 5, policy: "random", net: "bus", seed: 1, collect: true},
		{pes: 5, policy: "random", net: "all", seed: 2, collect: true},
		{pes: 4, policy: "breadth-first", net: "mesh2d"},
		{pes: 3, policy: "round-robin", net: "ring", collect: true, model: slow},
		{pes: 2, policy: "random", net: "all", seed: 5, collect: true, model: slow},
		{pes: 4, policy: "steal", net: "hypercube", seed: 3, collect: true, model: slow},
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		program := newSource(t, filepath.Base(file), string(text))
		goal, at := "", 0
		for n, line := range strings.Split(string(text), "\n") {
			switch {
			case strings.HasPrefix(line, "%? "):
				goal, at = line[3:], n+1
			case strings.HasPrefix(line, "%=") || strings.HasPrefix(line, "%!"):
				if goal == "" {
					t.Errorf("%s:%d: an expectation without a query", file, n+1)
				}
				q := program.query(t, goal)
				for i, s := range setups {
					r := q.run(t, s, tracer.NewMemory())
					want := strings.TrimSpace(line[2:])
					switch {
					case line[1] == '=' && (r.err != nil || r.answer != want):
						t.Errorf("%s:%d: setup %d: %s, %v\nexpected %s", file, at, i, r.answer, r.err, want)
					case line[1] == '!' && (r.err == nil || i == 0 && !strings.Contains(r.err.Error(), want)):
						t.Errorf("%s:%d: setup %d: %s, %v\nexpected error %s", file, at, i, r.answer, r.err, want)
					}
				}
				goal = ""
			}
		}
	}
}
