package exec

import (
	"gonum.org/v1/gonum/floats"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// A number is a type that elements are computed in. Strips hold them as float64 and int64.
type number interface {
	~float32 | ~float64 | ~int8 | ~int16 | ~int32 | ~int64
}

// Kernels compute strips of elements, all of one length. A destination may be the same strip as an operand, or begin
// before it.
type kernels[S number] struct {
	add, sub, mul, div     func(dst, x, y []S)
	addK, mulK, kSub, divK func(dst, x []S, k S) // x+k, x*k, k-x, x/k
	kDiv                   func(dst, x []S, k S)
	addScaled              func(dst, x []S, k S, y []S) // x + k*y
	addMul                 func(dst, x, y []S, k S)     // (x + y) * k
	add3                   func(dst, x, y, z []S)       // (x + y) + z
	sum, product           func(a S, x []S) S           // starting with a, in order
}

// kernelsOf returns the kernels that compute in type T: each operation is rounded or wrapped by itself.
func kernelsOf[T, S number]() *kernels[S] {
	return &kernels[S]{
		add: func(dst, x, y []S) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) + T(y[i]))
			}
		},
		sub: func(dst, x, y []S) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) - T(y[i]))
			}
		},
		mul: func(dst, x, y []S) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) * T(y[i]))
			}
		},
		div: func(dst, x, y []S) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) / T(y[i]))
			}
		},
		addK: func(dst, x []S, k S) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) + T(k))
			}
		},
		mulK: func(dst, x []S, k S) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) * T(k))
			}
		},
		kSub: func(dst, x []S, k S) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = S(T(k) - T(x[i]))
			}
		},
		divK: func(dst, x []S, k S) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) / T(k))
			}
		},
		kDiv: func(dst, x []S, k S) {
			x = x[:len(dst)]
			for i := range dst {
				dst[i] = S(T(k) / T(x[i]))
			}
		},
		addScaled: func(dst, x []S, k S, y []S) {
			x, y = x[:len(dst)], y[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) + T(T(k)*T(y[i]))) //nolint:unconvert // not fused
			}
		},
		addMul: func(dst, x, y []S, k S) {
			x, y = x[:len(dst)], y[:len(dst)]
			f := T(k)
			for i := range dst {
				dst[i] = S((T(x[i]) + T(y[i])) * f)
			}
		},
		add3: func(dst, x, y, z []S) {
			x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
			for i := range dst {
				dst[i] = S(T(x[i]) + T(y[i]) + T(z[i]))
			}
		},
		sum: func(a S, x []S) S {
			t := T(a)
			for _, v := range x {
				t += T(v)
			}
			return S(t)
		},
		product: func(a S, x []S) S {
			t := T(a)
			for _, v := range x {
				t *= T(v)
			}
			return S(t)
		},
	}
}

// The kernels of each type. Those of doubles are gonum's if it has them in assembly. None of them fuses a
// multiplication with an addition, and x + (-1)*y is x - y to the last bit.
var (
	doubles = func() *kernels[float64] {
		k := kernelsOf[float64, float64]()
		k.add = func(dst, x, y []float64) { floats.AddTo(dst, x[:len(dst)], y[:len(dst)]) }
		k.sub = func(dst, x, y []float64) { floats.AddScaledTo(dst, x[:len(dst)], -1, y[:len(dst)]) }
		k.div = func(dst, x, y []float64) { floats.DivTo(dst, x[:len(dst)], y[:len(dst)]) }
		k.mulK = func(dst, x []float64, c float64) { floats.ScaleTo(dst, c, x[:len(dst)]) }
		k.addScaled = func(dst, x []float64, c float64, y []float64) { floats.AddScaledTo(dst, x[:len(dst)], c, y[:len(dst)]) }
		return k
	}()
	singles  = kernelsOf[float32, float64]()
	single4  = kernelsOf[float32, float32]()
	integer1 = kernelsOf[int8, int64]()
	integer2 = kernelsOf[int16, int64]()
	integer4 = kernelsOf[int32, int64]()
	integer8 = kernelsOf[int64, int64]()
)

func floatKernels(t lower.Type) *kernels[float64] {
	if t.Base == syntax.RealType {
		return singles
	}
	return doubles
}

func integerKernels(t lower.Type) *kernels[int64] {
	switch t.Size {
	case 1:
		return integer1
	case 2:
		return integer2
	case 4:
		return integer4
	}
	return integer8
}
