package callingcontext

import "math"

// A Spread describes the distribution of the values of processes about their mean. Processes without an entry count as 0.
type Spread struct {
	Mean, Variance float64
	Least, Most    int64
	// Number of processes in each third of the range that is symmetric about the mean and holds all values. If all values are equal, all
	// processes are in the middle third.
	Thirds [3]int
	Equal  bool
}

// Spread returns the spread of a metric at a node (VIPACT, section III A).
func (t *Tree) Spread(node int32, metric int, inclusive bool) Spread {
	return SpreadOf(t.values(metric, inclusive)[t.Start[node]:t.Start[node+1]], len(t.Processes))
}

// SpreadOf returns the spread of n values: the given ones and zeros.
func SpreadOf(values []int64, n int) Spread {
	if n == 0 {
		return Spread{Equal: true}
	}
	zeros := n - len(values)
	s := Spread{Least: math.MaxInt64, Most: math.MinInt64}
	sum := 0.0
	for _, v := range values {
		s.Least, s.Most = min(s.Least, v), max(s.Most, v)
		sum += float64(v)
	}
	if zeros > 0 {
		s.Least, s.Most = min(s.Least, 0), max(s.Most, 0)
	}
	if s.Equal = s.Least == s.Most; s.Equal {
		s.Mean = float64(s.Most)
		s.Thirds[1] = n
		return s
	}
	s.Mean = sum / float64(n)
	half := s.half()
	put := func(v int64, times int) {
		d := float64(v) - s.Mean
		s.Variance += float64(d*d) * float64(times) / float64(n)
		s.Thirds[third(d, half)] += times
	}
	for _, v := range values {
		put(v, 1)
	}
	if zeros > 0 {
		put(0, zeros)
	}
	return s
}

// third returns the third of the range from -half to half that holds a value. Boundaries belong to the middle third.
func third(d, half float64) int {
	switch {
	case 3*d < -half:
		return 0
	case 3*d > half:
		return 2
	}
	return 1
}

// Deviation returns the standard deviation.
func (s *Spread) Deviation() float64 { return math.Sqrt(s.Variance) }

// Relative returns the deviation divided by the mean: 0 if all processes have the same value, about 1 if half of them have none and the
// others twice the mean.
func (s *Spread) Relative() float64 {
	if s.Mean == 0 {
		return 0
	}
	return s.Deviation() / math.Abs(s.Mean)
}

// Bins is the number of columns of a histogram of a Spread, the same number for each third.
const Bins = 15

// half returns half the width of the range that is symmetric about the mean and holds all values.
func (s *Spread) half() float64 { return max(float64(s.Most)-s.Mean, s.Mean-float64(s.Least)) }

// Third returns the third that holds a value, as in Thirds.
func (s *Spread) Third(v int64) int {
	if s.Equal {
		return 1
	}
	return third(float64(v)-s.Mean, s.half())
}

// Bin returns the column of the histogram that holds a value, 0 to Bins-1. It belongs to the value's third.
func (s *Spread) Bin(v int64) int {
	if s.Equal {
		return Bins / 2
	}
	const each = Bins / 3
	half := s.half()
	k := s.Third(v)
	at := int((float64(v) - s.Mean + half) / (2 * half) * Bins)
	return k*each + min(max(at-k*each, 0), each-1)
}

// Edges returns the values between which a column of the histogram lies.
func (s *Spread) Edges(bin int) (from, to float64) {
	half := s.half()
	return s.Mean - half + 2*half*float64(bin)/Bins, s.Mean - half + 2*half*float64(bin+1)/Bins
}
