package app

import (
	"strings"

	"whorl/tracer/query"
	"whorl/visual/app/panes"
	"whorl/visual/app/settings"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// settingsOf returns the parameters of a pane with their values, and its search.
func (a *App) settingsOf(p *panes.Pane) []settings.Setting {
	var all []settings.Setting
	for _, q := range p.Settings() {
		_, chosen := p.Choices(q)
		s := settings.Setting{Param: q, Value: a.links.ValueOf(p, q), Chosen: chosen}
		if _, err := query.Search(strings.TrimSpace(s.Value)); err != nil && q.Name == view.Find {
			s.Wrong, s.Note = err.Error(), err.Error()
		}
		all = append(all, s)
	}
	if !panes.HasParam(p.Kind, view.Find) {
		all = append(all, a.finder.setting(p.ID, p.Trace))
	}
	return all
}

// drawSettings draws the bar with the settings of a pane, cut off the top of r, and does what the user asks there.
func (a *App) drawSettings(c *ui.Context, r *ui.Rect, p *panes.Pane) {
	if !a.settings.Open(p.ID) || a.model.Pane(p.ID) == nil {
		return
	}
	did := a.settings.Draw(c, r, p.ID, a.settingsOf(p), a.pointer.OnWidget(), a.widgets.Focus)
	own := panes.HasParam(p.Kind, view.Find)
	switch {
	case did.Set && did.Name == view.Find && !own:
		a.finder.begin(p.ID, p.Trace, a.model.Document(p), did.Value)
	case did.Set:
		a.actions.Apply(view.Action{Do: view.SetParam, Pane: a.model.Index(p.ID), Name: did.Name, Value: did.Value, More: did.More})
	case did.Found != 0 && own:
		a.actions.SetFocus(p.ID)
		key := view.MatchKeys[0].Key
		if did.Found < 0 {
			key = view.MatchKeys[1].Key
		}
		a.pointer.Send(p, view.Input{Kind: view.Press, Key: key}, 0)
	case did.Found != 0:
		a.finder.step(p.ID, p.Trace, did.Found)
	}
}
