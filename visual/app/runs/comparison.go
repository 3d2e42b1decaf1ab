package runs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/benchmarks"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Comparison is the dialog that starts one program several times with one thing changed, in a column of the window for each run. It keeps the
// choices that the user has made.
type Comparison struct {
	Open     bool
	panel    bool // the runs are variants of the run in the panel rather than of the one in front
	vary     int  // the index of a dimension
	policies []bool
	machines []bool
	networks []bool
	pes      string
	seeds    string
	sizes    map[string][]string // the values of each size, by benchmark
	goals    map[string][]string // by program; the last one is empty
}

// dimensions are the things that a comparison can change.
var dimensions = []string{"Policy", "PEs", "Arguments", "Machine", "Network", "Seed"}

// maxColumns is the largest number of runs that are started at once.
const maxColumns = 12

// maxGoals is the largest number of goals that the dialog has fields for.
const maxGoals = 6

// NewComparison returns a closed dialog with the first two policies, machines and networks.
func NewComparison() Comparison {
	firstTwo := func(n int) []bool {
		on := make([]bool, n)
		for i := range min(2, n) {
			on[i] = true
		}
		return on
	}
	return Comparison{
		pes: "1 2 4 8", seeds: "1 2 3", sizes: map[string][]string{}, goals: map[string][]string{},
		policies: firstTwo(len(experiment.Policies())), machines: firstTwo(len(experiment.Machines())), networks: firstTwo(len(experiment.Networks())),
	}
}

// Toggle opens or closes the dialog. It begins with the run of the panel if that is open, else with the run in front.
func (v *Comparison) Toggle(panel bool) { v.Open, v.panel = !v.Open, panel }

// runs returns the runs that differ from base in the chosen dimension.
func (v *Comparison) runs(base experiment.Run) (runs []experiment.Run, err error) {
	add := func(change func(r *experiment.Run)) {
		r := base
		change(&r)
		runs = append(runs, r)
	}
	chosen := func(items []experiment.Item, on []bool, set func(r *experiment.Run, name string)) {
		for i, it := range items {
			if on[i] {
				add(func(r *experiment.Run) { set(r, it.Name) })
			}
		}
	}
	switch dimensions[v.vary] {
	case "Policy":
		chosen(experiment.Policies(), v.policies, func(r *experiment.Run, name string) { r.Policy = name })
	case "Machine":
		chosen(experiment.Machines(), v.machines, func(r *experiment.Run, name string) { r.Machine = name })
	case "Network":
		chosen(experiment.Networks(), v.networks, func(r *experiment.Run, name string) { r.Network = name })
	case "Arguments":
		runs, err = v.arguments(base)
	case "PEs":
		for _, s := range strings.FieldsFunc(v.pes, notDigit) {
			n, err := strconv.Atoi(s)
			if err != nil {
				return nil, fmt.Errorf("%s PEs: a machine has 1 to %s", s, figures.Count(experiment.MaxPEs))
			}
			if err := experiment.CheckPEs(n); err != nil {
				return nil, err
			}
			add(func(r *experiment.Run) { r.PEs = n })
		}
	default:
		for _, s := range strings.FieldsFunc(v.seeds, notDigit) {
			n, err := strconv.ParseUint(s, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("seed %s is too large", s)
			}
			add(func(r *experiment.Run) { r.Seed = n })
		}
	}
	if err == nil && len(runs) > maxColumns {
		err = fmt.Errorf("%d runs: at most %d fit side by side", len(runs), maxColumns)
	}
	return runs, err
}

// arguments returns a run for each combination of the sizes of a benchmark, or for each goal of a program.
func (v *Comparison) arguments(base experiment.Run) (runs []experiment.Run, err error) {
	b := sizedBenchmark(base)
	if b == nil && !takesGoal(base) {
		return nil, fmt.Errorf("%s has neither sizes nor a goal", base.Program)
	}
	if b == nil {
		for _, goal := range v.goalsOf(base) {
			if goal = strings.TrimSpace(goal); goal != "" {
				r := base
				r.Goal = goal
				runs = append(runs, r)
			}
		}
		return runs, nil
	}
	all := [][]string{nil} // the first sizes of each run
	for i, values := range v.sizesOf(b, base) {
		var longer [][]string
		for _, sizes := range all {
			for _, value := range strings.Fields(values) {
				if wrong := countError(value, b.Params[i].Min, b.Params[i].Max); wrong != "" {
					return nil, fmt.Errorf("%s = %s: expected %s", b.Params[i].Name, value, wrong)
				}
				longer = append(longer, append(slices.Clone(sizes), value))
			}
		}
		if all = longer; len(all) > 100*maxColumns {
			break // the caller reports that these are too many
		}
	}
	for _, sizes := range all {
		r := base
		r.Args = sizes
		runs = append(runs, r)
	}
	return runs, nil
}

