package space

import "math"

// A Turn is a rotation as a quaternion of length 1: x, y, z and w.
type Turn [4]float64

// A Pose transforms the cylinder of radius 1 along y from -1 to 1 into a link.
type Pose struct {
	Centre     Vec
	Turn       Turn    // turns y into the direction of the link
	Radius     float64 // scale of x and z
	HalfLength float64 // scale of y
}

// Poses returns the pose of a link in each frame. Between frames a link turns the shortest way, so that interpolated
// poses lie between those of the frames. An invisible link, or one without length, is a point.
func (w *World) Poses(l *Link) []Pose {
	poses := make([]Pose, w.Frames)
	turn, last := Turn{0, 0, 0, 1}, Vec{0, 1, 0}
	for i := range poses {
		a, b := w.Bodies[l.A].Centre[i], w.Bodies[l.B].Centre[i]
		way := b.minus(a)
		long := way.Len()
		p := &poses[i]
		for k := range p.Centre {
			p.Centre[k] = (a[k] + b[k]) / 2
		}
		if long > 0 {
			way = way.times(1 / long)
			turn = between(last, way).after(turn)
			last = way
		}
		p.Turn = turn
		if l.Radius[i] > 0 {
			p.Radius, p.HalfLength = l.Radius[i], long/2
		}
	}
	return poses
}

// between returns the shortest turn from one direction to another.
func between(from, to Vec) Turn {
	c := from.cross(to)
	w := 1 + from.dot(to)
	if w < 1e-9 { // opposite directions: about any axis at a right angle
		c, w = from.cross(Vec{1, 0, 0}), 0
		if c.Len() < 0.1 {
			c = from.cross(Vec{0, 0, 1})
		}
	}
	return Turn{c[0], c[1], c[2], w}.unit()
}

// after returns the turn u followed by t.
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

// Axis returns the turn as a unit axis and an angle from 0 to pi.
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

// Facing returns the turn of z to the direction out and of y to the direction up.
func Facing(out, up Vec) Turn {
	first := between(Vec{0, 0, 1}, out)
	return between(first.Rotate(Vec{0, 1, 0}), up).after(first)
}

// Rotate returns the vector turned.
func (t Turn) Rotate(v Vec) Vec {
	a := Vec{t[0], t[1], t[2]}
	c := a.cross(v)
	d := a.cross(c)
	for k := range v {
		v[k] += float64(2*t[3]*c[k]) + float64(2*d[k])
	}
	return v
}
