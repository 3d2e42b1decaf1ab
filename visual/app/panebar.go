package app

import (
	"slices"
	"strconv"
	"strings"

	"whorl/visual/icon"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// drawLeaf draws the bars of a place and gives the pane that it shows the rest.
func (a *App) drawLeaf(c *ui.Context, r ui.Rect, n *workspace.Node) {
	c.Scope("leaf" + strconv.Itoa(slices.Min(n.Panes)))
	defer c.Unscope()
	head := r.CutTop(c.Px(32))
	c.Fill(head, c.Theme.Sunken)
	line := head
	c.Fill(line.CutBottom(c.Hair()), c.Theme.Line)
	a.leafButtons(c, &head, n)
	a.tabs(c, head, n)
	p := a.panes[n.Shown]
	if p == nil {
		return
	}
	if e := a.editing(p); e != nil {
		a.sourceEditor(c, r, p, e)
		return
	}
	p.seen = true
	if a.settings[p.id] {
		a.paramBar(c, &r, p)
	}
	a.arrange(p, a.points(r))
}

// tabs shows one tab for each pane of a place.
func (a *App) tabs(c *ui.Context, r ui.Rect, n *workspace.Node) {
	list, traces := make([]ui.Tab, len(n.Panes)), a.inWindow()
	for i, id := range n.Panes {
		list[i] = ui.Tab{ID: strconv.Itoa(id)}
		if p := a.panes[id]; p != nil {
			list[i].Title, list[i].Icon, list[i].Keys = p.kind.Title, p.kind.Icon, id == a.focus
			if len(traces) > 1 && (id == n.Shown || !a.oneTrace(n)) {
				list[i].Short = shortName(p.trace, traces)
				list[i].Title += " · " + list[i].Short
			}
			d := a.docs[p.trace]
			list[i].Dirty = d != nil && p.kind.Name == sourceView && d.edit.dirty()
		}
	}
	did := c.Tabs(r, "tabs", list, slices.Index(n.Panes, n.Shown))
	switch {
	case did.Closed >= 0:
		a.closePane(n.Panes[did.Closed])
	case did.From >= 0:
		a.edit(func(w *workspace.Workspace) error { w.Reorder(n, did.From, did.To); return nil })
	case did.Out >= 0:
		a.tearOff(n.Panes[did.Out], float64(did.X)/a.scale, float64(did.Y)/a.scale)
	case did.Changed && did.Active >= 0:
		a.Workspace.Show(n.Panes[did.Active]) // which tab is in front is not worth an undo
		a.setFocus(n.Panes[did.Active])
		a.changed = true
	case did.Pressed && a.focus != n.Shown: // so that a pane gets the keys and nothing in it is clicked
		a.setFocus(n.Shown)
		a.changed = true
	}
}

// oneTrace says whether all panes of a place show the same trace: it is enough when the one in front says which.
func (a *App) oneTrace(n *workspace.Node) bool {
	trace := func(id int) string {
		if w := a.Pane(id); w != nil {
			return w.Trace
		}
		return ""
	}
	return !slices.ContainsFunc(n.Panes, func(id int) bool { return trace(id) != trace(n.Shown) })
}

// shortName is what tells a trace from the others: its name without the parts that all of them have, or without the words that all begin
// with: on-demand for pascal-on-demand beside pascal-random.
func shortName(name string, all []string) string {
	var own []string
	for part := range strings.SplitSeq(name, ", ") {
		common := true
		for _, t := range all {
			common = common && slices.ContainsFunc(strings.Split(t, ", "), func(s string) bool { return unnumbered(s) == unnumbered(part) })
		}
		if !common {
			own = append(own, part)
		}
	}
	switch len(own) {
	case 0:
		return name
	case 1:
		return strings.TrimPrefix(own[0], commonWords(all))
	}
	return strings.Join(own, ", ")
}

// unnumbered is a name without the number that tells it from an older one.
func unnumbered(s string) string {
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		return s[:i]
	}
	return s
}

// commonWords is what all names begin with, up to the end of a word, and go on after that.
func commonWords(names []string) string {
	common := names[0]
	for _, n := range names[1:] {
		k := 0
		for k < min(len(common), len(n)) && common[k] == n[k] {
			k++
		}
		common = common[:k]
	}
	if slices.Contains(names, common) {
		return ""
	}
	return common[:strings.LastIndexAny(common, " -_.")+1]
}

