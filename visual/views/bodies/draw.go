package bodies

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/layout/nbody"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Base draws the trails, links and bodies from back to front, their labels, the measures and the clock.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := setStage(f, g)
	if s.g.Motion == nil {
		for i, line := range view.Wrap(f.Text, s.g.why(), float32(f.Area.W()-2*s.em), f.Style.Font, scene.Regular) {
			if y := f.Area.Y0 + (2+1.5*float64(i))*s.em; y < f.Area.Y1 {
				out.Text(float32(f.Area.X0+s.em), float32(y), line, scene.TextStyle{Size: f.Style.Font, Color: f.Style.Muted})
			}
		}
		return
	}
	r := s.room()
	out.ClipTo(r)
	if s.clouds() {
		s.cloud(out)
	} else {
		s.drawWires(out)
		s.trails(out)
		s.things(out)
		s.drawLabels(out)
	}
	out.Pop()
	if t, ok := s.strip(); ok {
		t.lines(out)
	}
	s.clock(out)
}

// A paint collects triangles with a colour at each corner.
type paint struct {
	points []float32
	colors []scene.Color
}

func (p *paint) triangle(x0, y0, x1, y1, x2, y2 float64, a, b, c scene.Color) {
	p.points = append(p.points, float32(x0), float32(y0), float32(x1), float32(y1), float32(x2), float32(y2))
	p.colors = append(p.colors, a, b, c)
}

func (p *paint) flush(out *scene.List) {
	if len(p.points) > 0 {
		out.Mesh(p.points, p.colors)
	}
	p.points, p.colors = p.points[:0], p.colors[:0]
}

// things draws links and bodies from back to front.
func (s *stage) things(out *scene.List) {
	type thing struct {
		depth float64
		ball  int32 // -1 for a part of a rope
		rope  int32
		part  int // index of the part of the rope
	}
	var all []thing
	for _, i := range s.order {
		if s.balls[i].seen {
			all = append(all, thing{depth: s.balls[i].depth, ball: i})
		}
	}
	for k := range s.ropes {
		a, b := &s.balls[s.ropes[k].a], &s.balls[s.ropes[k].b]
		if !a.seen || !b.seen {
			continue
		}
		for part := range parts {
			t := (float64(part) + 0.5) / parts
			all = append(all, thing{depth: a.depth + t*(b.depth-a.depth), ball: -1, rope: int32(k), part: part})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].depth < all[j].depth })
	p := &paint{}
	for _, t := range all {
		if t.ball >= 0 {
			s.sphere(out, p, int(t.ball))
		} else {
			s.cylinder(p, &s.ropes[t.rope], t.part)
		}
		if len(p.points) > 1<<14 {
			p.flush(out)
		}
	}
	p.flush(out)
}

// parts is the number of parts of a link. Each part has its own depth, so that a link may pass behind one body and in
// front of another. The first half of the parts shows the traffic sent by the first body, the second half that sent by
// the second.
const parts = 4

// halfWidth returns half the width of a link, in units of the world.
func (s *stage) halfWidth(r *rope) float64 {
	return 0.06 * s.g.Length * s.g.growth(&s.eye.crowd) * (0.3 + 0.7*intensity(r.there+r.back))
}

// ropeColor returns the colour of half a link, given the traffic sent by the body at that end as a share of the mean.
func (s *stage) ropeColor(share float64) scene.Color {
	if share <= 0 {
		return s.idleColor()
	}
	return s.heat(intensity(share))
}

// idleColor returns the colour of a link without traffic.
func (s *stage) idleColor() scene.Color { return s.Style.Line.Mix(s.Style.Muted, 0.3) }

// mostInk is the largest number of wires that are drawn in full strength.
const mostInk = 1200

// drawWires draws the wires, the nearer the darker. The more there are, the fainter they are, so that shapes of dense
// networks stay visible.
func (s *stage) drawWires(out *scene.List) {
	width := float32(max(s.em/16, 0.75))
	strength := 200 * min(math.Sqrt(mostInk/float64(len(s.wires)+1)), 1)
	for _, l := range s.wires {
		a, b := &s.balls[l.A], &s.balls[l.B]
		if a.seen && b.seen {
			near := min(max(0.5+(a.depth+b.depth)/(4*s.g.far), 0.15), 1)
			out.Line(float32(a.x), float32(a.y), float32(b.x), float32(b.y), width, s.idleColor().Alpha(uint8(strength*near)))
		}
	}
}

