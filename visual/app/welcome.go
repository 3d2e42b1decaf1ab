package app

import (
	"path/filepath"
	"slices"

	"whorl/benchmarks"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// welcomePrograms are the benchmarks with a button of their own: a wave, an uneven tree, a search and a pipeline.
var welcomePrograms = []string{"fghc/pascal", "fghc/qsort", "fghc/queens", "fghc/primes"}

// welcomeRecent is the number of recent files that the welcome lists.
const welcomeRecent = 5

// welcome draws the window while no trace is open.
func (a *App) welcome(c *ui.Context, r ui.Rect) {
	c.Fill(r, c.Theme.Ground)
	c.Scope("welcome")
	defer c.Unscope()
	text := "See how a parallel program unfolds. Run a program of your own or one of the benchmarks, or open a trace: drop its file anywhere in this window."
	if a.model.docs.Loading() {
		text = a.model.docs.Progress()
	}
	runs := a.model.docs.Runner != nil
	recent := a.chooser.Recent()
	recent = recent[:min(len(recent), welcomeRecent)]
	width := min(c.Px(520), max(r.W()-c.Px(2*ui.Pad), 0))
	height := c.Px(36) + c.ParagraphHeight(width, text, ui.Type{}) + c.Px(16+ui.Ctl+24+20)
	part := c.Px(24 + 20 + 4)
	if runs {
		height += part + c.Px(ui.Ctl)
	}
	if len(recent) > 0 {
		height += part + float32(len(recent))*c.Px(ui.Ctl)
	}
	box := r.Center(width, min(height, r.H()))
	title := func(s string) {
		box.CutTop(c.Px(24))
		c.Label(box.CutTop(c.Px(20)), s, ui.Type{Color: c.Theme.Muted})
		box.CutTop(c.Px(4))
	}
	c.Label(box.CutTop(c.Px(36)), "Whorl", ui.Type{Size: ui.Large, Face: scene.Bold})
	c.Paragraph(box.CutTop(c.ParagraphHeight(width, text, ui.Type{})), text, ui.Type{Color: c.Theme.Muted})
	box.CutTop(c.Px(16))
	row := box.CutTop(c.Px(ui.Ctl))
	button := func(name string, o widget.ButtonOptions) bool {
		hit := widget.Button(c, row.CutLeft(widget.ButtonWidth(c, o)), name, o)
		row.CutLeft(c.Px(ui.Gap))
		return hit
	}
	if runs && button("own", widget.ButtonOptions{Label: "Your own program", Icon: icon.Pencil, Look: widget.Primary}) {
		a.runs.Own()
	}
	if runs && button("run", widget.ButtonOptions{Label: "Run a benchmark", Icon: icon.Play}) {
		a.perform(a.command("run"))
	}
	if button("open", widget.ButtonOptions{Label: "Open a trace", Icon: icon.Open}) {
		a.perform(a.command("open"))
	}
	if len(recent) > 0 {
		title("Opened last")
	}
	for i := range recent {
		line, e := box.CutTop(c.Px(ui.Ctl)), &recent[i]
		o := widget.ButtonOptions{Label: filepath.Base(e.Name), Icon: e.Icon(), Look: widget.Quiet, Tip: e.Name}
		if widget.Button(c, line.CutLeft(min(widget.ButtonWidth(c, o), line.W())), e.Name, o) {
			a.OpenFile(a.chooser.Disk.File(e.Name))
		}
	}
	if runs {
		title("Watch a benchmark")
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
