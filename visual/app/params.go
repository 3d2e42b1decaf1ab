package app

import (
	"strings"

	"whorl/tracer/query"
	"whorl/visual/app/settings"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// largestSetting is the largest bound of a slider: larger numbers are ids and times, which are set by other means.
const largestSetting = 1 << 60

// choices returns the values of a parameter that depend on the picture, and the index of the current one; nil for none.
func (p *pane) choices(q view.Param) (values []string, now int) {
	if c, ok := p.result.Value.(view.Chooser); ok {
		return c.Choices(q.Name)
	}
	return nil, -1
}

// settings lists the parameters that a pane's bar offers: all but those of the whole window and those that are set by other means. A condensed trace
// can have fewer choices than another.
func (p *pane) settings() []view.Param {
	var out []view.Param
	kind := p.kind
	if p.opened != nil {
		kind = p.opened.Kind
	}
	for _, q := range kind.Params {
		own := q.Name != view.Background.Name && q.Name != view.Palette.Name && q.Name != view.Root
		if choices, _ := p.choices(q); choices != nil {
			q.Choices = choices
		}
		if own && (len(q.Choices) > 0 || q.Type() != "text" || q.Name == view.Find) && q.Max < largestSetting {
			out = append(out, q)
		}
	}
	return out
}

// settingsOf returns the parameters of a pane with their values, and its search.
func (a *App) settingsOf(p *pane) []settings.Setting {
	var all []settings.Setting
	for _, q := range p.settings() {
		_, chosen := p.choices(q)
		s := settings.Setting{Param: q, Value: a.links.valueOf(p, q), Chosen: chosen}
		if _, err := query.Search(strings.TrimSpace(s.Value)); err != nil && q.Name == view.Find {
			s.Wrong, s.Note = err.Error(), err.Error()
		}
		all = append(all, s)
	}
	if !hasParam(p.kind, view.Find) {
		all = append(all, a.finder.setting(p.id, p.trace))
	}
	return all
}

// drawSettings draws the bar with the settings of a pane, cut off the top of r, and does what the user asks there.
func (a *App) drawSettings(c *ui.Context, r *ui.Rect, p *pane) {
	if !a.settings.Open(p.id) || a.model.Pane(p.id) == nil {
		return
	}
	did := a.settings.Draw(c, r, p.id, a.settingsOf(p), a.pointer.widget, a.widgets.Focus)
	own := hasParam(p.kind, view.Find)
	switch {
	case did.Set && did.Name == view.Find && !own:
		a.finder.begin(p.id, p.trace, a.model.document(p), did.Value)
	case did.Set:
		a.actions.apply(view.Action{Do: view.SetParam, Pane: a.model.Index(p.id), Name: did.Name, Value: did.Value, More: did.More})
	case did.Found != 0 && own:
		a.actions.setFocus(p.id)
		key := view.MatchKeys[0].Key
		if did.Found < 0 {
			key = view.MatchKeys[1].Key
		}
		a.send(p, view.Input{Kind: view.Press, Key: key}, 0)
	case did.Found != 0:
		a.finder.step(p.id, p.trace, did.Found)
	}
}