// tearOff puts a pane whose tab was dropped elsewhere there: into the middle of a place as a tab, near its sides beside it.
func (a *App) tearOff(id int, x, y float64) {
	for _, s := range a.spots {
		if !s.rect.Has(x, y) {
			continue
		}
		u, v := (x-s.rect.X0)/s.rect.W(), (y-s.rect.Y0)/s.rect.H()
		where := workspace.AsTab
		switch {
		case len(s.node.Panes) == 1 && s.node.Shown == id:
			return
		case u > 0.7:
			where = workspace.ToRight
		case v > 0.6:
			where = workspace.Below
		}
		to := s.node.Shown
		if to == id {
			to = s.node.Panes[0]
			if to == id {
				to = s.node.Panes[1]
			}
		}
		a.edit(func(w *workspace.Workspace) error {
			w.Move(id, to, where)
			return nil
		})
		a.setFocus(id)
		return
	}
}

// leafButtons are at the right end of a place's bar.
func (a *App) leafButtons(c *ui.Context, head *ui.Rect, n *workspace.Node) {
	p := a.panes[n.Shown]
	if p == nil {
		return
	}
	// What the menu and keys do too has no button where there is little room.
	wide, narrow := head.W() >= c.Px(280), head.W() < c.Px(220)
	side := c.Px(26)
	cell := func() ui.Rect {
		r := head.CutRight(side)
		return r.Center(side, side)
	}
	head.CutRight(c.Px(4))
	items, act := a.paneMenu(p)
	views, open := a.viewMenu(p)
	again, change := a.againMenu(n, a.docs[p.trace])
	if narrow {
		items = append(items, ui.Item{}, ui.Item{Label: "Another view", Icon: icon.Plus},
			ui.Item{Label: "Run again, with one thing changed", Icon: icon.Reload, Off: len(again) == 0})
	}
	at := cell()
	switch i := c.MenuButton(at, "more", ui.Press{Icon: icon.More, Look: ui.Quiet, Tip: "More for this pane"}, items); {
	case i < 0:
	case narrow && i == len(items)-2:
		c.OpenMenu("view", at.X0, at.Y1)
	case narrow && i == len(items)-1:
		c.OpenMenu("again", at.X0, at.Y1)
	default:
		a.setFocus(p.id)
		act(i)
	}
	menu := func(name string, g icon.Icon, tip string, items []ui.Item, do func(int)) {
		var i int
		if narrow {
			i = c.Menu(name, items)
		} else {
			i = c.MenuButton(cell(), name, ui.Press{Icon: g, Look: ui.Quiet, Tip: tip}, items)
		}
		if i >= 0 {
			a.setFocus(p.id)
			do(i)
		}
	}
	menu("view", icon.Plus, "Show this trace in another view", views, open)
	if len(again) > 0 {
		menu("again", icon.Reload, "Run again beside this, with one thing changed", again, change)
	}
	if e := a.editing(p); wide && p.kind.Name == sourceView && a.canEdit(a.docs[p.trace]) {
		if c.Press(cell(), "edit", ui.Press{Icon: icon.Pencil, Look: ui.Quiet, On: e != nil, Tip: a.commandNamed("edit").tip()}) {
			a.setFocus(p.id)
			a.toggleEdit()
		}
	}
	if wide && len(a.shownParams(p)) > 0 && a.editing(p) == nil {
		if c.Press(cell(), "settings", ui.Press{Icon: icon.Settings, Look: ui.Quiet, On: a.settings[p.id], Tip: a.commandNamed("settings").tip()}) {
			a.setFocus(p.id)
			a.toggleSettings()
		}
	}
}

// againMenu lists the runs that differ in one thing from the one that a trace comes from; none where it cannot be made again.
func (a *App) againMenu(n *workspace.Node, d *document) ([]ui.Item, func(int)) {
	if d == nil || d.again() == nil || a.runner == nil || a.arranger.Reads(&a.Workspace, n) {
		return nil, nil
	}
	again := variations(d.again())
	items := make([]ui.Item, len(again))
	for i, v := range again {
		items[i].Label = v.label
	}
	return items, func(i int) { a.runAgain(d, again[i].change) }
}

// paneMenu is what can be done with a pane.
func (a *App) paneMenu(p *pane) ([]ui.Item, func(int)) {
	names := []string{"settings", "edit", "", "split right", "split below", "", "next pane", "previous pane", "", "close pane"}
	var items []ui.Item
	for _, n := range names {
		if n == "" {
			items = append(items, ui.Item{})
			continue
		}
		items = append(items, a.item(n))
	}
	items[0].Off = len(a.shownParams(p)) == 0
	items[1].Off = !a.canEdit(a.docs[p.trace])
	items = append(items, ui.Item{Label: "Close the trace " + p.trace, Icon: icon.Trash})
	return items, func(i int) {
		if i < len(names) {
			a.perform(a.commandNamed(names[i]))
			return
		}
		a.act(view.Action{Do: view.CloseTrace, Name: p.trace})
	}
}

