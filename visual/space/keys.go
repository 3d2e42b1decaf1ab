package space

import (
	"math"

	"whorl/visual/scene"
)

// Keys returns the frames, out of n, that a track must keep, so that interpolation between neighbours among them is
// within tolerance of the track in every frame. The first frame is always kept, and the last unless nothing changes.
// distance returns the distance between the value interpolated from frames a and b and the value of a frame between
// them; for b = a, the distance from the value of a.
//
// Keys uses the method of Douglas and Peucker ("Algorithms for the reduction of the number of points required to
// represent a digitized line or its caricature", 1973), with the distance at equal times.
func Keys(n int, tolerance float64, distance func(a, b, frame int) float64) []int {
	still := true
	for i := range n {
		still = still && distance(0, 0, i) <= tolerance
	}
	if still {
		return []int{0}
	}
	needed := make([]bool, n)
	needed[0], needed[n-1] = true, true
	for todo := [][2]int{{0, n - 1}}; len(todo) > 0; {
		a, b := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		worst, split := tolerance, -1
		for i := a + 1; i < b; i++ {
			if d := distance(a, b, i); d > worst {
				worst, split = d, i
			}
		}
		if split >= 0 {
			needed[split] = true
			todo = append(todo, [2]int{a, split}, [2]int{split, b})
		}
	}
	var keys []int
	for i, n := range needed {
		if n {
			keys = append(keys, i)
		}
	}
	return keys
}

// part returns the position of a frame between a and b, from 0 to 1.
func part(a, b, frame int) float64 {
	if a == b {
		return 0
	}
	return float64(frame-a) / float64(b-a)
}

// VecKeys returns the Keys of positions or sizes. Frames with 0 in seen are invisible and may have any value; seen may
// be nil.
func VecKeys(v []Vec, tolerance float64, seen []float64) []int {
	return Keys(len(v), tolerance, func(a, b, frame int) float64 {
		if seen != nil && seen[frame] == 0 {
			return 0
		}
		return MixVec(v[a], v[b], part(a, b, frame)).minus(v[frame]).Len()
	})
}

// TurnKeys returns the Keys of turns. tolerance is an angle in radians; seen is as for VecKeys.
func TurnKeys(v []Turn, tolerance float64, seen []float64) []int {
	return Keys(len(v), tolerance, func(a, b, frame int) float64 {
		if seen != nil && seen[frame] == 0 {
			return 0
		}
		// The dot product of two quaternions at an angle x is cos(x/2).
		return 2 * math.Acos(min(math.Abs(MixTurn(v[a], v[b], part(a, b, frame)).dot(v[frame])), 1))
	})
}

// ColorKeys returns the Keys of colours. tolerance applies to red, green and blue, from 0 to 255.
func ColorKeys(v []scene.Color, tolerance float64) []int {
	return Keys(len(v), tolerance, func(a, b, frame int) float64 {
		m, c := MixColor(v[a], v[b], part(a, b, frame)), v[frame]
		return max(math.Abs(255*m[0]-float64(c.R)), math.Abs(255*m[1]-float64(c.G)), math.Abs(255*m[2]-float64(c.B)))
	})
}

// MixVec interpolates between two vectors.
func MixVec(a, b Vec, t float64) (v Vec) {
	for k := range v {
		v[k] = a[k] + float64(t*(b[k]-a[k]))
	}
	return v
}

// MixTurn interpolates between two turns the shorter way at a constant speed (Shoemake, "Animating rotation with
// quaternion curves", 1985).
func MixTurn(a, b Turn, t float64) Turn {
	cos := a.dot(b)
	if cos < 0 {
		cos = -cos
		for k := range b {
			b[k] = -b[k]
		}
	}
	x, y := 1-t, t
	if cos < 0.9999 {
		angle := math.Acos(cos)
		x, y = math.Sin((1-t)*angle)/math.Sin(angle), math.Sin(t*angle)/math.Sin(angle)
	}
	for k := range a {
		a[k] = float64(x*a[k]) + float64(y*b[k])
	}
	return a.unit()
}

// MixColor interpolates between two colours as VRML and X3D do: in hue, saturation and value (ISO/IEC 14772-1, 6.8),
// with the hue going the shorter way around. Grey has the hue of red. The result is red, green and blue from 0 to 1.
func MixColor(a, b scene.Color, t float64) Vec {
	x, y := hsv(a), hsv(b)
	if d := y[0] - x[0]; d > 3 {
		x[0] += 6
	} else if d < -3 {
		y[0] += 6
	}
	m := MixVec(x, y, t)
	hue := math.Mod(m[0], 6)
	var rgb Vec
	for k, turn := range [3]float64{5, 3, 1} {
		h := math.Mod(turn+hue, 6)
		rgb[k] = m[2] - float64(m[2]*m[1]*max(min(h, 4-h, 1), 0))
	}
	return rgb
}

// hsv returns the hue from 0 to 6, and the saturation and value from 0 to 1 (Smith, "Color gamut transform pairs",
// 1978).
func hsv(c scene.Color) Vec {
	r, g, b := float64(c.R)/255, float64(c.G)/255, float64(c.B)/255
	most, least := max(r, g, b), min(r, g, b)
	d := most - least
	if d == 0 {
		return Vec{0, 0, most}
	}
	var hue float64
	switch most {
	case r:
		hue = math.Mod((g-b)/d+6, 6)
	case g:
		hue = (b-r)/d + 2
	default:
		hue = (r-g)/d + 4
	}
	return Vec{hue, d / most, most}
}
