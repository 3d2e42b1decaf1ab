package app

import (
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
	"whorl/visual/ui"
)

// pascals adds compared runs of Pascal's triangle to a window, one for each description.
func pascals(t *testing.T, all ...experiment.Run) *driver {
	t.Helper()
	d := drive(t, Options{}, 1280, 800, 1)
	for i, r := range all {
		d.app.OpenFile(traceFile(t, string(rune('a'+i))+".whorl", experimenttest.Trace(t, r)))
	}
	d.settle()
	return d
}

func pascal(pes int, policy string, seed uint64) experiment.Run {
	r := experiment.Defaults("fghc/pascal")
	r.Args, r.PEs, r.Policy, r.Seed = []string{"20"}, pes, policy, seed
	return r
}

// TestNumbersOfComparedRuns: the table has the numbers of whorl compare, with means over seeds.
func TestNumbersOfComparedRuns(t *testing.T) {
	var all []experiment.Run
	for _, policy := range []string{"on-demand", "random"} {
		for seed := range uint64(3) {
			all = append(all, pascal(4, policy, seed+1))
		}
	}
	d := pascals(t, append(all, pascal(1, "on-demand", 1))...)
	d.key("T", ui.Shift)
	d.settle()
	grid := experiment.Grid{Base: pascal(4, "", 1), PEs: []int{4}, Policies: []string{"on-demand", "random"}, Seeds: 3}
	want := must.Get(experiment.Compare(t.Context(), grid, nil, nil))(t)
	_, lines := want.Table()
	for _, line := range lines {
		if text := strings.TrimSpace(line[2]) + " ± " + strings.TrimSpace(line[3]); !d.shows(text) {
			t.Errorf("the window does not show the time %s:\n%s", text, d.texts())
		}
	}
	for _, text := range []string{"means over the seeds", "speedup: against", "suspensions"} {
		if !d.shows(text) {
			t.Errorf("the window does not show %q:\n%s", text, d.texts())
		}
	}
	d.shot("numbers")
	d.on("Copy as CSV")
	if n := len(d.asks); n == 0 || d.asks[n-1].Do != CopyText || !strings.HasPrefix(d.asks[n-1].Text, "program,args,goal,") {
		t.Errorf("the user gets %+v", d.asks)
	}
	d.on("Close")
	if d.app.numbers.Open {
		t.Error("the table stays open")
	}
}

// TestNumbersOfOtherRuns: runs that differ in their networks stand in columns of their own; different programs are not compared.
func TestNumbersOfOtherRuns(t *testing.T) {
	mesh, nrev := pascal(4, "on-demand", 1), experiment.Defaults("fghc/nrev")
	mesh.Network = "mesh2d"
	for _, c := range []struct {
		other experiment.Run
		want  string
	}{{mesh, "on-demand, mesh2d"}, {nrev, "a and b are runs of different programs"}} {
		d := pascals(t, pascal(4, "on-demand", 1), c.other)
		d.key("T", ui.Shift)
		if d.settle(); !d.shows(c.want) {
			t.Errorf("the window does not show %q:\n%s", c.want, d.texts())
		}
	}
	d := pascals(t, mesh)
	if d.key("T", ui.Shift); d.app.numbers.Open {
		t.Error("a single run has a table")
	}
}
