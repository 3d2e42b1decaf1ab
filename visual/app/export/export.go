// Package export has the dialog that saves a picture of a pane or of the whole window, and the command that draws the same picture.
package export

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/shell"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/app/saving"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/workspace"
)

// A Dialog is the dialog that saves a picture of the focused pane or of the whole window. It keeps the choices that the user has made.
type Dialog struct {
	model     *panes.Model
	links     *panes.Links
	cameras   *panes.Cameras
	window    *panes.Window
	out       *outbox.Outbox
	saving    *saving.Saver
	selection func(view.Selection) string // returns the expression of a selection

	Film      NewFilm // nil where no films can be saved
	recording *recording

	open   bool
	whole  int // ofPane, ofWindow or ofPlay
	format int // an index of sheet.Endings
	preset int // an index of presets
	size   string
	font   string
	ground int // 0 for the colours of the window, 1 for light, 2 for dark
	legend int // an index of page.LegendPlaces

	numbered    int // of a film: an index of filmFormats
	lasts, rate string
}

// presets are sizes of pictures by their purpose. The size of the first is that on the screen, and the last is the user's own.
var presets = []struct{ label, size string }{
	{"As shown", ""}, {"One column of a paper", "85x60mm"}, {"Two columns of a paper", "175x110mm"}, {"Slide", "1920x1080"}, {"Another size", ""},
}

const ownSize = 4 // of presets

// New returns a dialog that has no choices yet.
func New(m *panes.Model, l *panes.Links, cs *panes.Cameras, w *panes.Window, out *outbox.Outbox, s *saving.Saver, selection func(view.Selection) string) *Dialog {
	return &Dialog{model: m, links: l, cameras: cs, window: w, out: out, saving: s, selection: selection, lasts: "10s", rate: "25"}
}

// Begin opens the dialog.
func (e *Dialog) Begin() {
	e.open = true
	if e.font == "" {
		e.font = "8pt"
	}
}

// shown returns the size of the saved pane or window on the screen, in pixels.
func (e *Dialog) shown() string {
	w, h := e.window.W*e.window.Scale, e.window.H*e.window.Scale
	if p := e.model.Panes[e.model.Focus]; e.whole != ofWindow && p != nil {
		r := e.window.Pixels(p.Body)
		w, h = r.W(), r.H()
	}
	return fmt.Sprintf("%dx%d", max(int(w), page.MinSide), max(int(h), page.MinSide))
}

// sheet returns the size of the picture.
func (e *Dialog) sheet() (sheet.Sheet, error) {
	size, font := e.size, ""
	if e.preset == 0 {
		size = e.shown()
	}
	if strings.HasSuffix(size, "mm") {
		font = e.font
	}
	return sheet.Parse(size, font)
}

// dark reports whether the picture is light on dark.
func (e *Dialog) dark() bool { return e.ground == 2 || e.ground == 0 && e.model.Dark }

// name returns the name of the file without its ending.
func (e *Dialog) name() string {
	if p := e.model.Panes[e.model.Focus]; e.whole != ofWindow && p != nil {
		return saving.FileName(p.Trace + "-" + p.Kind.Name)
	}
	return "whorl"
}

// Draw draws the dialog, and saves the picture once the user has confirmed it.
func (e *Dialog) Draw(c *ui.Context) {
	e.drawRecording(c)
	if !e.open {
		return
	}
	if e.whole == ofPlay && !e.films() {
		e.whole = ofPane
	}
	if e.model.Panes[e.model.Focus] == nil {
		e.open = false
		return
	}
	paper, err := e.sheet()
	if e.whole == ofPlay && err == nil {
		_, _, err = e.filmed()
	}
	hit := widget.Dialog(c, "export", &e.open, widget.DialogOptions{
		Title: "Save a picture", W: exportWidth, H: (exportForm{c, e, widget.Narrow(c)}).height(paper, err), Buttons: []string{"Cancel", "Copy the command", "Save"}, Off: err != nil,
	}, func(r ui.Rect) { e.drawForm(c, r, paper, err) })
	switch hit {
	case 0:
		e.open = false
	case 1:
		e.out.Ask(outbox.Ask{Do: outbox.CopyText, Text: e.command()})
		e.out.Say(outbox.AboutWriting, "Copied: "+e.command())
	case 2:
		e.open = false
		e.save(paper)
	}
	if hit >= 0 {
		c.Again()
	}
}

// exportWidth is the width of the form in points.
const exportWidth = 560

// An exportForm is one pass over the form of the dialog. In a narrow window labels stand above their controls.
type exportForm struct {
	*ui.Context
	export *Dialog
	narrow bool
}

// Types and heights of the form.
var (
	hintType    = ui.Type{Size: ui.Small}
	commandType = ui.Type{Face: scene.Mono, Size: ui.Small}
)

