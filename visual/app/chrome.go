package app

import (
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// runWidgets brings the bars and dialogs up to date with at most one event, and says whether no widget took it.
func (a *App) runWidgets(events []ui.Event) (free bool) {
	a.follow()
	in := ui.Input{Now: a.now, W: float32(a.w * a.scale), H: float32(a.h * a.scale), Scale: float32(a.scale), Events: events}
	r := ui.Run(&a.widgets, in, ui.NewTheme(a.Dark), a.text, &a.chrome, &a.popups, a.draw)
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
	if a.Root != nil {
		a.transport(c, rest.CutBottom(c.Px(ui.Bar)))
	}
	if a.running && a.runner != nil {
		a.runPanel(c, &rest)
	}
	if d := a.focused(); a.stateOpen && d != nil && d.live != nil {
		a.statePanel(c, &rest, d)
	}
	messages := rest
	if a.Root == nil {
		a.welcome(c, rest)
	} else {
		a.layOut(c, rest, a.Root, "at")
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
	if button("open", ui.Press{Label: "Open", Icon: icon.Open, Tip: open.tip()}) {
		a.perform(open)
	}
	if button("run", ui.Press{Label: "Run", Icon: icon.Play, Tip: run.tip(), Look: ui.Primary}) {
		a.perform(run)
	}
	if button("compare", ui.Press{Label: "Compare", Icon: icon.Compare, Tip: compare.tip()}) {
		a.perform(compare)
	}
	command := func(at func(float32) ui.Rect, name string) {
		cmd := a.commandNamed(name)
		c.Disabled = cmd.off != nil && cmd.off(a)
		if c.IconButton(at(c.Px(ui.Ctl)), name, cmd.glyph, cmd.tip()) {
			a.perform(cmd)
		}
		c.Disabled = false
	}
	bar.CutLeft(gap)
	for _, name := range []string{"undo", "redo", "save"} {
		command(bar.CutLeft, name)
	}
	for _, name := range []string{"help", "dark", "legends"} {
		command(bar.CutRight, name)
	}
	bar.CutRight(gap)
	if room := c.Px(116); bar.W() > room+c.Px(40) {
		a.paletteChoice(c, bar.CutRight(room))
	}
	if w := a.Pane(a.focus); w != nil {
		c.Label(bar.Inset(c.Px(ui.Pad), 0), w.Trace, ui.Type{Color: c.Theme.Muted, Align: scene.Middle, Mid: true})
	}
}

// paletteChoice sets the colours of all panes.
func (a *App) paletteChoice(c *ui.Context, r ui.Rect) {
	names := view.Palette.Choices
	chosen := 0
	for i, n := range names {
		if n == a.State.Shared.Palette {
			chosen = i
		}
	}
	c.Tip(r, view.Palette.Doc)
	if c.Dropdown(r, "palette", names, &chosen) {
		a.act(view.Action{Do: view.SetPalette, Name: names[chosen]})
	}
}

// layOut gives the panes their places; path names the place of n.
func (a *App) layOut(c *ui.Context, r ui.Rect, n *workspace.Node, path string) {
	if n.Split == workspace.Tabs {
		a.spots = append(a.spots, spot{n, a.points(r)})
		a.drawLeaf(c, r, n)
		return
	}
	share := float32(n.Share)
	first, other := c.Splitter(r, path, &share, ui.Split{Rows: n.Split == workspace.Rows, First: float32(n.A.Least(n.Split)), Other: float32(n.B.Least(n.Split))})
	if share != float32(n.Share) {
		a.SetShare(n, float64(share), path)
		a.changed = true
		c.Again()
	}
	a.layOut(c, first, n.A, path+"a")
	a.layOut(c, other, n.B, path+"b")
}

// points is a rectangle of the widgets in points.
func (a *App) points(r ui.Rect) scene.Rect {
	return scene.Rect{X0: float64(r.X0) / a.scale, Y0: float64(r.Y0) / a.scale, X1: float64(r.X1) / a.scale, Y1: float64(r.Y1) / a.scale}
}

// A spot is where a leaf lies, in points.
type spot struct {
	node *workspace.Node
	rect scene.Rect
}
