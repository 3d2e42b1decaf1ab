package app

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/fghc/edit"
	"whorl/fghc/syntax"
	"whorl/internal/fault"
	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// placing is the dialog that puts a goal of a clause on a PE and runs the program again, beside the run that showed that one might: the
// last idea of E. Tick and D.-Y. Park (1991), section 4.
type placing struct {
	open   bool
	d      *document
	clause int         // its number in the program
	goals  []edit.Goal // of its body
	at     int         // the goal that is placed
	node   string
	policy int
}

// beginPlacing opens the dialog for the goal that became a task: one of the body of its parent's clause. A task without a parent has the
// goals of its own clause.
func (a *App) beginPlacing(d *document, task uint64) {
	name, text := d.source()
	code, child, err := bodyOf(d.src, task)
	if err != nil {
		a.fail(err)
		return
	}
	f, errs := syntax.Parse(name, text)
	if len(errs) > 0 {
		a.fail(errs)
		return
	}
	p := placing{open: true, d: d, node: "0", policy: max(indexOf(names(experiment.Policies()), "static"), 0)}
	p.clause = edit.ClauseAt(f, d.src.Dict().Code(code).Line)
	if p.goals, err = edit.Goals(name, text, p.clause); err != nil {
		a.fail(err)
		return
	}
	if len(p.goals) == 0 {
		a.warn("The clause of this goal has no body: there is nothing to place.")
		return
	}
	if i, ok := edit.Child(p.goals, child); ok {
		p.at = i
	}
	p.node = p.goals[p.at].Node
	if p.node == "" {
		p.node = "1"
	}
	a.placing = p
	a.changed = true
}

// bodyOf finds the clause whose body has the goal that became a task, and the how-manieth child of its reduction that is; of a task
// without a parent its own clause, and 0.
func bodyOf(src tracer.Source, task uint64) (code uint32, child int, err error) {
	var parent uint64
	codes := map[uint64]uint32{}
	children := map[uint64][]uint64{}
	err = src.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
		for i := range es {
			e := &es[i]
			if e.Task == task {
				parent = e.Ref
			}
			codes[e.Task] = e.Code
			children[e.Ref] = append(children[e.Ref], e.Task)
		}
		return nil
	})
	switch {
	case err != nil:
		return 0, 0, err
	case codes[task] == 0:
		return 0, 0, fmt.Errorf("task %d has not reduced: its clause is not known", task)
	case codes[parent] == 0:
		return codes[task], 0, nil
	}
	slices.Sort(children[parent])
	return codes[parent], slices.Index(children[parent], task), nil
}

// placedRun is the run that the dialog asks for.
func (p *placing) placedRun() (experiment.Run, error) {
	name, text := p.d.source()
	if _, err := strconv.Atoi(strings.TrimSpace(p.node)); err != nil && strings.TrimSpace(p.node) == "" {
		return experiment.Run{}, errors.New("a number of a PE, or an expression")
	}
	text, err := edit.Place(name, text, p.clause, p.at, strings.TrimSpace(p.node))
	r := p.d.rerun(text)
	r.Policy = experiment.Policies()[p.policy].Name
	return r, err
}

// placingDialog asks which goal goes where.
func (a *App) placingDialog(c *ui.Context) {
	p := &a.placing
	if !p.open {
		return
	}
	r, err := p.placedRun()
	if err == nil {
		err = experiment.CheckText(r.Program, r.Text)
		if wrong := (fault.Errors)(nil); errors.As(err, &wrong) && !wrong.Failed() {
			err = nil // warnings
		}
	}
	hit := c.Dialog("placing", &p.open, ui.Dialog{
		Title: "Place a goal on a PE", W: 520, H: 250, Buttons: []string{"Edit the program", "Run beside this"}, Off: err != nil,
	}, func(b ui.Rect) {
		c.Label(b.CutTop(c.Px(22)), fmt.Sprintf("Body of clause %d of %s:", p.clause, r.Program), ui.Type{Color: c.Theme.Muted})
		list := b.CutTop(c.Px(130))
		c.Box(list, c.Px(ui.Corner), c.Theme.Ground, c.Theme.Border)
		did := c.List(list.Inset(c.Px(1), c.Px(1)), "goals", ui.Rows{N: len(p.goals), Draw: func(i int, r ui.Rect, ink scene.Color) {
			text := p.goals[i].Text
			if n := p.goals[i].Node; n != "" {
				text += "@node(" + n + ")"
			}
			c.Label(r.Inset(c.Px(ui.Gap), 0), text, ui.Type{Face: scene.Mono, Color: ink})
		}}, &p.at)
		if did.Changed && p.at >= 0 && p.goals[p.at].Node != "" {
			p.node = p.goals[p.at].Node
		}
		p.at = max(p.at, 0)
		b.CutTop(c.Px(ui.Pad))
		row := b.CutTop(c.Px(ui.Ctl))
		c.Label(row.CutLeft(c.Px(64)), "PE", ui.Type{Color: c.Theme.Muted})
		c.Field(row.CutLeft(c.Px(120)), "pe", &p.node, ui.FieldLook{First: true, Code: true, Hint: "N"})
		row.CutLeft(c.Px(ui.Pad))
		c.Label(row.CutLeft(c.Px(52)), "Policy", ui.Type{Color: c.Theme.Muted})
		c.Dropdown(row, "policy", names(experiment.Policies()), &p.policy)
		b.CutTop(c.Px(ui.Gap))
		text := "Of the policies only static obeys placements; a PE counts modulo their number."
		if err != nil {
			text = err.Error()
			c.Message(b.CutTop(c.Px(ui.Ctl)), ui.Failure, strings.SplitN(text, "\n", 2)[0])
			return
		}
		c.Paragraph(b, text, ui.Type{Color: c.Theme.Muted})
	})
	if hit < 0 || err != nil {
		return
	}
	p.open = false
	c.Again()
	if hit == 0 {
		a.form.take(r)
		a.editProgram(r.Program, r.Text)
		return
	}
	g := p.goals[p.at].Calls
	a.beside(p.d, r, fmt.Sprintf(", %s/%d on %s", g.Name, g.Arity, strings.TrimSpace(p.node)))
}
