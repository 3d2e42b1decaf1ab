package export

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"whorl/internal/figures"
	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/backend/raster"
	"whorl/visual/film"
	"whorl/visual/scene"
	"whorl/visual/sheet"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// A Film is an animated picture that is written picture by picture.
type Film interface {
	Add(m *image.RGBA) error
	Close() error
}

// A NewFilm writes the beginning of a film with the colours of some of its pictures.
type NewFilm func(w io.Writer, width, height, rate int, samples []*image.RGBA) Film

// What the dialog saves: values of Dialog.whole.
const (
	ofPane = iota
	ofWindow
	ofPlay
)

// filmFormats are the forms of a film: values of Dialog.numbered.
var filmFormats = []string{"Animated GIF", "Numbered PNG files"}

// films reports whether the focused pane can be filmed: its picture changes while the run plays.
func (e *Dialog) films() bool {
	p := e.model.Panes[e.model.Focus]
	return e.Film != nil && p != nil && !p.Kind.Whole && !p.Kind.Group
}

// filmed returns how long the film lasts and how many pictures it has in a second.
func (e *Dialog) filmed() (lasts time.Duration, rate int, err error) {
	if strings.HasSuffix(e.size, "mm") {
		return 0, 0, errors.New("a film has a size in pixels, as in 1200x900")
	}
	if lasts, err = time.ParseDuration(strings.ReplaceAll(e.lasts, " ", "")); err != nil {
		return 0, 0, fmt.Errorf("%q is no time; expected one as in 10s", e.lasts)
	}
	if rate, err = strconv.Atoi(strings.TrimSpace(e.rate)); err != nil {
		return 0, 0, fmt.Errorf("%q is no number of pictures in a second", e.rate)
	}
	if err = film.CheckRate(rate); err == nil {
		err = film.CheckTime(lasts, rate)
	}
	return lasts, rate, err
}

// filmEnding returns the ending of the files of the film.
func (e *Dialog) filmEnding() string {
	if e.numbered == 1 {
		return ".png"
	}
	return film.Ending
}

// filmResult names the files of the film.
func (e *Dialog) filmResult(paper sheet.Sheet) string {
	lasts, rate, err := e.filmed()
	if err != nil {
		return err.Error()
	}
	n := film.Pictures(lasts, rate)
	name := e.name() + film.Ending
	if e.numbered == 1 {
		name = numbered(e.name()+".png", 1) + " to " + numbered(e.name()+".png", n)
	}
	return fmt.Sprintf("%s, %s pictures of %s × %s pixels", name, figures.Count(int64(n)), figures.Count(int64(paper.W)), figures.Count(int64(paper.H)))
}

// numbered returns the name of picture i, from 1.
func numbered(name string, i int) string {
	return fmt.Sprintf("%s-%04d.png", strings.TrimSuffix(name, ".png"), i)
}

// filmTail returns the flags of the command film for the choices of the dialog.
func (e *Dialog) filmTail() []string {
	out := e.name()
	if e.numbered == 0 {
		out += film.Ending
	}
	return []string{"--lasts", strings.ReplaceAll(e.lasts, " ", ""), "--rate", strings.TrimSpace(e.rate), "-o", out}
}

// drawFilmed draws the row of the form with the time of the film.
func (f exportForm) drawFilmed(cell ui.Rect) {
	e := f.export
	w := f.Px(exportLabel)
	if widget.Field(f.Context, cell.CutLeft(w), "lasts", &e.lasts, widget.FieldOptions{Hint: "10s"}).Changed {
		f.Again()
	}
	cell.CutLeft(f.Px(ui.Gap))
	f.Label(cell.CutLeft(f.Px(20)), "at", ui.Type{Color: f.Theme.Muted})
	if widget.Field(f.Context, cell.CutLeft(w), "rate", &e.rate, widget.FieldOptions{Hint: "25"}).Changed {
		f.Again()
	}
	cell.CutLeft(f.Px(ui.Gap))
	f.Label(cell, "pictures in a second", ui.Type{Color: f.Theme.Muted})
}

// A recording is a film while its pictures are drawn, one in a step of the viewer.
type recording struct {
	pane        int    // its id
	name, path  string // of the file; numbered pictures add their numbers
	w, h        int
	rate        int
	n, i        int // the number of pictures, and of those drawn
	first, last int64
	samples     []*image.RGBA
	to          bytes.Buffer
	film        Film // nil for numbered pictures, and until the samples are drawn
	numbered    bool
	open        bool // the dialog with its progress
}

