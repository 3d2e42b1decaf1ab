package bodies

import (
	"math"
	"slices"

	"whorl/visual/layout/nbody"
)

// A crowd is the part of space that most bodies are in. A picture of many bodies shows that part to scale and draws the
// few bodies beyond it nearer, so that they neither shrink the others nor leave the picture.
type crowd struct {
	centre nbody.Vec
	inner  float64 // distance from the centre up to which bodies are to scale
	outer  float64 // largest distance at which a body is drawn
}

const (
	aside  = 32   // one in so many bodies may be an outlier
	scaled = 1.25 // inner, as a multiple of the distance within which all but one in aside bodies are
	nearer = 0.25 // width of the shell around inner where outliers are drawn, as a share of inner
)

// crowdOf returns the crowd of bodies. Few bodies are all to scale, around their mean.
func crowdOf(x []nbody.Vec) crowd {
	if len(x) <= nbody.Exact {
		return crowd{centre: nbody.Centre(x), inner: math.Inf(1), outer: outermost(x)}
	}
	const enough = 1 << 12 // a sample is as good
	step := len(x)/enough + 1
	var c crowd
	var sorted []float64
	for k := range c.centre { // the middle of the bodies, wherever the outliers are
		sorted = sorted[:0]
		for i := 0; i < len(x); i += step {
			sorted = append(sorted, x[i][k])
		}
		slices.Sort(sorted)
		n := len(sorted) / aside
		c.centre[k] = (sorted[n] + sorted[len(sorted)-1-n]) / 2
	}
	sorted = sorted[:0]
	for i := 0; i < len(x); i += step {
		sorted = append(sorted, distance(x[i], c.centre))
	}
	slices.Sort(sorted)
	c.inner = scaled * sorted[len(sorted)-1-len(sorted)/aside]
	for i := range x {
		c.outer = max(c.outer, distance(x[i], c.centre))
	}
	c.outer = c.drawn(c.outer)
	return c
}

// drawn returns the distance from the centre at which a body at distance d is drawn.
func (c *crowd) drawn(d float64) float64 {
	if d <= c.inner {
		return d
	}
	return c.inner * (1 + nearer*(1-c.inner/d))
}

// seen returns the place relative to the centre at which a body at p is drawn.
func (c *crowd) seen(p nbody.Vec) nbody.Vec {
	d := distance(p, c.centre)
	for k := range p {
		p[k] -= c.centre[k]
		if d > c.inner {
			p[k] *= c.drawn(d) / d
		}
	}
	return p
}

// outliers returns the number of bodies that are drawn nearer than they are.
func (c *crowd) outliers(x []nbody.Vec) (n int) {
	for i := range x {
		if distance(x[i], c.centre) > c.inner {
			n++
		}
	}
	return n
}

// growth returns the factor by which bodies and links are larger than at the start. Many bodies grow and shrink with
// their crowd, few keep their sizes.
func (g *Geometry) growth(c *crowd) float64 {
	if math.IsInf(c.inner, 1) {
		return 1
	}
	return c.inner / g.begin.inner
}

// sizes returns the radii of the bodies in an interval.
func (g *Geometry) sizes(c *crowd, interval int) []float64 {
	sizes := g.Masses(interval)
	for k := range sizes {
		sizes[k] = radius * g.Length * g.growth(c) * math.Cbrt(sizes[k])
	}
	return sizes
}
