package view

import "whorl/visual/scene"

// DrawLegend writes the blocks of a legend into a rectangle beside a picture: what a window shows of it, whose bars have the title. Of what
// has no room the less important goes, and a line says how much, as in Render.
func DrawLegend(l Legend, r scene.Rect, s Style, text scene.Measurer, out *scene.List) {
	p := &page{style: s, text: text, margin: s.Font, line: round(s.Font * lineEms), panel: r, columns: 1}
	p.drawPanel(out, l)
}
