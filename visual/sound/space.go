package sound

import "math"

// A Vec is a point, a direction or a velocity in space, in any unit of length, and in such units a second.
type Vec [3]float64

// A Place is where something is, and how it moves on from there.
type Place struct{ At, Velocity Vec }

// An Ear is who hears: where it stands, which way it looks, and how sound spreads there. The zero Ear hears everything in the middle, and
// as loud as it is.
type Ear struct {
	Place
	Right, Front Vec     // of length 1, at right angles
	Near         float64 // how far away a source is heard as loud as it is; twice as far away half as loud. 0: all are
	Speed        float64 // of sound, in units a second; 0 changes no pitch
}

// head is the part of Near within which a source is in the middle of the head, so that one that goes through it does not leap.
const head = 0.1

// wide is how many times as far to its side a source is heard as it is: two loudspeakers stand on a small part of the circle around the ear, which
// tells directions well that differ by a few degrees.
const wide = 3

// dullest is how much of a tone's upper partials is left of a source that is right behind the ear: a head and its ears shade them.
const dullest = 0.15

// shifts are how much higher or lower a pitch is heard at most, however fast things are.
const shifts = 2

// heard is how a source is heard: with which part of its amplitude on each side, how many times as high, and how bright.
type heard struct{ left, right, pitch, bright float64 }

// hears is how the ear hears a source in a place.
func (e *Ear) hears(p *Place) heard {
	var away Vec
	for k := range away {
		away[k] = p.At[k] - e.At[k]
	}
	far := math.Sqrt(dot(&away, &away))
	if !(far < math.MaxFloat64) { // further away than numbers go
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
		// Doppler: an ear that goes towards the source takes up more of its waves, a source that goes away draws them out.
		if e.Speed > 0 {
			within := func(v float64) float64 { return min(max(v, -0.9*e.Speed), 0.9*e.Speed) }
			h.pitch = (e.Speed + within(dot(&e.Velocity, &away))) / (e.Speed + within(dot(&p.Velocity, &away)))
			h.pitch = min(max(h.pitch, 1./shifts), shifts)
		}
	}
	l, r := sides(side)
	h.left, h.right = l*gain, r*gain
	if sum := h.left + h.right + h.pitch + h.bright; sum != sum { // numbers so large that some of it is none
		return heard{pitch: 1}
	}
	return h
}

// sides are the parts of a tone that the left and the right loudspeaker take: together as loud wherever it stands.
func sides(pan float64) (left, right float64) {
	if pan != pan {
		pan = 0
	}
	right, left = math.Sincos((min(max(pan, -1), 1) + 1) * math.Pi / 4)
	return left, right
}

// finite says whether a place is one.
func (p *Place) finite() bool {
	sum := 0.0
	for k := range p.At {
		sum += 0*p.At[k] + 0*p.Velocity[k] // NaN for what is not finite
	}
	return sum == 0
}

// finite says whether all of an ear is.
func (e *Ear) finite() bool {
	directions := Place{e.Right, e.Front}
	return e.Place.finite() && directions.finite() && 0*e.Near == 0 && 0*e.Speed == 0
}

// after is where a thing is some seconds later that goes on as it does.
func (p *Place) after(seconds float64) Place {
	q := *p
	for k := range q.At {
		q.At[k] += float64(q.Velocity[k] * seconds)
	}
	return q
}

// towards is an ear on the way from one to another, t from 0 to 1.
func (e *Ear) towards(f *Ear, t float64) Ear {
	mix := func(a, b float64) float64 { return float64(a*(1-t)) + float64(b*t) }
	g := *e
	for k := range g.At {
		g.At[k] = mix(e.At[k], f.At[k])
		g.Velocity[k] = mix(e.Velocity[k], f.Velocity[k])
		g.Right[k] = mix(e.Right[k], f.Right[k])
		g.Front[k] = mix(e.Front[k], f.Front[k])
	}
	g.Near, g.Speed = mix(e.Near, f.Near), mix(e.Speed, f.Speed)
	return g
}

// along is the place on a way, t from 0 to 1 of the seconds that it takes: through all of its places at equal times. One place alone goes on as
// it does.
func along(way []Place, t, seconds float64) Place {
	parts := len(way) - 1
	if parts == 0 {
		return way[0].after(t * seconds)
	}
	i := min(int(t*float64(parts)), parts-1)
	return Between(way[i], way[i+1], t*float64(parts)-float64(i), seconds/float64(parts))
}

// Between is the place on the way from one to another, t from 0 to 1 of the seconds that it takes, as fast at both as they say (Hermite's cubic).
func Between(a, b Place, t, seconds float64) Place {
	var p Place
	for k := range p.At {
		x0, x1, v0, v1 := a.At[k], b.At[k], a.Velocity[k]*seconds, b.Velocity[k]*seconds
		c, d := float64(3*(x1-x0))-float64(2*v0)-v1, float64(2*(x0-x1))+v0+v1
		p.At[k] = x0 + float64(t*(v0+float64(t*(c+float64(t*d)))))
		p.Velocity[k] = (v0 + float64(t*(2*c+float64(3*t*d)))) / seconds
	}
	return p
}

func dot(a, b *Vec) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}
