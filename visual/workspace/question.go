package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/visual/view"
)

// A Question is a default workspace: the views that answer a question about a run, with their arrangement and parameters.
type Question struct {
	Name, Title, Doc string
	Needs            tracer.KindSet // events that the trace must have, whatever the views need
	Lines            bool           // it is about lines and functions, whose counts or text the trace must have
	Lacks            string         // what a trace without these events, or without lines, is missing
	Compared         bool           // it is about several compared runs
	Plans            []Plan         // by kind of trace: the first one with a view in its Main slot that can show the trace applies
}

// A Plan is an arrangement that answers a question. The views with a position in it that can show the trace are its tabs.
type Plan struct {
	In     view.Arrangement
	Forked bool // it is about the tree of tasks, which a trace with one task for each PE does not have
	Shares Shares
}

// Shares are parts of the window, from 0 to 1: Left of the slots at the left, Main of Main above Under, Right of Right above Corner.
type Shares struct {
	Left, Main, Right float64
}

// Ask replaces the panes of a workspace by those that answer a question about a trace. Traces stay open. The error of a question that the trace cannot
// answer names the missing events.
func (a *Arranger) Ask(w *Workspace, q *Question, name string) error {
	t := a.Trace(name)
	if t == nil {
		return fmt.Errorf("the trace %s is not loaded", name)
	}
	if !t.hasAll(q.Needs) || q.Lines && !t.hasLines() {
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
	left := []string{name}
	if q.Compared { // a column for each run
		left = runs
	}
	root, err := a.lay(w, plan.In, left, name, plan.Shares)
	w.Root = root
	return err
}

// comparedWith lists the traces of the group of a trace, in the order of their opening.
func (a *Arranger) comparedWith(w *Workspace, name string, t *Trace) []string {
	if t.Group == 0 {
		return []string{name}
	}
	return slices.DeleteFunc(slices.Clone(w.State.Shared.Traces), func(other string) bool {
		u := a.Trace(other)
		return u == nil || u.Group != t.Group
	})
}

// planFor returns the first plan of a question with a view in its Main slot that can show a trace. The error says what its last one lacks.
func (a *Arranger) planFor(q *Question, t *Trace) (*Plan, error) {
	var why error
	for _, flat := range []bool{t.flat(), false} { // a tree without branches is better than nothing
		for i := range q.Plans {
			if q.Plans[i].Forked && flat {
				continue
			}
			kinds, _ := view.InSlot(a.Kinds, q.Plans[i].In, view.Main)
			for _, k := range kinds {
				if why = t.Fits(k); why == nil {
					return &q.Plans[i], nil
				}
			}
		}
	}
	return nil, why
}

// lay opens the views of an arrangement: those of Main and Under for each of some traces, in columns of the same width, and the others for one trace.
func (a *Arranger) lay(w *Workspace, in view.Arrangement, left []string, name string, s Shares) (*Node, error) {
	var columns *Node
	for _, run := range left {
		main, err := a.openSlot(w, in, view.Main, run)
		if err != nil {
			return nil, err
		}
		under, err := a.openSlot(w, in, view.Under, run)
		if err != nil {
			return nil, err
		}
		columns = join(Columns, columns, join(Rows, main, under, s.Main), 0.5)
	}
	if len(left) > 1 {
		columns = columns.Even()
	}
	var slots [view.Far + 1]*Node
	for slot := view.Right; slot <= view.Far; slot++ {
		var err error
		if slots[slot], err = a.openSlot(w, in, slot, name); err != nil {
			return nil, err
		}
	}
	return s.join(columns, &slots), nil
}

// openSlot returns a leaf with the views of a slot that can show a trace, nil for none.
func (a *Arranger) openSlot(w *Workspace, in view.Arrangement, s view.Slot, name string) (*Node, error) {
	kinds, positions := a.slot(a.Trace(name), in, s)
	n, err := openTabs(w, name, kinds)
	if n == nil || err != nil {
		return nil, err
	}
	for i, p := range positions {
		if param, value, ok := strings.Cut(p.Set, "="); ok {
			if err := w.Apply(view.Action{Do: view.SetParam, Pane: w.Index(n.Panes[i]), Name: param, Value: value}); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}
