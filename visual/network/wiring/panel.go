// Package wiring draws networks of modules: as pictures, and live in panels. There users change networks: they drag modules in from a list, connect
// outputs with inputs, set parameters, group and remove.
package wiring

import (
	"slices"
	"strings"

	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/network"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// Panels are the panels of all panes, which are known by their numbers from 1.
type Panels struct {
	panels map[int]*panel
	sizes  map[uint64]string // of values, by their revision
}

// panel is the state of the panel of a pane.
type panel struct {
	search  string
	chosen  []string        // uses
	field   string          // the parameter whose field has an unfinished text
	text    string          // of that field
	wrong   string          // about the text
	group   string          // name for a group
	exposed map[string]bool // the parameters that the group gets or not, where the user has said so
	x, y    float64         // scroll position of the diagram
	writing writing
	dragged string // what the pointer carries: a module of the list, or the use whose output is being connected
}

// New returns the panels of no panes.
func New() Panels { return Panels{panels: map[int]*panel{}, sizes: map[uint64]string{}} }

func (p *Panels) panelOf(pane int) *panel {
	if p.panels[pane] == nil {
		p.panels[pane] = &panel{exposed: map[string]bool{}}
	}
	return p.panels[pane]
}

// A Scene is the content of a panel.
type Scene struct {
	Title   string // of the pane
	Catalog network.Catalog
	Network *network.Network
	Plan    *network.Plan      // of the picture, nil if there is none
	Stages  []flow.Info        // of the picture
	Display string             // the use that the pane shows
	Values  map[string]string  // of its parameters, which belong to the pane
	Wrong   string             // why the network gives no picture, ""
	Others  []*network.Network // of other panes, whose groups can be used here too
	Text    string             // of the network
	Fault   error              // the error of the text, nil for none
	Broken  bool               // the text cannot be read, so that only the text can be changed
	Own     bool               // the pane has a network of its own, not that of its view
}

// Asks holds the requests of the user.
type Asks struct {
	Network     *network.Network // the changed network, nil for no change
	Param       string           // of the display: the pane gives it Value
	Value       string
	Text        *string // the new text of the network, nil for no change
	Export      string  // the use of an export whose file is to be written, ""
	Reset, Copy bool
	Refusal     string // why something cannot be done, ""
}

// Draw draws the panel of a pane.
func (p *Panels) Draw(c *ui.Context, body ui.Rect, pane int, s Scene) (asks Asks) {
	q := p.panelOf(pane)
	c.Scope("modules")
	defer c.Unscope()
	c.Fill(body, c.Theme.Surface)
	bar := body.CutTop(c.Px(c.Theme.Bar))
	q.bar(c, bar, s, &asks)
	if s.Broken || q.writing.on {
		q.write(c, body, s, &asks)
		return asks
	}
	q.prune(s) // before the list and the diagram choose modules that the network gets later
	if body.W() > c.Px(480) {
		q.list(c, body.CutLeft(c.Px(180)), s, &asks)
	}
	if len(q.chosen) > 0 && asks.Network == nil && body.W() > c.Px(360) {
		q.settings(c, body.CutRight(c.Px(220)), s, &asks)
	}
	p.diagram(c, body, q, s, &asks)
	return asks
}

// bar draws the bar of the panel.
func (q *panel) bar(c *ui.Context, r ui.Rect, s Scene, asks *Asks) {
	widget.Bar(c, r)
	r = r.Inset(c.Px(ui.Pad), 0)
	for _, b := range []struct {
		name string
		o    widget.ButtonOptions
		show bool
		do   func()
	}{
		{"copy", widget.ButtonOptions{Label: "Copy", Look: widget.Quiet, Tip: "Copy the network as a file for whorl render --network"}, true, func() { asks.Copy = true }},
		{"text", widget.ButtonOptions{Label: "Text", Look: widget.Quiet, On: s.Broken || q.writing.on, Tip: "Edit the text of the network"}, true, func() { q.writing.on = !q.writing.on }},
		{"reset", widget.ButtonOptions{Label: "Reset", Look: widget.Quiet, Tip: "Show the trace itself again"}, s.Own, func() { asks.Reset = true }},
	} {
		if w := widget.ButtonWidth(c, b.o); b.show && r.W() > w+c.Px(100) {
			cell := r.CutRight(w)
			if widget.Button(c, cell.Center(w, c.Px(c.Theme.Ctl)), b.name, b.o) {
				b.do()
			}
			r.CutRight(c.Px(ui.Gap))
		}
	}
	name := r.CutLeft(min(c.TextWidth(s.Title, ui.Type{})+c.Px(ui.Pad), r.W()))
	c.Label(name, s.Title, ui.Type{})
	if s.Wrong != "" {
		line, _, _ := strings.Cut(s.Wrong, "\n")
		c.Label(r, line, ui.Type{Color: c.Theme.Danger})
	}
}

// prune forgets chosen uses that are gone.
func (q *panel) prune(s Scene) {
	kept := q.chosen[:0]
	for _, name := range q.chosen {
		if s.Network.Use(name) >= 0 {
			kept = append(kept, name)
		}
	}
	q.chosen = kept
}

// list draws the list of modules with its search field.
func (q *panel) list(c *ui.Context, r ui.Rect, s Scene, asks *Asks) {
	c.Fill(r, c.Theme.Sunken)
	r = r.Inset(c.Px(6), c.Px(6))
	widget.Field(c, r.CutTop(c.Px(c.Theme.Ctl)), "Search the modules", &q.search, widget.FieldOptions{Hint: "Search the modules", Icon: icon.Search})
	r.CutTop(c.Px(4))
	var found []*network.Module
	for _, n := range append([]*network.Network{s.Network}, s.Others...) {
		for _, g := range n.Groups {
			known := slices.ContainsFunc(found, func(m *network.Module) bool { return m.Name == g.Name })
			if m := s.Catalog.ModuleOf(n, network.Use{Module: g.Name}); !known && m != nil && strings.Contains(strings.ToLower(g.Name+" "+g.Doc), strings.ToLower(strings.TrimSpace(q.search))) {
				found = append(found, m)
			}
		}
	}
	for _, m := range s.Catalog {
		words := strings.ToLower(m.Name + " " + m.Title + " " + m.Class.String() + " " + m.Doc)
		if strings.Contains(words, strings.ToLower(strings.TrimSpace(q.search))) {
			found = append(found, m)
		}
	}
	c.Scroll(r, "list", float32(len(found))*c.Px(c.Theme.Row), func(r ui.Rect) {
		for _, m := range found {
			row := r.CutTop(c.Px(c.Theme.Row))
			id := c.ID("add " + m.Name)
			t := c.Touch(id, row, ui.WantsFocus|ui.WantsHold, m.Doc)
			c.Describe(id, row, ui.Accessible{Role: ui.RoleButton, Name: "Add the module " + m.Title})
			if t.Hot || t.Ring {
				c.Round(row, c.Px(ui.Corner), c.Theme.Hover)
			}
			mark := row.CutLeft(c.Px(14)).Center(c.Px(8), c.Px(8))
			c.Round(mark, c.Px(2), typeColor(c.Theme.Dark, m.Out))
			label := row
			c.Write(label.CutRight(c.Px(58)), m.Class.String(), ui.Type{Size: ui.Small, Color: c.Theme.Muted, Align: 2})
			c.Write(label, m.Title, ui.Type{})
			switch {
			case t.Dragged && t.Held:
				q.dragged = m.Name
				c.SetCursor(ui.Grab)
				c.Carry(func() { carried(c, m.Title) })
			case t.Up && t.Dragged: // the diagram takes it where it was dropped
			case c.Fired(t):
				q.add(s, m.Name, q.target(s), asks)
			}
		}
	})
}

// carried draws what the pointer carries.
func carried(c *ui.Context, title string) {
	x, y := c.Pointer()
	w := c.TextWidth(title, ui.Type{}) + c.Px(20)
	r := ui.Rect{X0: x + c.Px(8), Y0: y + c.Px(4), X1: x + c.Px(8) + w, Y1: y + c.Px(4+c.Theme.Ctl)}
	c.Float(r, c.Px(ui.Corner), c.Theme.Raised)
	c.Write(r.Inset(c.Px(10), 0), title, ui.Type{})
}

// target returns the use that a new module is put in front of: the chosen one, or the display.
func (q *panel) target(s Scene) string {
	if len(q.chosen) == 1 {
		return q.chosen[0]
	}
	return s.Display
}

// add adds a module in front of a use.
func (q *panel) add(s Scene, module, before string, asks *Asks) {
	network := s.Network
	for _, other := range s.Others {
		network = network.Adopt(other, module)
	}
	n, name, err := s.Catalog.Add(network, module, before)
	if err != nil {
		asks.Refusal = err.Error()
		return
	}
	asks.Network, q.chosen = n, []string{name}
	q.field = ""
}

// typeColor returns the colour of a type of ports.
func typeColor(dark bool, t network.Type) scene.Color {
	light := [...]uint32{network.NoType: 0x6b7280, network.Trace: 0x2171b5, network.Tabular: 0x238b45, network.Grid: 0xd94801, network.Picture: 0x6a51a3}
	if dark {
		light = [...]uint32{network.NoType: 0x9aa1ab, network.Trace: 0x6baed6, network.Tabular: 0x74c476, network.Grid: 0xfd8d3c, network.Picture: 0x9e9ac8}
	}
	return scene.Hex(light[t])
}
