package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A comparison is the dialog that starts one program several times with one thing changed, a column of the window for each run.
type comparison struct {
	open     bool
	vary     int // which of varied
	policies []bool
	networks []bool
	pes      string
	seeds    string
}

// varied are the things that a comparison can change.
var varied = []string{"Policy", "PEs", "Network", "Seed"}

// maxColumns is how many runs are started at once.
const maxColumns = 12

func newComparison() comparison {
	c := comparison{pes: "1 2 4 8", seeds: "1 2 3"}
	c.policies = make([]bool, len(experiment.Policies()))
	c.networks = make([]bool, len(experiment.Networks()))
	for i := range min(2, len(c.policies)) {
		c.policies[i] = true
	}
	for i := range min(2, len(c.networks)) {
		c.networks[i] = true
	}
	return c
}

func (a *App) toggleCompare() {
	a.compare.open = !a.compare.open
	a.changed = true
}

// runs are the runs that the dialog asks for.
func (a *App) comparedRuns() ([]experiment.Run, error) {
	base, err := a.form.run(&a.program)
	if err != nil {
		return nil, err
	}
	var runs []experiment.Run
	add := func(change func(r *experiment.Run)) {
		r := base
		change(&r)
		runs = append(runs, r)
	}
	v := &a.compare
	switch varied[v.vary] {
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
			if err != nil || n < 1 || n > experiment.MaxPEs {
				return nil, fmt.Errorf("%s PEs: a machine has 1 to %s", s, figures.Count(experiment.MaxPEs))
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
		return nil, fmt.Errorf("%d runs: at most %d stand side by side", len(runs), maxColumns)
	}
	return runs, nil
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// compareDialog asks what to change.
func (a *App) compareDialog(c *ui.Context) {
	v := &a.compare
	if !v.open {
		return
	}
	runs, err := a.comparedRuns()
	label := fmt.Sprintf("Run %d columns", len(runs))
	if len(runs) == 1 {
		label = "Run 1 column"
	}
	hit := c.Dialog("compare", &v.open, ui.Dialog{
		Title: "Compare runs", W: 460, H: 300, Buttons: []string{"Cancel", label}, Off: err != nil || len(runs) == 0,
	}, func(r ui.Rect) {
		text := "The program and everything else are those of the panel “Run a program”: " + a.formText() + "."
		r.CutTop(c.Paragraph(r, text, ui.Type{Color: c.Theme.Muted}) + c.Px(ui.Pad))
		c.Segments(r.CutTop(c.Px(ui.Ctl)), "vary", varied, &v.vary)
		r.CutTop(c.Px(ui.Pad))
		checks := func(items []experiment.Item, on []bool) {
			for i, it := range items {
				cell := r.CutTop(c.Px(ui.Ctl) / 2)
				if i%2 == 0 {
					r.Y0 = cell.Y0
				}
				row := ui.Rect{X0: cell.X0, Y0: cell.Y0, X1: cell.X1, Y1: cell.Y0 + c.Px(24)}
				if i%2 == 0 {
					row.X1 = (row.X0 + row.X1) / 2
				} else {
					row.X0 = (row.X0 + row.X1) / 2
					r.Y0 = row.Y1
				}
				c.Check(row, it.Name, it.Name, &on[i])
				c.Tip(row, it.Doc)
			}
		}
		switch varied[v.vary] {
		case "Policy":
			checks(experiment.Policies(), v.policies)
		case "Network":
			checks(experiment.Networks(), v.networks)
		case "PEs":
			c.Field(r.CutTop(c.Px(ui.Ctl)), "pes", &v.pes, ui.FieldLook{Hint: "1 2 4 8"})
		default:
			c.Field(r.CutTop(c.Px(ui.Ctl)), "seeds", &v.seeds, ui.FieldLook{Hint: "1 2 3"})
		}
		if err != nil {
			r.CutTop(c.Px(ui.Gap))
			c.Message(r.CutTop(c.Px(ui.Ctl)), ui.Failure, err.Error())
		}
	})
	switch hit {
	case 0:
		v.open = false
	case 1:
		v.open = false
		a.runColumns(runs)
	}
	if hit >= 0 {
		c.Again()
	}
}

// formText says in a few words what the form would run.
func (a *App) formText() string {
	r, err := a.form.run(&a.program)
	if err != nil {
		return err.Error()
	}
	return runName(r)
}

// runColumns starts runs and shows them side by side in place of what is shown. Traces with notes stay open behind that.
func (a *App) runColumns(runs []experiment.Run) {
	if a.runner == nil || len(runs) == 0 {
		return
	}
	var ds []*document
	group := a.newGroup()
	for _, r := range runs {
		s, err := a.runner.Run(r)
		if err != nil {
			a.fail(err)
			break
		}
		d := newLive(s, r)
		d.name, d.group = a.nameFor(runName(r)), group
		a.docs[d.name] = d
		ds = append(ds, d)
	}
	if len(ds) == 0 {
		return
	}
	a.running = false
	a.edit(func(w *workspace.Workspace) error {
		for _, name := range w.State.Shared.Traces {
			if slices.ContainsFunc(w.State.Shared.Annotations, func(n view.Annotation) bool { return n.Trace == name }) {
				continue
			}
			if err := w.Apply(view.Action{Do: view.CloseTrace, Name: name}); err != nil {
				return err
			}
		}
		w.Root = nil
		w.State.Personal.Panes, w.IDs = nil, nil
		for _, d := range ds {
			if err := a.arranger.Open(w, d.name); err != nil {
				return err
			}
		}
		return nil
	})
	a.follow()
}

// A variation is a run that differs from another in one thing.
type variation struct {
	label  string
	change func(r *experiment.Run)
}

// variations are what the menu of a pane offers for its run.
func variations(r *experiment.Run) []variation {
	var out []variation
	for _, it := range experiment.Policies() {
		if it.Name != r.Policy {
			out = append(out, variation{"Policy " + it.Name, func(r *experiment.Run) { r.Policy = it.Name }})
		}
	}
	out = append(out, variation{})
	for _, n := range []int{r.PEs / 2, r.PEs * 2, r.PEs * 4} {
		if n >= 1 && n <= experiment.MaxPEs && n != r.PEs {
			out = append(out, variation{countPEs(n), func(r *experiment.Run) { r.PEs = n }})
		}
	}
	out = append(out, variation{"Seed " + strconv.FormatUint(r.Seed+1, 10), func(r *experiment.Run) { r.Seed++ }})
	return out
}

// runAgain runs the program of a document with something changed and shows it in a column beside everything.
func (a *App) runAgain(d *document, change func(r *experiment.Run)) {
	r := *d.again()
	change(&r)
	a.beside(d, r, "")
}

// beside starts a run and shows it in a column, to be compared with a document. What is special of it goes into its name.
func (a *App) beside(d *document, r experiment.Run, special string) {
	if a.runner == nil {
		return
	}
	s, err := a.runner.Run(r)
	if err != nil {
		a.fail(err)
		return
	}
	if d.group == 0 {
		d.group = a.newGroup()
	}
	fresh := newLive(s, r)
	fresh.name, fresh.group = a.nameFor(runName(r)+special), d.group
	a.docs[fresh.name] = fresh
	a.edit(func(w *workspace.Workspace) error { return a.arranger.Open(w, fresh.name) })
}
