package ui

import (
	"math/bits"
	"strings"
)

// A Choice is a set of rows. The zero Choice is empty.
type Choice struct {
	words  []uint64
	n      int
	at     int // the row from which keys move, plus 1
	anchor int // the first row of a range, plus 1
}

// Has reports whether a row is chosen.
func (s *Choice) Has(row int) bool {
	return row >= 0 && row/64 < len(s.words) && s.words[row/64]>>(row%64)&1 != 0
}

// Len returns the number of chosen rows.
func (s *Choice) Len() int { return s.n }

// Clear removes all rows.
func (s *Choice) Clear() {
	clear(s.words)
	*s = Choice{words: s.words[:0]}
}

// Set adds or removes a row.
func (s *Choice) Set(row int, on bool) {
	if row < 0 || s.Has(row) == on {
		return
	}
	for row/64 >= len(s.words) {
		s.words = append(s.words, 0)
	}
	s.words[row/64] ^= 1 << (row % 64)
	if on {
		s.n++
	} else {
		s.n--
	}
}

// Only chooses a single row.
func (s *Choice) Only(row int) {
	s.Clear()
	s.Set(row, true)
	s.at, s.anchor = row+1, row+1
}

// Each calls f with the chosen rows in their order, until it returns false.
func (s *Choice) Each(f func(row int) bool) {
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			if !f(i*64 + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}

// limit removes the rows from n on.
func (s *Choice) limit(n int) {
	if s.at > n {
		s.at = n
	}
	if s.anchor > n {
		s.anchor = n
	}
	for i := n / 64; i < len(s.words); i++ {
		for w := s.words[i]; w != 0; w &= w - 1 {
			if row := i*64 + bits.TrailingZeros64(w); row >= n {
				s.Set(row, false)
			}
		}
	}
}

func startsWith(s, letter string) bool {
	return len(s) >= len(letter) && strings.EqualFold(s[:len(letter)], letter)
}
