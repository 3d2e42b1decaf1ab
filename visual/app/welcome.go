package app

import (
	"path/filepath"

	"whorl/visual/app/gallery"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// welcomeRecent is the number of recent files that the welcome lists.
const welcomeRecent = 5

// welcomeWidth is the greatest width of the welcome in points: four cards.
const welcomeWidth = 1040

// welcome draws the window while no trace is open: the ways to begin, the recent files and the examples. It scrolls where they have no room.
func (a *App) welcome(c *ui.Context, r ui.Rect) {
	c.Fill(r, c.Theme.Ground)
	c.Scope("welcome")
	defer c.Unscope()
	text := "See how a parallel program unfolds. Run a program of your own or one of the examples, or open a trace: drop its file anywhere in this window."
	if a.model.Docs.Loading() {
		text = a.model.Docs.Progress()
	}
	runs := a.model.Docs.Runner != nil
	recent := a.chooser.Recent()
	recent = recent[:min(len(recent), welcomeRecent)]
	width := min(c.Px(welcomeWidth), max(r.W()-c.Px(2*ui.Pad+ui.ScrollWidth), 0))
	begin := a.beginButtons(c, width)
	section := c.Px(24 + 20 + 8)
	height := c.Px(24+36+16) + c.ParagraphHeight(width, text, ui.Type{}) + float32(len(begin))*c.Px(c.Theme.Ctl+ui.Gap) + c.Px(24+20+24)
	if len(recent) > 0 {
		height += section + float32(len(recent))*c.Px(c.Theme.Ctl)
	}
	cards := float32(0)
	if runs {
		a.examples.fill(a)
		cards = c.Px(gallery.Height(width/c.Scale, len(a.examples.cards), exampleLines))
		height += section + cards
	}
	c.Scroll(r, "page", height, func(page ui.Rect) {
		box := page.Center(width, height)
		title := func(s string) {
			box.CutTop(c.Px(24))
			c.Label(box.CutTop(c.Px(20)), s, ui.Type{Face: scene.Bold})
			box.CutTop(c.Px(8))
		}
		box.CutTop(c.Px(24))
		c.Label(box.CutTop(c.Px(36)), "Whorl", ui.Type{Size: ui.Large, Face: scene.Bold})
		c.Paragraph(box.CutTop(c.ParagraphHeight(width, text, ui.Type{})), text, ui.Type{Color: c.Theme.Muted})
		box.CutTop(c.Px(16))
		for _, line := range begin {
			row := box.CutTop(c.Px(c.Theme.Ctl))
			box.CutTop(c.Px(ui.Gap))
			for _, b := range line {
				if widget.Button(c, row.CutLeft(widget.ButtonWidth(c, b.look)), b.name, b.look) {
					b.do()
				}
				row.CutLeft(c.Px(ui.Gap))
			}
		}
		if len(recent) > 0 {
			title("Opened last")
		}
		for i := range recent {
			line, e := box.CutTop(c.Px(c.Theme.Ctl)), &recent[i]
			o := widget.ButtonOptions{Label: filepath.Base(e.Name), Icon: e.Icon(), Look: widget.Quiet, Tip: e.Name}
			if widget.Button(c, line.CutLeft(min(widget.ButtonWidth(c, o), line.W())), e.Name, o) {
				a.OpenFile(a.chooser.Disk.File(e.Name))
			}
		}
		if runs {
			title("Watch an example")
			a.drawExamples(c, box.CutTop(cards))
		}
		box.CutTop(c.Px(24))
		c.Label(box.CutTop(c.Px(20)), "Press h for all keys.", ui.Type{Color: c.Theme.Muted})
	})
}

// A beginning is a button of the welcome.
type beginning struct {
	name string
	look widget.ButtonOptions
	do   func()
}

// beginButtons returns the buttons with the ways to begin, in rows of a width. A program of one's own comes first.
func (a *App) beginButtons(c *ui.Context, width float32) (rows [][]beginning) {
	var all []beginning
	if a.model.Docs.Runner != nil {
		all = append(all,
			beginning{"own", widget.ButtonOptions{Label: "Your own program", Icon: icon.Pencil, Look: widget.Primary}, a.runs.Own},
			beginning{"run", widget.ButtonOptions{Label: "Run a benchmark", Icon: icon.Play}, func() { a.perform(a.command("run")) }})
	}
	all = append(all, beginning{"open", widget.ButtonOptions{Label: "Open a trace", Icon: icon.Open}, func() { a.perform(a.command("open")) }})
	room := float32(-1)
	for _, b := range all {
		w := widget.ButtonWidth(c, b.look) + c.Px(ui.Gap)
		if w > room+c.Px(ui.Gap) {
			rows, room = append(rows, nil), width
		}
		room -= w
		rows[len(rows)-1] = append(rows[len(rows)-1], b)
	}
	return rows
}
