// Package bootstrap estimates means from few numbers.
package bootstrap

import (
	"math/rand/v2"
	"slices"
)

// An Interval holds the mean of some numbers, and a 95 % confidence interval of the mean.
type Interval struct{ Mean, Low, High float64 }

// resamples is the number of samples with replacement that an interval is made of.
const resamples = 2000

// Of returns the mean of xs and its 95 % interval by the percentile method: it draws samples of xs with replacement and takes the 2.5 % and the 97.5 %
// quantile of their means (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3). Two calls draw the same samples. Of panics if
// xs is empty.
func Of(xs []float64) Interval {
	out := Interval{Mean: mean(xs)}
	if out.Low, out.High = out.Mean, out.Mean; slices.Min(xs) == slices.Max(xs) {
		return out
	}
	random := rand.New(rand.NewPCG(1, uint64(len(xs))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range xs {
			sum += xs[random.IntN(len(xs))]
		}
		means[i] = sum / float64(len(xs))
	}
	slices.Sort(means)
	out.Low, out.High = means[resamples/40], means[resamples-1-resamples/40]
	return out
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
