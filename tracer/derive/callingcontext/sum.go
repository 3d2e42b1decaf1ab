package callingcontext

import "math"

// Most is the largest value, and -Most the smallest: sums saturate there. Tree.Saturated reports it.
const Most = math.MaxInt64

// Plus returns the sum of two values, saturated at Most and -Most.
func Plus(a, b int64) int64 {
	sum := a + b
	switch {
	case a > 0 && b > 0 && sum < 0:
		return Most
	case a < 0 && b < 0 && sum >= 0, sum == math.MinInt64:
		return -Most
	}
	return sum
}

// Rounded returns the value nearest to a mean.
func Rounded(x float64) int64 {
	switch x = math.Round(x); {
	case x >= Most:
		return Most
	case x <= -Most:
		return -Most
	}
	return int64(x)
}

// Saturated reports whether sums of a metric saturated, for one process or over all of them, so that they are too small.
func (t *Tree) Saturated(metric int) bool {
	beyond := func(v int64) bool { return v >= Most || v <= -Most }
	for v := range int32(t.Nodes()) {
		if beyond(t.Total(v, metric, true)) || beyond(t.Total(v, metric, false)) {
			return true
		}
	}
	return false
}
