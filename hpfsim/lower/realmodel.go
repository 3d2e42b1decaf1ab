package lower

import "math"

// Functions of the model of real numbers (Fortran 95, 13.10.11): a number is x = f * 2**e with |f| from 1/2 to below 1.

// model returns the number of digits and the least exponent of a real type.
func model(t Type) (digits, least int) {
	if t == Double {
		return 53, -1021
	}
	return 24, -125
}

func exponent(v []Value, _ []Type, _ Type) (Value, bool) {
	_, e := math.Frexp(v[0].F)
	return Value{I: int64(e)}, true
}

func fraction(x float64) float64 {
	f, _ := math.Frexp(x)
	return f
}

func scale(v []Value, _ []Type, t Type) (Value, bool) {
	return Value{F: t.Round(math.Ldexp(v[0].F, int(v[1].I)))}, true
}

func setExponent(v []Value, _ []Type, t Type) (Value, bool) {
	return Value{F: t.Round(math.Ldexp(fraction(v[0].F), int(v[1].I)))}, true
}

// spacing is the distance between numbers near x.
func spacing(v []Value, types []Type, _ Type) (Value, bool) {
	digits, least := model(types[0])
	_, e := math.Frexp(v[0].F)
	if v[0].F == 0 {
		e = least
	}
	return Value{F: math.Ldexp(1, max(e-digits, least-1))}, true
}

// relativeSpacing is the reciprocal of the distance between numbers near x, relative to x.
func relativeSpacing(v []Value, types []Type, _ Type) (Value, bool) {
	digits, _ := model(types[0])
	return Value{F: math.Ldexp(math.Abs(fraction(v[0].F)), digits)}, true
}

// neighbor computes NEAREST: the next number in the direction of the second argument's sign.
func neighbor(v []Value, types []Type, _ Type) (Value, bool) {
	to := math.Inf(1)
	if math.Signbit(v[1].F) {
		to = math.Inf(-1)
	}
	if types[0] == Double {
		return Value{F: math.Nextafter(v[0].F, to)}, true
	}
	return Value{F: float64(math.Nextafter32(float32(v[0].F), float32(to)))}, true
}