const (
	exportLabel = 96 // width of the labels beside controls, in points
	exportAbove = 20 // height of a label above its control
)

// fontHint says what the size of the type depends on.
const fontHint = "points, for sizes in mm; it follows from a size in pixels"

// width returns the width of the controls in pixels.
func (f exportForm) width() float32 {
	w := min(f.Px(exportWidth), f.Window().W()-f.Px(2*16+2*20)) // as widget.Dialog leaves it
	if f.narrow {
		return w - f.Px(8)
	}
	return w - f.Px(exportLabel+8)
}

// result returns the text that names the file.
func (f exportForm) result(paper sheet.Sheet, err error) string {
	ending := sheet.Endings[f.export.format]
	if err != nil {
		return err.Error()
	}
	if f.export.whole == ofPlay {
		return f.export.filmResult(paper)
	}
	if ending != ".png" {
		return f.export.name() + ending + ", with shapes and text that scale"
	}
	w, h := paper.Dots(ending)
	return fmt.Sprintf("%s%s, %s × %s pixels", f.export.name(), ending, figures.Count(int64(w)), figures.Count(int64(h)))
}

// height returns the height of the form in points.
func (f exportForm) height(paper sheet.Sheet, err error) float32 {
	row, rows := f.Theme.Ctl+8, float32(6)
	texts := f.ParagraphHeight(f.width(), f.result(paper, err), ui.Type{}) + f.ParagraphHeight(f.width(), f.export.command(), commandType)
	if f.narrow {
		row, rows = row+exportAbove, 6
		texts += f.Px(2*exportAbove) + f.ParagraphHeight(f.width(), fontHint, hintType) + f.Px(8)
	}
	return rows*row + texts/f.Scale + 2*12
}

// row cuts the place of a control off the top of r, with its label beside or above.
func (f exportForm) row(r *ui.Rect, label string, height float32) ui.Rect {
	ty := ui.Type{Color: f.Theme.Muted}
	if f.narrow {
		f.Label(r.CutTop(f.Px(exportAbove)), label, ty)
	}
	cell := r.CutTop(height)
	r.CutTop(f.Px(8))
	if !f.narrow {
		beside := cell.CutLeft(f.Px(exportLabel))
		beside.Y1 = beside.Y0 + min(f.Px(f.Theme.Ctl), beside.H())
		f.Label(beside, label, ty)
	}
	return cell
}

// text writes a text of several lines.
func (f exportForm) text(r *ui.Rect, label, text string, ty ui.Type) {
	height := f.ParagraphHeight(f.width(), text, ty)
	f.Paragraph(f.row(r, label, height), text, ty)
}

// drawForm draws the choices, the resulting size and the command that draws the same.
func (e *Dialog) drawForm(c *ui.Context, r ui.Rect, paper sheet.Sheet, err error) {
	f := exportForm{c, e, widget.Narrow(c)}
	row := func(label string) ui.Rect { return f.row(&r, label, c.Px(c.Theme.Ctl)) }
	pane := "This pane"
	if !f.narrow {
		pane += ": " + e.model.Panes[e.model.Focus].Kind.Title
	}
	things := []string{pane, "The whole window"}
	if e.films() {
		things = append(things, "A film of the pane")
	}
	if widget.Segments(c, row("Picture of"), "whole", things, &e.whole) {
		c.Again()
	}
	var formats []string
	for _, ending := range sheet.Endings {
		formats = append(formats, strings.ToUpper(ending[1:]))
	}
	format := &e.format
	if e.whole == ofPlay {
		formats, format = filmFormats, &e.numbered
	}
	if widget.Segments(c, row("Format"), "format", formats, format) {
		c.Again()
	}
	cell := row("Size")
	field := cell.CutRight(c.Px(150))
	cell.CutRight(c.Px(ui.Gap))
	var labels []string
	for _, preset := range presets {
		labels = append(labels, preset.label)
	}
	if widget.Dropdown(c, cell, "preset", labels, &e.preset) {
		if e.preset != ownSize {
			e.size = presets[e.preset].size
		}
		c.Again()
	}
	if e.preset == 0 {
		e.size = e.shown()
	}
	if widget.Field(c, field, "size", &e.size, widget.FieldOptions{Hint: "1200x900 or 85x60mm"}).Changed {
		e.preset = ownSize
		c.Again()
	}
	if e.whole == ofPlay {
		f.drawFilmed(row("Lasts"))
	} else {
		f.drawFont(&r)
	}
	if widget.Segments(c, row("Colours"), "ground", []string{"As shown", "Light", "Dark"}, &e.ground) {
		c.Again()
	}
	widget.Segments(c, row("Legend"), "legend", widget.Capitals(page.LegendPlaces), &e.legend)
	result := ui.Type{}
	if err != nil {
		result.Color = c.Theme.Danger
	}
	f.text(&r, "Result", f.result(paper, err), result)
	if err == nil {
		c.Tip(r, "The command that draws the same picture")
		f.text(&r, "Command", e.command(), commandType)
	}
}

