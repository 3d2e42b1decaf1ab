package nbody

import "math"

// Products that are added are written float64(a*b), so that no processor rounds once where another rounds twice.

// minus returns a - b and the square of its length.
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

// Repel adds to f the forces by which all bodies push each other away, with the square of their distance. Two at the same place are pushed
// apart along x, the first of them to the left.
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

// Attract adds to f the forces of pulls, on the sender alone or on both.
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

// Stretch adds to f the forces of links that want to be so long.
func Stretch(x []Vec, links []Link, constant, length float64, f []Vec) {
	for _, l := range links {
		d, square := minus(&x[l.A], &x[l.B])
		if square == 0 {
			continue
		}
		long := math.Sqrt(square)
		by := constant * (length - long) / long
		f[l.A].add(&d, by)
		f[l.B].add(&d, -by)
	}
}

// Push changes velocities by what forces do in a time while friction, proportional to the velocity, holds against them: the trapezoidal rule,
// or, where friction is so strong that a body has the speed in which the two are equal before the time is over, that speed.
func Push(v, f []Vec, mass []float64, friction, time float64) {
	for i := range v {
		z := friction * time / (2 * mass[i])
		left, by := (1-z)/(1+z), time/(mass[i]*(1+z))
		if z > 1 {
			left, by = 0, 1/friction
		}
		for k := range v[i] {
			v[i][k] = float64(v[i][k]*left) + float64(f[i][k]*by)
		}
	}
}
