package svg

import "whorl/visual/scene"

// pattern defines the pattern of a colour, unless the document has it or the colour has none. The id tells the colour,
// so that it means the same in every document of a page.
func (d *document) pattern(c scene.Color) {
	if c.Pattern == scene.Plain {
		return
	}
	id := patternID(c)
	if d.defined[id] {
		return
	}
	d.defined[id] = true
	t := c.Pattern.Tile()
	d.text(`<pattern id="` + id + `" patternUnits="userSpaceOnUse"`)
	d.attr("width", coord(t.Side))
	d.attr("height", coord(t.Side))
	d.text(`>`)
	var ground, lines, dots pen
	s := coord(t.Side)
	ground.move(0, 0)
	ground.line(s, 0)
	ground.line(s, s)
	ground.line(0, s)
	ground.close()
	d.path(ground.b)
	d.text(` fill="` + hex(c) + `"/>`)
	for _, l := range t.Lines {
		lines.points(l[:], false)
	}
	for _, p := range t.Dots {
		dots.move(coord(p[0]), coord(p[1]))
		dots.dot()
	}
	if len(lines.b) > 0 {
		d.path(lines.b)
		d.text(` stroke="` + hex(c.Tone()) + `"`)
		d.attr("stroke-width", coord(t.Width))
		d.text(`/>`)
	}
	if len(dots.b) > 0 {
		d.path(dots.b)
		d.text(` stroke="` + hex(c.Tone()) + `" stroke-linecap="round"`)
		d.attr("stroke-width", coord(2*t.Radius))
		d.text(`/>`)
	}
	d.text("</pattern>\n")
}

// patternID returns the id of the pattern of a colour.
func patternID(c scene.Color) string { return c.Pattern.String() + "-" + hex(c)[1:] }
