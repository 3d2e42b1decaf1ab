package runs

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Comparison is the dialog that starts one program several times with one thing changed, in a column of the window for each run.
type Comparison struct {
	Open     bool
	vary     int // the index of a dimension
	policies []bool
	networks []bool
	pes      string
	seeds    string
}

// dimensions are the things that a comparison can change.
var dimensions = []string{"Policy", "PEs", "Network", "Seed"}

// maxColumns is the largest number of runs that are started at once.
const maxColumns = 12

// NewComparison returns a closed dialog with the first two policies and networks.
func NewComparison() Comparison {
	firstTwo := func(n int) []bool {
		on := make([]bool, n)
		for i := range min(2, n) {
			on[i] = true
		}
		return on
	}
	return Comparison{pes: "1 2 4 8", seeds: "1 2 3", policies: firstTwo(len(experiment.Policies())), networks: firstTwo(len(experiment.Networks()))}
}

// runs returns the runs that differ from base in the chosen dimension.
func (v *Comparison) runs(base experiment.Run) ([]experiment.Run, error) {
	var runs []experiment.Run
	add := func(change func(r *experiment.Run)) {
		r := base
		change(&r)
		runs = append(runs, r)
	}
	switch dimensions[v.vary] {
	case "Policy":
		for i, it := range experiment.Policies() {
			if v.policies[i] {
				add(func(r *experiment.Run) { r.Policy = it.Name })
			}
		}
	case "Network":
		for i, it := range experiment.Networks() {
			if v.networks[i] {
				add(func(r *experiment.Run) { r.Network = it.Name })
			}
		}
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
	if len(runs) > maxColumns {
		return nil, fmt.Errorf("%d runs: at most %d fit side by side", len(runs), maxColumns)
	}
	return runs, nil
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// Draw draws the dialog. It returns the runs to start once the user has confirmed it. The program and all that does not vary are those of
// the panel.
func (v *Comparison) Draw(c *ui.Context, panel *Panel) []experiment.Run {
	if !v.Open {
		return nil
	}
	base, err := panel.Run()
	about := ""
	var runs []experiment.Run
	if err != nil {
		about = err.Error()
	} else {
		about = Name(base)
		runs, err = v.runs(base)
	}
	label := fmt.Sprintf("Run %d columns", len(runs))
	if len(runs) == 1 {
		label = "Run 1 column"
	}
	hit := widget.Dialog(c, "compare", &v.Open, widget.DialogOptions{
		Title: "Compare runs", W: 460, H: 300, Buttons: []string{"Cancel", label}, Off: err != nil || len(runs) == 0,
	}, func(r ui.Rect) { v.drawBody(c, r, about, err) })
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

func (v *Comparison) drawBody(c *ui.Context, r ui.Rect, about string, err error) {
	text := "The program and all other settings are those of the panel “Run a program”: " + about + "."
	r.CutTop(c.Paragraph(r, text, ui.Type{Color: c.Theme.Muted}) + c.Px(ui.Pad))
	widget.Segments(c, r.CutTop(c.Px(ui.Ctl)), "vary", dimensions, &v.vary)
	r.CutTop(c.Px(ui.Pad))
	switch dimensions[v.vary] {
	case "Policy":
		drawChecks(c, &r, experiment.Policies(), v.policies)
	case "Network":
		drawChecks(c, &r, experiment.Networks(), v.networks)
	case "PEs":
		widget.Field(c, r.CutTop(c.Px(ui.Ctl)), "pes", &v.pes, widget.FieldOptions{Hint: "1 2 4 8"})
	default:
		widget.Field(c, r.CutTop(c.Px(ui.Ctl)), "seeds", &v.seeds, widget.FieldOptions{Hint: "1 2 3"})
	}
	if err != nil {
		r.CutTop(c.Px(ui.Gap))
		widget.Message(c, r.CutTop(c.Px(ui.Ctl)), ui.Failure, err.Error())
	}
}

// drawChecks draws check boxes in two columns, cut off the top of r.
func drawChecks(c *ui.Context, r *ui.Rect, items []experiment.Item, on []bool) {
	for i, it := range items {
		row := *r
		row.Y1 = row.Y0 + c.Px(24)
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
