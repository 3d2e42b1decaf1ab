package svg

import "whorl/visual/scene"

// step is the largest difference of a channel between the corners of a triangle that is not split.
const step = 16

// deepest limits the depth of splitting: a triangle becomes at most 4^deepest pieces.
const deepest = 4

type corner struct {
	x, y float32
	c    scene.Color
}

// mesher writes triangles; consecutive ones of equal style share a path.
type mesher struct {
	d       *document
	pen     pen
	color   scene.Color
	outline bool
}

// mesh writes triangles of one colour each. It first draws every triangle of the mesh in its mean colour, with an
// outline that hides the seams that viewers leave between neighbours. It then draws the triangle's pieces over it,
// whose seams show the mean colour instead of the background.
func (d *document) mesh(o *scene.Op) {
	pts := o.Mesh()
	m := mesher{d: d}
	for i := 0; i+5 < len(pts); i += 6 {
		var t [3]corner
		var bad float32
		for k := range t {
			t[k] = corner{pts[i+2*k], pts[i+2*k+1], o.ColorAt(i/2 + k)}
			bad += (t[k].x - t[k].x) + (t[k].y - t[k].y)
		}
		if bad != 0 {
			continue
		}
		opaque := t[0].c.A&t[1].c.A&t[2].c.A == 255
		if alike(&t) {
			m.put(&t, opaque)
			continue
		}
		if opaque {
			m.put(&t, true)
		}
		m.split(t, 0)
	}
	m.flush()
}

// put draws a triangle in its mean colour.
func (m *mesher) put(t *[3]corner, outline bool) {
	c := mean(t[0].c, t[1].c, t[2].c)
	if c != m.color || outline != m.outline || c.A != 255 {
		m.flush()
		m.color, m.outline = c, outline
	}
	if c.A != 0 {
		m.pen.points([]float32{t[0].x, t[0].y, t[1].x, t[1].y, t[2].x, t[2].y}, true)
	}
}

// split draws a triangle as pieces of nearly uniform colour.
func (m *mesher) split(t [3]corner, depth int) {
	if depth == deepest || alike(&t) {
		m.put(&t, false)
		return
	}
	a, b, c := t[0], t[1], t[2]
	ab, bc, ca := middle(a, b), middle(b, c), middle(c, a)
	m.split([3]corner{a, ab, ca}, depth+1)
	m.split([3]corner{ab, b, bc}, depth+1)
	m.split([3]corner{ca, bc, c}, depth+1)
	m.split([3]corner{ab, bc, ca}, depth+1)
}

func (m *mesher) flush() {
	if len(m.pen.b) > 0 {
		m.d.pattern(m.color)
		m.d.path(m.pen.b)
		m.d.paint("fill", m.color)
		if m.outline {
			m.d.paint("stroke", m.color)
			m.d.attr("stroke-width", 50)
		}
		m.d.text("/>\n")
	}
	m.pen = pen{b: m.pen.b[:0]}
}

func alike(t *[3]corner) bool {
	return near(t[0].c, t[1].c) && near(t[0].c, t[2].c) && near(t[1].c, t[2].c)
}

func middle(a, b corner) corner {
	return corner{a.x/2 + b.x/2, a.y/2 + b.y/2, a.c.Mix(b.c, 0.5)}
}

func mean(a, b, c scene.Color) scene.Color {
	m := func(x, y, z uint8) uint8 { return uint8((int(x) + int(y) + int(z) + 1) / 3) }
	return scene.Color{R: m(a.R, b.R, c.R), G: m(a.G, b.G, c.G), B: m(a.B, b.B, c.B), A: m(a.A, b.A, c.A), Pattern: a.Pattern}
}

func near(a, b scene.Color) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= step }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B) && d(a.A, b.A)
}
