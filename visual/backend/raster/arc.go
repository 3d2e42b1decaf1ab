package raster

import (
	"math"

	"whorl/visual/scene"
)

const (
	turn = 2 * math.Pi
	// largest distance of a chord from its arc, in pixels
	flat = 1.0 / 32
)

// steps returns the number of chords for an arc of the given angle. A chord over the angle s lies at most r*s*s/8 from
// the arc.
func steps(radius, angle float64) int {
	return 1 + int(min(math.Abs(angle)*math.Sqrt(radius/(8*flat)), 1<<15))
}

func (p *painter) circle(o *scene.Op) {
	x, y, r := o.Circle()
	p.disc(p.x(x), p.y(y), float64(r)*p.v.Scale)
}

// disc fills a circle given in pixels.
func (p *painter) disc(x, y, r float64) {
	if !finite(x) || !finite(y) || !finite(r) || !(r > 0) || !p.visible(x-r, y-r, x+r, y+r) {
		return
	}
	p.path.reset()
	p.path.disc(x, y, r)
	p.fillPath(scene.NonZero)
}

// disc adds a circle as a regular polygon of equal area.
func (s *path) disc(x, y, r float64) {
	n := max(steps(r, turn), 8)
	step := turn / float64(n)
	sin, _ := sincos(step)
	s.round(x, y, r*math.Sqrt(step/sin), 0, step, n)
	s.end()
}

// round adds n points of a circle from the angle start on, step radians apart.
func (s *path) round(x, y, r, start, step float64, n int) {
	sin, cos := sincos(start)
	ds, dc := sincos(step)
	for range n {
		s.add(x+float64(r*cos), y+float64(r*sin))
		sin, cos = float64(sin*dc)+float64(cos*ds), float64(cos*dc)-float64(sin*ds)
	}
}

func (p *painter) arc(o *scene.Op) {
	cx, cy, in, out, a, b := o.Arc()
	x, y := p.x(cx), p.y(cy)
	inner, outer := float64(in)*p.v.Scale, float64(out)*p.v.Scale
	start, sweep := float64(a), float64(b)
	if !finite(x) || !finite(y) || !finite(inner) || !finite(outer) || !finite(start) || !finite(sweep) {
		return
	}
	if inner > outer {
		inner, outer = outer, inner
	}
	if !(outer > 0) || !p.visible(x-outer, y-outer, x+outer, y+outer) {
		return
	}
	inner = max(inner, 0)
	s := &p.path
	s.reset()
	if sweep >= turn || sweep <= -turn {
		s.disc(x, y, outer)
		if inner > 0 {
			s.disc(x, y, inner)
		}
		p.fillPath(scene.EvenOdd)
		return
	}
	s.arm(x, y, outer, start, start+sweep)
	if inner > 0 {
		s.arm(x, y, inner, start+sweep, start)
	} else {
		s.add(x, y)
	}
	s.end()
	p.fillPath(scene.NonZero)
}

// arm adds the points of an arc with both ends exact, so that neighbouring shapes share them.
func (s *path) arm(x, y, r, from, to float64) {
	n := steps(r, to-from)
	s.round(x, y, r, from, (to-from)/float64(n), n)
	sin, cos := sincos(to)
	s.add(x+float64(r*cos), y+float64(r*sin))
}

// sincos is math.Sincos with every product rounded before it is added, so that all processors give the same bits. It
// is accurate to 1e-15 for |x| up to about 1e5. The polynomials are those of the Cephes library (Moshier, Methods and
// Programs for Mathematical Functions, 1989).
func sincos(x float64) (sin, cos float64) {
	const hi, lo = 1.57079632673412561417e+00, 6.07710050650619224932e-11 // pi/2 in two parts
	q := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := (x - float64(q*hi)) - float64(q*lo)
	z := float64(r * r)
	s := 1.58962301576546568060e-10
	for _, c := range [...]float64{-2.50507477628578072866e-8, 2.75573136213857245213e-6, -1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1} {
		s = float64(s*z) + c
	}
	s = r + float64(float64(r*z)*s)
	c := -1.13585365213876817300e-11
	for _, k := range [...]float64{2.08757008419747316778e-9, -2.75573141792967388112e-7, 2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2} {
		c = float64(c*z) + k
	}
	c = 1 - float64(0.5*z) + float64(float64(z*z)*c)
	switch int64(math.Mod(q, 4)) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}
