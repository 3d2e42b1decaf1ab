package lower

import "math"

// ofModel computes a function of the model of real numbers (Fortran 95, 13.10.11): of a number x = f * 2**e with f from 1/2 to below 1.
func (fn *Intrinsic) ofModel(v []Value, from, t Type) (r Value, is bool) {
	x := v[0].F
	f, e := math.Frexp(x)
	digits, least := 53, -1021
	if from != Double {
		digits, least = 24, -125
	}
	spacing := math.Ldexp(1, max(e-digits, least-1))
	if x == 0 {
		spacing = math.Ldexp(1, least-1)
	}
	switch fn.Name {
	case "EXPONENT":
		return Value{I: int64(e)}, true
	case "FRACTION":
		return Value{F: f}, true
	case "SCALE":
		return Value{F: t.Round(math.Ldexp(x, int(v[1].I)))}, true
	case "SET_EXPONENT":
		return Value{F: t.Round(math.Ldexp(f, int(v[1].I)))}, true
	case "SPACING":
		return Value{F: spacing}, true
	case "RRSPACING":
		return Value{F: math.Ldexp(math.Abs(f), digits)}, true
	case "NEAREST":
		to := math.Inf(1)
		if math.Signbit(v[1].F) {
			to = math.Inf(-1)
		}
		if from == Double {
			return Value{F: math.Nextafter(x, to)}, true
		}
		return Value{F: float64(math.Nextafter32(float32(x), float32(to)))}, true
	}
	return Value{}, false
}
