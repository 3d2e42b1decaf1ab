package runs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whorl/experiment"
	"whorl/fghc/edit"
	"whorl/fghc/syntax"
	"whorl/internal/fault"
	"whorl/tracer"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// A Placing is the dialog that places a goal of a clause on a PE, for another run of the program beside the first one. It follows the last
// idea of E. Tick and D.-Y. Park (1991), section 4.
type Placing struct {
	Open   bool
	d      *documents.Document // the first run
	clause int                 // its number in the program
	goals  []edit.Goal         // of its body
	goal   int                 // the index of the goal that is placed
	node   string              // the PE, as an expression
	policy int
}

// Begin opens the dialog for the goal that became a task. The goal stands in the body of the clause of the task's parent; for a task
// without a parent, Begin takes the first goal of the task's own clause.
func (p *Placing) Begin(d *documents.Document, task uint64) error {
	name, text := d.Program()
	code, child, err := bodyOf(d.Source, task)
	if err != nil {
		return err
	}
	f, errs := syntax.Parse(name, text)
	if len(errs) > 0 {
		return errs
	}
	fresh := Placing{Open: true, d: d, policy: max(slices.Index(names(experiment.Policies()), "static"), 0)}
	fresh.clause = edit.ClauseAt(f, d.Source.Dict().Code(code).Line)
	if fresh.goals, err = edit.Goals(name, text, fresh.clause); err != nil {
		return err
	}
	if len(fresh.goals) == 0 {
		return errors.New("the clause of this goal has no body: there is nothing to place")
	}
	if i, ok := edit.Child(fresh.goals, child); ok {
		fresh.goal = i
	}
	if fresh.node = fresh.goals[fresh.goal].Node; fresh.node == "" {
		fresh.node = "1"
	}
	*p = fresh
	return nil
}

// bodyOf returns the clause whose body has the goal that became a task, and the index of the task among the children of that reduction.
// For a task without a parent it returns its own clause and 0.
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

// run returns the run that the dialog describes, or an error.
func (p *Placing) run() (experiment.Run, error) {
	node := strings.TrimSpace(p.node)
	if node == "" {
		return experiment.Run{}, errors.New("a number of a PE, or an expression")
	}
	name, text := p.d.Program()
	text, err := edit.Place(name, text, p.clause, p.goal, node)
	r := p.d.Edited(text)
	r.Policy = experiment.Policies()[p.policy].Name
	if err == nil {
		err = experiment.CheckText(r.Program, r.Text)
		if wrong := fault.Errors(nil); errors.As(err, &wrong) && !wrong.Failed() {
			err = nil // only warnings
		}
	}
	return r, err
}

// A Placed is a run with a goal placed on a PE.
type Placed struct {
	Run    experiment.Run
	Beside *documents.Document // the first run
	Edit   bool                // open the program in the panel instead of starting the run
	Suffix string              // of its name
}

// Draw draws the dialog. It returns the run that the user has confirmed, nil for none.
func (p *Placing) Draw(c *ui.Context) *Placed {
	if !p.Open {
		return nil
	}
	r, err := p.run()
	hit := widget.Dialog(c, "placing", &p.Open, widget.DialogOptions{
		Title: "Place a goal on a PE", W: 520, H: 250, Buttons: []string{"Edit the program", "Run beside this"}, Off: err != nil,
	}, func(b ui.Rect) { p.drawBody(c, b, r.Program, err) })
	if hit < 0 || err != nil {
		return nil
	}
	p.Open = false
	c.Again()
	g := p.goals[p.goal].Calls
	return &Placed{Run: r, Beside: p.d, Edit: hit == 0, Suffix: fmt.Sprintf(", %s/%d on %s", g.Name, g.Arity, strings.TrimSpace(p.node))}
}

func (p *Placing) drawBody(c *ui.Context, b ui.Rect, program string, err error) {
	c.Label(b.CutTop(c.Px(22)), fmt.Sprintf("Body of clause %d of %s:", p.clause, program), ui.Type{Color: c.Theme.Muted})
	list := b.CutTop(c.Px(130))
	c.Box(list, c.Px(ui.Corner), c.Theme.Ground, c.Theme.Border)
	changed := widget.List(c, list.Inset(c.Px(1), c.Px(1)), "goals", widget.ListOptions{N: len(p.goals), Draw: func(i int, r ui.Rect) {
		text := p.goals[i].Text
		if n := p.goals[i].Node; n != "" {
			text += "@node(" + n + ")"
		}
		c.Label(r.Inset(c.Px(ui.Gap), 0), text, ui.Type{Face: scene.Mono})
	}}, &p.goal)
	if changed && p.goal >= 0 && p.goals[p.goal].Node != "" {
		p.node = p.goals[p.goal].Node
	}
	p.goal = max(p.goal, 0)
	b.CutTop(c.Px(ui.Pad))
	row := b.CutTop(c.Px(c.Theme.Ctl))
	c.Label(row.CutLeft(c.Px(64)), "PE", ui.Type{Color: c.Theme.Muted})
	widget.Field(c, row.CutLeft(c.Px(120)), "pe", &p.node, widget.FieldOptions{First: true, Code: true, Hint: "N"})
	row.CutLeft(c.Px(ui.Pad))
	c.Label(row.CutLeft(c.Px(52)), "Policy", ui.Type{Color: c.Theme.Muted})
	widget.Dropdown(c, row, "policy", names(experiment.Policies()), &p.policy)
	b.CutTop(c.Px(ui.Gap))
	if err != nil {
		widget.Message(c, b.CutTop(c.Px(c.Theme.Ctl)), ui.Failure, strings.SplitN(err.Error(), "\n", 2)[0])
		return
	}
	c.Paragraph(b, "Only the policy static obeys placements. PE numbers count modulo the number of PEs.", ui.Type{Color: c.Theme.Muted})
}
