package wiring

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"whorl/visual/network"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
)

// settings draws the parameters of the chosen use, or what can be done with several.
func (q *panel) settings(c *ui.Context, r ui.Rect, s Scene, asks *Asks) {
	c.Fill(r, c.Theme.Sunken)
	r = r.Inset(c.Px(ui.Pad), c.Px(6))
	last := q.chosen[len(q.chosen)-1]
	use := s.Network.Uses[s.Network.Use(last)]
	m := s.Catalog.ModuleOf(s.Network, use)
	lines := 8
	if len(q.chosen) > 1 {
		lines += len(q.inner(s))
	} else if m != nil {
		lines += len(m.Params) * 2
	}
	c.Scroll(r, "settings", float32(lines)*c.Px(c.Theme.Ctl), func(r ui.Rect) {
		if len(q.chosen) > 1 {
			c.Label(r.CutTop(c.Px(c.Theme.Row)), strconv.Itoa(len(q.chosen))+" modules", ui.Type{Size: ui.Title})
			q.grouping(c, &r, s, asks)
			return
		}
		c.Label(r.CutTop(c.Px(c.Theme.Row)), last, ui.Type{Size: ui.Title})
		if m == nil {
			c.Paragraph(r.CutTop(c.Px(3*c.Theme.Row)), "There is no module "+strconv.Quote(use.Module)+".", ui.Type{Color: c.Theme.Danger})
		} else {
			h := c.ParagraphHeight(r.W(), m.Doc, ui.Type{Size: ui.Small, Color: c.Theme.Muted})
			c.Paragraph(r.CutTop(h+c.Px(4)), m.Doc, ui.Type{Size: ui.Small, Color: c.Theme.Muted})
			for _, p := range m.Params {
				if p.Name != view.Background.Name && p.Name != view.Palette.Name {
					q.param(c, &r, s, use, p, asks)
				}
			}
		}
		r.CutTop(c.Px(ui.Gap))
		if m != nil && m.Class == network.Export {
			if widget.Button(c, r.CutTop(c.Px(c.Theme.Ctl)), "write", widget.ButtonOptions{Label: "Save the file", Look: widget.Primary}) {
				asks.Export = last
			}
			r.CutTop(c.Px(ui.Gap))
		}
		if last != s.Display && widget.Button(c, r.CutTop(c.Px(c.Theme.Ctl)), "remove", widget.ButtonOptions{Label: "Remove"}) {
			q.remove(s, last, asks)
		}
	})
}

// param draws a parameter of a use.
func (q *panel) param(c *ui.Context, r *ui.Rect, s Scene, use network.Use, p view.Param, asks *Asks) {
	values := use.Values
	if use.Name == s.Display {
		values = s.Values
	}
	value, ok := values[p.Name]
	if !ok {
		value = fmt.Sprint(p.Default)
	}
	set := func(value string) {
		if use.Name == s.Display {
			if _, err := p.Parse(value); err != nil {
				q.wrong = err.Error()
				return
			}
			asks.Param, asks.Value = p.Name, value
		} else if n, err := s.Catalog.Set(s.Network, use.Name, p.Name, value); err != nil {
			q.wrong = err.Error()
			return
		} else {
			asks.Network = n
		}
		q.field, q.wrong = "", ""
	}
	name := p.Label + " of " + use.Name
	c.Tip(*r, "")
	if on, err := strconv.ParseBool(value); err == nil && p.Type() == "bool" {
		if widget.Check(c, r.CutTop(c.Px(c.Theme.Ctl)), name, p.Label, &on) {
			set(strconv.FormatBool(on))
		}
		return
	}
	label := r.CutTop(c.Px(c.Theme.Row - 4))
	c.Label(label, p.Label, ui.Type{Size: ui.Small, Color: c.Theme.Muted})
	c.Tip(label, p.Doc)
	cell := r.CutTop(c.Px(c.Theme.Ctl))
	if i := slices.Index(p.Choices, value); len(p.Choices) > 0 {
		if widget.Dropdown(c, cell, name, p.Choices, &i) {
			set(p.Choices[i])
		}
		return
	}
	text, wrong := value, ""
	if q.field == name {
		text, wrong = q.text, q.wrong
	}
	did := widget.Field(c, cell, name, &text, widget.FieldOptions{Hint: p.Doc, Error: wrong, Code: true})
	if did.Changed {
		q.field, q.text, q.wrong = name, text, ""
	}
	switch {
	case did.Done:
		q.field, q.text = name, text
		set(text)
	case did.Left:
		q.field, q.wrong = "", ""
	}
	if q.field == name && q.wrong != "" {
		note := ui.Type{Size: ui.Small, Color: c.Theme.Danger}
		line, _, _ := strings.Cut(q.wrong, "\n")
		h := c.ParagraphHeight(r.W(), line, note)
		c.Paragraph(r.CutTop(h+c.Px(2)), line, note)
	} else if q.field == name {
		c.Label(r.CutTop(c.Px(16)), "Enter applies it", ui.Type{Size: ui.Small, Color: c.Theme.Muted})
	}
}

// grouping draws the field and the button that make a group of the chosen uses.
func (q *panel) grouping(c *ui.Context, r *ui.Rect, s Scene, asks *Asks) {
	c.Label(r.CutTop(c.Px(c.Theme.Row)), "As a module named", ui.Type{Size: ui.Small, Color: c.Theme.Muted})
	did := widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "Name of the group", &q.group, widget.FieldOptions{Hint: "Name of the group", Code: true})
	r.CutTop(c.Px(ui.Gap))
	var exposed []network.GroupParam
	for i, p := range q.inner(s) {
		if i == 0 {
			c.Label(r.CutTop(c.Px(c.Theme.Row)), "with the parameters", ui.Type{Size: ui.Small, Color: c.Theme.Muted})
		}
		name := p.Param + " of " + p.Use
		on, chosen := q.exposed[name]
		if !chosen {
			_, on = s.Network.Uses[s.Network.Use(p.Use)].Values[p.Param]
		}
		if widget.Check(c, r.CutTop(c.Px(c.Theme.Row)), name, name, &on) {
			q.exposed[name] = on
		}
		if on {
			exposed = append(exposed, p)
		}
	}
	r.CutTop(c.Px(ui.Gap))
	if widget.Button(c, r.CutTop(c.Px(c.Theme.Ctl)), "group", widget.ButtonOptions{Label: "Group", Look: widget.Primary}) || did.Done {
		n, err := s.Catalog.Group(s.Network, strings.TrimSpace(q.group), q.chosen, exposed)
		if err != nil {
			asks.Refusal = err.Error()
			return
		}
		asks.Network, q.chosen, q.group = n, nil, ""
		clear(q.exposed)
	}
}

// inner lists the parameters of the chosen uses.
func (q *panel) inner(s Scene) (all []network.GroupParam) {
	for _, name := range q.chosen {
		if m := s.Catalog.ModuleOf(s.Network, s.Network.Uses[s.Network.Use(name)]); m != nil {
			for _, p := range m.Params {
				all = append(all, network.GroupParam{Use: name, Param: p.Name})
			}
		}
	}
	return all
}
