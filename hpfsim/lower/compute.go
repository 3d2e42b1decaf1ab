package lower

import (
	"math"
	"math/bits"
	"math/cmplx"
	"strings"

	"whorl/hpfsim/syntax"
)

// Compute computes an elemental function of scalars. It answers false where the result is not defined.
func (fn *Intrinsic) Compute(v []Value, types []Type, t Type) (Value, bool) {
	a := v[0]
	from := types[0]
	switch from.Base {
	case syntax.CharacterType:
		return fn.ofText(v, t)
	case syntax.ComplexType:
		return fn.ofComplex(v, types, t)
	case syntax.IntegerType, syntax.LogicalType:
		if r, ok, is := fn.ofInteger(v, t); is {
			return r, ok
		}
	}
	if r, is := fn.ofModel(v, from, t); is {
		return r, true
	}
	switch fn.Name {
	case "MERGE":
		if v[2].I != 0 {
			return v[0], true
		}
		return v[1], true
	case "INT", "IFIX", "IDINT":
		return Convert(a, from, t), true
	case "NINT", "IDNINT":
		return Value{I: t.Wrap(Truncate(math.Round(a.F)))}, true
	case "FLOOR":
		return Value{I: t.Wrap(Truncate(math.Floor(a.F)))}, true
	case "CEILING":
		return Value{I: t.Wrap(Truncate(math.Ceil(a.F)))}, true
	case "REAL", "FLOAT", "SNGL", "DBLE", "DFLOAT":
		return Convert(a, from, t), true
	case "CMPLX", "DCMPLX":
		im := 0.0
		if len(v) > 1 && types[1].Base != syntax.NoType {
			im = Convert(v[1], types[1], Double).F
		}
		return Value{Z: RoundComplex(complex(Convert(a, from, Double).F, im), t)}, true
	case "MAX", "AMAX1", "DMAX1":
		for _, x := range v[1:] {
			if x.F > a.F || a.F != a.F {
				a = x
			}
		}
		return a, true
	case "MIN", "AMIN1", "DMIN1":
		for _, x := range v[1:] {
			if x.F < a.F || a.F != a.F {
				a = x
			}
		}
		return a, true
	case "MOD", "AMOD", "DMOD":
		return Value{F: t.Round(math.Mod(a.F, v[1].F))}, true
	case "MODULO":
		r := math.Mod(a.F, v[1].F)
		if r != 0 && (r < 0) != (v[1].F < 0) {
			r += v[1].F
		}
		return Value{F: t.Round(r)}, true
	case "DPROD":
		return Value{F: a.F * v[1].F}, true
	case "SIGN", "DSIGN":
		return Value{F: math.Copysign(a.F, v[1].F)}, true
	case "DIM", "DDIM":
		return Value{F: t.Round(max(a.F-v[1].F, 0))}, true
	case "ATAN2", "DATAN2":
		return Value{F: t.Round(math.Atan2(a.F, v[1].F))}, true
	case "ABS", "DABS":
		return Value{F: math.Abs(a.F)}, true
	case "AINT", "DINT":
		return Value{F: math.Trunc(a.F)}, true
	case "ANINT", "DNINT":
		return Value{F: math.Round(a.F)}, true
	}
	if f := functions[strings.TrimPrefix(strings.TrimPrefix(fn.Name, "D"), "AL")]; f != nil {
		return Value{F: t.Round(f(a.F))}, true
	}
	if f := functions[fn.Name]; f != nil {
		return Value{F: t.Round(f(a.F))}, true
	}
	return Value{}, false
}

// functions of one float; OG and OG10 are ALOG and ALOG10 without what they begin with.
var functions = map[string]func(float64) float64{
	"SQRT": math.Sqrt, "EXP": math.Exp, "LOG": math.Log, "OG": math.Log, "LOG10": math.Log10, "OG10": math.Log10, "SIN": math.Sin, "COS": math.Cos,
	"TAN": math.Tan, "ASIN": math.Asin, "ACOS": math.Acos, "ATAN": math.Atan, "SINH": math.Sinh, "COSH": math.Cosh, "TANH": math.Tanh,
}

// Function returns a function of one float by the name of an intrinsic, nil where it is none.
func (fn *Intrinsic) Function() func(float64) float64 {
	if f := functions[fn.Name]; f != nil {
		return f
	}
	if fn.Name == "ALOG" || fn.Name == "ALOG10" {
		return functions[fn.Name[1:]]
	}
	if fn.Name[0] == 'D' {
		return functions[fn.Name[1:]]
	}
	return nil
}

