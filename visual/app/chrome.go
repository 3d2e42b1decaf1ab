package app

import (
	"slices"

	"whorl/experiment"
	"whorl/visual/app/outbox"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// runWidgets updates the bars and dialogs with at most one event. It reports whether no widget took the event.
func (a *App) runWidgets(events []ui.Event) (free bool) {
	a.model.UpdatePanes()
	in := ui.Input{Now: a.window.Now, W: float32(a.window.W * a.window.Scale), H: float32(a.window.H * a.window.Scale), Scale: float32(a.window.Scale), Events: events}
	r := ui.Run(&a.widgets, in, a.theme(), a.window.Text, &a.chrome, &a.popups, a.drawWindow)
	for i, sum := range [2]uint64{r.Base, r.Over} {
		if sum != a.sums[i] || a.grounds[i] == 0 {
			a.sums[i] = sum
			a.grounds[i] = a.painter.NextRevision()
		}
	}
	a.nextPass, a.cursor, a.popup, a.typing, a.controls = r.Next, r.Cursor, r.Popup, r.Typing, r.Controls
	if r.Copy != "" {
		a.out.Ask(outbox.Ask{Do: outbox.CopyText, Text: r.Copy})
	}
	if r.Paste {
		a.out.Ask(outbox.Ask{Do: outbox.PasteText})
	}
	return len(r.Unused) > 0
}

// theme returns the look of the widgets.
func (a *App) theme() ui.Theme {
	th := ui.NewTheme(a.model.Dark)
	if a.touch.coarse {
		return th.ForFingers()
	}
	return th
}

// drawWindow is one pass over everything around the pictures.
func (a *App) drawWindow(c *ui.Context) {
	rest := c.Window()
	c.Fill(rest, c.Theme.Surface)
	a.topBar(c, rest.CutTop(c.Px(c.Theme.Bar)), &rest)
	a.spots, a.carried = a.spots[:0], carried{}
	for _, p := range a.model.Panes {
		p.Seen = false
	}
	if a.model.Root != nil {
		a.timeBar(c, rest.CutBottom(c.Px(c.Theme.Bar)))
		a.runBar(c, &rest)
	}
	a.drawPanels(c, &rest)
	if a.model.Root == nil {
		a.welcome(c, rest)
	} else if full := a.model.Maximised(a.model.Focus); full != nil {
		a.spots = append(a.spots, spot{node: full, rect: a.window.Points(rest)})
		a.drawLeaf(c, rest, full)
	} else {
		a.layOut(c, rest, a.model.Root, "at")
	}
	a.carry(c)
	a.dialogs(c)
	a.commandKeys(c)
}

// bothPanels is the least width in points of a window that shows the panel for runs beside the one for other settings.
const bothPanels = 700

// togglePanel opens or closes one of these panels. Where there is no room for both, the other one is closed.
func (a *App) togglePanel(panel, other *bool) {
	*panel = !*panel
	if *panel && a.window.W < bothPanels {
		*other = false
	}
}

// sidePanels lists the panels for runs and trials, which do what the user asks there.
func (a *App) sidePanels(c *ui.Context) []sidePanel {
	d := a.model.Focused()
	return []sidePanel{
		{"lessons", a.lessons.Open && a.lessons.Has(), func(r *ui.Rect) { a.drawLessons(c, r) }, func() { a.lessons.Open = false }},
		{"run", a.runs.Open && a.model.Docs.Runner != nil, func(r *ui.Rect) {
			asks := a.runs.Draw(c, r, a.command("run").keys[0].String())
			if asks.Save != nil {
				a.saving.SaveProgram(asks.Save)
			}
			if asks.Run {
				a.start(asks.Paused)
			}
		}, func() { a.runs.Open = false }},
		{"state", a.state.Open && d != nil && d.Live != nil, func(r *ui.Rect) {
			chosen := a.state.Draw(c, r, d, a.command("state").keys[0].String())
			if chosen.Go {
				a.launcher.GoTo(d, chosen.To)
			}
			if chosen.Task != 0 {
				sel := view.Selection{Trace: d.Name, Tasks: []view.Tasks{{First: chosen.Task}}}
				a.actions.Apply(view.Action{Do: view.Select, Selection: &sel})
			}
		}, func() { a.state.Open = false }},
		{"people", a.session.Shown(), func(r *ui.Rect) { a.session.Draw(c, r, a.command("people").keys[0].String()) }, func() { a.session.TogglePanel() }},
		{"what if", a.whatIf.Open && d != nil, func(r *ui.Rect) { a.trials.Draw(c, r, &a.whatIf, d, a.command("what if").keys[0].String()) }, func() { a.whatIf.Open = false }},
	}
}

// dialogs draws the dialogs and the menu of a node over the window, and does what the user asks there.
func (a *App) dialogs(c *ui.Context) {
	if a.help.Open {
		a.help.Draw(c, a.keyBlocks())
	}
	if all := a.compare.Draw(c, &a.runs, a.repeats()); all != nil {
		a.runs.Open = false
		a.launcher.RunColumns(all)
	}
	if do := a.note.draw(c); do != nil {
		a.actions.Apply(*do)
	}
	if placed := a.placing.Draw(c); placed != nil && placed.Edit {
		a.runs.Fill(placed.Run)
	} else if placed != nil {
		a.launcher.RunBeside(placed.Beside, placed.Run, placed.Suffix)
	}
	a.drawQuestions(c)
	a.drawQuickly(c)
	a.export.Draw(c)
	a.drawDisplay(c)
	a.session.DrawHost(c)
	a.chooser.Draw(c)
	a.nameDialog(c)
	a.drawMenu(c)
}

// repeats returns the run of the focused pane if it can be run again, nil if not.
func (a *App) repeats() *experiment.Run {
	if d := a.model.Focused(); d != nil {
		return d.Again()
	}
	return nil
}

// topBar draws the bar of the whole window. A message that has no room in it takes some of the rest.
func (a *App) topBar(c *ui.Context, r ui.Rect, rest *ui.Rect) {
	bar := widget.Bar(c, r)
	gap := c.Px(4)
	s := &a.field
	writes := s.begins || s.id != 0 && a.widgets.Focused() == s.id
	if s.narrow && writes && a.selectionBar(c, bar.Inset(c.Px(ui.Gap), 0)) { // in place of the buttons
		c.PlaceMessage(ui.Rect{}, rest)
		return
	}
	if widget.Narrow(c) {
		a.narrowBar(c, bar, rest)
		return
	}
	title := ui.Type{Size: ui.Title, Face: scene.Bold}
	c.Label(bar.CutLeft(c.TextWidth("Whorl", title)+c.Px(ui.Pad)), "Whorl", title)
	a.commandButton(c, &bar, "open", widget.ButtonOptions{Label: "Open", Icon: icon.Open})
	bar.CutLeft(gap)
	a.commandButton(c, &bar, "run", widget.ButtonOptions{Label: "Run", Icon: icon.Play, Look: widget.Primary})
	bar.CutLeft(gap)
	a.commandButton(c, &bar, "compare", widget.ButtonOptions{Label: "Compare", Icon: icon.Compare})
	bar.CutLeft(2 * gap)
	button := func(cut func(float32) ui.Rect, name string) {
		cmd := a.command(name)
		c.Disabled = cmd.off != nil && cmd.off(a)
		if widget.IconButton(c, cut(c.Px(c.Theme.Ctl)), name, cmd.icon, cmd.tip()) {
			a.perform(cmd)
		}
		c.Disabled = false
	}
	for _, name := range []string{"undo", "redo", "save", "questions"} {
		button(bar.CutLeft, name)
	}
	switch {
	case a.session.Joined():
		button(bar.CutLeft, "people")
	case a.session.Hosts():
		button(bar.CutLeft, "share")
	}
	for _, name := range []string{"help", "dark", "legends"} {
		button(bar.CutRight, name)
	}
	bar.CutRight(gap)
	if room := c.Px(116); bar.W() > room+c.Px(40) && (c.Theme.Least == 0 || bar.W() > room+c.Px(selectingWidth)) {
		a.paletteChoice(c, bar.CutRight(room))
	}
	room := bar.Inset(c.Px(ui.Gap), 0)
	if writes { // the message leaves the field in its place
		room = room.CutRight(0)
	}
	s.narrow = bar.W()-2*c.Px(ui.Gap) < c.Px(selectingWidth)
	if s.narrow && s.begins { // the next pass has the field
		c.Again()
	}
	if w := a.model.Pane(a.model.Focus); !c.PlaceMessage(room, rest) && w != nil && !a.selectionBar(c, bar.Inset(c.Px(ui.Gap), 0)) {
		c.Label(bar.Inset(c.Px(ui.Pad), 0), w.Trace, ui.Type{Color: c.Theme.Muted, Align: scene.Middle, Mid: true})
	}
}

// paletteChoice sets the colours of all panes.
func (a *App) paletteChoice(c *ui.Context, r ui.Rect) {
	names := view.Palette.Choices
	chosen := slices.Index(names, a.model.State.Shared.Palette) + 1
	c.Tip(r, view.Palette.Doc)
	if widget.Dropdown(c, r, "palette", append([]string{"Own palettes"}, widget.Capitals(names)...), &chosen) {
		a.actions.Apply(view.Action{Do: view.SetPalette, Name: append([]string{""}, names...)[chosen]})
	}
}

// A spot is the place of a leaf and of its tabs, in points.
type spot struct {
	node *workspace.Node
	rect scene.Rect
	bar  scene.Rect
	tabs widget.TabsResult
}

// lowWindow is the least height in points of a touch screen that shows several panes.
const lowWindow = 480

// layOut draws the leaves of a node and the bars between them. path names the node. Panes without room for their least size become tabs,
// on a phone all of them.
func (a *App) layOut(c *ui.Context, r ui.Rect, n *workspace.Node, path string) {
	length := r.W()
	if n.Split == workspace.Rows {
		length = r.H()
	}
	one := widget.Narrow(c) || c.Theme.Least > 0 && c.Window().H() < c.Px(lowWindow) // a phone, upright or on its side
	if n.Split != workspace.Tabs && (one || length < c.Px(float32(n.Least(n.Split)))) {
		if slices.Contains(n.All(), a.model.Focus) {
			a.fronts[path] = a.model.Focus
		}
		n = n.Gather(a.fronts[path])
	}
	if n.Split == workspace.Tabs {
		a.spots = append(a.spots, spot{node: n, rect: a.window.Points(r)})
		a.drawLeaf(c, r, n)
		return
	}
	share := float32(n.Share)
	first, other := widget.Splitter(c, r, path, &share, widget.SplitterOptions{Rows: n.Split == workspace.Rows, First: float32(n.A.Least(n.Split)), Other: float32(n.B.Least(n.Split))})
	if share != float32(n.Share) {
		a.actions.SetShare(n, float64(share), path)
		c.Again()
	}
	a.layOut(c, first, n.A, path+"a")
	a.layOut(c, other, n.B, path+"b")
}