// sizedBenchmark returns the benchmark whose sizes are the arguments of a run, nil for a run that begins with a goal.
func sizedBenchmark(r experiment.Run) *benchmarks.Benchmark {
	i := slices.IndexFunc(benchmarks.All, func(b *benchmarks.Benchmark) bool { return b.Name == r.Program })
	if i < 0 || r.Goal != "" || len(benchmarks.All[i].Params) == 0 {
		return nil
	}
	return benchmarks.All[i]
}

// takesGoal reports whether a run begins with a goal: programs in FGHC do.
func takesGoal(r experiment.Run) bool {
	substrate, err := r.Substrate()
	return err == nil && substrate == "fghc"
}

// sizesOf returns a text for each size of a benchmark, with the values that runs have. The texts begin with the sizes of base.
func (v *Comparison) sizesOf(b *benchmarks.Benchmark, base experiment.Run) []string {
	if texts := v.sizes[b.Name]; texts != nil {
		return texts
	}
	sizes, err := b.Sizes(base.Args)
	if err != nil {
		sizes = b.Defaults()
	}
	for _, n := range sizes {
		v.sizes[b.Name] = append(v.sizes[b.Name], strconv.FormatInt(n, 10))
	}
	return v.sizes[b.Name]
}

// goalsOf returns the goals of a program, with an empty one at the end. They begin with that of base.
func (v *Comparison) goalsOf(base experiment.Run) []string {
	if v.goals[base.Program] == nil {
		v.goals[base.Program] = []string{base.Goal}
	}
	if all := v.goals[base.Program]; all[len(all)-1] != "" && len(all) < maxGoals {
		v.goals[base.Program] = append(all, "")
	}
	return v.goals[base.Program]
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// base returns the run whose variants the comparison makes: the run of the panel or front, the run in front, which is nil if it cannot be run again.
func (v *Comparison) base(panel *Panel, front *experiment.Run) (experiment.Run, error) {
	if front == nil || v.panel {
		return panel.Run()
	}
	return *front, nil
}

// Draw draws the dialog. It returns the runs to start once the user has confirmed it. front is the run in front, nil for none.
func (v *Comparison) Draw(c *ui.Context, panel *Panel, front *experiment.Run) []experiment.Run {
	if !v.Open {
		return nil
	}
	base, err := v.base(panel, front)
	var runs []experiment.Run
	if err == nil {
		runs, err = v.runs(base)
	}
	label := fmt.Sprintf("Run %d columns", len(runs))
	if len(runs) == 1 {
		label = "Run 1 column"
	}
	hit := widget.Dialog(c, "compare", &v.Open, widget.DialogOptions{
		Title: "Compare runs", W: 520, H: 320 + 3*(c.Theme.Ctl-ui.Ctl) + 6*max(c.Theme.Least-24, 0), Buttons: []string{"Cancel", label}, Off: err != nil || len(runs) == 0,
	}, func(r ui.Rect) { v.drawBody(c, r, panel, front, base, err) })
	if hit < 0 {
		return nil
	}
	v.Open = false
	c.Again()
	if hit == 1 {
		return runs
	}
	return nil
}

// drawBody draws the choice of the run, the choice of the quantity that varies, and its values.
func (v *Comparison) drawBody(c *ui.Context, r ui.Rect, panel *Panel, front *experiment.Run, base experiment.Run, err error) {
	ofPanel := "The panel “Run a program”"
	if run, err := panel.Run(); err == nil {
		ofPanel += ": " + Name(run)
	}
	if row := r.CutTop(c.Px(c.Theme.Ctl)); front != nil {
		c.Label(row.CutLeft(c.Px(64)), "Vary", ui.Type{Color: c.Theme.Muted})
		chosen := 0
		if v.panel {
			chosen = 1
		}
		if widget.Dropdown(c, row, "base", []string{"The run in front: " + Name(*front), ofPanel}, &chosen) {
			v.panel = chosen == 1
			c.Again()
		}
	} else {
		c.Label(row, ofPanel, ui.Type{Color: c.Theme.Muted})
	}
	r.CutTop(c.Px(ui.Pad))
	if row := r.CutTop(c.Px(c.Theme.Ctl)); widget.Narrow(c) {
		widget.Dropdown(c, row, "vary", dimensions, &v.vary)
	} else {
		widget.Segments(c, row, "vary", dimensions, &v.vary)
	}
	r.CutTop(c.Px(ui.Pad))
	switch dimensions[v.vary] {
	case "Policy":
		drawChecks(c, &r, experiment.Policies(), v.policies)
	case "Machine":
		drawChecks(c, &r, experiment.Machines(), v.machines)
	case "Network":
		drawChecks(c, &r, experiment.Networks(), v.networks)
	case "Arguments":
		v.drawArguments(c, &r, base)
	case "PEs":
		widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "pes", &v.pes, widget.FieldOptions{Hint: "1 2 4 8"})
	default:
		widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "seeds", &v.seeds, widget.FieldOptions{Hint: "1 2 3"})
	}
	if err != nil {
		r.CutTop(c.Px(ui.Gap))
		widget.Message(c, r.CutTop(c.Px(c.Theme.Ctl)), ui.Failure, err.Error())
	}
}

