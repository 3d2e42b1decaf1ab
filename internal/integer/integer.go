// Package integer has the operations on integers that Go lacks.
package integer

// GCD returns the greatest common divisor of a and b. It is not negative; that of 0 and 0 is 0.
func GCD[N int | int64](a, b N) N {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// Floor returns the largest integer that is not above a/b.
func Floor[N int | int64](a, b N) N {
	q := a / b
	if q*b != a && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Ceil returns the smallest integer that is not below a/b.
func Ceil[N int | int64](a, b N) N { return -Floor(-a, b) }

// Mix scatters the bits of a number: the finaliser of SplitMix64 (Steele, Lea, Flood 2014). Different numbers give different results.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
