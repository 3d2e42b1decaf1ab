package app

import (
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// runWidgets brings the bars and dialogs up to date with at most one event, and says whether no widget took it.
func (a *App) runWidgets(events []ui.Event) (free bool) {
	a.follow()
	in := ui.Input{Now: a.now, W: float32(a.w * a.scale), H: float32(a.h * a.scale), Scale: float32(a.scale), Events: events}
	r := ui.Run(&a.widgets, in, ui.NewTheme(a.dark), a.text, &a.chrome, &a.popups, a.draw)
	for i, sum := range [2]uint64{r.Base, r.Over} {
		if sum != a.sums[i] || a.grounds[i] == 0 {
			a.sums[i] = sum
			a.revision++
			a.grounds[i] = a.revision
		}
	}
	a.uiNext, a.cursor, a.popup, a.typing = r.Next, Cursor(r.Cursor), r.Popup, r.Typing
	if r.Copy != "" {
		a.asks = append(a.asks, Ask{Do: CopyText, Text: r.Copy})
	}
	if r.Paste {
		a.asks = append(a.asks, Ask{Do: PasteText})
	}
	return len(r.Unused) > 0
}

// draw is one pass over everything around the pictures.
func (a *App) draw(c *ui.Context) {
	rest := c.Window()
	c.Fill(rest, c.Theme.Surface)
	a.topBar(c, rest.CutTop(c.Px(ui.Bar)))
	a.spots = a.spots[:0]
	for _, p := range a.panes {
		p.seen = false
	}
	if a.root != nil {
		a.transport(c, rest.CutBottom(c.Px(ui.Bar)))
	}
	if a.running && a.runner != nil {
		a.runPanel(c, &rest)
	}
	if d := a.focused(); a.stateOpen && d != nil && d.live != nil {
		a.statePanel(c, &rest, d)
	}
	messages := rest
	if a.root == nil {
		a.welcome(c, rest)
	} else {
		a.layOut(c, rest, a.root, "at")
		strip := 0.0 // the legends below pictures stay legible
		for _, p := range a.visible() {
			if pixels(p.body, a.scale).Y1 >= float64(rest.Y1)-1 {
				strip = max(strip, p.legendH)
			}
		}
		messages.CutBottom(float32(strip))
	}
	c.Toasts(messages)
	a.dialogs(c)
	a.commandKeys(c)
}

// topBar has what belongs to the whole window.
func (a *App) topBar(c *ui.Context, r ui.Rect) {
	bar := c.Bar(r)
	gap := c.Px(4)
	c.Label(bar.CutLeft(c.TextWidth("Whorl", ui.Type{Size: ui.Title, Face: scene.Bold})+c.Px(ui.Pad)), "Whorl", ui.Type{Size: ui.Title, Face: scene.Bold})
	button := func(name string, b ui.Press) bool {
		hit := c.Press(bar.CutLeft(c.Width(b)), name, b)
		bar.CutLeft(gap)
		return hit
	}
	open, run, compare := a.commandNamed("open"), a.commandNamed("run"), a.commandNamed("compare")
	if button("open", ui.Press{Label: "Open", Glyph: ui.OpenGlyph, Tip: open.tip()}) {
		a.perform(open)
	}
	if button("run", ui.Press{Label: "Run", Glyph: ui.PlayGlyph, Tip: run.tip(), Look: ui.Primary}) {
		a.perform(run)
	}
	if button("compare", ui.Press{Label: "Compare", Glyph: ui.CompareGlyph, Tip: compare.tip()}) {
		a.perform(compare)
	}
	icon := func(at func(float32) ui.Rect, name string) {
		cmd := a.commandNamed(name)
		c.Disabled = cmd.off != nil && cmd.off(a)
		if c.IconButton(at(c.Px(ui.Ctl)), name, cmd.glyph, cmd.tip()) {
			a.perform(cmd)
		}
		c.Disabled = false
	}
	bar.CutLeft(gap)
	for _, name := range []string{"undo", "redo", "save"} {
		icon(bar.CutLeft, name)
	}
	for _, name := range []string{"help", "dark", "legends"} {
		icon(bar.CutRight, name)
	}
	bar.CutRight(gap)
	if room := c.Px(116); bar.W() > room+c.Px(40) {
		a.paletteChoice(c, bar.CutRight(room))
	}
	if w := a.pane(a.focus); w != nil {
		c.Label(bar.Inset(c.Px(ui.Pad), 0), w.Trace, ui.Type{Color: c.Theme.Muted, Align: scene.Middle, Mid: true})
	}
}

// paletteChoice sets the colours of all panes.
func (a *App) paletteChoice(c *ui.Context, r ui.Rect) {
	names := view.Palette.Choices
	chosen := 0
	for i, n := range names {
		if n == a.state.Shared.Palette {
			chosen = i
		}
	}
	c.Tip(r, view.Palette.Doc)
	if c.Dropdown(r, "palette", names, &chosen) {
		a.act(view.Action{Do: view.SetPalette, Name: names[chosen]})
	}
}

// layOut gives the panes their places; path names the place of n.
func (a *App) layOut(c *ui.Context, r ui.Rect, n *node, path string) {
	if n.split == tabs {
		a.spots = append(a.spots, spot{n, a.points(r)})
		a.drawLeaf(c, r, n)
		return
	}
	share := float32(n.share)
	first, other := c.Splitter(r, path, &share, ui.Split{Rows: n.split == rows, First: n.a.least(n.split), Other: n.b.least(n.split)})
	if float64(share) != float64(float32(n.share)) {
		a.setShare(n, float64(share), path)
		c.Again()
	}
	a.layOut(c, first, n.a, path+"a")
	a.layOut(c, other, n.b, path+"b")
}

// least is the least size of a place across a split of that kind, in points.
func (n *node) least(s split) float32 {
	switch {
	case n.split == s:
		return n.a.least(s) + 1 + n.b.least(s)
	case n.split != tabs:
		return max(n.a.least(s), n.b.least(s))
	case s == rows:
		return leastH
	}
	return leastW
}

// setShare moves the bar of a split. Moves of one bar that follow each other are undone together.
func (a *App) setShare(n *node, share float64, path string) {
	w := a.workspace
	c := *n
	c.share = share
	w.root = w.root.with(n, &c)
	if a.last.Do != "share" || a.last.Name != path {
		a.keep(a.workspace)
	}
	a.workspace, a.last = w, view.Action{Do: "share", Name: path}
	a.changed = true
}

// points is a rectangle of the widgets in points.
func (a *App) points(r ui.Rect) view.Rect {
	return view.Rect{X0: float64(r.X0) / a.scale, Y0: float64(r.Y0) / a.scale, X1: float64(r.X1) / a.scale, Y1: float64(r.Y1) / a.scale}
}
