package app

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/experiment/testdata/experimenttest"
	"whorl/tracer"
	"whorl/visual/app/outbox"
	"whorl/visual/app/painter"
	"whorl/visual/app/panes"
	"whorl/visual/app/runs"
	"whorl/visual/backend/raster"
	"whorl/visual/documents"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// glyphs measures and draws text for all tests, which share its masks.
var glyphs = glyph.New()

// A driver plays the user: it moves the pointer, presses keys and reads the window.
type driver struct {
	*testing.T
	app  *App
	in   Input
	out  Output
	asks []outbox.Ask
}

// drive returns a driver of a new viewer in a window of w by h points.
func drive(t *testing.T, o Options, w, h, scale float64) *driver {
	t.Helper()
	if o.Text == nil {
		o.Text = glyphs
	}
	d := &driver{T: t, app: New(o), in: Input{W: w, H: h, Scale: scale}}
	d.app.describer.Most = time.Hour // the machine may be slow
	t.Cleanup(d.app.Close)
	d.step()
	return d
}

// opened returns a driver of a window that shows the trace of a benchmark on 4 PEs.
func opened(t *testing.T, program string, w, h float64) *driver {
	t.Helper()
	d := drive(t, Options{}, w, h, 1)
	d.app.Open(program, run(t, program, 4, ""))
	d.settle()
	return d
}

// ran returns a driver of a window that shows the small program, which has ended.
func ran(t *testing.T, w, h float64) (*driver, *documents.Document) {
	t.Helper()
	d := drive(t, Options{Runner: native{}}, w, h, 1)
	doc := d.app.launcher.Begin(smallRun())
	d.until("the end", func() bool { return doc.Live.Over })
	d.settle()
	return d, doc
}

// base returns the picture of a pane as it was drawn last, and over what lies above it.
func (d *driver) base(p *panes.Pane) painter.Look { base, _ := d.app.painter.Layers(p); return base }

func (d *driver) over(p *panes.Pane) painter.Look { _, over := d.app.painter.Layers(p); return over }

// wrong returns why a pane has no picture of its network, "" if it has one.
func (d *driver) wrong(p *panes.Pane) string { return d.app.networks.Scene(p).Wrong }

// ghostOf returns the picture of the recorded run over that of a trial, nil for none.
func ghostOf(p *panes.Pane) view.Picture { picture, _ := p.ShownGhost(); return picture }

// step lets 10 ms pass with some events.
func (d *driver) step(events ...Event) {
	d.Helper()
	d.in.Now += 10 * time.Millisecond
	d.in.Events = events
	d.out = d.app.Step(d.in)
	d.asks = append(d.asks, d.out.Asks...)
	d.in.Events = nil
}

// enough is how long a test waits for another goroutine, even on a busy machine.
const enough = 4 * time.Minute

// pause is the time between two steps of a driver that waits for other goroutines.
const pause = 50 * time.Microsecond

// settle steps until the viewer has nothing to do for a while.
func (d *driver) settle() {
	d.Helper()
	for end := time.Now().Add(enough); time.Now().Before(end); {
		d.step()
		_, live := d.app.model.Docs.Pumps(d.app.window.Now)
		if d.out.Next < 0 || d.out.Next > d.in.Now+300*time.Millisecond || live && !d.app.out.Changed && d.out.Next > d.in.Now+20*time.Millisecond {
			return
		}
		if _, runs := d.app.model.Docs.Pumps(d.app.window.Now); runs || d.app.model.Docs.Loading() {
			time.Sleep(pause)
		}
	}
	d.Fatalf("the viewer does not come to rest: next step in %v, next pass of the widgets in %v, changed: %v", d.out.Next-d.in.Now, d.app.nextPass-d.in.Now, d.app.out.Changed)
}

func (d *driver) move(x, y float64) { d.step(Event{Kind: ui.Move, X: x, Y: y}) }

func (d *driver) press(x, y float64, b ui.Button, m ui.Mods) {
	d.step(Event{Kind: ui.Down, X: x, Y: y, Button: b, Mods: m})
	d.step(Event{Kind: ui.Up, X: x, Y: y, Button: b, Mods: m})
}

// click moves to a place and clicks there.
func (d *driver) click(x, y float64) {
	d.move(x, y)
	d.press(x, y, ui.Main, 0)
	d.settle()
}

func (d *driver) doubleClick(x, y float64) {
	d.move(x, y)
	d.press(x, y, ui.Main, 0)
	d.press(x, y, ui.Main, 0)
	d.settle()
}

func (d *driver) drag(x0, y0, x1, y1 float64) {
	d.move(x0, y0)
	d.step(Event{Kind: ui.Down, X: x0, Y: y0})
	for i := 1; i <= 4; i++ {
		d.step(Event{Kind: ui.Move, X: x0 + (x1-x0)*float64(i)/4, Y: y0 + (y1-y0)*float64(i)/4})
	}
	d.step(Event{Kind: ui.Up, X: x1, Y: y1})
	d.settle()
}

func (d *driver) key(name string, m ui.Mods) {
	d.step(Event{Kind: ui.Key, Key: name, Mods: m})
	d.settle()
}

func (d *driver) typed(s string) {
	for _, r := range s {
		d.step(Event{Kind: ui.Text, Text: string(r)})
	}
	d.settle()
}

