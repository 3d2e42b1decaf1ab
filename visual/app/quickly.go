package app

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"whorl/tracer"
	"whorl/visual/app/panes"
	"whorl/visual/app/quick"
	"whorl/visual/app/search"
	"whorl/visual/documents"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// quickly is the dialog that finds commands, views, settings and parts of the trace by a few letters.
type quickly struct {
	quick.Panel

	trace  string // the trace that is searched
	text   string // the text that is searched for
	search *search.Search
	works  bool          // the search goes on
	fixed  []quick.Entry // all entries but those that the search finds, since the dialog has opened
}

// begin opens the dialog.
func (q *quickly) begin() { *q = quickly{}; q.Panel.Begin() }

// drawQuickly draws the dialog while it is open.
func (a *App) drawQuickly(c *ui.Context) {
	q := &a.quickly
	if !q.Open {
		return
	}
	a.seek()
	if q.fixed == nil {
		q.fixed = a.entries()
	}
	q.Draw(c, slices.Concat(q.fixed, a.foundEntries()))
}

// seek begins to search the trace of the focused pane for the text of the dialog.
func (a *App) seek() {
	q := &a.quickly
	d := a.model.Focused()
	if d == nil || q.Text == q.text && d.Name == q.trace {
		return
	}
	if d.Name != q.trace {
		q.fixed = nil
	}
	q.text, q.trace, q.search = q.Text, d.Name, search.New(d.Source, d.Name, q.Text)
	q.works = true
}

// workQuickly continues the search for about the time of a budget. It reports whether there is more to do.
func (a *App) workQuickly(budget time.Duration) bool {
	q := &a.quickly
	if !q.Open || !q.works {
		return false
	}
	before := len(q.search.Found)
	q.works = q.search.Work(budget)
	if len(q.search.Found) != before {
		a.out.Redraw()
	}
	return q.works
}

// entries lists what the dialog finds without a search: commands, views and settings of the focused pane, other panes, questions, palettes and
// procedures.
func (a *App) entries() []quick.Entry {
	var all []quick.Entry
	for i := range a.commands {
		cmd := &a.commands[i]
		all = append(all, quick.Entry{
			Label: cmd.doc, Group: "command", Keys: cmd.keys[0].String(), Icon: cmd.icon, Off: cmd.off != nil && cmd.off(a), Do: func() { a.perform(cmd) },
		})
	}
	if p := a.model.Panes[a.model.Focus]; p != nil {
		all = append(all, a.viewEntries(p)...)
		all = append(all, a.settingEntries(p)...)
		all = append(all, a.questionEntries(p.Trace)...)
		all = append(all, a.paneEntries()...)
	}
	for i, name := range append([]string{""}, view.Palette.Choices...) {
		label := "Colours of all panes: " + name
		if i == 0 {
			label = "Colours of all panes: those of each view"
		}
		all = append(all, quick.Entry{Label: label, Group: "palette", Do: func() { a.actions.Apply(view.Action{Do: view.SetPalette, Name: name}) }})
	}
	if d := a.model.Focused(); d != nil {
		all = append(all, a.procedures(d)...)
	}
	return all
}

// procedures lists the procedures and functions of a trace by their names. Those of the same name are one.
func (a *App) procedures(d *documents.Document) (all []quick.Entry) {
	codes := map[string][]uint32{}
	for i, k := range d.Source.Dict().Codes() {
		if k.Type == tracer.Procedure || k.Type == tracer.Function {
			codes[k.Name] = append(codes[k.Name], uint32(i))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(codes)) {
		selection := view.Selection{Trace: d.Name, Codes: codes[name]}
		all = append(all, quick.Entry{Label: name, Group: "procedure", Icon: icon.Search, Do: a.selects(selection)})
	}
	return all
}

// selects returns a function that selects a part of a trace.
func (a *App) selects(s view.Selection) func() {
	return func() { a.actions.Apply(view.Action{Do: view.Select, Selection: &s}) }
}

// viewEntries lists the views for the trace of a pane.
func (a *App) viewEntries(p *panes.Pane) (all []quick.Entry) {
	items, do := a.viewMenu(p)
	for i, it := range items {
		if it.Label == "" {
			continue
		}
		doc := it.Doc
		if it.Off {
			doc = it.Why
		}
		all = append(all, quick.Entry{Label: "Show " + it.Label, Group: "view", Doc: doc, Icon: icon.Plus, Off: it.Off, Do: func() { do(i) }})
	}
	return all
}

// settingEntries lists the settings of a pane: each value where there are few, otherwise the setting, which opens the bar.
func (a *App) settingEntries(p *panes.Pane) (all []quick.Entry) {
	set := func(name, value string) func() {
		return func() {
			a.actions.Apply(view.Action{Do: view.SetParam, Pane: a.model.Index(p.ID), Name: name, Value: value})
		}
	}
	for _, s := range a.settingsOf(p) {
		entry := quick.Entry{Label: s.Param.Label, Group: p.Kind.Title, Doc: s.Param.Doc, Icon: icon.Settings}
		switch {
		case s.Param.Name == view.Find:
			continue // the command for it is listed
		case s.Param.Type() == "bool":
			on := s.Value == "true"
			entry.Label += map[bool]string{true: ": off", false: ": on"}[on]
			entry.Do = set(s.Param.Name, fmt.Sprint(!on))
			all = append(all, entry)
		case len(s.Param.Choices) > 0:
			for _, value := range s.Param.Choices {
				e := entry
				e.Label += ": " + value
				e.Do = set(s.Param.Name, value)
				all = append(all, e)
			}
		default:
			entry.Label += ": " + s.Value
			entry.Do = func() {
				if !a.settings.Open(p.ID) {
					a.settings.Toggle(p.ID)
				}
			}
			all = append(all, entry)
		}
	}
	return all
}

// questionEntries lists the questions that arrange the window for a trace.
func (a *App) questionEntries(trace string) (all []quick.Entry) {
	for i := range workspace.Questions {
		q := &workspace.Questions[i]
		all = append(all, quick.Entry{Label: "Arrange the window for: " + q.Title, Group: "question", Doc: q.Doc, Icon: icon.Grid, Do: func() {
			a.actions.Edit(func(w *workspace.Workspace) error { return a.model.Arranger.Ask(w, q, trace) })
			a.model.FocusFirst()
		}})
	}
	return all
}

// paneEntries lists the other panes.
func (a *App) paneEntries() (all []quick.Entry) {
	for _, id := range a.model.Root.All() {
		p := a.model.Panes[id]
		if p == nil || id == a.model.Focus {
			continue
		}
		all = append(all, quick.Entry{Label: "Go to " + p.Kind.Title + " of " + p.Trace, Group: "pane", Icon: p.Kind.Icon, Do: func() {
			a.model.Workspace.Show(id)
			a.actions.SetFocus(id)
		}})
	}
	return all
}

// foundEntries lists the tasks, PEs and lines that the search has found. Choosing one selects it.
func (a *App) foundEntries() (all []quick.Entry) {
	q := &a.quickly
	if q.search == nil || q.Text == "" {
		return nil
	}
	for _, m := range q.search.Found[:min(len(q.search.Found), quick.Most)] {
		if sort := sortOf(&m); sort != "" {
			all = append(all, quick.Entry{Label: m.Name, Group: sort, Doc: m.Text, Icon: icon.Search, Exact: true, Do: a.selects(m.Selection)})
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
