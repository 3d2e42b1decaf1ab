package workspace

import (
	"errors"
	"fmt"
	"slices"

	"whorl/tracer"
	"whorl/visual/view"
)

// A Question is a default workspace: the views that answer a question about a run, with their arrangement and parameters.
type Question struct {
	Name, Title, Doc string
	Needs            tracer.KindSet // events that the trace must have, whatever the views need
	Lacks            string         // what a trace without these events is missing
	Compared         bool           // it is about several compared runs
	Plans            []*Plan        // by kind of trace: the first one whose first leaf can show the trace applies
}

// A Plan is a part of a Question: a leaf with views as tabs, or two parts beside or above each other. Views that cannot show the trace are left out.
type Plan struct {
	Split Split
	Share float64 // of A, from 0 to 1
	A, B  *Plan
	Views []Show // of a leaf
	Runs  bool   // the part is repeated for each of the compared runs, in columns of the same width
}

// A Show is a view with the parameters that differ from their defaults, as users write them: name, value, name, value, ...
type Show struct {
	View   string
	Params []string
}

// Ask replaces the panes of a workspace by those that answer a question about a trace. Traces stay open. The error of a question that the trace cannot
// answer says what is missing.
func (a *Arranger) Ask(w *Workspace, q *Question, name string) error {
	t := a.Trace(name)
	if t == nil {
		return fmt.Errorf("the trace %s is not loaded", name)
	}
	if !t.hasAll(q.Needs) {
		return errors.New(q.Lacks)
	}
	runs := a.comparedWith(w, name, t)
	if q.Compared && len(runs) < 2 {
		return errors.New("needs runs to compare: Compare makes them, and so do several files opened together")
	}
	plan, err := a.planFor(q, t)
	if err != nil {
		return err
	}
	w.Root, w.IDs, w.State.Personal.Panes, w.Full = nil, nil, nil, 0
	root, err := a.place(w, plan, name, runs)
	w.Root = root
	return err
}

// comparedWith lists the traces of the group of a trace, in the order in which they were opened.
func (a *Arranger) comparedWith(w *Workspace, name string, t *Trace) []string {
	if t.Group == 0 {
		return []string{name}
	}
	return slices.DeleteFunc(slices.Clone(w.State.Shared.Traces), func(other string) bool {
		u := a.Trace(other)
		return u == nil || u.Group != t.Group
	})
}

// planFor returns the first plan of a question whose first leaf can show a trace. The error names what its last one lacks.
func (a *Arranger) planFor(q *Question, t *Trace) (*Plan, error) {
	var why error
	for _, p := range q.Plans {
		first := p
		for first.Split != Tabs {
			first = first.A
		}
		for _, v := range first.Views {
			k := a.Kind(v.View)
			if k == nil {
				continue
			}
			if why = t.Fits(k); why == nil {
				return p, nil
			}
		}
	}
	return nil, why
}

// place opens the views of a plan. It returns nil if the trace fits into none of them.
func (a *Arranger) place(w *Workspace, p *Plan, name string, runs []string) (*Node, error) {
	if p.Runs {
		one := *p
		one.Runs = false
		var columns *Node
		for _, run := range runs {
			n, err := a.place(w, &one, run, runs)
			if err != nil {
				return nil, err
			}
			columns = join(Columns, columns, n, 0.5)
		}
		return columns.Even(), nil
	}
	if p.Split == Tabs {
		return a.placeTabs(w, p, name)
	}
	first, err := a.place(w, p.A, name, runs)
	if err != nil {
		return nil, err
	}
	other, err := a.place(w, p.B, name, runs)
	return join(p.Split, first, other, p.Share), err
}

// placeTabs opens the views of a leaf that can show a trace.
func (a *Arranger) placeTabs(w *Workspace, p *Plan, name string) (*Node, error) {
	t := a.Trace(name)
	var panes []int
	for _, v := range p.Views {
		if k := a.Kind(v.View); k == nil || t.Fits(k) != nil {
			continue
		}
		id, err := w.Open(v.View, name)
		if err != nil {
			return nil, err
		}
		for i := 0; i+1 < len(v.Params); i += 2 {
			if err := w.Apply(view.Action{Do: view.SetParam, Pane: w.Index(id), Name: v.Params[i], Value: v.Params[i+1]}); err != nil {
				return nil, err
			}
		}
		panes = append(panes, id)
	}
	if panes == nil {
		return nil, nil
	}
	return Leaf(panes...), nil
}
