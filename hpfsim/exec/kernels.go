package exec

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A number is a type that elements are computed in.
type number interface {
	~float32 | ~float64 | ~int8 | ~int16 | ~int32 | ~int64
}

// sumOf returns a plus the elements of x in order, computed in type T.
func sumOf[T, S number](a S, x []S) S {
	t := T(a)
	for _, v := range x {
		t += T(v)
	}
	return S(t)
}

// productOf returns a times the elements of x in order, computed in type T.
func productOf[T, S number](a S, x []S) S {
	t := T(a)
	for _, v := range x {
		t *= T(v)
	}
	return S(t)
}

// addScaled adds k*y to dst. A product is rounded before it is added.
func addScaled(dst []float64, k float64, y []float64) {
	floats.AddScaledTo(dst, dst, k, y[:len(dst)]) // in assembly
}

// addScaled4 is addScaled in single precision.
func addScaled4(dst []float32, k float32, y []float32) {
	y = y[:len(dst)]
	for i := range dst {
		dst[i] += float32(k * y[i])
	}
}

// joinerOf returns the function that joins reals in order, nil for reductions that join one by one.
func joinerOf(op lower.Operation, t lower.Type) func(a float64, x []float64) float64 {
	single := t.Base == syntax.RealType
	switch op {
	case lower.OpSum:
		if single {
			return sumOf[float32, float64]
		}
		return sumOf[float64, float64]
	case lower.OpProduct:
		if single {
			return productOf[float32, float64]
		}
		return productOf[float64, float64]
	case lower.OpMaxval:
		return func(a float64, x []float64) float64 {
			for _, v := range x {
				if v > a || a != a {
					a = v
				}
			}
			return a
		}
	case lower.OpMinval:
		return func(a float64, x []float64) float64 {
			for _, v := range x {
				if v < a || a != a {
					a = v
				}
			}
			return a
		}
	}
	return nil
}

// joinerOfIntegers returns the function that joins integers or logicals, nil for reductions that join one by one.
func joinerOfIntegers(op lower.Operation, t lower.Type) func(v int64, x []int64) int64 {
	wrapped := func(join func(v int64, x []int64) int64) func(v int64, x []int64) int64 { // sums and products wrap as their parts do
		return func(v int64, x []int64) int64 { return t.Wrap(join(v, x)) }
	}
	switch op {
	case lower.OpSum:
		return wrapped(sumOf[int64, int64])
	case lower.OpProduct:
		return wrapped(productOf[int64, int64])
	case lower.OpCount:
		return sumOf[int64, int64]
	case lower.OpMaxval:
		return func(v int64, x []int64) int64 { return max(v, slices.Max(x)) }
	case lower.OpMinval:
		return func(v int64, x []int64) int64 { return min(v, slices.Min(x)) }
	case lower.OpAny:
		return func(v int64, x []int64) int64 {
			if slices.Contains(x, 1) {
				return 1
			}
			return v
		}
	case lower.OpAll:
		return func(v int64, x []int64) int64 {
			if slices.Contains(x, 0) {
				return 0
			}
			return v
		}
	}
	return nil
}
