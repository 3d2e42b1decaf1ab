package app

import (
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// A pane is drawn in two layers. The base is the picture with its legend, which stays while the mouse moves; the overlay is what is
// marked, told and still being computed.

// legendEms is the width of a legend beside a picture. A pane narrower than three of them has a strip below the picture instead, unless it
// is smaller than smallEms either way.
const (
	legendEms = 17
	smallEms  = 14
)

// arrange gives a pane its place in pixels.
func (a *App) arrange(p *pane, body scene.Rect) {
	p.body = body
	full := pixels(body, a.scale)
	em := float64(a.style().Font)
	p.legendW, p.legendH = 0, 0
	switch {
	case !a.legends || !p.hasLegend:
	case full.W() > 3*legendEms*em:
		p.legendW = math.Round(legendEms * em)
	case min(full.W(), full.H()) > smallEms*em:
		p.legendH = p.stripH
	}
	area := full
	area.X1 -= p.legendW
	area.Y1 -= p.legendH
	if area.W() != p.area.W() || area.H() != p.area.H() {
		p.sized = a.now
	}
	p.area = area
}

// drawBase brings the base of a pane up to date.
func (a *App) drawBase(p *pane) {
	f := a.frame(p)
	picture := a.drawn(p)
	key := baseKey{frame: f.Key(p.result.Revision), body: p.body, none: picture == nil, moving: p.moving(a.now)}
	switch {
	case p.err != nil:
		key.err = p.err.Error()
	case a.missed(p.trace):
		key.err = fmt.Sprintf("The file of %s was not found: drop it here", p.trace)
	}
	if p.base.list != nil && key == p.baseKey {
		return
	}
	p.baseKey = key
	out := p.list(&p.base, a)
	full := pixels(p.body, a.scale)
	out.Fill(full, f.Style.Ground)
	switch {
	case key.err != "":
		a.message(out, f, key.err)
	case p.result.Value != nil && p.area.W() >= 1 && p.area.H() >= 1:
		picture.Base(f, out)
		l := p.result.Value.Legend(f)
		em := float64(f.Style.Font)
		had, strip, lines := p.hasLegend, p.stripH, 1
		if full.H() > 2*smallEms*em {
			lines = 2
		}
		p.hasLegend, p.stripH = len(l.Blocks) > 0, view.StripHeight(l, full.W(), lines, f.Style, a.text)
		if p.hasLegend != had || p.stripH != strip {
			a.changed = true // it needs room
		}
		switch {
		case p.legendW > 0:
			r := scene.Rect{X0: p.area.X1 + em/2, Y0: full.Y0 + em, X1: full.X1 - em, Y1: full.Y1 - em}
			view.DrawLegend(l, r, f.Style, a.text, out)
		case p.legendH == p.stripH && p.legendH > 0:
			view.DrawStrip(l, scene.Rect{X0: full.X0, Y0: p.area.Y1, X1: full.X1, Y1: full.Y1}, lines, f.Style, a.text, out)
		}
	}
}

// list empties a layer's list and gives it a new revision.
func (p *pane) list(l *painted, a *App) *scene.List {
	if l.list == nil {
		l.list = &scene.List{}
	}
	l.list.Reset(float32(a.w*a.scale), float32(a.h*a.scale))
	a.revision++
	l.revision = a.revision
	return l.list
}

// message writes a text in the middle of a pane.
func (a *App) message(out *scene.List, f *view.Frame, text string) {
	em := f.Style.Font
	width := min(float32(f.Area.W())-2*em, 36*em)
	if r, n := utf8.DecodeRuneInString(text); unicode.IsLower(r) {
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	lines := view.Wrap(a.text, text, width, em, scene.Regular)
	line := float32(math.Round(float64(em) * 1.45))
	x := float32(math.Round((f.Area.X0 + f.Area.X1) / 2))
	y := float32(math.Round((f.Area.Y0+f.Area.Y1)/2)) - line*float32(len(lines)-1)/2
	for i, s := range lines {
		if s != "" {
			out.Text(x, y+float32(i)*line, s, scene.TextStyle{Size: em, Color: f.Style.Muted, Anchor: scene.Middle, VAlign: scene.Center})
		}
	}
}

// drawOver brings the overlay of a pane up to date.
func (a *App) drawOver(p *pane) {
	f := a.frame(p)
	picture := a.drawn(p)
	key := overKey{frame: f.Key(p.result.Revision), moving: p.moving(a.now), marks: a.marks, progress: -1, ring: p.id == a.focus && a.keys.ring && !a.widgets.ShowFocus()}
	if p.hovered && p.result.Value != nil {
		key.hovered, key.x, key.y = true, p.hoverX, p.hoverY
	}
	if p.working && !p.grows {
		key.progress, key.stage = 0, p.result.Doc
		if p.result.Total > 0 {
			key.progress = int(min(p.result.At*1000/p.result.Total, 1000))
		}
	}
	if p.over.list != nil && key == p.overKey {
		return
	}
	p.overKey = key
	f.State = a.translated(p)
	out := p.list(&p.over, a)
	r := p.area
	out.ClipTo(r)
	if p.result.Value != nil && p.err == nil && r.W() >= 1 && r.H() >= 1 {
		view.Overlay(picture, f, out)
		if key.hovered {
			if tip, ok := view.TipAt(p.result.Value, f, p.hoverX, p.hoverY); ok && len(tip.Lines) > 0 {
				view.Label(f, out, float32(tip.X), float32(tip.Y), tip.Lines)
			}
		}
	}
	if p.working && !p.grows {
		a.progress(p, f, key)
	}
	out.Pop()
	if key.ring {
		a.focusRing(p, out)
	}
}

// focusRing draws a line inside the edge of a pane.
func (a *App) focusRing(p *pane, out *scene.List) {
	r, w := pixels(p.body, a.scale), float32(max(math.Round(2*a.scale), 1))
	x0, y0, x1, y1 := float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1)
	col := ui.NewTheme(a.Dark).Accent
	out.Rect(x0, y0, x1, y0+w, col)
	out.Rect(x0, y1-w, x1, y1, col)
	out.Rect(x0, y0+w, x0+w, y1-w, col)
	out.Rect(x1-w, y0+w, x1, y1-w, col)
}

// progress shows how far a stage is, as a line along the top; where there is no picture yet, in words too.
func (a *App) progress(p *pane, f *view.Frame, key overKey) {
	out, r := p.over.list, f.Area
	h := float32(math.Max(math.Round(2*a.scale), 1))
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
		a.message(out, f, text)
	}
}
