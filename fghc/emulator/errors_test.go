package emulator

import (
	"context"
	"strings"
	"testing"

	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/fghc/testdata/programs"
	"whorl/sim"
	"whorl/testdata/must"
	"whorl/testdata/testenv"
	"whorl/tracer"
)

// simulated returns the error of a query on a simulated machine of one PE.
func simulated(t *testing.T, prog *compile.Program, query *compile.Query) error {
	t.Helper()
	net, err := sim.NetworkNamed("bus", 1)
	if err != nil {
		t.Fatal(err)
	}
	mem := tracer.NewMemory()
	e := engine.New(prog, query, engine.Options{})
	m := must.Get(sim.New(sim.Config{PEs: 1, Policy: named(t, "on-demand"), PolicyName: "on-demand", Network: net, Seed: 1, Recorder: mem}, e))(t)
	if err := e.Boot(m, mem.Dict()); err != nil {
		return err
	}
	_, err = m.Advance(context.Background(), 1<<40)
	return err
}

// Errors have the same text as in the simulation, with and without recording and collections.
func TestErrorsReadAsInSimulation(t *testing.T) {
	testenv.Sequential(t)
	n := 0
	for _, file := range programs.Language() {
		if !strings.HasSuffix(file.Name, ".fghc") {
			continue
		}
		for _, q := range file.Queries {
			if q.Error == "" {
				continue
			}
			prog, query := prepare(t, file.Text, q.Goals)
			want := simulated(t, prog, query)
			for _, o := range []Options{{}, {Recorder: tracer.NewMemory()}, {Collect: true}, {Collect: true, Recorder: tracer.NewMemory()}} {
				if _, err := attempt(t, prog, query, o); err == nil || want == nil || err.Error() != want.Error() {
					t.Errorf("%s: recorded %t, collecting %t:\n%v\nin simulation\n%v", q.Position, o.Recorder != nil, o.Collect, err, want)
				}
			}
			n++
		}
	}
	if n < 40 {
		t.Errorf("only %d errors", n)
	}
}
