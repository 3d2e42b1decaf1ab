// Package painter draws the pictures of panes with their legends, marks and tips, each pane anew only when something of it has changed.
package painter

import (
	"fmt"
	"math"
	"time"
	"unicode"
	"unicode/utf8"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// A Painter draws panes in two layers. The base is the picture with its legend, which stays while the pointer moves; the overlay holds
// marks, the tip at the pointer and the progress of the stages.
type Painter struct {
	model    *panes.Model
	links    *panes.Links
	cameras  *panes.Cameras
	window   *panes.Window
	out      *outbox.Outbox
	Legends  bool // legends are shown
	Behind   bool // the shell still draws lists and pixels of older cameras
	marks    []Mark
	marked   uint64 // counts the changes of marks
	revision uint64
	canvases map[*panes.Pane]*canvas
}

// New returns a painter that shows legends.
func New(m *panes.Model, l *panes.Links, cs *panes.Cameras, w *panes.Window, out *outbox.Outbox) *Painter {
	return &Painter{model: m, links: l, cameras: cs, window: w, out: out, Legends: true, canvases: map[*panes.Pane]*canvas{}}
}

// A canvas holds the two layers of a pane and the size of the legend.
type canvas struct {
	base, over Look
	baseKey    baseKey
	overKey    overKey
	marks      scene.List // of others in the picture
	marksKey   marksKey

	standIn *scene.List // the picture of another window, nil for none
	stands  uint64      // its number

	legendW   float64 // the width of the legend right of the picture, in pixels; 0 for none
	legendH   float64 // the height of the strip below the picture; 0 for none
	stripH    float64 // the height that a strip would have
	hasLegend bool
}

// A Look is a display list with the number of its look. The list is nil until the pane is drawn.
type Look struct {
	Revision uint64
	List     *scene.List
	Plane    Plane
}

// A Plane tells how a list moves and scales with a camera. Old pixels of the subject, shifted and stretched, can stand for the list while that is
// drawn. The zero Plane is that of a list without a camera.
type Plane struct {
	Subject uint64       // lists of one subject differ by their cameras alone; 0 for none
	Area    scene.Rect   // the part that moves, in device pixels
	Ground  scene.Color  // of places without old pixels
	Drawn   view.Mapping // of the list
	Shown   view.Mapping // of the camera now; it differs from Drawn only while the shell is behind (Painter.Behind)
}

// A baseKey holds everything that the base of a pane depends on.
type baseKey struct {
	frame  view.FrameKey
	body   scene.Rect
	err    string
	none   bool   // there is no picture yet
	stands uint64 // the picture of another window, 0 for none
	moving time.Duration
}

// moved reports whether two keys differ at most by the positions and scales of their cameras.
func (k baseKey) moved(o baseKey) bool {
	moved := k.frame.Moved(o.frame)
	k.frame = o.frame
	return moved && k == o
}

// An overKey holds everything that the overlay of a pane depends on.
type overKey struct {
	frame    view.FrameKey
	marks    uint64
	stands   uint64 // as in baseKey
	ghost    uint64 // the revision of the recorded run drawn over a trial, 0 for none
	hovered  bool
	x, y     float64
	marked   uint64 // of marks
	progress int    // in thousandths, -1 for none
	stage    string
	ring     bool
	moving   time.Duration
}

// A legend right of a picture is legendEms wide. A pane narrower than three of these has a strip below the picture instead, unless it is
// smaller than smallEms.
const (
	legendEms = 17
	smallEms  = 14
)

// NextRevision returns the number of a new look.
func (g *Painter) NextRevision() uint64 {
	g.revision++
	return g.revision
}

// canvasOf returns the canvas of a pane.
func (g *Painter) canvasOf(p *panes.Pane) *canvas {
	if g.canvases[p] == nil {
		g.canvases[p] = &canvas{}
	}
	return g.canvases[p]
}

// Layers returns the layers of a pane.
func (g *Painter) Layers(p *panes.Pane) (base, over Look) { c := g.canvasOf(p); return c.base, c.over }

// sweep drops the canvases of closed panes, and the layers of panes that have released their pictures.
func (g *Painter) sweep() {
	for p, c := range g.canvases {
		switch {
		case g.model.Panes[p.ID] != p:
			delete(g.canvases, p)
		case !p.Seen && p.Picture() == nil:
			c.base, c.over = Look{}, Look{}
		}
	}
}

// Arrange divides the place of a pane between its picture and its legend.
func (g *Painter) Arrange(p *panes.Pane, body scene.Rect) {
	full := g.window.Pixels(body)
	c := g.canvasOf(p)
	em := float64(g.cameras.Style().Font)
	c.legendW, c.legendH = 0, 0
	switch {
	case !g.Legends || !c.hasLegend:
	case full.W() > 3*legendEms*em:
		c.legendW = math.Round(legendEms * em)
	case min(full.W(), full.H()) > smallEms*em:
		c.legendH = c.stripH
	}
	area := full
	area.X1 -= c.legendW
	area.Y1 -= c.legendH
	p.Place(body, area, g.window.Now)
}

// Draw draws the layers of the visible panes that have changed. The pane ring gets a ring that shows the focus, 0 for none.
func (g *Painter) Draw(ring int) {
	g.cameras.Adopt()
	g.sweep()
	for _, p := range g.model.Visible() {
		if p.Kind.Modules { // its widgets are drawn with those of the window
			continue
		}
		g.drawBase(p, g.canvasOf(p))
		g.drawOver(p, g.canvasOf(p), p.ID == ring)
	}
}

func (g *Painter) drawBase(p *panes.Pane, c *canvas) {
	f := g.cameras.Frame(p)
	picture := p.Drawn(g.window.Now)
	g.settle(p, c)
	key := baseKey{frame: f.Key(p.Revision()), body: p.Body, none: picture == nil, stands: c.stands, moving: p.Moving(g.window.Now)}
	switch d := g.model.Document(p); {
	case p.Err != nil && d != nil && d.Live != nil && !d.Live.Over && d.Fed.Events == 0:
		key.err = "Nothing has happened yet"
	case p.Err != nil:
		key.err = p.Err.Error()
	}
	if c.base.List != nil && g.stands(c, key, picture, f) {
		return
	}
	c.base.Plane = planeOf(picture, f, c.base.Plane.Subject)
	if c.standIn != nil {
		c.base.Plane = Plane{}
	}
	if c.base.Plane != (Plane{}) && (c.base.Plane.Subject == 0 || !key.moved(c.baseKey)) {
		c.base.Plane.Subject = g.NextRevision()
	}
	c.baseKey = key
	full := g.window.Pixels(p.Body)
	out := g.list(&c.base)
	out.Fill(full, f.Style.Ground)
	switch {
	case key.err != "":
		g.message(out, f, key.err)
	case c.standIn != nil:
		g.drawStandIn(c, f, full, out)
	case p.Picture() != nil && p.Area.W() >= 1 && p.Area.H() >= 1:
		view.Draw(picture, f, out)
		g.drawLegend(p, c, f, full, out)
	}
}

// stands reports whether a list can stay: nothing has changed, or only the camera while the shell still draws lists of older cameras. It sets the
// camera that the shell shows.
func (g *Painter) stands(c *canvas, key baseKey, picture view.Picture, f *view.Frame) bool {
	if key == c.baseKey {
		c.base.Plane.Shown = c.base.Plane.Drawn
		return true
	}
	now := planeOf(picture, f, c.base.Plane.Subject)
	if !g.Behind || now == (Plane{}) || now.Area != c.base.Plane.Area || !key.moved(c.baseKey) {
		return false
	}
	c.base.Plane.Shown = now.Drawn
	return true
}

// planeOf returns the plane of a picture in a frame, or none if it does not move as a whole.
func planeOf(picture view.Picture, f *view.Frame, subject uint64) Plane {
	p, ok := picture.(view.Plane)
	if !ok || f.Area.W() < 1 || f.Area.H() < 1 {
		return Plane{}
	}
	m, area := p.Mapping(f)
	return Plane{Subject: subject, Area: area, Ground: f.Style.Ground, Drawn: m, Shown: m}
}

func (g *Painter) drawLegend(p *panes.Pane, c *canvas, f *view.Frame, full scene.Rect, out *scene.List) {
	l := p.Kind.Explain(p.Picture(), f)
	em := float64(f.Style.Font)
	had, strip, lines := c.hasLegend, c.stripH, 1
	if full.H() > 2*smallEms*em {
		lines = 2
	}
	c.hasLegend, c.stripH = len(l.Blocks) > 0, page.StripHeight(l, full.W(), lines, f.Style, g.window.Text)
	if c.hasLegend != had || c.stripH != strip {
		g.out.Redraw() // the pane has to be arranged again
	}
	switch {
	case c.legendW > 0:
		r := scene.Rect{X0: p.Area.X1 + em/2, Y0: full.Y0 + em, X1: full.X1 - em, Y1: full.Y1 - em}
		page.DrawLegend(l, r, f.Style, g.window.Text, out)
	case c.legendH == c.stripH && c.legendH > 0:
		page.DrawStrip(l, scene.Rect{X0: full.X0, Y0: p.Area.Y1, X1: full.X1, Y1: full.Y1}, lines, f.Style, g.window.Text, out)
	}
}

// list empties the list of a layer and gives it a new revision.
func (g *Painter) list(l *Look) *scene.List {
	if l.List == nil {
		l.List = &scene.List{}
	}
	l.List.Reset(float32(g.window.W*g.window.Scale), float32(g.window.H*g.window.Scale))
	l.Revision = g.NextRevision()
	return l.List
}

// message writes a text in the middle of a pane.
func (g *Painter) message(out *scene.List, f *view.Frame, text string) {
	em := f.Style.Font
	width := min(float32(f.Area.W())-2*em, 36*em)
	if r, n := utf8.DecodeRuneInString(text); unicode.IsLower(r) {
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	lines := view.Wrap(g.window.Text, text, width, em, scene.Regular)
	line := float32(math.Round(float64(em) * 1.45))
	x := float32(math.Round((f.Area.X0 + f.Area.X1) / 2))
	y := float32(math.Round((f.Area.Y0+f.Area.Y1)/2)) - line*float32(len(lines)-1)/2
	for i, s := range lines {
		if s != "" {
			out.Text(x, y+float32(i)*line, s, scene.TextStyle{Size: em, Color: f.Style.Muted, Anchor: scene.Middle, VAlign: scene.Center})
		}
	}
}

func (g *Painter) drawOver(p *panes.Pane, c *canvas, ring bool) {
	f := g.cameras.Frame(p)
	picture := p.Drawn(g.window.Now)
	ghost, ghostly := p.ShownGhost()
	key := overKey{frame: f.Key(p.Revision()), stands: c.stands, moving: p.Moving(g.window.Now), marks: g.model.Marks, marked: g.marked, ghost: ghostly, ring: ring}
	if p.Hovered && p.Picture() != nil {
		key.hovered, key.x, key.y = true, p.HoverX, p.HoverY
	}
	key.progress, key.stage = p.Progress()
	if c.over.List != nil && key == c.overKey {
		return
	}
	c.overKey = key
	f.State = g.links.Translated(p)
	full := g.window.Pixels(p.Body)
	out := g.list(&c.over)
	r := p.Area
	out.ClipTo(r)
	if p.Picture() != nil && p.Err == nil && c.standIn == nil && r.W() >= 1 && r.H() >= 1 {
		if over, ok := p.Picture().(view.Ghosted); ok && ghost != nil {
			over.Ghost(f, ghost, out)
		}
		out.Append(g.marksOf(p, c, picture, f, key.frame))
		view.Overlay(picture, f, out)
		if key.hovered {
			if tip, ok := view.TipAt(p.Picture(), f, p.HoverX, p.HoverY); ok && len(tip.Lines) > 0 {
				view.Label(f, out, float32(tip.X), float32(tip.Y), tip.Lines)
			}
		}
	}
	if key.progress >= 0 {
		g.progress(p, c.over.List, f, key)
	}
	out.Pop()
	if key.ring {
		g.focusRing(full, out)
	}
}

// focusRing draws a line inside the edge of a pane.
func (g *Painter) focusRing(r scene.Rect, out *scene.List) {
	w := float32(max(math.Round(2*g.window.Scale), 1))
	x0, y0, x1, y1 := float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1)
	col := ui.NewTheme(g.model.Dark).Accent
	out.Rect(x0, y0, x1, y0+w, col)
	out.Rect(x0, y1-w, x1, y1, col)
	out.Rect(x0, y0+w, x0+w, y1-w, col)
	out.Rect(x1-w, y0+w, x1, y1-w, col)
}

// progress shows how far a stage is, as a line along the top; also in words where there is no picture yet.
func (g *Painter) progress(p *panes.Pane, out *scene.List, f *view.Frame, key overKey) {
	r := f.Area
	h := float32(math.Max(math.Round(2*g.window.Scale), 1))
	x0, y0, x1 := float32(r.X0), float32(r.Y0), float32(r.X1)
	out.Rect(x0, y0, x1, y0+h, f.Style.Line)
	out.Rect(x0, y0, x0+(x1-x0)*float32(key.progress)/1000, y0+h, f.Style.Ink)
	if p.Picture() == nil && g.canvasOf(p).standIn == nil {
		text := "Computing"
		if key.stage != "" {
			text += " " + key.stage
		}
		if key.progress > 0 {
			text += fmt.Sprintf(": %d %%", key.progress/10)
		}
		g.message(out, f, text)
	}
}
