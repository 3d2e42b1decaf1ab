package app

import (
	"fmt"
	"math"
	"time"
	"unicode"
	"unicode/utf8"

	"whorl/visual/app/outbox"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// A painter draws panes in two layers. The base is the picture with its legend, which stays while the pointer moves; the overlay holds
// marks, the tip at the pointer and the progress of the stages.
type painter struct {
	model    *model
	links    *links
	cameras  *cameras
	window   *window
	out      *outbox.Outbox
	legends  bool // legends are shown
	ring     int  // the pane with a ring that shows the focus, 0 for none
	revision uint64
}

// painted is a display list with the number of its look.
type painted struct {
	revision uint64
	list     *scene.List
}

// A baseKey holds everything that the base of a pane depends on.
type baseKey struct {
	frame  view.FrameKey
	body   scene.Rect
	err    string
	none   bool // there is no picture yet
	moving time.Duration
}

// An overKey holds everything that the overlay of a pane depends on.
type overKey struct {
	frame    view.FrameKey
	marks    uint64
	ghost    uint64 // the revision of the recorded run drawn over a trial, 0 for none
	hovered  bool
	x, y     float64
	progress int // in thousandths, -1 for none
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

// nextRevision returns the number of a new look.
func (g *painter) nextRevision() uint64 {
	g.revision++
	return g.revision
}

// arrange divides the place of a pane between its picture and its legend.
func (g *painter) arrange(p *pane, body scene.Rect) {
	p.body = body
	full := g.window.pixels(body)
	em := float64(g.cameras.style().Font)
	p.legendW, p.legendH = 0, 0
	switch {
	case !g.legends || !p.hasLegend:
	case full.W() > 3*legendEms*em:
		p.legendW = math.Round(legendEms * em)
	case min(full.W(), full.H()) > smallEms*em:
		p.legendH = p.stripH
	}
	area := full
	area.X1 -= p.legendW
	area.Y1 -= p.legendH
	if area.W() != p.area.W() || area.H() != p.area.H() {
		p.sized = g.window.now
	}
	p.area = area
}

// draw draws the layers of the visible panes that have changed.
func (g *painter) draw() {
	g.cameras.adopt()
	for _, p := range g.model.visible() {
		g.drawBase(p)
		g.drawOver(p)
	}
}

func (g *painter) drawBase(p *pane) {
	f := g.cameras.frame(p)
	picture := p.drawn(g.window.now)
	key := baseKey{frame: f.Key(p.result.Revision), body: p.body, none: picture == nil, moving: p.moving(g.window.now)}
	switch d := g.model.document(p); {
	case p.err != nil && d != nil && d.Live != nil && !d.Live.Over && d.Fed.Events == 0:
		key.err = "Nothing has happened yet"
	case p.err != nil:
		key.err = p.err.Error()
	}
	if p.base.list != nil && key == p.baseKey {
		return
	}
	p.baseKey = key
	full := g.window.pixels(p.body)
	out := g.list(&p.base)
	out.Fill(full, f.Style.Ground)
	switch {
	case key.err != "":
		g.message(out, f, key.err)
	case p.result.Value != nil && p.area.W() >= 1 && p.area.H() >= 1:
		view.Draw(picture, f, out)
		g.drawLegend(p, f, full, out)
	}
}

func (g *painter) drawLegend(p *pane, f *view.Frame, full scene.Rect, out *scene.List) {
	l := p.result.Value.Legend(f)
	em := float64(f.Style.Font)
	had, strip, lines := p.hasLegend, p.stripH, 1
	if full.H() > 2*smallEms*em {
		lines = 2
	}
	p.hasLegend, p.stripH = len(l.Blocks) > 0, view.StripHeight(l, full.W(), lines, f.Style, g.window.text)
	if p.hasLegend != had || p.stripH != strip {
		g.out.Redraw() // the pane has to be arranged again
	}
	switch {
	case p.legendW > 0:
		r := scene.Rect{X0: p.area.X1 + em/2, Y0: full.Y0 + em, X1: full.X1 - em, Y1: full.Y1 - em}
		view.DrawLegend(l, r, f.Style, g.window.text, out)
	case p.legendH == p.stripH && p.legendH > 0:
		view.DrawStrip(l, scene.Rect{X0: full.X0, Y0: p.area.Y1, X1: full.X1, Y1: full.Y1}, lines, f.Style, g.window.text, out)
	}
}

// list empties the list of a layer and gives it a new revision.
func (g *painter) list(l *painted) *scene.List {
	if l.list == nil {
		l.list = &scene.List{}
	}
	l.list.Reset(float32(g.window.w*g.window.scale), float32(g.window.h*g.window.scale))
	l.revision = g.nextRevision()
	return l.list
}

// message writes a text in the middle of a pane.
func (g *painter) message(out *scene.List, f *view.Frame, text string) {
	em := f.Style.Font
	width := min(float32(f.Area.W())-2*em, 36*em)
	if r, n := utf8.DecodeRuneInString(text); unicode.IsLower(r) {
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	lines := view.Wrap(g.window.text, text, width, em, scene.Regular)
	line := float32(math.Round(float64(em) * 1.45))
	x := float32(math.Round((f.Area.X0 + f.Area.X1) / 2))
	y := float32(math.Round((f.Area.Y0+f.Area.Y1)/2)) - line*float32(len(lines)-1)/2
	for i, s := range lines {
		if s != "" {
			out.Text(x, y+float32(i)*line, s, scene.TextStyle{Size: em, Color: f.Style.Muted, Anchor: scene.Middle, VAlign: scene.Center})
		}
	}
}

func (g *painter) drawOver(p *pane) {
	f := g.cameras.frame(p)
	picture := p.drawn(g.window.now)
	key := overKey{frame: f.Key(p.result.Revision), moving: p.moving(g.window.now), marks: g.model.marks, ghost: p.ghost.revision, progress: -1, ring: p.id == g.ring}
	if p.hovered && p.result.Value != nil {
		key.hovered, key.x, key.y = true, p.hoverX, p.hoverY
	}
	if p.working && !p.grows {
		key.progress, key.stage = 0, p.result.Doc
		if p.result.Total > 0 {
			key.progress = int(min(p.result.Progress*1000/p.result.Total, 1000))
		}
	}
	if p.over.list != nil && key == p.overKey {
		return
	}
	p.overKey = key
	f.State = g.links.translated(p)
	full := g.window.pixels(p.body)
	out := g.list(&p.over)
	r := p.area
	out.ClipTo(r)
	if p.result.Value != nil && p.err == nil && r.W() >= 1 && r.H() >= 1 {
		if over, ok := p.result.Value.(view.Ghosted); ok && p.ghost.picture != nil {
			over.Ghost(f, p.ghost.picture, out)
		}
		view.Overlay(picture, f, out)
		if key.hovered {
			if tip, ok := view.TipAt(p.result.Value, f, p.hoverX, p.hoverY); ok && len(tip.Lines) > 0 {
				view.Label(f, out, float32(tip.X), float32(tip.Y), tip.Lines)
			}
		}
	}
	if p.working && !p.grows {
		g.progress(p, f, key)
	}
	out.Pop()
	if key.ring {
		g.focusRing(full, out)
	}
}

// focusRing draws a line inside the edge of a pane.
func (g *painter) focusRing(r scene.Rect, out *scene.List) {
	w := float32(max(math.Round(2*g.window.scale), 1))
	x0, y0, x1, y1 := float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1)
	col := ui.NewTheme(g.model.Dark).Accent
	out.Rect(x0, y0, x1, y0+w, col)
	out.Rect(x0, y1-w, x1, y1, col)
	out.Rect(x0, y0+w, x0+w, y1-w, col)
	out.Rect(x1-w, y0+w, x1, y1-w, col)
}

// progress shows how far a stage is, as a line along the top; also in words where there is no picture yet.
func (g *painter) progress(p *pane, f *view.Frame, key overKey) {
	out, r := p.over.list, f.Area
	h := float32(math.Max(math.Round(2*g.window.scale), 1))
	x0, y0, x1 := float32(r.X0), float32(r.Y0), float32(r.X1)
	out.Rect(x0, y0, x1, y0+h, f.Style.Line)
	out.Rect(x0, y0, x0+(x1-x0)*float32(key.progress)/1000, y0+h, f.Style.Ink)
	if p.result.Value == nil {
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
