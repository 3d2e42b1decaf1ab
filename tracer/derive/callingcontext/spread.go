package callingcontext

import "math"

// A Spread is how the values of processes lie about their mean, those without an entry as zeros.
type Spread struct {
	Mean, Variance float64
	Least, Most    int64
	// The range symmetric about the mean that holds all values, in thirds of equal width: how many processes are in each. Where all values are
	// equal there is no range, and all are in the middle one.
	Thirds [3]int
	Equal  bool
}

// Spread looks at a node (VIPACT, section III A).
func (t *Tree) Spread(node int32, metric int, inclusive bool) Spread {
	return SpreadOf(t.of(metric, inclusive)[t.Start[node]:t.Start[node+1]], len(t.Processes))
}

// SpreadOf is the spread of some values and of as many zeros as make n values of them.
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

// third tells in which third of a range from -half to half a value is. The middle one has its ends.
func third(d, half float64) int {
	switch {
	case 3*d < -half:
		return 0
	case 3*d > half:
		return 2
	}
	return 1
}

// Deviation is the root of the mean square of the distances from the mean.
func (s *Spread) Deviation() float64 { return math.Sqrt(s.Variance) }

// Relative is the deviation as a part of the mean: 0 where all processes have the same, about 1 where some have nothing and others twice
// the mean.
func (s *Spread) Relative() float64 {
	if s.Mean == 0 {
		return 0
	}
	return s.Deviation() / math.Abs(s.Mean)
}

// Bins are the columns of a histogram of a Spread: as many in each third.
const Bins = 15

// half is half the width of the range that is symmetric about the mean and holds all values.
func (s *Spread) half() float64 { return max(float64(s.Most)-s.Mean, s.Mean-float64(s.Least)) }

// Third is the third that a value is in, as Thirds counts it.
func (s *Spread) Third(v int64) int {
	if s.Equal {
		return 1
	}
	return third(float64(v)-s.Mean, s.half())
}

// Bin is the column of the histogram that a value is in, from 0 to Bins-1; the third that it is in has it.
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

// Edges are the values between which a column of the histogram lies.
func (s *Spread) Edges(bin int) (from, to float64) {
	half := s.half()
	return s.Mean - half + 2*half*float64(bin)/Bins, s.Mean - half + 2*half*float64(bin+1)/Bins
}
