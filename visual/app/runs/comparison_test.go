package runs

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/documents"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestComparedRuns: the runs of a comparison differ from the base in one thing only.
func TestComparedRuns(t *testing.T) {
	base := experiment.Defaults("dts/quicksort")
	base.Args = []string{"20", "4"}
	same := experiment.Run{}
	policies, machines, networks := experiment.Policies(), experiment.Machines(), experiment.Networks()
	for vary, c := range []struct {
		value func(r *experiment.Run) string
		reset func(r *experiment.Run)
		want  []string
	}{
		{func(r *experiment.Run) string { return r.Policy }, func(r *experiment.Run) { r.Policy = "" }, []string{policies[0].Name, policies[1].Name}},
		{func(r *experiment.Run) string { return strconv.Itoa(r.PEs) }, func(r *experiment.Run) { r.PEs = 0 }, []string{"1", "2", "4", "8"}},
		{func(r *experiment.Run) string { return strings.Join(r.Args, " ") }, func(r *experiment.Run) { r.Args = nil }, []string{"20 4", "20 1000", "30 4", "30 1000"}},
		{func(r *experiment.Run) string { return r.Machine }, func(r *experiment.Run) { r.Machine = "" }, []string{machines[0].Name, machines[1].Name}},
		{func(r *experiment.Run) string { return r.Network }, func(r *experiment.Run) { r.Network = "" }, []string{networks[0].Name, networks[1].Name}},
		{func(r *experiment.Run) string { return strconv.FormatUint(r.Seed, 10) }, func(r *experiment.Run) { r.Seed = 0 }, []string{"1", "2", "3"}},
	} {
		v := NewComparison()
		v.vary = vary
		v.sizes[base.Program] = []string{"20 30", "4  1000"}
		all, err := v.runs(base)
		if err != nil {
			t.Errorf("%s: %v", dimensions[vary], err)
		}
		var got []string
		same = base
		c.reset(&same)
		for i := range all {
			got = append(got, c.value(&all[i]))
			if c.reset(&all[i]); !reflect.DeepEqual(all[i], same) {
				t.Errorf("%s: %+v differs from %+v in something else", dimensions[vary], all[i], base)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: the runs have %q, want %q", dimensions[vary], got, c.want)
		}
	}
}

func TestWrongComparisons(t *testing.T) {
	for _, c := range []struct {
		pes, seeds, size string
		vary             int
		want             string
	}{
		{pes: "1 2 0", vary: 1, want: "0 PEs: a machine has 1 to"},
		{pes: "99999999999", vary: 1, want: "99,999,999,999 PEs"},
		{pes: "99999999999999999999", vary: 1, want: "99999999999999999999 PEs: a machine has 1 to"},
		{size: "4 none", vary: 2, want: "n = none: expected a whole number from"},
		{size: strings.Repeat("4 ", 5000), vary: 2, want: "5000 runs: at most 12"},
		{seeds: "99999999999999999999", vary: 5, want: "is too large"},
		{seeds: "1 2 3 4 5 6 7 8 9 10 11 12 13", vary: 5, want: "13 runs: at most 12"},
	} {
		v := Comparison{vary: c.vary, pes: c.pes, seeds: c.seeds, sizes: map[string][]string{"fghc/pascal": {c.size}}}
		if _, err := v.runs(experiment.Defaults("fghc/pascal")); err == nil || !strings.Contains(err.Error(), c.want) {
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
		if runs := v.Draw(c, &panel, nil); runs != nil {
			all = runs
		}
	})
	for _, c := range []struct{ name, shows string }{
		{"Network", "Run 2 columns"}, {"Machine", "Run 2 columns"}, {"Arguments", "Run 1 column"}, {"Seed", "Run 3 columns"}, {"PEs", "Run 4 columns"},
	} {
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

// TestComparisonOfTheRunInFront varies the arguments of the run in front, then its goals. The dialog keeps what was chosen.
func TestComparisonOfTheRunInFront(t *testing.T) {
	panel, v := NewPanel(), NewComparison()
	front := experiment.Defaults("fghc/pascal")
	front.Args, front.PEs = []string{"20"}, 9
	var all []experiment.Run
	u := usertest.New(t, 900, 600, func(c *ui.Context) {
		if runs := v.Draw(c, &panel, &front); runs != nil {
			all = runs
		}
	})
	v.Toggle(false)
	u.Step()
	u.Click("Arguments")
	u.ClickOn("compare/size n")
	u.Type(" 24")
	u.Click("Run 2 columns")
	if len(all) != 2 || all[0].PEs != 9 || all[0].Args[0] != "20" || all[1].Args[0] != "24" {
		t.Fatalf("the runs are %+v", all)
	}
	v.Toggle(false)
	if u.Step(); !u.Shows("20 24") || !u.Shows("Run 2 columns") {
		t.Errorf("the dialog has forgotten the arguments:\n%s", u.Texts())
	}
	u.Click("The run in front: pascal 20, 9 PEs")
	u.Click("The panel")
	u.Click("Run 2 columns")
	if len(all) != 2 || all[0].PEs != 4 || all[1].Args[0] != "24" {
		t.Errorf("the runs of the panel are %+v", all)
	}
	front = experiment.Run{Program: "own.fghc", Text: "a(1). a(2).", Goal: "a(1)", PEs: 2, Policy: "steal"}
	v.Toggle(false)
	u.Step()
	u.ClickOn("compare/goal1")
	u.Type("a(2)")
	u.Keys("Enter")
	if len(all) != 2 || all[0].Goal != "a(1)" || all[1].Goal != "a(2)" || all[1].PEs != 2 {
		t.Errorf("the runs of two goals are %+v", all)
	}
}

// TestComparisonWithoutArguments: the dialog has no field for goals of a program in HPF.
func TestComparisonWithoutArguments(t *testing.T) {
	panel, v := NewPanel(), NewComparison()
	front := experiment.Defaults("own.hpf")
	u := usertest.New(t, 900, 600, func(c *ui.Context) { v.Draw(c, &panel, &front) })
	v.Toggle(false)
	u.Step()
	if u.Click("Arguments"); u.Shows("Goal 1") || !u.Shows("own.hpf has neither sizes nor a goal") {
		t.Errorf("the dialog shows\n%s", u.Texts())
	}
}

// TestTitles: titles say what differs, also in what names do not tell.
func TestTitles(t *testing.T) {
	vary := func(change ...func(r *experiment.Run)) (all []*experiment.Run) {
		for _, c := range change {
			r := experiment.Defaults("fghc/pascal")
			r.Args = []string{"20"}
			c(&r)
			all = append(all, &r)
		}
		return all
	}
	same := func(*experiment.Run) {}
	threads := func(args ...string) (all []*experiment.Run) {
		for pair := range slices.Chunk(args, 2) {
			r := experiment.Defaults("dts/quicksort")
			r.Args = pair
			all = append(all, &r)
		}
		return all
	}
	for _, c := range []struct {
		runs []*experiment.Run
		want []string
	}{
		{vary(same, func(r *experiment.Run) { r.Seed = 2 }), []string{"seed 1", "seed 2"}},
		{vary(same, func(r *experiment.Run) { r.Network = "ring" }), []string{"machine's own network", "ring"}},
		{vary(same, func(r *experiment.Run) { r.Machine, r.PEs = "modern", 8 }), []string{"4 PEs, symmetry", "8 PEs, modern"}},
		{vary(same, func(r *experiment.Run) { r.Args = []string{"24"} }), []string{"n 20", "n 24"}},
		{threads("10000", "4", "10000", "1000"), []string{"grain 4", "grain 1000"}},
		{threads("100", "4", "10000", "1000"), []string{"n 100, grain 4", "n 10000, grain 1000"}},
		{append(vary(same), threads("100", "4")...), []string{"pascal 20", "quicksort 100 4"}},
		{vary(func(r *experiment.Run) { r.Goal = "a(1, X)" }, func(r *experiment.Run) { r.Goal = "b(1, X)" }), []string{"a(1,X)", "b(1,X)"}},
		{vary(same, same), []string{"pascal 20, 4 PEs, on-demand", "pascal 20, 4 PEs, on-demand (2)"}},
		{append(vary(same), nil), []string{"pascal 20, 4 PEs, on-demand", "file"}},
	} {
		var names []string
		for _, r := range c.runs {
			name := "file"
			if r != nil {
				name = documents.NameFor(Name(*r), func(s string) bool { return slices.Contains(names, s) })
			}
			names = append(names, name)
		}
		if got := Titles(names, c.runs); !slices.Equal(got, c.want) {
			t.Errorf("%q have the titles %q, want %q", names, got, c.want)
		}
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
