package emulator

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whorl/fghc/engine"
	"whorl/sim"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// simulated returns the error of a query on a simulated machine of one PE.
func simulated(t *testing.T, text, query string) error {
	t.Helper()
	prog, q := prepare(t, text, query)
	net, err := sim.NetworkNamed("bus", 1)
	if err != nil {
		t.Fatal(err)
	}
	mem := tracer.NewMemory()
	e := engine.New(prog, q, engine.Options{})
	m, err := sim.New(sim.Config{PEs: 1, Policy: named(t, "on-demand"), PolicyName: "on-demand", Network: net, Seed: 1, Recorder: mem}, e)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Boot(m, mem.Dict()); err != nil {
		return err
	}
	_, err = m.Advance(context.Background(), 1<<40)
	return err
}

// Errors have the same text as in the simulation, with and without recording and collections.
func TestErrorsReadAsInSimulation(t *testing.T) {
	if testenv.Race {
		t.Skip("on one PE")
	}
	files, err := filepath.Glob("../engine/testdata/*.fghc")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	n := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		query := ""
		for _, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "%? ") {
				query = line[3:]
			}
			if !strings.HasPrefix(line, "%!") {
				continue
			}
			want := simulated(t, string(text), query)
			for _, o := range []Options{{}, {Recorder: tracer.NewMemory()}, {Collect: true}, {Collect: true, Recorder: tracer.NewMemory()}} {
				if _, err := try(t, "p.fghc", string(text), query, o); err == nil || want == nil || err.Error() != want.Error() {
					t.Errorf("%s: ?- %s, recorded %t, collecting %t:\n%v\nin simulation\n%v", file, query, o.Recorder != nil, o.Collect, err, want)
				}
			}
			n++
		}
	}
	if n < 40 {
		t.Errorf("only %d errors", n)
	}
}
