package app

import (
	"slices"
	"strconv"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
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
	head := r.CutTop(c.Px(max(32, c.Theme.Least)))
	c.Fill(head, c.Theme.Sunken)
	line := head
	c.Fill(line.CutBottom(c.Hair()), c.Theme.Line)
	p := a.model.Panes[n.Shown]
	if p != nil {
		a.leafButtons(c, &head, n, p)
	}
	a.tiles.DrawTabs(c, head, n)
	if p == nil {
		return
	}
	if e := a.model.Editing(p); e != nil {
		a.sources.Draw(c, r, p, e, &a.widgets)
		return
	}
	if a.model.Missing(p.Trace) {
		a.drawMissing(c, r, p)
		return
	}
	p.Seen = true
	if !widget.Narrow(c) {
		a.drawSettings(c, &r, p)
	}
	a.painter.Arrange(p, a.window.Points(r))
	if p.Kind.Modules {
		a.drawModules(c, r, p)
	}
}

// leafButtons draws the buttons at the right end of a leaf's bar. A narrow leaf has no buttons for actions of menus and keys.
func (a *App) leafButtons(c *ui.Context, head *ui.Rect, n *workspace.Node, p *panes.Pane) {
	wide, narrow := head.W() >= c.Px(280+2*c.Theme.Least) && !widget.Narrow(c), head.W() < c.Px(220+2*c.Theme.Least) || widget.Narrow(c)
	side := c.Px(max(26, c.Theme.Least))
	cell := func() ui.Rect {
		r := head.CutRight(side)
		return r.Center(side, side)
	}
	head.CutRight(c.Px(4))
	items, act := a.paneMenu(p)
	views, open := a.viewMenu(p)
	again, change := a.againMenu(n, a.model.Document(p))
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
		a.actions.SetFocus(p.ID)
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
			a.actions.SetFocus(p.ID)
			do(i)
		}
	}
	menu("view", icon.Plus, "Show this trace in another view", views, open)
	if len(again) > 0 {
		menu("again", icon.Reload, "Run again beside this, with one thing changed", again, change)
	}
	button := func(name string, on bool) {
		if cmd := a.command(name); widget.Button(c, cell(), name, widget.ButtonOptions{Icon: cmd.icon, Look: widget.Quiet, On: on, Tip: cmd.tip()}) {
			a.actions.SetFocus(p.ID)
			a.perform(cmd)
		}
	}
	e := a.model.Editing(p)
	if wide && p.Kind.Program && a.sources.CanEdit(a.model.Document(p)) {
		button("edit", e != nil)
	}
	if _, ok := p.Picture().(view.Tabular); ok && wide {
		button("copy table", false)
	}
	if wide && len(p.Settings()) > 0 && e == nil {
		button("settings", a.settings.Open(p.ID))
	}
	if a.model.Maximised(a.model.Focus) != nil {
		button("maximise", true)
	}
	if where := a.filters.Shown(p.Trace); where != "" && widget.Button(c, cell(), "filter", widget.ButtonOptions{Icon: icon.Filter, Look: widget.Quiet, On: true, Tip: filterText(where)}) {
		a.filters.Clear(p.Trace)
	}
	if a.actions.Lacks(p) && widget.Button(c, cell(), "lacks", widget.ButtonOptions{Icon: icon.Info, Look: widget.Quiet, Tip: panes.LacksText}) {
		a.out.Notify(ui.Info, outbox.AboutAction, panes.LacksText)
	}
}

// againMenu lists the runs that differ in one thing from the run of a trace; none if the trace cannot be made again.
func (a *App) againMenu(n *workspace.Node, d *documents.Document) ([]widget.Item, func(int)) {
	if d == nil || d.Again() == nil || a.model.Docs.Runner == nil || a.model.Arranger.Reads(&a.model.Workspace, n) {
		return nil, nil
	}
	again := runs.Variations(d.Again())
	items := make([]widget.Item, len(again))
	for i, v := range again {
		items[i].Label = v.Label
	}
	return items, func(i int) { a.launcher.RunBeside(d, again[i].Run, "") }
}

// paneMenu lists the commands for a pane.
func (a *App) paneMenu(p *panes.Pane) ([]widget.Item, func(int)) {
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
	items[0].Off = len(p.Settings()) == 0
	items[1].Off = !a.sources.CanEdit(a.model.Document(p))
	items = append(items, widget.Item{Label: "Close the trace " + p.Trace, Icon: icon.Trash})
	return items, func(i int) {
		if i < len(names) {
			a.perform(a.command(names[i]))
			return
		}
		a.actions.Apply(view.Action{Do: view.CloseTrace, Name: p.Trace})
	}
}

// viewMenu lists the views for the trace of a pane, with the reason why one cannot show it, and the other traces for its view.
func (a *App) viewMenu(p *panes.Pane) ([]widget.Item, func(int)) {
	kinds := a.model.Arranger.Kinds
	var items []widget.Item
	for _, k := range kinds {
		it := widget.Item{Label: k.Title, Doc: k.Doc}
		if d := a.model.Document(p); d != nil {
			if err := d.Fits(k); err != nil {
				it.Off, it.Why = true, panes.Reason(err)
			}
		}
		items = append(items, it)
	}
	others := slices.DeleteFunc(slices.Clone(a.model.State.Shared.Traces), func(t string) bool { return t == p.Trace })
	if len(others) > 0 {
		items = append(items, widget.Item{})
	}
	first := len(items)
	for _, t := range others {
		items = append(items, widget.Item{Label: p.Kind.Title + " of " + t})
	}
	return items, func(i int) {
		if i < len(kinds) {
			a.actions.AddView(kinds[i], p)
			return
		}
		a.actions.AddPane(p.View, others[i-first], p.ID, workspace.AsTab)
	}
}

// stepPane moves the focus to the next pane or tab in the order of the window.
func (a *App) stepPane(by int) {
	all := a.model.Root.All()
	if i := slices.Index(all, a.model.Focus); i >= 0 {
		a.actions.SetFocus(all[(i+by+len(all))%len(all)])
		if a.model.Full != 0 {
			a.model.Full = a.model.Focus
		}
		a.model.Workspace.Show(a.model.Focus)
		a.widgets.Focus(0)
		a.pointer.KeyRing = true
	}
}

// filterText returns the tip of the sign in the bars of the panes of a trace with a filter.
func filterText(where string) string {
	return "Only this is shown: " + where + ". Press * or this sign to show all"
}
