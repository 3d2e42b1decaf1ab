package jsonscan

import (
	"math"
	"strconv"
)

// Decimal reads a number, which may be in quotes, times ten to the power of places. Digits beyond that are cut off: 1.5 with 3 places is 1500. For
// other texts, and for numbers beyond the range of an int64, it returns false.
func (s *Scanner) Decimal(places int) (int64, bool) {
	b, ok := s.Text()
	if !ok {
		return 0, false
	}
	return ParseDecimal(b, places)
}

// ParseDecimal returns the number in b as Decimal does.
func ParseDecimal(b []byte, places int) (int64, bool) {
	i, negative := 0, false
	if len(b) > 0 && b[0] == '-' {
		negative, i = true, 1
	}
	n, digits := uint64(0), 0
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		if n > (1<<63-1)/10-1 {
			return 0, false
		}
		n = n*10 + uint64(b[i]-'0')
		digits++
	}
	fraction := 0
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
			digits++
			if fraction < places {
				if n > (1<<63-1)/10-1 {
					return 0, false
				}
				n = n*10 + uint64(b[i]-'0')
				fraction++
			}
		}
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(b) {
		if b[i] != 'e' && b[i] != 'E' {
			return 0, false
		}
		return parseFloat(b, places)
	}
	for ; fraction < places; fraction++ {
		if n > (1<<63-1)/10-1 {
			return 0, false
		}
		n *= 10
	}
	if negative {
		return -int64(n), true
	}
	return int64(n), true
}

// parseFloat returns a number with an exponent.
func parseFloat(b []byte, places int) (int64, bool) {
	x, err := strconv.ParseFloat(string(b), 64)
	x = math.Round(x * math.Pow10(places))
	if err != nil || !(math.Abs(x) < 1<<62) {
		return 0, false
	}
	return int64(x), true
}
