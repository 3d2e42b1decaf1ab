package painter

import (
	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// StandIn shows the picture of a pane as another window has drawn it, in the middle of the pane, until the pane has a picture of the whole trace. The size of
// the list is that of the pane in the other window.
func (g *Painter) StandIn(p *panes.Pane, list *scene.List) {
	c := g.canvasOf(p)
	c.standIn, c.stands = list, g.NextRevision()
}

// Awaits reports whether a pane waits for a picture of all of its trace.
func (g *Painter) Awaits(p *panes.Pane) bool { return p.Err == nil && !p.Current(g.model.Document(p)) }

// settle drops the picture of another window from a pane that has its own.
func (g *Painter) settle(p *panes.Pane, c *canvas) {
	if c.standIn != nil && !g.Awaits(p) {
		c.standIn, c.stands = nil, 0
	}
}

// drawStandIn draws the picture of another window, and says so.
func (g *Painter) drawStandIn(c *canvas, f *view.Frame, full scene.Rect, out *scene.List) {
	out.ClipTo(full)
	em := f.Style.Font
	room := full
	room.Y1 -= 2 * float64(em)
	out.AppendFitted(c.standIn, scene.Rect{X1: float64(c.standIn.W), Y1: float64(c.standIn.H)}, room)
	text := scene.Elide(g.window.Text, "As whoever presents sees it; being computed here", float32(full.W())-2*em, em, scene.Regular)
	out.Text(float32(full.X0)+em, float32(full.Y1)-em, text, scene.TextStyle{Size: em, Color: f.Style.Muted, VAlign: scene.Center})
	out.Pop()
}

// Shot returns the picture of a pane for other windows, in a list of the size of the pane, and the revision of the picture; nil while it is being computed.
func (g *Painter) Shot(p *panes.Pane) (shot func() *scene.List, revision uint64) {
	c := g.canvasOf(p)
	if c.base.List == nil || c.standIn != nil || g.Awaits(p) || p.Kind.Modules {
		return nil, 0
	}
	list, full := c.base.List, g.window.Pixels(p.Body)
	return func() *scene.List {
		out := scene.New(float32(full.W()), float32(full.H()))
		out.AppendAt(list, float32(-full.X0), float32(-full.Y0))
		return out
	}, c.base.Revision
}
