package expression

import (
	"errors"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/network/filter"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// Filters make all views of a trace show only what an expression selects. A filter applies to all runs that are compared.
type Filters struct {
	model      *panes.Model
	links      *panes.Links
	actions    *panes.Actions
	window     *panes.Window
	out        *outbox.Outbox
	selections *Selections

	waits bool             // a part of a trace is being made
	wrong map[string]error // errors of the filters, by trace
}

// NewFilters returns the filters of a model.
func NewFilters(model *panes.Model, links *panes.Links, actions *panes.Actions, window *panes.Window, out *outbox.Outbox, selections *Selections) *Filters {
	return &Filters{model: model, links: links, actions: actions, window: window, out: out, selections: selections, wrong: map[string]error{}}
}

// Waits reports whether a part of a trace is being made.
func (f *Filters) Waits() bool { return f.waits }

// Shown returns the filter of a trace that its views have, "" for none.
func (f *Filters) Shown(trace string) string {
	if d := f.model.Docs.Get(trace); d != nil {
		return d.Filter()
	}
	return ""
}

// Apply gives the traces their filters, and reports the errors of the filters.
func (f *Filters) Apply() {
	f.waits = false
	for _, d := range f.model.Docs.All() {
		before := d.Filter()
		f.waits = d.SetFilter(f.model.State.Shared.Filter(d.Name), f.window.Now) || f.waits
		if d.Filter() != before { // the bars of its panes say so
			f.out.Redraw()
		}
		if err := d.Wrong(); err != f.wrong[d.Name] { //nolint:errorlint // the same value, not the same kind
			f.wrong[d.Name] = err
			if err != nil {
				err = errors.New("all of " + d.Name + " is shown, not only what its filter says: " + inLine(err))
			}
			f.out.Check(outbox.AboutFilter+d.Name, err)
		}
	}
}

// Begin shows only the selected part, of the compared runs too, and selects nothing. Parts that a filter has left out stay out.
func (f *Filters) Begin() {
	sel := f.model.State.Shared.Selection
	if sel.Empty() {
		f.out.Notify(ui.Info, outbox.AboutAction, "Select what all views are to show, or write it as an expression (Shift+V); then press & again")
		return
	}
	steps := []view.Action{{Do: view.Select}}
	for _, d := range f.group(sel.Trace) {
		from := f.selections.selectorOf(d.Name)
		twin := f.links.Twin(sel, d)
		where := ""
		if twin.Trace == d.Name && !twin.Empty() {
			where = from.Text(twin)
		}
		if where == "" {
			f.out.Warn(outbox.AboutFilter+d.Name, d.Name+" has nothing of the selection: all of it is shown")
			continue
		}
		steps = append(steps, view.Action{Do: view.SetFilter, Name: d.Name, Value: filter.And(f.model.State.Shared.Filter(d.Name), where)})
	}
	if len(steps) > 1 {
		f.do(steps)
	}
}

// do applies actions, which one undo reverts.
func (f *Filters) do(steps []view.Action) {
	f.actions.Edit(func(w *workspace.Workspace) error {
		for _, do := range steps {
			if err := w.Apply(do); err != nil {
				return err
			}
		}
		return nil
	})
}

// Clear shows all of a trace again, and of the runs that it is compared with.
func (f *Filters) Clear(trace string) {
	var steps []view.Action
	for _, d := range f.group(trace) {
		if f.model.State.Shared.Filter(d.Name) != "" {
			steps = append(steps, view.Action{Do: view.SetFilter, Name: d.Name})
		}
	}
	if steps == nil {
		f.out.Notify(ui.Info, outbox.AboutAction, "All of the trace is shown already")
		return
	}
	f.do(steps)
}

// group returns the documents that are filtered together.
func (f *Filters) group(trace string) []*documents.Document {
	d := f.model.Docs.Get(trace)
	if d == nil {
		return nil
	}
	if all := f.links.Compared(d); all != nil && !f.model.State.Shared.Apart {
		return all
	}
	return []*documents.Document{d}
}
