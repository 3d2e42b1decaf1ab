package lesson

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"whorl/internal/figures"
)

// Table returns the points of a series as a table in CSV, which the view sweep draws with the parameters that Params returns.
func (s *Series) Table() string {
	x, y, scale := s.columns()
	var b strings.Builder
	fmt.Fprintf(&b, "%s,%s\n", x, y)
	for _, p := range s.Points {
		fmt.Fprintf(&b, "%s,%s\n", strconv.FormatFloat(p.X, 'g', -1, 64), strconv.FormatFloat(p.Y*scale, 'g', -1, 64))
	}
	return b.String()
}

// Params returns the parameters with which the view sweep draws the table: a curve.
func (s *Series) Params() map[string]string {
	x, y, _ := s.columns()
	return map[string]string{"chart": "multiples", "x": x, "y": y}
}

// columns returns the names of the columns, whose ends give their units, and the factor of the numbers of y.
func (s *Series) columns() (x, y string, scale float64) {
	name := func(label, other string) string {
		label = strings.Map(func(r rune) rune {
			if r == ',' || r == '"' || r < ' ' {
				return -1
			}
			return r
		}, label)
		if label == "" {
			return other
		}
		return strings.ToLower(label)
	}
	x, y = name(s.X, "x"), name(s.Y, s.Name)
	if s.X == "" || s.X == "PEs" {
		x = "pes"
	}
	switch s.Unit {
	case "ns":
		return x, y + "_ns", 1
	case "%":
		return x, y + " in %", 100
	}
	return x, y, 1
}

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
