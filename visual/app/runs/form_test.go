package runs

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/benchmarks"
	"whorl/experiment"
)

// TestFirstRun: the panel begins with a benchmark and the defaults of the command line.
func TestFirstRun(t *testing.T) {
	p := NewPanel()
	got, err := p.Run()
	want := experiment.Defaults(firstProgram)
	want.Args = p.form.defaults()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the run is %+v, %v, want %+v", got, err, want)
	}
	if len(want.Args) == 0 {
		t.Errorf("%s has no sizes", firstProgram)
	}
}

// TestChoose fills the form with each benchmark.
func TestChoose(t *testing.T) {
	for _, b := range benchmarks.All {
		p := NewPanel()
		p.form.seed = "7"
		p.Choose(b.Name)
		r, err := p.Run()
		if err != nil || r.Program != b.Name || r.Seed != 1 {
			t.Errorf("%s: the run is %+v, %v", b.Name, r, err)
		}
	}
}

// TestFillKeepsRuns: the form returns the run that it was filled with.
func TestFillKeepsRuns(t *testing.T) {
	name := func(t *rapid.T, items []experiment.Item, label string) string {
		return rapid.SampledFrom(items).Draw(t, label).Name
	}
	rapid.Check(t, func(t *rapid.T) {
		want := experiment.Run{
			Program: "own.fghc", Text: "main(X) :- true | X = 1.", Goal: "main(X)",
			PEs:     rapid.IntRange(1, experiment.MaxPEs).Draw(t, "PEs"),
			Seed:    rapid.Uint64().Draw(t, "seed"),
			Policy:  name(t, append(experiment.Policies(), experiment.PolicyOptions()...), "policy"),
			Machine: name(t, append(experiment.Machines(), experiment.MachineOptions()...), "machine"),
			Network: rapid.SampledFrom([]string{"", name(t, experiment.Networks(), "network")}).Draw(t, "own network"),
		}
		p := NewPanel()
		p.Fill(want)
		got, err := p.Run()
		if err != nil || !reflect.DeepEqual(got, want) || !p.Open {
			t.Fatalf("the run is %+v, %v, want %+v; the panel is open: %v", got, err, want, p.Open)
		}
	})
}

// TestWrongForms: each value that is no number is named, and a program of the user's own needs a goal.
func TestWrongForms(t *testing.T) {
	for _, c := range []struct {
		change func(p *Panel)
		want   string
	}{
		{func(p *Panel) { p.form.pes = "four" }, "the number of PEs"},
		{func(p *Panel) { p.form.seed = "-1" }, "the seed"},
		{func(p *Panel) { p.Edit("own.fghc", "main(X) :- true | X = 1.") }, "own.fghc needs a goal"},
	} {
		p := NewPanel()
		c.change(&p)
		if _, err := p.Run(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

// TestNames: the name of a run is that of its program, its sizes, PEs and policy, and what differs from the defaults.
func TestNames(t *testing.T) {
	r := experiment.Defaults("folder/sum.fghc")
	r.PEs, r.Policy = 1, "static"
	if got := Name(r); got != "sum, 1 PE, static" {
		t.Errorf("the name is %q", got)
	}
	r.Args, r.PEs = []string{"3", "4"}, 2000
	if got := Name(r); got != "sum 3 4, 2,000 PEs, static" {
		t.Errorf("the name is %q", got)
	}
	r.Network = "bus" // of the default machine, as runs that have begun name it
	if got := Name(r); got != "sum 3 4, 2,000 PEs, static" {
		t.Errorf("the name is %q", got)
	}
	r.Mode, r.Machine, r.Network, r.Seed = experiment.Live, "modern", "ring", 7
	if got := Name(r); got != "sum 3 4, 2,000 PEs, static, live, modern, ring, seed 7" {
		t.Errorf("the name is %q", got)
	}
	if got := Name(experiment.Run{Program: "http://127.0.0.1:6060/debug/pprof/trace?seconds=5"}); got != "127.0.0.1:6060" {
		t.Errorf("a server: %q", got)
	}
}

// TestRunsShareNoSizes: a run keeps its sizes when the user types others into the form.
func TestRunsShareNoSizes(t *testing.T) {
	p := NewPanel()
	p.Choose("fghc/qsort")
	first := p.form.args[0]
	before, err := p.Run()
	if err != nil {
		t.Fatal(err)
	}
	p.form.args[0] = "77"
	if after, err := p.Run(); before.Args[0] != first || err != nil || after.Args[0] != "77" {
		t.Errorf("the first run has the sizes %v, the second %v, %v", before.Args, after.Args, err)
	}
}
