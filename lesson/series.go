package lesson

import (
	"math"

	"whorl/internal/figures"
)

// Show formats a height of the series for people.
func (s *Series) Show(y float64) string {
	switch s.Unit {
	case "ns":
		return figures.Duration(int64(math.Round(y)))
	case "%":
		return figures.Share(y, 1)
	}
	return figures.Fixed(y, 2)
}
