package lesson

import (
	"math"

	"whorl/internal/figures"
)

// Show formats a height of the series for people.
func (s *Series) Show(y float64) string {
	if s.Unit == "%" {
		return s.show(y, 1)
	}
	return s.show(y, 2)
}

// show formats a height with a number of decimals, which times do not need.
func (s *Series) show(y float64, decimals int) string {
	switch s.Unit {
	case "ns":
		return figures.Duration(int64(math.Round(y)))
	case "%":
		return figures.Share(y, decimals)
	}
	return figures.Fixed(y, decimals)
}
