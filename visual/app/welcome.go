package app

import (
	"slices"

	"whorl/benchmarks"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// welcomePrograms are the benchmarks with a button of their own: a wave, an uneven tree, a search and a pipeline.
var welcomePrograms = []string{"fghc/pascal", "fghc/qsort", "fghc/queens", "fghc/primes"}

// welcome draws the window while no trace is open.
func (a *App) welcome(c *ui.Context, r ui.Rect) {
	c.Fill(r, c.Theme.Ground)
	c.Scope("welcome")
	defer c.Unscope()
	text := "See how a parallel program unfolds. Run one of the benchmarks or a program of your own, or open a trace: drop its file anywhere in this window."
	if a.model.docs.Loading() {
		text = a.model.docs.Progress()
	}
	width := min(c.Px(520), max(r.W()-c.Px(2*ui.Pad), 0))
	about := c.ParagraphHeight(width, text, ui.Type{})
	once := c.Px(24 + 20 + 4 + ui.Ctl)
	if a.model.docs.Runner == nil {
		once = 0
	}
	box := r.Center(width, min(c.Px(36+16+ui.Ctl+24+20)+about+once, r.H()))
	c.Label(box.CutTop(c.Px(36)), "Whorl", ui.Type{Size: ui.Large, Face: scene.Bold})
	c.Paragraph(box.CutTop(about), text, ui.Type{Color: c.Theme.Muted})
	box.CutTop(c.Px(16))
	buttons := box.CutTop(c.Px(ui.Ctl))
	run := widget.ButtonOptions{Label: "Run a program", Icon: icon.Play, Look: widget.Primary}
	if a.model.docs.Runner != nil {
		if widget.Button(c, buttons.CutLeft(widget.ButtonWidth(c, run)), "run", run) {
			a.perform(a.command("run"))
		}
		buttons.CutLeft(c.Px(ui.Gap))
	}
	open := widget.ButtonOptions{Label: "Open a trace", Icon: icon.Open}
	if widget.Button(c, buttons.CutLeft(widget.ButtonWidth(c, open)), "open", open) {
		a.perform(a.command("open"))
	}
	if a.model.docs.Runner != nil {
		box.CutTop(c.Px(24))
		c.Label(box.CutTop(c.Px(20)), "Or watch a benchmark", ui.Type{Color: c.Theme.Muted})
		box.CutTop(c.Px(4))
		a.benchmarkButtons(c, box.CutTop(c.Px(ui.Ctl)))
	}
	box.CutTop(c.Px(24))
	c.Label(box.CutTop(c.Px(20)), "Press h for all keys.", ui.Type{Color: c.Theme.Muted})
}

// benchmarkButtons draws buttons that run a benchmark.
func (a *App) benchmarkButtons(c *ui.Context, r ui.Rect) {
	for _, b := range benchmarks.All {
		if !slices.Contains(welcomePrograms, b.Name) {
			continue
		}
		options := widget.ButtonOptions{Label: b.Bare(), Tip: b.Doc}
		if widget.Button(c, r.CutLeft(widget.ButtonWidth(c, options)), b.Name, options) {
			a.runs.Choose(b.Name)
			a.start(false)
		}
		r.CutLeft(c.Px(ui.Gap))
	}
}
