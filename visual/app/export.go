package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whorl/internal/figures"
	"whorl/internal/shell"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// An export is the dialog that saves a picture of the focused pane or of the whole window. It keeps the choices that the user has made.
type export struct {
	open   bool
	whole  int // 1 for the whole window
	format int // an index of sheet.Endings
	preset int // an index of presets
	size   string
	font   string
	ground int // 0 for the colours of the window, 1 for light, 2 for dark
	legend int // an index of view.LegendPlaces
}

// presets are sizes of pictures by their purpose. The size of the first is that on the screen, and the last is the user's own.
var presets = []struct{ label, size string }{
	{"As shown", ""}, {"One column of a paper", "85x60mm"}, {"Two columns of a paper", "175x110mm"}, {"Slide", "1920x1080"}, {"Another size", ""},
}

const ownSize = 4 // of presets

// begin opens the dialog.
func (e *export) begin() {
	e.open = true
	if e.font == "" {
		e.font = "8pt"
	}
}

// shown returns the size of what is saved in pixels, as it is on the screen.
func (a *App) shown(e *export) string {
	w, h := a.window.W*a.window.Scale, a.window.H*a.window.Scale
	if p := a.model.Panes[a.model.Focus]; e.whole == 0 && p != nil {
		r := a.window.Pixels(p.Body)
		w, h = r.W(), r.H()
	}
	return fmt.Sprintf("%dx%d", max(int(w), view.MinSide), max(int(h), view.MinSide))
}

// sheet returns the size of the picture.
func (a *App) sheet(e *export) (sheet.Sheet, error) {
	size, font := e.size, ""
	if e.preset == 0 {
		size = a.shown(e)
	}
	if strings.HasSuffix(size, "mm") {
		font = e.font
	}
	return sheet.Parse(size, font)
}

// dark reports whether the picture is light on dark.
func (a *App) dark(e *export) bool { return e.ground == 2 || e.ground == 0 && a.model.Dark }

// exportName returns the name of the file without its ending.
func (a *App) exportName(e *export) string {
	if p := a.model.Panes[a.model.Focus]; e.whole == 0 && p != nil {
		return fileName(p.Trace + "-" + p.Kind.Name)
	}
	return "whorl"
}

// drawExport draws the dialog, and saves the picture once the user has confirmed it.
func (a *App) drawExport(c *ui.Context) {
	e := &a.export
	if !e.open {
		return
	}
	if a.model.Panes[a.model.Focus] == nil {
		e.open = false
		return
	}
	page, err := a.sheet(e)
	hit := widget.Dialog(c, "export", &e.open, widget.DialogOptions{
		Title: "Save a picture", W: 560, H: 8*(ui.Ctl+8) + 8, Buttons: []string{"Cancel", "Copy the command", "Save"}, Off: err != nil,
	}, func(r ui.Rect) { a.drawExportForm(c, r, page, err) })
	switch hit {
	case 0:
		e.open = false
	case 1:
		a.out.Ask(outbox.Ask{Do: outbox.CopyText, Text: a.exportCommand(e)})
		a.out.Say(outbox.AboutWriting, "Copied: "+a.exportCommand(e))
	case 2:
		e.open = false
		a.saveExport(e, page)
	}
	if hit >= 0 {
		c.Again()
	}
}

// drawExportForm draws the choices, the resulting size and the command that draws the same.
func (a *App) drawExportForm(c *ui.Context, r ui.Rect, page sheet.Sheet, err error) {
	e := &a.export
	row := func(label string) ui.Rect {
		cell := r.CutTop(c.Px(ui.Ctl))
		r.CutTop(c.Px(8))
		c.Label(cell.CutLeft(c.Px(96)), label, ui.Type{Color: c.Theme.Muted})
		return cell
	}
	p := a.model.Panes[a.model.Focus]
	if widget.Segments(c, row("Picture of"), "whole", []string{"This pane: " + p.Kind.Title, "The whole window"}, &e.whole) {
		c.Again()
	}
	var formats []string
	for _, ending := range sheet.Endings {
		formats = append(formats, strings.ToUpper(ending[1:]))
	}
	if widget.Segments(c, row("Format"), "format", formats, &e.format) {
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
		e.size = a.shown(e)
	}
	if widget.Field(c, field, "size", &e.size, widget.FieldOptions{Hint: "1200x900 or 85x60mm"}).Changed {
		e.preset = ownSize
		c.Again()
	}
	cell = row("Font")
	c.Disabled = !strings.HasSuffix(e.size, "mm")
	widget.Field(c, cell.CutLeft(c.Px(96)), "font", &e.font, widget.FieldOptions{Hint: "8pt"})
	c.Disabled = false
	cell.CutLeft(c.Px(ui.Gap))
	c.Label(cell, "points, for sizes in mm; it follows from a size in pixels", ui.Type{Color: c.Theme.Muted, Size: ui.Small})
	if widget.Segments(c, row("Colours"), "ground", []string{"As shown", "Light", "Dark"}, &e.ground) {
		c.Again()
	}
	widget.Segments(c, row("Legend"), "legend", view.LegendPlaces, &e.legend)
	if err != nil {
		widget.Message(c, row("Result"), ui.Failure, err.Error())
		return
	}
	w, h := page.Dots(sheet.Endings[e.format])
	text := fmt.Sprintf("%s%s, %s × %s pixels", a.exportName(e), sheet.Endings[e.format], figures.Count(int64(w)), figures.Count(int64(h)))
	if sheet.Endings[e.format] != ".png" {
		text = a.exportName(e) + sheet.Endings[e.format] + ", with shapes and text that scale"
	}
	c.Label(row("Result"), text, ui.Type{})
	cell = row("Command")
	c.Label(cell, a.exportCommand(e), ui.Type{Face: scene.Mono, Size: ui.Small})
	c.Tip(cell, "The command that draws the same picture")
}

