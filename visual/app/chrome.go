package app

import (
	"slices"

	"whorl/experiment"
	"whorl/visual/app/expression"
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
	a.nextPass, a.cursor, a.pointer.Popup, a.pointer.Typing, a.controls = r.Next, r.Cursor, r.Popup, r.Typing, r.Controls
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
	if a.fingers.Coarse {
		return th.ForFingers()
	}
	return th
}

// drawWindow is one pass over everything around the pictures.
func (a *App) drawWindow(c *ui.Context) {
	rest := c.Window()
	c.Fill(rest, c.Theme.Surface)
	a.topBar(c, rest.CutTop(c.Px(c.Theme.Bar)), &rest)
	a.tiles.Clear()
	if a.model.Root != nil {
		a.timeBar(c, rest.CutBottom(c.Px(c.Theme.Bar)))
		a.runBar(c, &rest)
	}
	a.drawPanels(c, &rest)
	if a.model.Root == nil {
		a.drawWelcome(c, rest)
	} else {
		a.tiles.Draw(c, rest, func(r ui.Rect, n *workspace.Node) { a.drawLeaf(c, r, n) })
	}
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
		{"lessons", a.lessons.Open && a.lessons.Available(), func(r *ui.Rect) {
			if did := a.lessons.Draw(c, r, a.command("lessons").keys[0].String()); did.Picture != nil {
				a.course.ShowPicture(did.Picture)
			}
		}, func() { a.lessons.Open = false }},
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
	a.questions.Draw(c)
	a.quick.Draw(c)
	a.export.Draw(c)
	a.drawDisplay(c)
	a.session.DrawHost(c)
	a.chooser.Draw(c)
	a.field.DrawDialog(c)
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
	s := a.field
	writes := s.Writes()
	if s.Narrow && writes && a.selectionBar(c, bar.Inset(c.Px(ui.Gap), 0)) { // in place of the buttons
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
	for _, name := range []string{"undo", "redo", "save", "questions"} {
		a.iconButton(c, bar.CutLeft, name, "")
	}
	switch {
	case a.session.Joined():
		a.iconButton(c, bar.CutLeft, "people", "")
	case a.session.Hosts():
		a.iconButton(c, bar.CutLeft, "share", "")
	}
	for _, name := range []string{"help", "dark", "legends"} {
		a.iconButton(c, bar.CutRight, name, "")
	}
	bar.CutRight(gap)
	if room := c.Px(116); bar.W() > room+c.Px(40) && (c.Theme.Least == 0 || bar.W() > room+c.Px(expression.FieldWidth)) {
		a.paletteChoice(c, bar.CutRight(room))
	}
	room := bar.Inset(c.Px(ui.Gap), 0)
	if writes { // the message leaves the field in its place
		room = room.CutRight(0)
	}
	s.Narrow = bar.W()-2*c.Px(ui.Gap) < c.Px(expression.FieldWidth)
	if s.Narrow && s.Begins { // the next pass has the field
		c.Again()
	}
	if w := a.model.Pane(a.model.Focus); !c.PlaceMessage(room, rest) && w != nil && !a.selectionBar(c, bar.Inset(c.Px(ui.Gap), 0)) {
		c.Label(bar.Inset(c.Px(ui.Pad), 0), w.Trace, ui.Type{Color: c.Theme.Muted, Align: scene.Middle, Mid: true})
	}
}

// selectionBar draws the controls of the selection. It reports whether they fit.
func (a *App) selectionBar(c *ui.Context, r ui.Rect) bool {
	if r.W() < c.Px(expression.FieldWidth) || a.selections.Target() == "" {
		return false
	}
	c.Scope("selection")
	defer c.Unscope()
	a.iconButton(c, r.CutLeft, "selection back", "")
	a.iconButton(c, r.CutLeft, "selection forward", "")
	a.iconButton(c, r.CutRight, "copy command", ": "+a.export.PaneCommand())
	if a.field.Draw(c, r, a.command("expression").tip(), a.item("keep")) {
		a.perform(a.command("keep"))
	}
	return true
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