// viewMenu lists the views of a pane's trace; of one that does not fit it says why.
func (a *App) viewMenu(p *pane) ([]ui.Item, func(int)) {
	var items []ui.Item
	for _, k := range a.views {
		it := ui.Item{Label: k.Title}
		if d := a.docs[p.trace]; d != nil {
			if err := a.unfit(k, d); err != nil {
				it.Off, it.Why = true, reason(err)
			}
		}
		items = append(items, it)
	}
	n := len(items)
	for _, t := range a.State.Shared.Traces {
		if t != p.trace {
			if len(items) == n {
				items = append(items, ui.Item{})
			}
			items = append(items, ui.Item{Label: p.kind.Title + " of " + t})
		}
	}
	return items, func(i int) {
		if i < n {
			a.addView(a.views[i], p)
			return
		}
		a.addPane(p.kind.Name, strings.TrimPrefix(items[i].Label, p.kind.Title+" of "), p.id, workspace.AsTab)
	}
}

// reason is why a view does not fit, without its name.
func reason(err error) string {
	if _, after, ok := strings.Cut(err.Error(), " view "); ok {
		return after
	}
	return err.Error()
}

// addView shows the trace of a pane in another view, as a tab beside it. Runs that are compared with it are shown in that view beside what
// goes along with the pane, unless they are already.
func (a *App) addView(k *view.Kind, p *pane) {
	along := a.counterparts(p)
	a.edit(func(w *workspace.Workspace) error {
		for _, q := range along {
			if a.unfit(k, a.docs[q.trace]) != nil || slices.ContainsFunc(w.State.Personal.Panes, func(o view.Pane) bool { return o.View == k.Name && o.Trace == q.trace }) {
				continue
			}
			id, err := w.Open(k.Name, q.trace)
			if err != nil {
				return err
			}
			w.Put(id, q.id, workspace.AsTab)
			w.Show(id)
		}
		id, err := w.Open(k.Name, p.trace)
		if err == nil {
			w.Put(id, p.id, workspace.AsTab)
			a.focus = id
		}
		return err
	})
}

// addPane opens a pane beside another.
func (a *App) addPane(viewName, trace string, beside int, s workspace.Side) {
	a.edit(func(w *workspace.Workspace) error {
		id, err := w.Open(viewName, trace)
		if err == nil {
			w.Put(id, beside, s)
			a.focus = id
		}
		return err
	})
}

// splitPane shows what the focused pane shows a second time, with the same camera and settings.
func (a *App) splitPane(s workspace.Side) {
	old := a.Pane(a.focus)
	if old == nil {
		return
	}
	from := *old
	a.edit(func(w *workspace.Workspace) error {
		id, err := w.Open(from.View, from.Trace)
		if err != nil {
			return err
		}
		panes := slices.Clone(w.State.Personal.Panes)
		panes[w.Index(id)] = from
		w.State.Personal.Panes = panes
		w.Put(id, a.focus, s)
		return nil
	})
}

func (a *App) closePane(id int) {
	if i := a.Index(id); i >= 0 {
		a.act(view.Action{Do: view.RemovePane, Pane: i})
	}
}

// stepPane moves the focus to the next place, or tab, in the order of the window.
func (a *App) stepPane(by int) {
	all := a.Root.All()
	if i := slices.Index(all, a.focus); i >= 0 {
		a.setFocus(all[(i+by+len(all))%len(all)])
		a.Workspace.Show(a.focus)
		a.widgets.Focus(0)
		a.keys.ring = true
	}
}

func (a *App) toggleSettings() {
	if a.settings[a.focus] {
		delete(a.settings, a.focus)
	} else {
		a.settings[a.focus] = true
	}
	a.changed = true
}

// beginFind shows the settings of the focused pane, and gives the keys to the field in which one types what is to be found.
func (a *App) beginFind() {
	a.settings[a.focus] = true
	a.finding = a.focus
	a.changed = true
}

// noFind says whether nothing can be found in the focused pane.
func noFind(a *App) bool {
	p := a.panes[a.focus]
	return p == nil || !hasParam(p.kind, view.Find)
}

// manyNs is more than any slider is good for: such numbers are ids and times, which other means set.
const manyNs = 1 << 60

// choices are the values of a parameter that depend on what the pane shows, and which of them is shown; nil where there are none.
func (p *pane) choices(q view.Param) (values []string, now int) {
	if c, ok := p.result.Value.(view.Chooser); ok {
		return c.Choices(q.Name)
	}
	return nil, -1
}

// shownParams are the parameters that a pane's bar offers: those of the whole window and those that other means set are not among them.
func (a *App) shownParams(p *pane) []view.Param {
	var out []view.Param
	for _, q := range p.kind.Params {
		own := q.Name != view.Background.Name && q.Name != view.Palette.Name && q.Name != view.Root
		if choices, _ := p.choices(q); choices != nil {
			q.Choices = choices
		}
		if own && (len(q.Choices) > 0 || q.Type() != "text" || q.Name == view.Find) && q.Max < manyNs {
			out = append(out, q)
		}
	}
	return out
}
