package callingcontext

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
