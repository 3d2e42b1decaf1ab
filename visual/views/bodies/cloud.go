package bodies

import (
	"math"
	"slices"

	"whorl/visual/scene"
)

// Links in clouds. Where bodies have more links than those of a grid or a torus, lines would hide the bodies.
const (
	mostFaint = 3    // largest number of links for each body
	faint     = 0.04 // weight of a line in a square, as a share of a body
)

// cloud draws the density of the bodies, for more bodies than can be drawn one by one. It sums them in small squares
// of the screen. Denser squares are more opaque, and have the mean colour of their bodies. The number of squares
// depends only on the size of the picture. Links of grids and tori appear as faint lines between distant bodies. A few
// bodies that stand out are dots.
func (s *stage) cloud(out *scene.List) {
	size := max(math.Ceil(s.em/4), 2)
	wide, high := int(s.Area.W()/size)+2, int(s.Area.H()/size)+2
	if wide < 3 || high < 3 || wide > 1<<12 || high > 1<<12 {
		return
	}
	// A square holds the weight, and the sums of red, green and blue.
	field := make([][4]float32, wide*high)
	// put divides a weight at a pixel among the four squares whose centres surround it.
	put := func(x, y float64, c scene.Color, weight float32) {
		x, y = (x-s.Area.X0)/size, (y-s.Area.Y0)/size
		if !(x >= 0 && y >= 0 && x < float64(wide-1) && y < float64(high-1)) {
			return
		}
		fx, fy := float32(x-math.Floor(x)), float32(y-math.Floor(y))
		k := int(y)*wide + int(x)
		for _, p := range [4]struct {
			square int
			w      float32
		}{{k, (1 - fx) * (1 - fy)}, {k + 1, fx * (1 - fy)}, {k + wide, (1 - fx) * fy}, {k + wide + 1, fx * fy}} {
			f := &field[p.square]
			w := weight * p.w
			f[0] += w
			f[1] += w * float32(c.R)
			f[2] += w * float32(c.G)
			f[3] += w * float32(c.B)
		}
	}
	for i := range s.balls {
		if b := &s.balls[i]; b.seen {
			put(b.x, b.y, s.color(i), 1)
		}
	}
	if len(s.g.Links) <= mostFaint*len(s.balls) {
		for _, l := range s.g.Links {
			a, b := &s.balls[l.A], &s.balls[l.B]
			n := math.Hypot(a.x-b.x, a.y-b.y) / size
			if !a.seen || !b.seen || n > float64(wide+high) {
				continue
			}
			for t := 1.0; t < n; t++ {
				put(a.x+t/n*(b.x-a.x), a.y+t/n*(b.y-a.y), s.Style.Muted, faint)
			}
		}
	}
	field = blurred(blurred(field, wide, 1, high, wide), high, wide, wide, 1)
	most := 0.0
	for i := range field {
		most = max(most, float64(field[i][0]))
	}
	if most == 0 {
		return
	}
	color := func(x, y int) scene.Color {
		f := &field[y*wide+x]
		if f[0] <= 1e-3 {
			return s.Style.Muted.Alpha(0)
		}
		// A single body is clearly visible; the logarithm keeps differences visible in dense parts.
		n := float64(f[0])
		alpha := 0.45*min(n/0.1, 1) + 0.55*math.Log1p(n)/math.Log1p(most)
		return scene.Color{R: uint8(f[1] / f[0]), G: uint8(f[2] / f[0]), B: uint8(f[3] / f[0]), A: uint8(255 * alpha)}
	}
	p := &paint{}
	for y := range high - 1 {
		for x := range wide - 1 {
			a, b, c, d := color(x, y), color(x+1, y), color(x, y+1), color(x+1, y+1)
			if a.A|b.A|c.A|d.A == 0 {
				continue
			}
			x0, y0 := s.Area.X0+float64(x)*size, s.Area.Y0+float64(y)*size
			p.triangle(x0, y0, x0+size, y0, x0+size, y0+size, a, b, d)
			p.triangle(x0, y0, x0+size, y0+size, x0, y0+size, a, d, c)
			if len(p.points) > 1<<14 {
				p.flush(out)
			}
		}
	}
	p.flush(out)
	for _, i := range s.conspicuous() {
		if b := &s.balls[i]; b.seen {
			out.Circle(float32(b.x), float32(b.y), float32(s.em/6), s.color(int(i)))
		}
	}
}

// conspicuous returns the bodies that have at least half of the largest load or traffic, whichever gives colour, if they
// are less than one in a hundred. More of them colour the cloud.
func (s *stage) conspicuous() (bodies []int32) {
	shares := s.load
	switch s.g.by {
	case "pe":
		return nil
	case "traffic":
		shares = s.sent
	}
	most := slices.Max(shares)
	for i, share := range shares {
		if share > 0 && share >= most/2 {
			bodies = append(bodies, int32(i))
		}
	}
	if len(bodies) > len(shares)/100 {
		return nil
	}
	return bodies
}

// blurred returns the field after a blur along its rows: each square gets half of its own value and a quarter
// of each neighbour's. A row has n squares, step apart in the field; there are rows of them, next apart.
func blurred(field [][4]float32, n, step, rows, next int) [][4]float32 {
	out := make([][4]float32, len(field))
	for r := range rows {
		for i := range n {
			k := r*next + i*step
			for c := range 4 {
				v := field[k][c] / 2
				if i > 0 {
					v += field[k-step][c] / 4
				}
				if i+1 < n {
					v += field[k+step][c] / 4
				}
				out[k][c] = v
			}
		}
	}
	return out
}
