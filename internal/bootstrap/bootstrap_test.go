package bootstrap

import (
	"slices"
	"testing"
)

func TestMean(t *testing.T) {
	if same := Mean([]float64{3, 3, 3}); same != (Interval{3, 3, 3}) {
		t.Errorf("of equal numbers: %+v", same)
	}
	var xs []float64
	for i := range 100 {
		xs = append(xs, float64(i))
	}
	x := Mean(xs)
	// The mean of 100 numbers with a standard deviation of 28.9 has one of 2.89: the interval is near 49.5 ± 1.96 x 2.89.
	if x.Value != 49.5 || x.Low < 42.5 || x.Low > 45 || x.High < 54 || x.High > 56.5 {
		t.Errorf("%v, %v, %v", x.Low, x.Value, x.High)
	}
	if x != Mean(xs) {
		t.Error("two calls differ")
	}
}

func TestMedian(t *testing.T) {
	xs := []float64{5, 1, 1000, 3, 4, 2}
	before := slices.Clone(xs)
	// One of six numbers is far away: it moves the mean, and not the median. The end of the interval may reach it.
	if x := Median(xs); x.Value != 3.5 || x.Low < 1 || x.Low > 2 || x.High < 4.5 || !slices.Equal(xs, before) {
		t.Errorf("%+v of %v", x, xs)
	}
	if x := Median([]float64{7}); x != (Interval{7, 7, 7}) {
		t.Errorf("of one number: %+v", x)
	}
}
