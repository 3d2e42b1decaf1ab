package app

import (
	"fmt"

	"whorl/visual/app/panes"
	"whorl/visual/app/quick"
	"whorl/visual/icon"
	"whorl/visual/view"
)

// commandEntries lists the commands for the dialog that finds anything.
func (a *App) commandEntries() (all []quick.Entry) {
	for i := range a.commands {
		cmd := &a.commands[i]
		all = append(all, quick.Entry{
			Label: cmd.doc, Group: "command", Keys: cmd.keys[0].String(), Icon: cmd.icon, Off: cmd.off != nil && cmd.off(a), Do: func() { a.perform(cmd) },
		})
	}
	return all
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
