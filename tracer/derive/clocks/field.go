package clocks

import "math"

// A limit bounds the correction at an instant.
type limit struct {
	time  int64 // by the host's clock
	shift int64 // ns
	upper bool
}

// A field is the set of possible corrections of a host. A correction is a line, given by its values at both ends of the host's time.
type field struct {
	limits []limit
	from   int64
	length float64 // ns
	base   int64   // subtracted from all corrections, so that they are small
	reach  float64 // largest distance of a correction from the base
}

func newField(r Range, limits []limit) *field {
	f := &field{limits: limits, from: r.From, length: math.Max(1, float64(r.To)-float64(r.From)), base: limits[0].shift}
	for i := range limits {
		f.reach = math.Max(f.reach, math.Abs(float64(limits[i].shift-f.base)))
	}
	f.reach = 2*f.reach + 2*MostDrift*f.length + 1
	return f
}

// possible returns the area of all lines within the limits, and the ns by which it eased the limits to make the area non-empty: 0 unless a clock
// does not run evenly.
func (f *field) possible() (a area, eased float64) {
	const exact = 0.5 // ns: times are whole numbers
	if a = f.within(exact); len(a) > 0 {
		return a, 0
	}
	low, high := exact, f.reach
	for high-low > 0.5 {
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break // floats of this size are further apart
		}
		if m := f.within(mid); len(m) > 0 {
			high, a = mid, m
		} else {
			low = mid
		}
	}
	if len(a) == 0 {
		a = f.within(high)
	}
	return a, high
}

// within returns the area of all lines within the eased limits.
func (f *field) within(ease float64) area {
	a := area{{-f.reach, -f.reach}, {f.reach, -f.reach}, {f.reach, f.reach}, {-f.reach, f.reach}}
	var spare area
	cut := func(x, y, most float64) {
		a, spare = a.cut(spare[:0], x, y, most), a
	}
	cut(-1, 1, MostDrift*f.length)
	cut(1, -1, MostDrift*f.length)
	for i := range f.limits {
		l := &f.limits[i]
		part := float64(l.time-f.from) / f.length
		if by := float64(l.shift - f.base); l.upper {
			cut(1-part, part, by+ease)
		} else {
			cut(part-1, -part, ease-by)
		}
		if len(a) == 0 {
			return nil
		}
	}
	return a
}

// An area is a convex polygon.
type area [][2]float64

// cut appends to b the part of the area with x*v0 + y*v1 <= most.
func (a area) cut(b area, x, y, most float64) area {
	whole := true
	for _, v := range a {
		if float64(x*v[0])+float64(y*v[1]) > most {
			whole = false
			break
		}
	}
	if whole {
		return append(b, a...)
	}
	for i, v := range a {
		w := a[(i+1)%len(a)]
		dv, dw := float64(x*v[0])+float64(y*v[1])-most, float64(x*w[0])+float64(y*w[1])-most
		if dv <= 0 {
			b = append(b, v)
		}
		if (dv <= 0) != (dw <= 0) {
			t := dv / (dv - dw)
			b = append(b, [2]float64{v[0] + float64(t*(w[0]-v[0])), v[1] + float64(t*(w[1]-v[1]))})
		}
	}
	return b
}

// middle returns the centre of the bounding box and the length of its longer side.
func (a area) middle() (v [2]float64, width float64) {
	low, high := a[0], a[0]
	for _, p := range a {
		for k := range p {
			low[k], high[k] = math.Min(low[k], p[k]), math.Max(high[k], p[k])
		}
	}
	for k := range v {
		v[k] = low[k] + (high[k]-low[k])/2
		width = math.Max(width, high[k]-low[k])
	}
	return v, width
}
