package svg

import "whorl/visual/scene"

// step is how far apart the colours of a triangle's corners may be, of 255, before it is divided.
const step = 24

// deepest bounds the dividing: 4^deepest pieces.
const deepest = 4

type corner struct {
	x, y float32
	c    scene.Color
}

// mesh writes triangles of one colour each. Opaque ones get an outline of their colour, which hides
// the seams that viewers leave between neighbours. Consecutive ones of a colour share a path.
func (d *document) mesh(o *scene.Op) {
	pts := o.Mesh()
	var p pen
	var last scene.Color
	flush := func() {
		if len(p.b) > 0 {
			d.path(p.b)
			d.paint("fill", last)
			if last.A == 255 {
				d.paint("stroke", last)
				d.attr("stroke-width", 50)
			}
			d.text("/>\n")
		}
		p = pen{b: p.b[:0]}
	}
	put := func(a, b, c corner) {
		col := mean(a.c, b.c, c.c)
		if col != last || col.A != 255 {
			flush()
			last = col
		}
		if col.A != 0 {
			p.points([]float32{a.x, a.y, b.x, b.y, c.x, c.y}, true)
		}
	}
	var split func(a, b, c corner, depth int)
	split = func(a, b, c corner, depth int) {
		if depth == deepest || near(a.c, b.c) && near(a.c, c.c) && near(b.c, c.c) {
			put(a, b, c)
			return
		}
		ab, bc, ca := middle(a, b), middle(b, c), middle(c, a)
		split(a, ab, ca, depth+1)
		split(ab, b, bc, depth+1)
		split(ca, bc, c, depth+1)
		split(ab, bc, ca, depth+1)
	}
	for i := 0; i+5 < len(pts); i += 6 {
		var t [3]corner
		var bad float32
		for k := range t {
			t[k] = corner{pts[i+2*k], pts[i+2*k+1], o.ColorAt(i/2 + k)}
			bad += (t[k].x - t[k].x) + (t[k].y - t[k].y)
		}
		if bad == 0 {
			split(t[0], t[1], t[2], 0)
		}
	}
	flush()
}

func middle(a, b corner) corner {
	return corner{a.x/2 + b.x/2, a.y/2 + b.y/2, a.c.Mix(b.c, 0.5)}
}

func mean(a, b, c scene.Color) scene.Color {
	m := func(x, y, z uint8) uint8 { return uint8((int(x) + int(y) + int(z) + 1) / 3) }
	return scene.Color{R: m(a.R, b.R, c.R), G: m(a.G, b.G, c.G), B: m(a.B, b.B, c.B), A: m(a.A, b.A, c.A)}
}

func near(a, b scene.Color) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= step }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B) && d(a.A, b.A)
}
