package app

import (
	"bytes"
	"context"

	"whorl/visual/backend/svg"
	"whorl/visual/view"
)

// pictureWidth is that of a picture that is saved, in pixels; its height follows the pane's shape.
const pictureWidth = 1400

// savePicture asks for a picture of the pane to be written to a file, as SVG: what is seen in it, with its selection, its notes and its
// legend.
func (a *App) savePicture() {
	a.settle()
	p, w := a.panes[a.focus], a.Pane(a.focus)
	if p == nil || w == nil || p.opened == nil || p.result.Value == nil {
		return
	}
	shape := p.area.H() / max(p.area.W(), 1)
	h := int(min(max(shape*pictureWidth, 0.4*pictureWidth), 1.5*pictureWidth))
	shot := view.Shot{Trace: p.trace, Camera: w.Camera, Area: p.area, Shared: a.translated(p).Shared, Span: a.span(a.docs[p.trace])}
	list, err := p.opened.Shoot(context.Background(), pictureWidth, h, shot)
	p.window, p.working = 0, true // the stages have seen another size
	if err != nil {
		a.fail(err)
		return
	}
	var b bytes.Buffer
	if err := svg.Write(&b, list, svg.Options{Measure: a.text, Title: p.kind.Title + " of " + p.trace}); err != nil {
		a.fail(err)
		return
	}
	a.asks = append(a.asks, Ask{Do: SaveFile, Name: p.trace + "-" + p.kind.Name + ".svg", Data: b.Bytes()})
}