// cylinder draws a part of a link: light along its middle, dark along its sides.
func (s *stage) cylinder(p *paint, r *rope, part int) {
	a, b := &s.balls[r.a], &s.balls[r.b]
	share := r.there
	if part >= parts/2 {
		share = r.back
	}
	color := s.ropeColor(share)
	dx, dy := b.x-a.x, b.y-a.y
	long := math.Hypot(dx, dy)
	if long < 1e-3 {
		return
	}
	nx, ny := -dy/long, dx/long
	if nx+ny > 0 { // the light comes from the upper left
		nx, ny = -nx, -ny
	}
	half := s.halfWidth(r) * s.eye.scale
	// The link runs from the surface of one body to that of the other. Parts overlap a little to hide seams.
	whole := math.Hypot(long/s.eye.near((a.depth+b.depth)/2)/s.eye.scale, b.depth-a.depth)
	from, to := 0.9*a.round/whole, 1-0.9*b.round/whole
	if from >= to {
		return
	}
	end := func(t float64) (x, y, w float64) {
		t = min(max(from+t*(to-from), from), to)
		return a.x + t*dx, a.y + t*dy, max(half*s.eye.near(a.depth+t*(b.depth-a.depth)), 0.5)
	}
	seam := min(0.6/long, 0.05)
	x0, y0, w0 := end(float64(part)/parts - seam)
	x1, y1, w1 := end(float64(part+1)/parts + seam)
	shades := [4]scene.Color{color.Mix(white, 0.1), color.Mix(white, 0.4), color, color.Mix(black, 0.45)}
	across := [4]float64{1, 0.4, -0.2, -1}
	for k := range 3 {
		u, v := across[k], across[k+1]
		p.triangle(x0+nx*w0*u, y0+ny*w0*u, x1+nx*w1*u, y1+ny*w1*u, x1+nx*w1*v, y1+ny*w1*v, shades[k], shades[k], shades[k+1])
		p.triangle(x0+nx*w0*u, y0+ny*w0*u, x1+nx*w1*v, y1+ny*w1*v, x0+nx*w0*v, y0+ny*w0*v, shades[k], shades[k+1], shades[k+1])
	}
}

var white, black = scene.Hex(0xffffff), scene.Hex(0x000000)

// sphere draws a body, lit from the upper left front. Small bodies are discs.
func (s *stage) sphere(out *scene.List, p *paint, body int) {
	b := &s.balls[body]
	color := s.color(body)
	reach := b.r + 2
	if b.x+reach < s.Clip.X0 || b.x-reach > s.Clip.X1 || b.y+reach < s.Clip.Y0 || b.y-reach > s.Clip.Y1 {
		return
	}
	if b.r < 3 {
		p.flush(out)
		out.Circle(float32(b.x), float32(b.y), float32(max(b.r, 0.7)), color)
		return
	}
	p.flush(out)
	out.Circle(float32(b.x), float32(b.y), float32(b.r), shade(color, -0.6)) // gives the sphere a smooth edge
	rings, around := 4, 20
	switch {
	case b.r > 24:
		rings, around = 7, 40
	case b.r < 9:
		rings, around = 2, 10
	}
	corner := func(i, k int) (x, y float64, c scene.Color) {
		// A point of the visible half of the sphere; i counts rings at equal angles from its middle.
		sin, cos := math.Sincos(float64(i) / float64(rings) * math.Pi / 2 * 0.97)
		up, right := math.Sincos(float64(k%around) / float64(around) * 2 * math.Pi)
		n := nbody.Vec{sin * right, -sin * up, cos}
		return b.x + n[0]*b.r, b.y - n[1]*b.r, shade(color, dot(n, sun))
	}
	for i := range rings {
		for k := range around {
			x0, y0, c0 := corner(i, k)
			x1, y1, c1 := corner(i+1, k)
			x2, y2, c2 := corner(i+1, k+1)
			p.triangle(x0, y0, x1, y1, x2, y2, c0, c1, c2)
			if i > 0 {
				x3, y3, c3 := corner(i, k+1)
				p.triangle(x0, y0, x2, y2, x3, y3, c0, c2, c3)
			}
		}
	}
}

// sun is the direction towards the light: left, above and in front.
var sun = nbody.Vec{-0.48, 0.6, 0.64}

// shade returns a colour lit at an angle with the given cosine, from -1 to 1.
func shade(c scene.Color, cos float64) scene.Color {
	if cos > 0.86 {
		return c.Mix(white, float32(min((cos-0.86)/0.14, 1)*0.65))
	}
	return c.Mix(black, float32(min(0.62*(0.86-cos)/1.86*1.6, 0.62)))
}