// record lets the user choose the file of the film and begins to draw it.
func (e *Dialog) record(paper sheet.Sheet) {
	lasts, rate, err := e.filmed()
	p := e.model.Panes[e.model.Focus]
	if err != nil || p == nil {
		return
	}
	r := &recording{pane: p.ID, name: e.name(), w: paper.W, h: paper.H, rate: rate, n: film.Pictures(lasts, rate), numbered: e.numbered == 1, open: true}
	r.first, r.last = e.model.Document(p).Span()
	ending := e.filmEnding()
	e.saving.Choose(r.name, ending, func(path string) {
		r.path, e.recording = path, r
		e.out.Redraw()
	})
}

// Work draws the next picture of a film. It reports whether there are more.
func (e *Dialog) Work() bool {
	r := e.recording
	if r == nil {
		return false
	}
	err := e.step(r, e.model.Panes[r.pane])
	if err != nil {
		e.out.Fail(outbox.AboutWriting, err)
	}
	if err != nil || r.i == r.n || !r.open {
		e.recording = nil
	}
	e.out.Redraw()
	return e.recording != nil
}

// step draws the next picture of a film and, after the last one, asks for its file.
func (e *Dialog) step(r *recording, p *panes.Pane) error {
	if p == nil {
		return errors.New("the pane was closed before its film was drawn")
	}
	picture := r.i
	samples := film.Samples(r.n)
	sampling := !r.numbered && len(r.samples) < len(samples)
	if sampling {
		picture = samples[len(r.samples)]
	}
	until := film.Time(r.first, r.last, picture, r.n)
	list, err := e.paneAt(p, r.w, r.h, 0, &until)
	if err != nil {
		return err
	}
	m := raster.New(e.window.Text).Picture(list, 1)
	switch {
	case sampling:
		if r.samples = append(r.samples, m); len(r.samples) == len(samples) {
			r.film = e.Film(&r.to, r.w, r.h, r.rate, r.samples)
		}
		return nil
	case r.numbered:
		var b bytes.Buffer
		if err := raster.WritePNG(&b, m, 0); err != nil {
			return err
		}
		r.i++
		e.saving.Ask(numbered(r.name+".png", r.i), numbered(r.path, r.i), b.Bytes(), nil)
		return nil
	}
	if err := r.film.Add(m); err != nil {
		return err
	}
	if r.i++; r.i < r.n {
		return nil
	}
	if err := r.film.Close(); err != nil {
		return err
	}
	e.saving.Ask(r.name+film.Ending, r.path, r.to.Bytes(), nil)
	return nil
}

// drawRecording draws the progress of a film, with a button that ends it.
func (e *Dialog) drawRecording(c *ui.Context) {
	r := e.recording
	if r == nil {
		return
	}
	hit := widget.Dialog(c, "film", &r.open, widget.DialogOptions{Title: "Drawing a film", W: 420, H: c.Theme.Ctl, Buttons: []string{"Cancel"}}, func(in ui.Rect) {
		c.Label(in, fmt.Sprintf("Picture %s of %s", figures.Count(int64(r.i)), figures.Count(int64(r.n))), ui.Type{})
	})
	if hit == 0 {
		r.open = false
		c.Again()
	}
}

// paneAt draws a pane with its selection, its notes and its legend, until a time if it is not nil.
func (e *Dialog) paneAt(p *panes.Pane, w, h int, font float32, until *int64) (list *scene.List, err error) {
	switch {
	case e.model.Missing(p.Trace) && p.Err != nil:
		return nil, fmt.Errorf("the file of the trace %s was not found, and: %w", p.Trace, p.Err)
	case e.model.Missing(p.Trace):
		return nil, fmt.Errorf("the file of the trace %s was not found", p.Trace)
	case p.Err != nil:
		return nil, p.Err
	}
	_, shot := e.saving.Shot(p)
	shot.Legend, shot.Font = page.LegendPlaces[e.legend], font
	if until != nil {
		shot.Shared.Until = until
	}
	return p.Shoot(w, h, view.Background.Choices[slices.Index([]bool{false, true}, e.dark())], shot)
}
