package report

import "math"

// An Estimate is the mean of a number over runs with several seeds. Half is half the length of its 95 % confidence interval, which assumes that the
// numbers are normally distributed (Student's t).
type Estimate struct {
	Mean  float64
	Half  float64 // 0 for fewer than two runs
	Known bool
}

// estimate returns the estimate of some numbers.
func estimate(xs []float64) Estimate {
	n := float64(len(xs))
	if n == 0 {
		return Estimate{}
	}
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	e := Estimate{Mean: sum / n, Known: true}
	if n < 2 {
		return e
	}
	squares := 0.0
	for _, x := range xs {
		squares += (x - e.Mean) * (x - e.Mean)
	}
	e.Half = studentT(len(xs)-1) * math.Sqrt(squares/(n-1)/n)
	return e
}

// studentT returns the number that the absolute value of a variable with Student's t distribution exceeds with a probability of 5 %, by bisection
// of the distribution's closed form for whole degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
func studentT(freedom int) float64 {
	lo, hi := 0.0, math.Pi/2 // of atan(t / sqrt(freedom))
	for range 60 {
		if mid := (lo + hi) / 2; within(mid, freedom) < 0.95 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return math.Tan(lo) * math.Sqrt(float64(freedom))
}

// within returns the probability that the absolute value is below tan(angle) times the root of the degrees of freedom.
func within(angle float64, freedom int) float64 {
	sin, cos := math.Sincos(angle)
	term, sum := 1.0, 0.0
	first := freedom % 2 // the series has the factors 1/2, 3/4, ... or 2/3, 4/5, ...
	if first == 1 {
		term = cos
	}
	for k := first; k <= freedom-2; k += 2 {
		sum += term
		term *= cos * cos * float64(k+1) / float64(k+2)
	}
	if first == 1 {
		return 2 / math.Pi * (angle + sin*sum)
	}
	return sin * sum
}
