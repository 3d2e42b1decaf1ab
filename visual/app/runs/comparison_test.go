package runs

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestComparedRuns: the runs of a comparison differ from the base in one thing only.
func TestComparedRuns(t *testing.T) {
	base := experiment.Defaults("fghc/pascal")
	policies := experiment.Policies()
	for vary, c := range []struct {
		value func(r *experiment.Run) string
		want  []string
	}{
		{func(r *experiment.Run) string { return r.Policy }, []string{policies[0].Name, policies[1].Name}},
		{func(r *experiment.Run) string { return strconv.Itoa(r.PEs) }, []string{"1", "2", "4", "8"}},
		{func(r *experiment.Run) string { return r.Network }, []string{experiment.Networks()[0].Name, experiment.Networks()[1].Name}},
		{func(r *experiment.Run) string { return strconv.FormatUint(r.Seed, 10) }, []string{"1", "2", "3"}},
	} {
		v := NewComparison()
		v.vary = vary
		all, err := v.runs(base)
		if err != nil {
			t.Errorf("%s: %v", dimensions[vary], err)
		}
		var got []string
		for i := range all {
			r := &all[i]
			got = append(got, c.value(r))
			if r.Program != base.Program || vary != 0 && r.Policy != base.Policy || vary != 1 && r.PEs != base.PEs || vary != 3 && r.Seed != base.Seed {
				t.Errorf("%s: %+v differs from %+v in something else", dimensions[vary], r, base)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the runs have %q, want %q", dimensions[vary], got, c.want)
		}
	}
}

func TestWrongComparisons(t *testing.T) {
	for _, c := range []struct {
		pes, seeds string
		vary       int
		want       string
	}{
		{pes: "1 2 0", vary: 1, want: "0 PEs: a machine has 1 to"},
		{pes: "99999999999", vary: 1, want: "99,999,999,999 PEs"},
		{pes: "99999999999999999999", vary: 1, want: "99999999999999999999 PEs: a machine has 1 to"},
		{seeds: "99999999999999999999", vary: 3, want: "is too large"},
		{seeds: "1 2 3 4 5 6 7 8 9 10 11 12 13", vary: 3, want: "13 runs: at most 12"},
	} {
		v := Comparison{vary: c.vary, pes: c.pes, seeds: c.seeds}
		if _, err := v.runs(experiment.Run{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

// TestComparisonDialog chooses what varies, and confirms.
func TestComparisonDialog(t *testing.T) {
	panel, v := NewPanel(), NewComparison()
	v.Open = true
	var all []experiment.Run
	u := usertest.New(t, 800, 600, func(c *ui.Context) {
		if runs := v.Draw(c, &panel); runs != nil {
			all = runs
		}
	})
	for _, c := range []struct{ name, shows string }{{"Network", "Run 2 columns"}, {"Seed", "Run 3 columns"}, {"PEs", "Run 4 columns"}} {
		if u.Click(c.name); !u.Shows(c.shows) {
			t.Errorf("%s: the window shows\n%s", c.name, u.Texts())
		}
	}
	u.ClickOn("compare/pes")
	u.Keys("Control+a")
	u.Type("0")
	if !u.Shows("0 PEs: a machine has") {
		t.Errorf("the error is not shown:\n%s", u.Texts())
	}
	u.Keys("Backspace")
	u.Type("3")
	u.Click("Run 1 column")
	if len(all) != 1 || all[0].PEs != 3 || v.Open {
		t.Errorf("the runs are %+v; the dialog is open: %v", all, v.Open)
	}
	all, v.Open = nil, true
	panel.form.seed = "?"
	u.Step()
	if !u.Shows("the seed") {
		t.Errorf("the error of the panel is not shown:\n%s", u.Texts())
	}
	if u.Click("Cancel"); all != nil || v.Open {
		t.Errorf("Cancel runs %+v; the dialog is open: %v", all, v.Open)
	}
}

// TestVariations: a menu offers the other policies, other numbers of PEs that a machine can have, and the next seed.
func TestVariations(t *testing.T) {
	for _, c := range []struct {
		pes  int
		want []string
	}{{4, []string{"2 PEs", "8 PEs", "16 PEs"}}, {1, []string{"2 PEs", "4 PEs"}}, {experiment.MaxPEs, nil}} {
		base := experiment.Run{PEs: c.pes, Policy: "static", Seed: 6}
		var got []string
		for _, v := range Variations(&base) {
			switch {
			case strings.HasSuffix(v.Label, " PEs"):
				got = append(got, v.Label)
			case v.Label == "Policy static":
				t.Error("the menu offers the policy that the run has")
			case strings.HasPrefix(v.Label, "Seed "):
				if v.Run.Seed != 7 || v.Label != "Seed 7" {
					t.Errorf("%s has the seed %d", v.Label, v.Run.Seed)
				}
			}
		}
		if c.want == nil {
			c.want = []string{figures.Counted(experiment.MaxPEs/2, "PE")}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("for %d PEs the menu offers %q, want %q", c.pes, got, c.want)
		}
	}
}
