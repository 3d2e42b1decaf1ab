package sound

import "math"

// A Vec is a point, a direction or a velocity in space. The unit of length is arbitrary; velocities are in units per second.
type Vec [3]float64

// A Place is a position with a velocity.
type Place struct{ Position, Velocity Vec }

// An Ear is a listener: its place, its orientation, and the attenuation and speed of sound. The zero Ear hears every tone in the middle at full volume.
type Ear struct {
	Place
	Right, Front Vec     // orthogonal unit vectors
	Near         float64 // distance up to which a source has its full volume; at twice the distance it has half. 0: no falloff
	Speed        float64 // of sound, in units per second; 0: no Doppler shift
}

// head is the share of Near within which a source is inside the head, so that a source passing through it does not jump.
const head = 0.1

// wide is the factor for sideways distances: two loudspeakers cover a small part of the circle around the ear, which resolves a few degrees.
const wide = 3

// dullest is the share of the upper partials that remains of a source right behind the ear. The head shades the rest.
const dullest = 0.15

// shifts bounds the ratio by which a pitch is raised or lowered.
const shifts = 2

// heard describes a source at the ear: its gain on each side, its pitch ratio, and its brightness.
type heard struct{ left, right, pitch, bright float64 }

// hears returns how the ear hears a source at a place.
func (e *Ear) hears(p *Place) heard {
	var away Vec
	for k := range away {
		away[k] = p.Position[k] - e.Position[k]
	}
	far := math.Sqrt(dot(&away, &away))
	if !(far < math.MaxFloat64) {
		return heard{pitch: 1}
	}
	h := heard{pitch: 1, bright: 1}
	gain, side := 1.0, 0.0
	if e.Near > 0 {
		gain = e.Near / max(far, e.Near)
	}
	if far > 0 {
		for k := range away {
			away[k] /= far
		}
		outside := 1.0
		if e.Near > 0 {
			outside = min(far/(head*e.Near), 1)
		}
		side = wide * dot(&away, &e.Right)
		side *= outside / math.Sqrt(float64(side*side)+max(1-float64(side*side/(wide*wide)), 0))
		h.bright = 1 - (1-dullest)*min(max(-dot(&away, &e.Front), 0), 1)*outside
		// Doppler: f (c + l) / (c - s).
		if e.Speed > 0 {
			within := func(v float64) float64 { return min(max(v, -0.9*e.Speed), 0.9*e.Speed) }
			h.pitch = (e.Speed + within(dot(&e.Velocity, &away))) / (e.Speed + within(dot(&p.Velocity, &away)))
			h.pitch = min(max(h.pitch, 1./shifts), shifts)
		}
	}
	l, r := sides(side)
	h.left, h.right = l*gain, r*gain
	if sum := h.left + h.right + h.pitch + h.bright; sum != sum { // NaN
		return heard{pitch: 1}
	}
	return h
}

// sides returns the gains of the left and the right loudspeaker. Their total power is the same at every pan.
func sides(pan float64) (left, right float64) {
	if pan != pan {
		pan = 0
	}
	right, left = math.Sincos((min(max(pan, -1), 1) + 1) * math.Pi / 4)
	return left, right
}

// finite reports whether all numbers of a place are finite.
func (p *Place) finite() bool {
	sum := 0.0
	for k := range p.Position {
		sum += 0*p.Position[k] + 0*p.Velocity[k] // NaN unless finite
	}
	return sum == 0
}

// finite reports whether all numbers of an ear are finite.
func (e *Ear) finite() bool {
	directions := Place{e.Right, e.Front}
	return e.Place.finite() && directions.finite() && 0*e.Near == 0 && 0*e.Speed == 0
}

// after returns the place some seconds later at constant velocity.
func (p *Place) after(seconds float64) Place {
	q := *p
	for k := range q.Position {
		q.Position[k] += float64(q.Velocity[k] * seconds)
	}
	return q
}

// towards interpolates between two ears, t from 0 to 1.
func (e *Ear) towards(f *Ear, t float64) Ear {
	mix := func(a, b float64) float64 { return float64(a*(1-t)) + float64(b*t) }
	g := *e
	for k := range g.Position {
		g.Position[k] = mix(e.Position[k], f.Position[k])
		g.Velocity[k] = mix(e.Velocity[k], f.Velocity[k])
		g.Right[k] = mix(e.Right[k], f.Right[k])
		g.Front[k] = mix(e.Front[k], f.Front[k])
	}
	g.Near, g.Speed = mix(e.Near, f.Near), mix(e.Speed, f.Speed)
	return g
}

// along returns the place on a way at t from 0 to 1 of its seconds. The places of the way are at equal times; a single place moves at constant velocity.
func along(way []Place, t, seconds float64) Place {
	parts := len(way) - 1
	if parts == 0 {
		return way[0].after(t * seconds)
	}
	i := min(int(t*float64(parts)), parts-1)
	return Between(way[i], way[i+1], t*float64(parts)-float64(i), seconds/float64(parts))
}

// Between returns the place on the way from a to b, t from 0 to 1 of its seconds, with the velocities of both at the ends (Hermite cubic).
func Between(a, b Place, t, seconds float64) Place {
	var p Place
	for k := range p.Position {
		x0, x1, v0, v1 := a.Position[k], b.Position[k], a.Velocity[k]*seconds, b.Velocity[k]*seconds
		c, d := float64(3*(x1-x0))-float64(2*v0)-v1, float64(2*(x0-x1))+v0+v1
		p.Position[k] = x0 + float64(t*(v0+float64(t*(c+float64(t*d)))))
		p.Velocity[k] = (v0 + float64(t*(2*c+float64(3*t*d)))) / seconds
	}
	return p
}

func dot(a, b *Vec) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}