// exportCommand returns the command that draws the picture.
func (a *App) exportCommand(e *export) string {
	size := e.size
	if e.preset == 0 {
		size = a.shown(e)
	}
	tail := []string{"--size", size}
	if strings.HasSuffix(size, "mm") {
		tail = append(tail, "--font", e.font)
	}
	if place := view.LegendPlaces[e.legend]; place != view.LegendBeside {
		tail = append(tail, "--legend", place)
	}
	tail = append(tail, "-o", a.exportName(e)+sheet.Endings[e.format])
	if e.whole == 0 {
		return a.renderCommand(a.dark(e), tail...)
	}
	if a.dark(e) {
		tail = append([]string{"--background", "dark"}, tail...)
	}
	path := a.saving.path
	if path == "" {
		path = "workspace" + documents.WorkspaceEnding
	}
	return shell.Line(append([]string{"whorl", "render", path}, tail...)...)
}

// saveExport draws the picture and lets the user choose its file.
func (a *App) saveExport(e *export, page sheet.Sheet) {
	a.cameras.Settle()
	list, title, err := a.exported(e, page)
	var b bytes.Buffer
	ending := sheet.Endings[e.format]
	if err == nil {
		err = page.Encode(&b, ending, title, list, a.window.Text)
	}
	if err != nil {
		a.out.Fail(outbox.AboutWriting, err)
		return
	}
	name := a.exportName(e)
	a.saving.choose(name, ending, func(path string) { a.saving.ask(name+ending, path, b.Bytes(), nil) })
}

// exported draws the focused pane, or all visible panes with their titles.
func (a *App) exported(e *export, page sheet.Sheet) (list *scene.List, title string, err error) {
	focused := a.model.Panes[a.model.Focus]
	if e.whole == 0 {
		list, err = a.exportPane(e, focused, page.W, page.H, page.Font)
		return list, focused.Kind.Title + " of " + focused.Trace, err
	}
	font := page.Font
	if font == 0 {
		font = float32(math.Round(min(max(float64(page.H)/65, 10), 28)))
	}
	titles := a.model.Titles()
	var tiles []sheet.Tile
	places := a.model.Root.Tiles()
	if full := a.model.Full; full != 0 { // the only one in the window
		places = []workspace.Tile{{Pane: full, Rect: scene.Rect{X1: 1, Y1: 1}}}
	}
	for _, t := range places {
		p := a.model.Panes[t.Pane]
		if p == nil {
			continue
		}
		tile := sheet.Tile{Title: p.Kind.Title, Rect: t.Rect, Draw: func(w, h int) (*scene.List, error) { return a.exportPane(e, p, w, h, font) }}
		if len(titles) > 1 && !p.Kind.Group {
			tile.Title += " · " + titles[p.Trace]
		}
		tiles = append(tiles, tile)
	}
	list, err = sheet.Compose(page, view.NewStyle(a.dark(e), font), a.window.Text, tiles)
	return list, "Whorl", err
}

// exportPane draws a pane with its selection, its notes and its legend.
func (a *App) exportPane(e *export, p *panes.Pane, w, h int, font float32) (*scene.List, error) {
	switch {
	case a.model.Missing(p.Trace):
		return nil, fmt.Errorf("the file of the trace %s was not found", p.Trace)
	case p.Err != nil:
		return nil, p.Err
	}
	_, shot := a.saving.shot(p)
	shot.Legend, shot.Font = view.LegendPlaces[e.legend], font
	return p.Shoot(w, h, view.Background.Choices[slices.Index([]bool{false, true}, a.dark(e))], shot)
}

// OpenWorkspace opens the text of a workspace with the path of its file, instead of what is open.
func (a *App) OpenWorkspace(path, text string) error {
	if _, err := workspace.Read(text, 1, 1); err != nil {
		return err
	}
	a.saving.open(filepath.Base(path), path, text)
	return nil
}

// The least size of a window whose panes are all computed for a picture, in points.
const (
	stillWidth  = 1600
	stillHeight = 1000
)

// Still steps the viewer until all that it shows is computed, and returns the picture of the whole window. ground is a value of view.Background or "" for
// that of the workspace, legend one of view.LegendPlaces.
func (a *App) Still(ctx context.Context, page sheet.Sheet, ground, legend string) (*scene.List, error) {
	grow := max(1, stillWidth/float64(page.W), stillHeight/float64(page.H))
	in := Input{W: float64(page.W) * grow, H: float64(page.H) * grow, Scale: 1}
	for {
		in.Now += 10 * time.Millisecond
		out := a.Step(in)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		live := slices.ContainsFunc(a.model.Docs.All(), func(d *documents.Document) bool { return d.Live != nil && !d.Live.Over })
		if !live && !a.model.Docs.Loading() && (out.Next < 0 || out.Next > in.Now+time.Second) {
			break
		}
		time.Sleep(100 * time.Microsecond)
	}
	if a.model.Root == nil {
		return nil, errors.New("the workspace has no panes")
	}
	e := &export{whole: 1, legend: max(slices.Index(view.LegendPlaces, legend), 0), ground: slices.Index(view.Background.Choices, ground) + 1}
	list, _, err := a.exported(e, page)
	return list, err
}