// place returns the middle of the topmost text in the window that begins with a text, in points.
func (d *driver) place(text string) (x, y float64, ok bool) {
	for i := len(d.out.Layers) - 1; i >= 0; i-- {
		l := d.out.Layers[i].List
		for k := l.Len() - 1; k >= 0; k-- {
			o := l.Op(k)
			if o.Kind != scene.OpText {
				continue
			}
			tx, ty, s, st := o.Text()
			if !strings.HasPrefix(string(s), text) {
				continue
			}
			w := glyphs.Width(string(s), st.Size, st.Face)
			switch st.Anchor {
			case scene.Start:
				tx += w / 2
			case scene.End:
				tx -= w / 2
			}
			return float64(tx) / d.in.Scale, float64(ty) / d.in.Scale, true
		}
	}
	return 0, 0, false
}

// on clicks on a text.
func (d *driver) on(text string) {
	d.Helper()
	x, y, ok := d.place(text)
	if !ok {
		d.Fatalf("there is no %q in the window:\n%s", text, d.texts())
	}
	d.click(x, y)
}

// shows reports whether a text is in the window.
func (d *driver) shows(text string) bool { return strings.Contains(d.texts(), text) }

// texts returns all texts of the window.
func (d *driver) texts() string {
	var b strings.Builder
	for _, l := range d.out.Layers {
		for k := range l.List.Len() {
			if o := l.List.Op(k); o.Kind == scene.OpText {
				_, _, s, _ := o.Text()
				fmt.Fprintln(&b, string(s))
			}
		}
	}
	return b.String()
}

// picture returns the pixels of the window.
func (d *driver) picture() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, int(d.in.W*d.in.Scale+0.5), int(d.in.H*d.in.Scale+0.5)))
	r := raster.New(glyphs)
	for _, l := range d.out.Layers {
		box := image.Rect(int(l.Rect.X0), int(l.Rect.Y0), int(l.Rect.X1), int(l.Rect.Y1))
		r.Draw(m.SubImage(box).(*image.RGBA), l.List, raster.View{Scale: 1})
	}
	return m
}

// shot writes the window as a PNG into the folder WHORL_SHOTS, if that is set.
func (d *driver) shot(name string) {
	d.Helper()
	dir := os.Getenv("WHORL_SHOTS")
	if dir == "" {
		return
	}
	f, err := os.Create(filepath.Join(dir, name+".png"))
	if err != nil {
		d.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, d.picture()); err != nil {
		d.Fatal(err)
	}
}

// paneOf returns the first pane that shows a view.
func (d *driver) paneOf(name string) *panes.Pane {
	d.Helper()
	for _, id := range d.app.model.IDs {
		if p := d.app.model.Panes[id]; p != nil && p.Kind.Name == name {
			return p
		}
	}
	d.Fatalf("no pane shows the view %s", name)
	return nil
}

// at returns the middle of a rectangle in pixels, in points.
func (d *driver) middle(r scene.Rect) (x, y float64) {
	return (r.X0 + r.X1) / 2 / d.in.Scale, (r.Y0 + r.Y1) / 2 / d.in.Scale
}

// locate returns the places of a selection in the picture of a pane, in pixels.
func (d *driver) locate(p *panes.Pane, s view.Selection) []scene.Rect {
	return drawtest.Locate(p.Picture(), d.app.cameras.Frame(p), s)
}

// run returns the trace of a benchmark.
func run(t testing.TB, program string, pes int, policy string, args ...string) *tracer.Memory {
	t.Helper()
	r := experiment.Defaults(program)
	r.Args, r.PEs = args, pes
	if policy != "" {
		r.Policy = policy
	}
	return experimenttest.Trace(t, r)
}

// native runs programs on goroutines.
type native struct{}

func (native) Run(r experiment.Run) (documents.Session, error) { return session.Start(r) }

func (native) Read(src tracer.Source, name string) (experiment.Run, func(), error) {
	run, err := experiment.ReplayOf(context.Background(), src, name)
	return run, func() {}, err
}

func (native) Rank(ctx context.Context, r experiment.Run, watch func(over, all int)) (int64, []*experiment.Gain, error) {
	return experiment.WhatIf(ctx, r, r.Recorded.Parts(experiment.MostRanked), watch)
}

// until steps until something holds, while goroutines run.
func (d *driver) until(what string, ok func() bool) {
	d.Helper()
	for end := time.Now().Add(enough); time.Now().Before(end); time.Sleep(pause) {
		d.step()
		if ok() {
			return
		}
	}
	d.Fatalf("%s does not come:\n%s", what, d.texts())
}

// file returns a file with a text.
func file(name, text string) *documents.File {
	return &documents.File{Name: name, Size: int64(len(text)), Read: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// traceFile returns a file with a trace as text.
func traceFile(t *testing.T, name string, src tracer.Source) *documents.File {
	t.Helper()
	var b strings.Builder
	if err := tracer.WriteText(&b, src); err != nil {
		t.Fatal(err)
	}
	return file(name, b.String())
}

func (d *driver) drop(f *documents.File) {
	d.Helper()
	d.step(Event{Kind: Drop, X: 300, Y: 300, File: f})
	d.settle()
}

// add opens a trace without any panes, in a group of compared runs or in none (0).
func (d *driver) add(name string, src tracer.Source, group int) *documents.Document {
	doc := documents.New(src)
	doc.Group = group
	d.app.model.Docs.Add(name, doc)
	return doc
}

// program returns the edited program of a document, an empty one if nobody has edited it.
func (d *driver) program(doc *documents.Document) *runs.Edited {
	if e := d.app.model.Programs[doc]; e != nil {
		return e
	}
	return &runs.Edited{}
}
