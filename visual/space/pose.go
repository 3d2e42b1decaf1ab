package space

import "math"

// A Turn is a rotation as a quaternion of length 1: x, y, z and w.
type Turn [4]float64

// A Pose is how a cylinder along y, of radius 1 and from -1 to 1, lies as a link.
type Pose struct {
	At    Vec     // its middle
	Turn  Turn    // which turns y into the direction of the link
	Width float64 // it is as wide, and
	Tall  float64 // as long to either side
}

// Poses are those of a link by frame. From one frame to the next a link turns the shortest way, so that what a program interpolates between
// two of them lies between them. One that is not to be seen, or has no length, is a point.
func (w *World) Poses(l *Link) []Pose {
	poses := make([]Pose, w.Frames)
	turn, last := Turn{0, 0, 0, 1}, Vec{0, 1, 0}
	for i := range poses {
		a, b := w.Bodies[l.A].At[i], w.Bodies[l.B].At[i]
		way := b.minus(a)
		long := way.Len()
		p := &poses[i]
		for k := range p.At {
			p.At[k] = (a[k] + b[k]) / 2
		}
		if long > 0 {
			way = way.times(1 / long)
			turn = between(last, way).after(turn)
			last = way
		}
		p.Turn = turn
		if l.Half[i] > 0 {
			p.Width, p.Tall = l.Half[i], long/2
		}
	}
	return poses
}

// between is the shortest turn from one direction to another.
func between(from, to Vec) Turn {
	c := from.cross(to)
	w := 1 + from.dot(to)
	if w < 1e-9 { // opposite: about anything that stands at a right angle
		c, w = from.cross(Vec{1, 0, 0}), 0
		if c.Len() < 0.1 {
			c = from.cross(Vec{0, 0, 1})
		}
	}
	return Turn{c[0], c[1], c[2], w}.unit()
}

// after is the turn u followed by t.
func (t Turn) after(u Turn) Turn {
	a, b := Vec{t[0], t[1], t[2]}, Vec{u[0], u[1], u[2]}
	c := a.cross(b)
	var r Turn
	for k := range c {
		r[k] = c[k] + float64(t[3]*b[k]) + float64(u[3]*a[k])
	}
	r[3] = float64(t[3]*u[3]) - a.dot(b)
	return r.unit()
}

func (t Turn) dot(u Turn) float64 {
	return float64(t[0]*u[0]) + float64(t[1]*u[1]) + float64(t[2]*u[2]) + float64(t[3]*u[3])
}

func (t Turn) unit() Turn {
	long := math.Sqrt(t.dot(t))
	for k := range t {
		t[k] /= long
	}
	return t
}

// Axis is a turn as an axis of length 1 and an angle from 0 to pi.
func (t Turn) Axis() (axis Vec, angle float64) {
	if t[3] < 0 {
		t = Turn{-t[0], -t[1], -t[2], -t[3]}
	}
	axis = Vec{t[0], t[1], t[2]}
	sin := axis.Len()
	if sin < 1e-9 {
		return Vec{0, 1, 0}, 0
	}
	return axis.times(1 / sin), 2 * math.Atan2(sin, t[3])
}

// Facing is the turn of what looks along z, with y above, to a viewer at out, for whom up is above.
func Facing(out, up Vec) Turn {
	first := between(Vec{0, 0, 1}, out)
	return between(first.Of(Vec{0, 1, 0}), up).after(first)
}

// Of is a vector turned.
func (t Turn) Of(v Vec) Vec {
	a := Vec{t[0], t[1], t[2]}
	c := a.cross(v)
	d := a.cross(c)
	for k := range v {
		v[k] += float64(2*t[3]*c[k]) + float64(2*d[k])
	}
	return v
}
