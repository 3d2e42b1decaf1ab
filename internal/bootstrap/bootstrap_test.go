package bootstrap

import "testing"

func TestOf(t *testing.T) {
	if same := Of([]float64{3, 3, 3}); same != (Interval{3, 3, 3}) {
		t.Errorf("of equal numbers: %+v", same)
	}
	var xs []float64
	for i := range 100 {
		xs = append(xs, float64(i))
	}
	x := Of(xs)
	// The mean of 100 numbers with a standard deviation of 28.9 has one of 2.89: the interval is near 49.5 ± 1.96 x 2.89.
	if x.Mean != 49.5 || x.Low < 42.5 || x.Low > 45 || x.High < 54 || x.High > 56.5 {
		t.Errorf("%v, %v, %v", x.Low, x.Mean, x.High)
	}
	if x != Of(xs) {
		t.Error("two calls differ")
	}
}
