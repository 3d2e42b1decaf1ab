// Package welcome draws the page of a window without traces: the ways to begin, the files opened last, and examples and lessons whose
// pictures it computes.
package welcome

import (
	"path/filepath"
	"time"

	"whorl/visual/app/chooser"
	"whorl/visual/app/gallery"
	"whorl/visual/app/lessons"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// recentFiles is the number of recent files that the page lists.
const recentFiles = 5

// widest is the greatest width of the page in points: four cards.
const widest = 1040

// A Page is the welcome page.
type Page struct {
	model   *panes.Model
	window  *panes.Window
	out     *outbox.Outbox
	chooser *chooser.Chooser
	lessons *lessons.Panel
	memory  int64 // bytes that a picture may take, 0 for no limit

	Examples Examples
	next     time.Duration // when the pictures of the examples go on, -1 for never
}

// New returns the welcome page of a window.
func New(model *panes.Model, window *panes.Window, out *outbox.Outbox, files *chooser.Chooser, course *lessons.Panel, memory int64) *Page {
	return &Page{model: model, window: window, out: out, chooser: files, lessons: course, memory: memory, Examples: Examples{shown: -1}, next: -1}
}

// Close ends the work on the examples.
func (p *Page) Close() { p.Examples.stop() }

// Work goes on with the pictures of the examples while the page is shown and the user is not busy elsewhere.
func (p *Page) Work(busy bool, budget time.Duration) {
	p.next = -1
	if at, waits := p.work(busy, budget); waits {
		p.next = at
	}
}

// Next returns when Work has something to do, false for never.
func (p *Page) Next() (time.Duration, bool) { return p.next, p.next >= 0 }

// A Choice is a choice of the user on the page. Its fields are zero for nothing.
type Choice struct {
	Command string // the name of a command of the window
	Own     bool   // a program of one's own
	Path    string // of a recent file
	Example string // the name of a benchmark
	Lesson  string // the name of a lesson
}

// Draw draws the page: the ways to begin, the recent files, the examples and the lessons. It scrolls where they have no room.
func (p *Page) Draw(c *ui.Context, r ui.Rect) (did Choice) {
	c.Fill(r, c.Theme.Ground)
	c.Scope("welcome")
	defer c.Unscope()
	text := "See how a parallel program unfolds. Run a program of your own or one of the examples, or open a trace: drop its file anywhere in this window."
	if p.model.Docs.Loading() {
		text = p.model.Docs.Progress()
	}
	runs := p.model.Docs.Runner != nil
	recent := p.chooser.Recent()
	recent = recent[:min(len(recent), recentFiles)]
	width := min(c.Px(widest), max(r.W()-c.Px(2*ui.Pad+ui.ScrollWidth), 0))
	begin := p.beginButtons(c, width)
	section := c.Px(24 + 20 + 8)
	height := c.Px(24+36+16) + c.ParagraphHeight(width, text, ui.Type{}) + float32(len(begin))*c.Px(c.Theme.Ctl+ui.Gap) + c.Px(24+20+24)
	if len(recent) > 0 {
		height += section + float32(len(recent))*c.Px(c.Theme.Ctl)
	}
	cards, course := float32(0), float32(0)
	e := &p.Examples
	if runs {
		p.fill()
		cards = c.Px(gallery.Height(width/c.Scale, e.Some, exampleLines))
		height += section + cards
		if n := len(e.Cards) - e.Some; n > 0 {
			course = c.Px(gallery.Height(width/c.Scale, n, lessonLines))
			height += section + course
		}
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
					did = b.choice
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
				did.Path = e.Name
			}
		}
		if runs {
			title("Watch an example")
			if i := gallery.Cards(c, box.CutTop(cards), e.Cards[:e.Some], exampleLines); i >= 0 {
				did.Example = e.Cards[i].Name
			}
		}
		if course > 0 {
			title("Take a lesson")
			if i := gallery.Cards(c, box.CutTop(course), e.Cards[e.Some:], lessonLines); i >= 0 {
				did.Lesson = e.Cards[e.Some+i].Name
			}
		}
		box.CutTop(c.Px(24))
		c.Label(box.CutTop(c.Px(20)), "Press h for all keys.", ui.Type{Color: c.Theme.Muted})
	})
	return did
}

// A beginning is a button of the page.
type beginning struct {
	name   string
	look   widget.ButtonOptions
	choice Choice
}

// beginButtons returns the buttons with the ways to begin, in rows of a width. A program of one's own comes first.
func (p *Page) beginButtons(c *ui.Context, width float32) (rows [][]beginning) {
	var all []beginning
	if p.model.Docs.Runner != nil {
		all = append(all,
			beginning{"own", widget.ButtonOptions{Label: "Your own program", Icon: icon.Pencil, Look: widget.Primary}, Choice{Own: true}},
			beginning{"run", widget.ButtonOptions{Label: "Run a benchmark", Icon: icon.Play}, Choice{Command: "run"}})
	}
	all = append(all, beginning{"open", widget.ButtonOptions{Label: "Open a trace", Icon: icon.Open}, Choice{Command: "open"}})
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
