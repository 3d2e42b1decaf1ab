package page

import (
	"whorl/visual/scene"
	"whorl/visual/view"
)

// DrawLegend draws the blocks of a legend in a rectangle, without the title, which the window shows elsewhere. As in Shoot, less important
// rows that do not fit are left out, and a line says how many.
func DrawLegend(l view.Legend, r scene.Rect, s view.Style, text scene.Measurer, out *scene.List) {
	p := &page{style: s, text: text, margin: s.Font, line: scene.Round(s.Font * view.LineEms), panel: r, columns: 1}
	p.drawPanel(out, l)
}
