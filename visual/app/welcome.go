package app

import (
	"slices"

	"whorl/benchmarks"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
)

// shown are the benchmarks that are offered at once: a wave, an uneven tree, a search and a pipeline.
var shown = []string{"fghc/pascal", "fghc/qsort", "fghc/queens", "fghc/primes"}

// welcome fills the window while no trace is open.
func (a *App) welcome(c *ui.Context, r ui.Rect) {
	c.Fill(r, c.Theme.Ground)
	c.Scope("welcome")
	defer c.Unscope()
	text := "See how a parallel program unfolds. Run one of the benchmarks or a program of your own, or open a trace: drop its file anywhere in this window."
	if len(a.loading) > 0 {
		text = a.loading[len(a.loading)-1].String()
	}
	width := min(c.Px(520), max(r.W()-c.Px(2*ui.Pad), 0))
	about := c.ParagraphHeight(width, text, ui.Type{})
	once := c.Px(24 + 20 + 4 + ui.Ctl)
	if a.runner == nil {
		once = 0
	}
	box := r.Center(width, min(c.Px(36+16+ui.Ctl+24+20)+about+once, r.H()))
	c.Label(box.CutTop(c.Px(36)), "Whorl", ui.Type{Size: ui.Large, Face: scene.Bold})
	c.Paragraph(box.CutTop(about), text, ui.Type{Color: c.Theme.Muted})
	box.CutTop(c.Px(16))
	buttons := box.CutTop(c.Px(ui.Ctl))
	run := ui.Press{Label: "Run a program", Icon: icon.Play, Look: ui.Primary}
	if a.runner != nil {
		if c.Press(buttons.CutLeft(c.Width(run)), "run", run) {
			a.perform(a.commandNamed("run"))
		}
		buttons.CutLeft(c.Px(ui.Gap))
	}
	open := ui.Press{Label: "Open a trace", Icon: icon.Open}
	if c.Press(buttons.CutLeft(c.Width(open)), "open", open) {
		a.perform(a.commandNamed("open"))
	}
	if a.runner != nil {
		box.CutTop(c.Px(24))
		c.Label(box.CutTop(c.Px(20)), "Or watch one at once", ui.Type{Color: c.Theme.Muted})
		box.CutTop(c.Px(4))
		a.watchOne(c, box.CutTop(c.Px(ui.Ctl)))
	}
	box.CutTop(c.Px(24))
	c.Label(box.CutTop(c.Px(20)), "Press h for all keys.", ui.Type{Color: c.Theme.Muted})
}

// watchOne has a button for each of a few benchmarks, which runs it.
func (a *App) watchOne(c *ui.Context, r ui.Rect) {
	for i, b := range benchmarks.All {
		if !slices.Contains(shown, b.Name) {
			continue
		}
		press := ui.Press{Label: b.Bare(), Tip: b.Doc}
		if c.Press(r.CutLeft(c.Width(press)), b.Name, press) {
			a.form = newRunForm()
			a.form.program = i
			a.form.args = a.form.defaults()
			a.startForm(false)
		}
		r.CutLeft(c.Px(ui.Gap))
	}
}
