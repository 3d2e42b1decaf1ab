package app

import (
	"bytes"
	"context"

	"whorl/visual/backend/svg"
	"whorl/visual/view"
)

// pictureWidth is the width of a saved picture in pixels. Its height follows the shape of the pane.
const pictureWidth = 1400

// savePicture asks for an SVG picture of the focused pane to be written to a file, with its selection, its notes and its legend.
func (s *saving) savePicture() {
	s.cameras.settle()
	p, w := s.model.panes[s.model.focus], s.model.Pane(s.model.focus)
	if p == nil || w == nil || p.opened == nil || p.result.Value == nil {
		return
	}
	shape := p.area.H() / max(p.area.W(), 1)
	h := int(min(max(shape*pictureWidth, 0.4*pictureWidth), 1.5*pictureWidth))
	shot := view.Shot{Trace: p.trace, Camera: w.Camera, Area: p.area, Shared: s.links.translated(p).Shared, Span: s.links.span(s.model.document(p))}
	list, err := p.opened.Shoot(context.Background(), pictureWidth, h, shot)
	p.window, p.working = 0, true // the stages have another size now
	if err != nil {
		s.out.fail(err)
		return
	}
	var b bytes.Buffer
	if err := svg.Write(&b, list, svg.Options{Measure: s.window.text, Title: p.kind.Title + " of " + p.trace}); err != nil {
		s.out.fail(err)
		return
	}
	s.out.ask(Ask{Do: SaveFile, Name: p.trace + "-" + p.kind.Name + ".svg", Data: b.Bytes()})
}
