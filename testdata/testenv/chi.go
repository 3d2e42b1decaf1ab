package testenv

// ChiSquared returns the chi-squared statistic of counts that should be equal.
func ChiSquared(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	want, x := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		x += (float64(c) - want) * (float64(c) - want) / want
	}
	return x
}
