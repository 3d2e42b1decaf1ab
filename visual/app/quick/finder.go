package quick

import (
	"maps"
	"slices"
	"time"

	"whorl/tracer"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/search"
	"whorl/visual/documents"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// A Finder is the dialog with its entries: those of the window, and the parts of the trace.
type Finder struct {
	Panel

	model   *panes.Model
	actions *panes.Actions
	out     *outbox.Outbox
	shell   Shell

	trace  string // the trace that is searched
	text   string // the text that is searched for
	search *search.Search
	works  bool    // the search goes on
	Fixed  []Entry // all entries but those that the search finds, since the dialog has opened
}

// A Shell lists the entries that only the window knows.
type Shell struct {
	Commands func() []Entry
	OfPane   func(p *panes.Pane) []Entry // the views and settings of a pane
}

// New returns a dialog that is closed.
func New(model *panes.Model, actions *panes.Actions, out *outbox.Outbox, shell Shell) *Finder {
	return &Finder{model: model, actions: actions, out: out, shell: shell}
}

// Begin opens the dialog.
func (q *Finder) Begin() {
	q.trace, q.text, q.search, q.works, q.Fixed = "", "", nil, false, nil
	q.Panel.Begin()
}

// Draw draws the dialog while it is open.
func (q *Finder) Draw(c *ui.Context) {
	if !q.Open {
		return
	}
	q.seek()
	if q.Fixed == nil {
		q.Fixed = q.entries()
	}
	q.Panel.Draw(c, slices.Concat(q.Fixed, q.foundEntries()))
}

// seek begins to search the trace of the focused pane for the text of the dialog.
func (q *Finder) seek() {
	d := q.model.Focused()
	if d == nil || q.Text == q.text && d.Name == q.trace {
		return
	}
	if d.Name != q.trace {
		q.Fixed = nil
	}
	q.text, q.trace, q.search = q.Text, d.Name, search.New(d.Source, d.Name, q.Text)
	q.works = true
}

// Work continues the search for about the time of a budget. It reports whether there is more to do.
func (q *Finder) Work(budget time.Duration) bool {
	if !q.Open || !q.works {
		return false
	}
	before := len(q.search.Found)
	q.works = q.search.Work(budget)
	if len(q.search.Found) != before {
		q.out.Redraw()
	}
	return q.works
}

// entries lists what the dialog finds without a search: commands, views and settings of the focused pane, other panes, questions, palettes and
// procedures.
func (q *Finder) entries() []Entry {
	all := q.shell.Commands()
	if p := q.model.Panes[q.model.Focus]; p != nil {
		all = append(all, q.shell.OfPane(p)...)
		all = append(all, q.questionEntries(p.Trace)...)
		all = append(all, q.paneEntries()...)
	}
	for i, name := range append([]string{""}, view.Palette.Choices...) {
		label := "Palette of all panes: " + name
		if i == 0 {
			label = "Palette of all panes: that of each view"
		}
		all = append(all, Entry{Label: label, Group: "palette", Doc: view.Palette.Doc, Do: func() { q.actions.Apply(view.Action{Do: view.SetPalette, Name: name}) }})
	}
	if d := q.model.Focused(); d != nil {
		all = append(all, q.procedures(d)...)
	}
	return all
}

// procedures lists the procedures and functions of a trace by their names. Those of the same name are one.
func (q *Finder) procedures(d *documents.Document) (all []Entry) {
	codes := map[string][]uint32{}
	for i, k := range d.Source.Dict().Codes() {
		if k.Type == tracer.Procedure || k.Type == tracer.Function {
			codes[k.Name] = append(codes[k.Name], uint32(i))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		selection := view.Selection{Trace: d.Name, Codes: codes[name]}
		all = append(all, Entry{Label: name, Group: "procedure", Icon: icon.Search, Do: q.selects(selection)})
	}
	return all
}

// selects returns a function that selects a part of a trace.
func (q *Finder) selects(s view.Selection) func() {
	return func() { q.actions.Apply(view.Action{Do: view.Select, Selection: &s}) }
}

// questionEntries lists the questions that arrange the window for a trace.
func (q *Finder) questionEntries(trace string) (all []Entry) {
	for i := range workspace.Questions {
		question := &workspace.Questions[i]
		all = append(all, Entry{Label: "Arrange the window for: " + question.Title, Group: "question", Doc: question.Doc, Icon: icon.Grid, Do: func() {
			q.actions.Ask(question, trace)
		}})
	}
	return all
}

// paneEntries lists the other panes.
func (q *Finder) paneEntries() (all []Entry) {
	for _, id := range q.model.Root.All() {
		p := q.model.Panes[id]
		if p == nil || id == q.model.Focus {
			continue
		}
		all = append(all, Entry{Label: "Go to " + p.Kind.Title + " of " + p.Trace, Group: "pane", Icon: p.Kind.Icon, Do: func() {
			q.model.Workspace.Show(id)
			q.actions.SetFocus(id)
		}})
	}
	return all
}

// foundEntries lists the tasks, PEs and lines that the search has found. Choosing one selects it.
func (q *Finder) foundEntries() (all []Entry) {
	if q.search == nil || q.Text == "" {
		return nil
	}
	for _, m := range q.search.Found[:min(len(q.search.Found), Most)] {
		if sort := sortOf(&m); sort != "" {
			all = append(all, Entry{Label: m.Name, Group: sort, Doc: m.Text, Icon: icon.Search, Exact: true, Do: q.selects(m.Selection)})
		}
	}
	return all
}

// sortOf names the sort of thing that a search has found, "" for a procedure, which is listed by its name.
func sortOf(m *search.Match) string {
	switch {
	case len(m.Selection.Tasks) > 0:
		return "task"
	case len(m.Selection.PEs) > 0:
		return "PE"
	case len(m.Selection.Lines) > 0 || m.Text != "":
		return "line"
	}
	return ""
}
