package lower

import (
	"testing"

	"whorl/hpfsim/syntax"
)

// TestElementalFunctionsCompute checks that every elemental function computes a value for every type of its first argument.
func TestElementalFunctionsCompute(t *testing.T) {
	samples := []struct {
		base syntax.BaseType
		t    Type
		v    Value
	}{
		{syntax.IntegerType, Integer, Value{I: 1}},
		{syntax.RealType, Real, Value{F: 0.5}},
		{syntax.DoubleType, Double, Value{F: 0.5}},
		{syntax.ComplexType, Complex, Value{Z: 0.5}},
		{syntax.LogicalType, Logical, Value{I: 1}},
		{syntax.CharacterType, Character, Value{S: "a"}},
	}
	for name, fn := range intrinsics {
		if fn.Sort != Elemental {
			continue
		}
		for _, s := range samples {
			if !fn.Params[0].Kinds.Contains(s.base) {
				continue
			}
			v, types, args := make([]Value, len(fn.Params)), make([]Type, len(fn.Params)), make([]Expr, len(fn.Params))
			for i := range v {
				v[i], types[i], args[i] = s.v, s.t, &Const{typed{T: s.t}, s.v}
			}
			if _, ok := fn.Compute(v, types, fn.resultType(args)); !ok {
				t.Errorf("%s of %v has no value", name, s.t)
			}
		}
	}
}

// TestSpecificNames checks that a specific name of FORTRAN 77 computes the same as its generic name.
func TestSpecificNames(t *testing.T) {
	one, two := Value{I: 1, F: 1.5}, Value{I: -2, F: -2.5}
	for _, pair := range [][2]string{
		{"DSQRT", "SQRT"},
		{"ALOG", "LOG"},
		{"DLOG10", "LOG10"},
		{"DABS", "ABS"},
		{"DNINT", "ANINT"},
		{"DMOD", "MOD"},
		{"DSIGN", "SIGN"},
		{"DDIM", "DIM"},
		{"AMAX1", "MAX"},
		{"DMIN1", "MIN"},
		{"DATAN2", "ATAN2"},
	} {
		a, b := intrinsics[pair[0]], intrinsics[pair[1]]
		if a.Op != b.Op {
			t.Errorf("%s and %s have different operations", pair[0], pair[1])
		}
		types := []Type{Double, Double}
		x, _ := a.Compute([]Value{one, two}, types, Double)
		y, _ := b.Compute([]Value{one, two}, types, Double)
		if x != y {
			t.Errorf("%s computes %v, and %s %v", pair[0], x, pair[1], y)
		}
	}
	v, _ := intrinsics["AMAX1"].Compute([]Value{{I: 1}, {I: 2}}, []Type{Integer, Integer}, Integer)
	if v.I != 2 {
		t.Errorf("AMAX1(1, 2) is %d", v.I)
	}
}