// trails draws the paths of the bodies in the recent intervals, fading with age.
func (s *stage) trails(out *scene.List) {
	if !s.g.trails || len(s.balls) > mostTrails || s.g.every > 1 {
		return
	}
	const long, tones = 48, 8 // intervals, and steps of fading
	from := max(s.last-long, 0)
	n := s.last - from + 1
	var ways [][]nbody.Vec
	var centres []nbody.Vec
	for i := range n {
		x := s.g.kept[from+i].x
		ways, centres = append(ways, x), append(centres, nbody.Centre(x))
	}
	now := s.g.Places(s.moves)
	ways, centres = append(ways, now), append(centres, s.eye.crowd.centre)
	for body := range s.balls {
		color := s.color(body)
		if s.g.by != "pe" {
			color = s.Style.Muted
		}
		for tone := range tones {
			first, last := tone*(len(ways)-1)/tones, (tone+1)*(len(ways)-1)/tones
			var line []float32
			for i := first; i <= last; i++ {
				p := ways[i][body]
				for k := range p { // relative to the centre at that time
					p[k] += s.eye.crowd.centre[k] - centres[i][k]
				}
				x, y, _, seen := s.eye.see(p)
				if !seen {
					line = line[:0]
					continue
				}
				line = append(line, float32(x), float32(y))
			}
			if len(line) >= 4 {
				out.Polyline(line, scene.Stroke{Width: float32(s.em / 8), Color: color.Alpha(uint8(40 + 190*tone/tones)), Cap: scene.RoundCap, Join: scene.RoundJoin})
			}
		}
	}
}

// drawLabels writes the labels of the bodies: on large bodies, else beside them. It leaves out labels without room.
func (s *stage) drawLabels(out *scene.List) {
	if !s.g.labels || len(s.balls) > mostNumbers {
		return
	}
	size := 0.92 * s.Style.Font
	high := float64(s.Text.Metrics(size, scene.Regular).CapHeight)
	room := s.room()
	taken := []scene.Rect{s.clockRect()}
	for _, i := range slices.Backward(s.order) { // front to back
		b := &s.balls[i]
		if !b.seen {
			continue
		}
		text := s.name(int(i))
		wide := float64(s.Text.Width(text, size, scene.Regular))
		r := scene.Rect{X0: b.x - wide/2, X1: b.x + wide/2, Y0: b.y - high/2, Y1: b.y + high/2}
		inside := 2*b.r > wide+0.3*s.em && b.r > 0.62*s.em
		color := s.Style.Ink
		if inside {
			color = ink(s.color(int(i)))
		} else {
			r.X0, r.X1 = b.x+b.r+0.25*s.em, b.x+b.r+0.25*s.em+wide
		}
		if r.X0 < room.X0+1 || r.Y0 < room.Y0+1 || r.X1 > room.X1-1 || r.Y1 > room.Y1-1 || slices.ContainsFunc(taken, func(t scene.Rect) bool { return t.Meets(r.Grow(max(2, 0.35*s.em))) }) {
			continue
		}
		if covered := slices.ContainsFunc(s.order, func(k int32) bool { // by a body in front of it
			c := &s.balls[k]
			return c.seen && c.depth > b.depth && math.Hypot(c.x-(r.X0+r.X1)/2, c.y-(r.Y0+r.Y1)/2) < c.r+wide/2
		}); covered {
			continue
		}
		taken = append(taken, r)
		out.Text(float32(r.X0), float32(r.Y1), text, scene.TextStyle{Size: size, Color: color})
	}
}

// ink returns black or white, whichever contrasts with the colour.
func ink(c scene.Color) scene.Color {
	if int(c.R)*3+int(c.G)*6+int(c.B) > 1300 {
		return scene.Hex(0x101418)
	}
	return white
}

// name returns the label of a body: a procedure name, a PE number, or the range of PEs of a group.
func (s *stage) name(body int) string {
	if s.g.procedures != nil {
		return s.g.run.Name(s.g.procedures[body])
	}
	if s.g.Traffic.Group == 1 {
		return strconv.Itoa(body)
	}
	first, last := s.span(body)
	return figures.Count(int64(first)) + "–" + figures.Count(int64(last))
}

// span returns the first and last PE of a body.
func (s *stage) span(body int) (first, last int) {
	t := s.g.Traffic
	return body * t.Group, min((body+1)*t.Group, t.PEs) - 1
}