func (fn *Intrinsic) ofInteger(v []Value, t Type) (r Value, ok, is bool) {
	a := v[0].I
	b := int64(0)
	if len(v) > 1 {
		b = v[1].I
	}
	whole := func(i int64) (Value, bool, bool) { return Value{I: t.Wrap(i)}, true, true }
	switch fn.Name {
	case "ABS", "IABS":
		return whole(max(a, -a))
	case "MOD":
		if b == 0 {
			return Value{}, false, true
		}
		return whole(a % b)
	case "MODULO":
		if b == 0 {
			return Value{}, false, true
		}
		m := a % b
		if m != 0 && (m < 0) != (b < 0) {
			m += b
		}
		return whole(m)
	case "SIGN", "ISIGN":
		a = max(a, -a)
		if b < 0 {
			a = -a
		}
		return whole(a)
	case "DIM", "IDIM":
		return whole(max(a-b, 0))
	case "MAX", "MAX0":
		for _, x := range v[1:] {
			a = max(a, x.I)
		}
		return whole(a)
	case "MIN", "MIN0":
		for _, x := range v[1:] {
			a = min(a, x.I)
		}
		return whole(a)
	case "INT", "NINT", "FLOOR", "CEILING", "LOGICAL":
		return whole(a)
	case "IAND":
		return whole(a & b)
	case "IOR":
		return whole(a | b)
	case "IEOR":
		return whole(a ^ b)
	case "NOT":
		return whole(^a)
	case "ISHFT":
		size := int64(8 * t.Size)
		u := uint64(a) & (1<<uint(size) - 1)
		switch {
		case b >= size || b <= -size:
			return whole(0)
		case b >= 0:
			return whole(int64(u << uint(b)))
		}
		return whole(int64(u >> uint(-b)))
	case "ISHFTC":
		size := int64(8 * t.Size)
		if len(v) > 2 && v[2].I != 0 {
			size = v[2].I
		}
		if size < 1 || size > int64(8*t.Size) || b > size || b < -size {
			return Value{}, false, true
		}
		low := uint64(1)<<uint(size) - 1
		u := uint64(a) & low
		by := uint((b + size) % size)
		return whole(int64(uint64(a)&^low | (u<<by|u>>(uint(size)-by))&low))
	case "ILEN":
		if a < 0 {
			a = ^a
		}
		return whole(int64(bits.Len64(uint64(a))))
	case "BTEST":
		return truth(b >= 0 && b < 64 && a>>uint(b)&1 == 1), true, true
	case "IBSET":
		return whole(a | 1<<uint(b&63))
	case "IBCLR":
		return whole(a &^ (1 << uint(b&63)))
	case "IBITS":
		n := v[2].I
		if b < 0 || n < 0 || b+n > int64(8*t.Bytes()) {
			return Value{}, false, true
		}
		return whole(int64(uint64(a) >> uint(b) & (1<<uint(n) - 1)))
	case "CHAR", "ACHAR":
		return Value{S: string([]byte{byte(a)})}, true, true
	}
	return Value{}, false, false
}

func (fn *Intrinsic) ofComplex(v []Value, types []Type, t Type) (Value, bool) {
	z := v[0].Z
	switch fn.Name {
	case "ABS", "CABS":
		return Value{F: t.Round(cmplx.Abs(z))}, true
	case "AIMAG", "DIMAG":
		return Value{F: t.Round(imag(z))}, true
	case "CONJG", "DCONJG":
		return Value{Z: cmplx.Conj(z)}, true
	case "REAL", "DBLE", "INT", "NINT", "CMPLX", "DCMPLX":
		return Convert(v[0], types[0], t), true
	case "MERGE":
		if v[2].I != 0 {
			return v[0], true
		}
		return v[1], true
	case "SQRT", "CSQRT":
		z = cmplx.Sqrt(z)
	case "EXP", "CEXP":
		z = cmplx.Exp(z)
	case "LOG", "CLOG":
		z = cmplx.Log(z)
	case "SIN", "CSIN":
		z = cmplx.Sin(z)
	case "COS", "CCOS":
		z = cmplx.Cos(z)
	default:
		return Value{}, false
	}
	return Value{Z: RoundComplex(z, t)}, true
}

func (fn *Intrinsic) ofText(v []Value, _ Type) (Value, bool) {
	s := v[0].S
	back := len(v) > 2 && v[2].I != 0
	switch fn.Name {
	case "ICHAR", "IACHAR":
		if s == "" {
			return Value{}, false
		}
		return Value{I: int64(s[0])}, true
	case "LEN_TRIM":
		return Value{I: int64(len(strings.TrimRight(s, " ")))}, true
	case "INDEX":
		if back {
			return Value{I: int64(strings.LastIndex(s, v[1].S)) + 1}, true
		}
		return Value{I: int64(strings.Index(s, v[1].S)) + 1}, true
	case "SCAN", "VERIFY":
		for k := range len(s) {
			i := k
			if back {
				i = len(s) - 1 - k
			}
			if (strings.IndexByte(v[1].S, s[i]) >= 0) == (fn.Name == "SCAN") {
				return Value{I: int64(i) + 1}, true
			}
		}
		return Value{}, true
	case "ADJUSTL":
		return Value{S: pad(strings.TrimLeft(s, " "), len(s))}, true
	case "ADJUSTR":
		t := strings.TrimRight(s, " ")
		return Value{S: strings.Repeat(" ", len(s)-len(t)) + t}, true
	case "MERGE":
		if v[2].I != 0 {
			return v[0], true
		}
		return v[1], true
	case "LGE", "LGT", "LLE", "LLT":
		c := CompareText(s, v[1].S)
		return truth(map[string]bool{"LGE": c >= 0, "LGT": c > 0, "LLE": c <= 0, "LLT": c < 0}[fn.Name]), true
	}
	return Value{}, false
}
