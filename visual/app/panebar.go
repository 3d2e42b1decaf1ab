package app

import (
	"slices"
	"strconv"
	"strings"

	"whorl/visual/app/outbox"
	"whorl/visual/app/runs"
	"whorl/visual/documents"
	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// drawLeaf draws the bars of a leaf and gives the rest to the pane in front.
func (a *App) drawLeaf(c *ui.Context, r ui.Rect, n *workspace.Node) {
	c.Scope("leaf" + strconv.Itoa(slices.Min(n.Panes)))
	defer c.Unscope()
	head := r.CutTop(c.Px(32))
	c.Fill(head, c.Theme.Sunken)
	line := head
	c.Fill(line.CutBottom(c.Hair()), c.Theme.Line)
	p := a.model.panes[n.Shown]
	if p != nil {
		a.leafButtons(c, &head, n, p)
	}
	a.tabs(c, head, n)
	if p == nil {
		return
	}
	if e := a.model.editing(p); e != nil {
		a.sources.draw(c, r, p, e, &a.widgets)
		return
	}
	if a.model.missing(p.trace) {
		a.drawMissing(c, r, p)
		return
	}
	p.seen = true
	a.drawSettings(c, &r, p)
	a.drawModules(c, &r, p)
	a.painter.arrange(p, a.window.points(r))
}

// tabs draws the tabs of a leaf.
func (a *App) tabs(c *ui.Context, r ui.Rect, n *workspace.Node) {
	list := make([]widget.Tab, len(n.Panes))
	titles := a.model.titles()
	// If all panes of the leaf show the same trace, it is enough that the tab in front names it.
	oneTrace := !slices.ContainsFunc(n.Panes, func(id int) bool { return a.model.traceOf(id) != a.model.traceOf(n.Shown) })
	for i, id := range n.Panes {
		list[i] = widget.Tab{ID: strconv.Itoa(id)}
		p := a.model.panes[id]
		if p == nil {
			continue
		}
		list[i].Title, list[i].Icon, list[i].Keys = p.kind.Title, p.kind.Icon, id == a.model.focus
		if len(titles) > 1 && !p.kind.Group && (id == n.Shown || !oneTrace) {
			list[i].Short = titles[p.trace]
			list[i].Title += " · " + list[i].Short
			if t, ok := p.result.Value.(view.Timed); ok && t != nil && a.cameras.ownScale(a.model.document(p)) {
				list[i].Title += " · own scale of time"
			}
		}
		if d := a.model.document(p); d != nil && d.Before() != nil {
			list[i].Title += " · what if"
			if list[i].Short != "" {
				list[i].Short = "what if: " + list[i].Short
			}
		}
		e := a.model.programs[a.model.document(p)]
		list[i].Dirty = p.kind.Program && e != nil && e.Dirty()
	}
	did := widget.Tabs(c, r, "tabs", list, slices.Index(n.Panes, n.Shown))
	a.spots[len(a.spots)-1].tabs, a.spots[len(a.spots)-1].bar = did, a.window.points(r)
	switch {
	case did.Twice >= 0:
		a.actions.setFocus(n.Panes[did.Twice])
		a.maximise()
	case did.Closed >= 0:
		a.actions.closePane(n.Panes[did.Closed])
	case did.From >= 0:
		id := n.Panes[did.From]
		a.actions.move(id, beside(without(n.Panes, id), did.To))
	case did.Out >= 0:
		a.carried = carried{pane: n.Panes[did.Out], dropped: true}
	case did.Carried >= 0:
		a.carried = carried{pane: n.Panes[did.Carried]}
	case did.Changed && did.Active >= 0:
		a.model.Workspace.Show(n.Panes[did.Active]) // which tab is in front is no step of the undo
		a.actions.setFocus(n.Panes[did.Active])
		a.out.Redraw()
	case did.Pressed && a.model.focus != n.Shown: // gives a pane the keys without a click in its picture
		a.actions.setFocus(n.Shown)
	}
}

// leafButtons draws the buttons at the right end of a leaf's bar. A narrow leaf has no buttons for actions of menus and keys.
func (a *App) leafButtons(c *ui.Context, head *ui.Rect, n *workspace.Node, p *pane) {
	wide, narrow := head.W() >= c.Px(280), head.W() < c.Px(220)
	side := c.Px(26)
	cell := func() ui.Rect {
		r := head.CutRight(side)
		return r.Center(side, side)
	}
	head.CutRight(c.Px(4))
	items, act := a.paneMenu(p)
	views, open := a.viewMenu(p)
	again, change := a.againMenu(n, a.model.document(p))
	if narrow {
		items = append(items, widget.Item{}, widget.Item{Label: "Another view", Icon: icon.Plus},
			widget.Item{Label: "Run again, with one thing changed", Icon: icon.Reload, Off: len(again) == 0})
	}
	at := cell()
	switch i := widget.MenuButton(c, at, "more", widget.ButtonOptions{Icon: icon.More, Look: widget.Quiet, Tip: "More for this pane"}, items); {
	case i < 0:
	case narrow && i == len(items)-2:
		widget.OpenMenu(c, "view", at.X0, at.Y1)
	case narrow && i == len(items)-1:
		widget.OpenMenu(c, "again", at.X0, at.Y1)
	default:
		a.actions.setFocus(p.id)
		act(i)
	}
	menu := func(name string, g icon.Icon, tip string, items []widget.Item, do func(int)) {
		var i int
		if narrow {
			i = widget.Menu(c, name, items)
		} else {
			i = widget.MenuButton(c, cell(), name, widget.ButtonOptions{Icon: g, Look: widget.Quiet, Tip: tip}, items)
		}
		if i >= 0 {
			a.actions.setFocus(p.id)
			do(i)
		}
	}
	menu("view", icon.Plus, "Show this trace in another view", views, open)
	if len(again) > 0 {
		menu("again", icon.Reload, "Run again beside this, with one thing changed", again, change)
	}
	button := func(name string, on bool) {
		if cmd := a.command(name); widget.Button(c, cell(), name, widget.ButtonOptions{Icon: cmd.icon, Look: widget.Quiet, On: on, Tip: cmd.tip()}) {
			a.actions.setFocus(p.id)
			a.perform(cmd)
		}
	}
	e := a.model.editing(p)
	if wide && p.kind.Program && a.sources.canEdit(a.model.document(p)) {
		button("edit", e != nil)
	}
	if _, ok := p.result.Value.(view.Tabular); ok && wide {
		button("copy table", false)
	}
	if wide && len(p.settings()) > 0 && e == nil {
		button("settings", a.settings.Open(p.id))
	}
	if a.model.Maximised(a.model.focus) != nil {
		button("maximise", true)
	}
	if a.actions.lacks(p) && widget.Button(c, cell(), "lacks", widget.ButtonOptions{Icon: icon.Info, Look: widget.Quiet, Tip: lacksText}) {
		a.out.Notify(ui.Info, outbox.AboutAction, lacksText)
	}
}

// againMenu lists the runs that differ in one thing from the run of a trace; none if the trace cannot be made again.
func (a *App) againMenu(n *workspace.Node, d *documents.Document) ([]widget.Item, func(int)) {
	if d == nil || d.Again() == nil || a.model.docs.Runner == nil || a.model.arranger.Reads(&a.model.Workspace, n) {
		return nil, nil
	}
	again := runs.Variations(d.Again())
	items := make([]widget.Item, len(again))
	for i, v := range again {
		items[i].Label = v.Label
	}
	return items, func(i int) { a.launcher.runBeside(d, again[i].Run, "") }
}

// paneMenu lists the commands for a pane.
func (a *App) paneMenu(p *pane) ([]widget.Item, func(int)) {
	names := []string{
		"settings", "edit", "copy table", "modules", "", "split right", "split below", "duplicate", "maximise", "detach", "detach again", "", "move left", "move right", "move up", "move down",
		"", "next pane", "previous pane", "", "close pane",
	}
	var items []widget.Item
	for _, n := range names {
		if n == "" {
			items = append(items, widget.Item{})
			continue
		}
		items = append(items, a.item(n))
	}
	items[0].Off = len(p.settings()) == 0
	items[1].Off = !a.sources.canEdit(a.model.document(p))
	items = append(items, widget.Item{Label: "Close the trace " + p.trace, Icon: icon.Trash})
	return items, func(i int) {
		if i < len(names) {
			a.perform(a.command(names[i]))
			return
		}
		a.actions.apply(view.Action{Do: view.CloseTrace, Name: p.trace})
	}
}

// viewMenu lists the views for the trace of a pane, with the reason why one cannot show it, and the other traces for its view.
func (a *App) viewMenu(p *pane) ([]widget.Item, func(int)) {
	kinds := a.model.arranger.Kinds
	var items []widget.Item
	for _, k := range kinds {
		it := widget.Item{Label: k.Title, Doc: k.Doc}
		if d := a.model.document(p); d != nil {
			if err := d.Fits(k); err != nil {
				it.Off, it.Why = true, reason(err)
			}
		}
		items = append(items, it)
	}
	others := slices.DeleteFunc(slices.Clone(a.model.State.Shared.Traces), func(t string) bool { return t == p.trace })
	if len(others) > 0 {
		items = append(items, widget.Item{})
	}
	first := len(items)
	for _, t := range others {
		items = append(items, widget.Item{Label: p.kind.Title + " of " + t})
	}
	return items, func(i int) {
		if i < len(kinds) {
			a.actions.addView(kinds[i], p)
			return
		}
		a.actions.addPane(p.view, others[i-first], p.id, workspace.AsTab)
	}
}

// reason returns why a view cannot show a trace, without the name of the view.
func reason(err error) string {
	if _, after, ok := strings.Cut(err.Error(), " view "); ok {
		return after
	}
	return err.Error()
}

// stepPane moves the focus to the next pane or tab in the order of the window.
func (a *App) stepPane(by int) {
	all := a.model.Root.All()
	if i := slices.Index(all, a.model.focus); i >= 0 {
		a.actions.setFocus(all[(i+by+len(all))%len(all)])
		if a.model.Full != 0 {
			a.model.Full = a.model.focus
		}
		a.model.Workspace.Show(a.model.focus)
		a.widgets.Focus(0)
		a.keyRing = true
	}
}