// drawArguments draws a field for the values of each size, or for each goal, or nothing for a program without arguments.
func (v *Comparison) drawArguments(c *ui.Context, r *ui.Rect, base experiment.Run) {
	field := func(label, tip, name string, text *string, o widget.FieldOptions) {
		row := r.CutTop(c.Px(c.Theme.Ctl))
		r.CutTop(c.Px(4))
		cell := row.CutLeft(c.Px(96))
		c.Label(cell, label, ui.Type{Color: c.Theme.Muted})
		c.Tip(cell, tip)
		if widget.Field(c, row, name, text, o).Changed {
			c.Again()
		}
	}
	b := sizedBenchmark(base)
	if b == nil && !takesGoal(base) {
		return
	}
	if b == nil {
		goals := v.goalsOf(base)
		for i := range goals {
			field("Goal "+strconv.Itoa(i+1), "The query of a run", "goal"+strconv.Itoa(i), &goals[i], widget.FieldOptions{Code: true, Hint: "another goal"})
		}
		return
	}
	sizes := v.sizesOf(b, base)
	for i, p := range b.Params {
		field(p.Name, p.Doc, "size "+p.Name, &sizes[i], widget.FieldOptions{Hint: "one or more values"})
	}
	c.Label(r.CutTop(c.Px(c.Theme.Ctl)), "Several values of a size, with blanks between them, give a run for each combination.", ui.Type{Color: c.Theme.Muted, Size: ui.Small})
}

// drawChecks draws check boxes in two columns, cut off the top of r.
func drawChecks(c *ui.Context, r *ui.Rect, items []experiment.Item, on []bool) {
	for i, it := range items {
		row := *r
		row.Y1 = row.Y0 + c.Px(max(24, c.Theme.Least))
		if i%2 == 0 {
			row.X1 = (row.X0 + row.X1) / 2
		} else {
			row.X0 = (row.X0 + row.X1) / 2
		}
		if i%2 == 1 || i == len(items)-1 {
			r.Y0 = row.Y1
		}
		widget.Check(c, row, it.Name, it.Name, &on[i])
		c.Tip(row, it.Doc)
	}
}

// A Variation is a run that differs from another in one thing.
type Variation struct {
	Label string // of a menu; "" for a line that divides it
	Run   experiment.Run
}

// Variations lists the runs that a menu offers for starting a run again.
func Variations(base *experiment.Run) []Variation {
	var out []Variation
	add := func(label string, change func(r *experiment.Run)) {
		r := *base
		change(&r)
		out = append(out, Variation{label, r})
	}
	for _, it := range experiment.Policies() {
		if it.Name != base.Policy {
			add("Policy "+it.Name, func(r *experiment.Run) { r.Policy = it.Name })
		}
	}
	out = append(out, Variation{})
	for _, n := range []int{base.PEs / 2, base.PEs * 2, base.PEs * 4} {
		if n >= 1 && n <= experiment.MaxPEs && n != base.PEs {
			add(figures.Counted(int64(n), "PE"), func(r *experiment.Run) { r.PEs = n })
		}
	}
	add("Seed "+strconv.FormatUint(base.Seed+1, 10), func(r *experiment.Run) { r.Seed++ })
	return out
}
