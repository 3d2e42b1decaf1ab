package nbody

import "math"

// Products are rounded by float64(a*b) before they are added, so that no processor fuses the two operations.

// minus returns a - b and its squared length.
func minus(a, b *Vec) (d Vec, square float64) {
	d = Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]}
	return d, float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2])
}

// add adds d times by to v.
func (v *Vec) add(d *Vec, by float64) {
	v[0] += float64(d[0] * by)
	v[1] += float64(d[1] * by)
	v[2] += float64(d[2] * by)
}

// Repel adds to f the mutual repulsion of all bodies, which falls with the square of their distance. Of two bodies at
// the same place, the first is pushed to negative x, the other to positive x.
func Repel(x []Vec, constant float64, f []Vec) {
	for i := range x {
		p := &x[i]
		fi := f[i]
		for j := i + 1; j < len(x); j++ {
			d, square := minus(p, &x[j])
			if square == 0 {
				d[0] = -soft
			}
			square += soft * soft
			by := constant / float64(square*math.Sqrt(square))
			fi.add(&d, by)
			f[j].add(&d, -by)
		}
		f[i] = fi
	}
}

// Attract adds to f the forces of pulls, on the sender alone or on both bodies.
func Attract(x []Vec, pulls []Pull, constant float64, symmetric bool, f []Vec) {
	for i := range pulls {
		p := &pulls[i]
		d, square := minus(&x[p.To], &x[p.From])
		if square == 0 {
			continue
		}
		by := float64(constant*p.Strength) / math.Sqrt(square+soft*soft)
		f[p.From].add(&d, by)
		if symmetric {
			f[p.To].add(&d, -by)
		}
	}
}

// Stretch adds to f the forces of elastic links.
func Stretch(x []Vec, links []Link, constant float64, f []Vec) {
	for _, l := range links {
		d, square := minus(&x[l.A], &x[l.B])
		if square == 0 {
			continue
		}
		long := math.Sqrt(square)
		by := constant * (l.Rest - long) / long
		f[l.A].add(&d, by)
		f[l.B].add(&d, -by)
	}
}

// Push advances velocities by the given time under forces and a friction proportional to the velocity. It uses the
// trapezoidal rule. Where friction is so strong that a body reaches its terminal velocity within the time, it sets
// that velocity.
func Push(v, f []Vec, mass []float64, friction, time float64) {
	for i := range v {
		z := friction * time / (2 * mass[i])
		decay, by := (1-z)/(1+z), time/(mass[i]*(1+z))
		if z > 1 {
			decay, by = 0, 1/friction
		}
		for k := range v[i] {
			v[i][k] = float64(v[i][k]*decay) + float64(f[i][k]*by)
		}
	}
}