// drawFont draws the row with the size of the type.
func (f exportForm) drawFont(r *ui.Rect) {
	c, e := f.Context, f.export
	cell := f.row(r, "Font", c.Px(c.Theme.Ctl))
	c.Disabled = !strings.HasSuffix(e.size, "mm")
	widget.Field(c, cell.CutLeft(c.Px(exportLabel)), "font", &e.font, widget.FieldOptions{Hint: "8pt"})
	c.Disabled = false
	hint := hintType
	hint.Color = c.Theme.Muted
	if cell.CutLeft(c.Px(ui.Gap)); f.narrow {
		c.Paragraph(r.CutTop(c.ParagraphHeight(f.width(), fontHint, hint)), fontHint, hint)
		r.CutTop(c.Px(8))
	} else {
		c.Label(cell, fontHint, hint)
	}
}

// command returns the command that draws the picture.
func (e *Dialog) command() string {
	size := e.size
	if e.preset == 0 {
		size = e.shown()
	}
	tail := []string{"--size", size}
	if strings.HasSuffix(size, "mm") {
		tail = append(tail, "--font", e.font)
	}
	if place := page.LegendPlaces[e.legend]; place != page.LegendBeside {
		tail = append(tail, "--legend", place)
	}
	if e.whole == ofPlay {
		return e.paneCommand("film", e.dark(), append(tail, e.filmTail()...)...)
	}
	tail = append(tail, "-o", e.name()+sheet.Endings[e.format])
	if e.whole == ofPane {
		return e.paneCommand("render", e.dark(), tail...)
	}
	if e.dark() {
		tail = append([]string{"--background", "dark"}, tail...)
	}
	path := e.saving.Path()
	if path == "" {
		path = "workspace" + documents.WorkspaceEnding
	}
	return shell.Line(append([]string{"whorl", "render", path}, tail...)...)
}

// save draws the picture and lets the user choose its file.
func (e *Dialog) save(paper sheet.Sheet) {
	e.cameras.Settle()
	if e.whole == ofPlay {
		e.record(paper)
		return
	}
	list, title, err := e.picture(paper)
	var b bytes.Buffer
	ending := sheet.Endings[e.format]
	if err == nil {
		err = paper.Encode(&b, ending, title, list, e.window.Text)
	}
	if err != nil {
		e.out.Fail(outbox.AboutWriting, err)
		return
	}
	name := e.name()
	e.saving.Choose(name, ending, func(path string) { e.saving.Ask(name+ending, path, b.Bytes(), nil) })
}

// picture draws the focused pane, or all visible panes with their titles.
func (e *Dialog) picture(paper sheet.Sheet) (list *scene.List, title string, err error) {
	focused := e.model.Panes[e.model.Focus]
	if e.whole == ofPane {
		list, err = e.pane(focused, paper.W, paper.H, paper.Font)
		return list, focused.Kind.Title + " of " + focused.Trace, err
	}
	font := paper.Font
	if font == 0 {
		font = float32(math.Round(min(max(float64(paper.H)/65, 10), 28)))
	}
	titles := e.model.Titles()
	var tiles []sheet.Tile
	places := e.model.Root.Tiles()
	if full := e.model.Full; full != 0 { // the only one in the window
		places = []workspace.Tile{{Pane: full, Rect: scene.Rect{X1: 1, Y1: 1}}}
	}
	for _, t := range places {
		p := e.model.Panes[t.Pane]
		if p == nil {
			continue
		}
		tile := sheet.Tile{Title: p.Kind.Title, Rect: t.Rect, Draw: func(w, h int) (*scene.List, error) { return e.pane(p, w, h, font) }}
		if len(titles) > 1 && !p.Kind.Group {
			tile.Title += " · " + titles[p.Trace]
		}
		tiles = append(tiles, tile)
	}
	list, err = sheet.Compose(paper, view.NewStyle(e.dark(), font), e.window.Text, tiles)
	return list, "Whorl", err
}

// pane draws a pane with its selection, its notes and its legend.
func (e *Dialog) pane(p *panes.Pane, w, h int, font float32) (*scene.List, error) {
	return e.paneAt(p, w, h, font, nil)
}

// WholeWindow draws all visible panes. ground is a value of view.Background or "" for that of the workspace, legend one of page.LegendPlaces.
func (e *Dialog) WholeWindow(paper sheet.Sheet, ground, legend string) (*scene.List, error) {
	whole := *e
	whole.whole, whole.legend, whole.ground = ofWindow, max(slices.Index(page.LegendPlaces, legend), 0), slices.Index(view.Background.Choices, ground)+1
	list, _, err := whole.picture(paper)
	return list, err
}
