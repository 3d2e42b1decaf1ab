package compare

import (
	"strings"
	"testing"

	"whorl/experiment/sweep"
)

// TestWrongPlots: the mistakes in plots are found before the first run.
func TestWrongPlots(t *testing.T) {
	for _, c := range []struct{ settings, want string }{
		{`chart = "heat"`, "a plot needs a file"},
		{`file = "a/b.svg"`, "expected a name without folders"},
		{"file = \"a.svg\"\nchart = \"pie\"", `unknown chart "pie"`},
		{"file = \"a.svg\"\nchart = \"heat\"\nx = \"latncy_ns\"", `x: unknown column "latncy_ns"; did you mean latency_ns?`},
		{"file = \"a.svg\"\nvalue = \"speedups\"", `value: unknown column "speedups"; did you mean speedup?`},
		{"file = \"a.svg\"\n[[plot]]\nfile = \"a.svg\"", `plot 2: file: "a.svg" is another plot too`},
	} {
		g, err := sweep.Read("g.toml", "programs = [\"pascal\"]\n[[plot]]\n"+c.settings+"\n")
		if err == nil {
			_, err = plotsOf(g)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "g.toml: plot ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.settings, err, c.want)
		}
	}
	g, err := sweep.Read("g.toml", "programs = [\"pascal\"]\n[[plot]]\nfile = \"a.svg\"\nchart = \"scatter\"\nx = \"pes\"\ny = \"time_ns\"\ncolor = \"\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if all, err := plotsOf(g); err != nil || len(all) != 1 || all[0].params["x"] != "pes" {
		t.Errorf("%+v, %v", all, err)
	}
}
