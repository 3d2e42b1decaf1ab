// Package bootstrap estimates means and medians from few numbers.
package bootstrap

import (
	"math/rand/v2"
	"slices"
)

// An Interval holds a statistic of some numbers, and its 95 % confidence interval.
type Interval struct{ Value, Low, High float64 }

// resamples is the number of samples with replacement that an interval is made of.
const resamples = 2000

// Mean returns the mean of xs and its 95 % interval. It panics if xs is empty.
func Mean(xs []float64) Interval { return interval(xs, mean) }

// Median returns the median of xs and its 95 % interval. It panics if xs is empty.
func Median(xs []float64) Interval { return interval(xs, median) }

// interval returns a statistic of xs and its 95 % interval by the percentile method: it draws samples of xs with replacement and takes the 2.5 % and the 97.5 %
// quantile of their statistics (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3). Two calls draw the same samples. The
// statistic may reorder the numbers that it gets.
func interval(xs []float64, statistic func([]float64) float64) Interval {
	out := Interval{Value: statistic(slices.Clone(xs))}
	if out.Low, out.High = out.Value, out.Value; slices.Min(xs) == slices.Max(xs) {
		return out
	}
	random := rand.New(rand.NewPCG(1, uint64(len(xs))))
	values, sample := make([]float64, resamples), make([]float64, len(xs))
	for i := range values {
		for j := range sample {
			sample[j] = xs[random.IntN(len(xs))]
		}
		values[i] = statistic(sample)
	}
	slices.Sort(values)
	out.Low, out.High = values[resamples/40], values[resamples-1-resamples/40]
	return out
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func median(xs []float64) float64 {
	slices.Sort(xs)
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}
