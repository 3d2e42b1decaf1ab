package svg

import "whorl/visual/scene"

// layer is a set of marks of one colour that share a path.
type layer struct {
	color scene.Color
	pen   pen
}

// marks writes the marks of an op as few paths: a mark joins an earlier path of its colour if no mark in between
// overlaps it.
func (d *document) marks(o *scene.Op) {
	shape, size, pts := o.Marks()
	if !(size > 0) || size-size != 0 {
		return
	}
	var layers []layer
	newest := map[scene.Color]int{} // the last layer of each colour
	k := max(coord(size), 1)
	g := newGrid(d.width, d.height, k)
	for i := range len(pts) / 2 {
		fx, fy, c := pts[2*i], pts[2*i+1], o.ColorAt(i)
		if c.A == 0 || fx-fx != 0 || fy-fy != 0 {
			continue
		}
		x, y := coord(fx), coord(fy)
		square := g.square(x, y)
		if square < 0 {
			continue // outside the picture
		}
		under := g.top(square)
		n, ok := newest[c]
		// Overlapping translucent marks must not share a path, or their overlap would be invisible.
		if !ok || n < under || n == under && c.A != 255 {
			n = len(layers)
			layers = append(layers, layer{color: c})
			newest[c] = n
		}
		g.put(square, n)
		layers[n].pen.mark(shape, x, y, k)
	}
	for i := range layers {
		l := &layers[i]
		d.pattern(l.color)
		d.path(l.pen.b)
		if shape == scene.Disc { // the dots of a round pen
			d.paint("stroke", l.color)
			d.attr("stroke-width", k)
			d.text(` stroke-linecap="round"`)
		} else {
			d.paint("fill", l.color)
		}
		d.text("/>\n")
	}
}

// grid records the layer drawn last in each square. Squares are at least as wide as a mark, so that a mark touches at
// most 2 x 2 of them.
type grid struct {
	size, half    int   // of a square and of a mark, in hundredths
	width, height int   // of the picture
	cols          int   // squares in a row
	layer         []int // by square: the last layer plus 1, 0 for none
}

func newGrid(width, height, mark int) *grid {
	g := &grid{size: mark, half: mark/2 + 1, width: width, height: height}
	side := func(n int) int { return (n+4*g.half)/g.size + 2 }
	for side(width) > 1<<11 || side(height) > 1<<11 {
		g.size *= 2
	}
	g.cols = side(width)
	g.layer = make([]int, g.cols*side(height))
	return g
}

// square returns the first of the four squares of a mark about (x, y), -1 if the mark is invisible.
func (g *grid) square(x, y int) int {
	x, y = x+g.half, y+g.half
	if x < 0 || y < 0 || x > g.width+2*g.half || y > g.height+2*g.half {
		return -1
	}
	return y/g.size*g.cols + x/g.size
}

func (g *grid) top(square int) int {
	l := g.layer[square:]
	return max(l[0], l[1], l[g.cols], l[g.cols+1]) - 1
}

func (g *grid) put(square, layer int) {
	l := g.layer[square:]
	l[0], l[1], l[g.cols], l[g.cols+1] = layer+1, layer+1, layer+1, layer+1
}

// mark adds one mark to the path.
func (p *pen) mark(s scene.Shape, x, y, size int) {
	h, t := size/2, size/6
	polygon := func(pts ...int) {
		p.move(x+pts[0], y+pts[1])
		for i := 2; i < len(pts); i += 2 {
			p.line(x+pts[i], y+pts[i+1])
		}
		p.close()
	}
	switch s {
	case scene.Square:
		polygon(-h, -h, size-h, -h, size-h, size-h, -h, size-h)
	case scene.Diamond:
		polygon(0, -h, h, 0, 0, h, -h, 0)
	case scene.Triangle:
		polygon(0, -h, h, h, -h, h)
	case scene.Cross:
		polygon(-t, -h, t, -h, t, -t, h, -t, h, t, t, t, t, h, -t, h, -t, t, -h, t, -h, -t, -t, -t)
	default:
		p.move(x, y)
		p.dot()
	}
}
