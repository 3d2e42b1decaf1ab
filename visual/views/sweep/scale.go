package sweep

import (
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
)

// A scale maps the values of a column to the range from 0 to 1.
type scale struct {
	title  string // with the unit
	column int
	log    bool
	lo, hi float64
	names  []string  // of categories, whose values are 0, 1, 2, ...; nil for numbers
	marked []float64 // the only values, if there are few
	factor float64   // of the unit in the title
}

// mostMarked is the largest number of values for a scale with a tick at each value.
const mostMarked = 12

// numbers returns the scale of some numbers of a column. A scale of measures begins at 0 unless it is logarithmic.
func (d *data) numbers(i int, values []float64, setting bool) scale {
	c := &d.table.Columns[i]
	s := scale{column: i, lo: math.Inf(1), hi: math.Inf(-1), factor: 1}
	for _, x := range values {
		if !math.IsNaN(x) {
			s.lo, s.hi = min(s.lo, x), max(s.hi, x)
		}
	}
	if s.lo > s.hi {
		s.lo, s.hi = 0, 1
	}
	s.log = s.lo > 0 && s.hi/s.lo >= 20 || setting && s.lo > 0 && s.hi/s.lo >= 8
	if setting {
		s.marked = slices.Compact(slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(values), math.IsNaN))))
		if len(s.marked) > mostMarked {
			s.marked = nil
		}
	} else if !s.log && s.lo > 0 {
		s.lo = 0
	}
	if s.hi == s.lo {
		s.hi++
		s.lo = max(s.lo-1, min(s.lo, 0))
		s.log = false
	}
	unit := c.Unit
	switch {
	case unit == "ns":
		unit, s.factor = figures.TimeUnit(s.hi)
	case unit == "B" && s.hi >= 1e7:
		unit, s.factor = "MB", 1e6
	case unit == "B" && s.hi >= 1e4:
		unit, s.factor = "kB", 1e3
	}
	s.title = titled(label(c.Name), unit)
	return s
}

// reach widens a scale of positive numbers to some values, and makes it logarithmic, so that powers of numbers are straight lines.
func (s *scale) reach(values []float64) {
	for _, v := range values {
		s.hi = max(s.hi, v)
		if v > 0 {
			s.lo = min(s.lo, v)
		}
	}
	s.log = true
}

func titled(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " (" + unit + ")"
}

// categories returns the scale of the different values of a column, numbers in ascending order, and the category of each row.
func (d *data) categories(i int, rows []int) (s scale, of map[int]int) {
	c := &d.table.Columns[i]
	firsts := map[int]int{} // rows by value
	var values []int
	for _, row := range rows {
		v := d.distinct[i][row]
		if _, ok := firsts[v]; !ok {
			firsts[v] = row
			values = append(values, v)
		}
	}
	if c.Numbers != nil {
		slices.SortFunc(values, func(a, b int) int {
			switch x, y := c.Numbers[firsts[a]], c.Numbers[firsts[b]]; {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
	}
	s = scale{title: label(c.Name), column: i, lo: -0.5, hi: float64(len(values)) - 0.5, factor: 1}
	of = map[int]int{}
	for k, v := range values {
		s.names = append(s.names, d.text(i, firsts[v]))
		of[v] = k
	}
	return s, of
}

// share returns the place of a value, from 0 to 1.
func (s *scale) share(v float64) float64 {
	if s.log {
		return math.Log(v/s.lo) / math.Log(s.hi/s.lo)
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// value is the inverse of share.
func (s *scale) value(share float64) float64 {
	if s.log {
		return s.lo * math.Pow(s.hi/s.lo, share)
	}
	return s.lo + share*(s.hi-s.lo)
}

// A tick is a labelled place of a scale.
type tick struct {
	share float64
	text  string
}

// mantissas are the sets of numbers by which a logarithmic scale divides a power of ten, finest first.
var mantissas = [][]float64{{1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}}

// ticks returns at most about some ticks. A logarithmic scale has the most ticks that are not too close to each other.
func (s *scale) ticks(most int) (out []tick) {
	most = max(most, 2)
	switch {
	case s.names != nil:
		for k, name := range s.names {
			out = s.mark(out, float64(k), name)
		}
	case s.marked != nil:
		for _, v := range s.marked {
			out = s.mark(out, v, s.number(v))
		}
	case s.log:
		for _, set := range mantissas {
			if all := s.powers(set); len(all) > len(out) && !dense(all, most) {
				out = all
			}
		}
		for _, n := range []int{2 * most, most} { // for a range within a power of ten
			if even := s.even(n); len(even) > len(out) && !dense(even, most) {
				out = even
			}
		}
		if out == nil { // too many powers of ten
			out = s.powers([]float64{1})
		}
	default:
		out = s.even(most)
	}
	return out
}

// mark adds a tick at a value if the scale has it.
func (s *scale) mark(out []tick, v float64, text string) []tick {
	if p := s.share(v); p >= -1e-9 && p <= 1+1e-9 {
		out = append(out, tick{p, text})
	}
	return out
}

// powers returns ticks at powers of ten multiplied by some numbers.
func (s *scale) powers(by []float64) (out []tick) {
	for e := math.Floor(math.Log10(s.lo / s.factor)); e <= math.Ceil(math.Log10(s.hi/s.factor)); e++ {
		for _, m := range by {
			v := m * math.Pow(10, e) * s.factor
			out = s.mark(out, v, s.number(v))
		}
	}
	return out
}

// even returns ticks at even distances of their values.
func (s *scale) even(most int) (out []tick) {
	step := s.step(most)
	for k := math.Ceil(s.lo / step); k*step <= s.hi+1e-9*step; k++ {
		out = s.mark(out, k*step, s.number(k*step))
	}
	return out
}

// dense reports whether some of the ticks are closer to each other than half of the mean distance of the most ticks.
func dense(ticks []tick, most int) bool {
	for i := 1; i < len(ticks); i++ {
		if ticks[i].share-ticks[i-1].share < 0.5/float64(most) {
			return true
		}
	}
	return false
}

// step returns the distance of the ticks of a linear scale: 1, 2 or 5 times a power of ten of its unit.
func (s *scale) step(most int) float64 {
	least := (s.hi - s.lo) / s.factor / float64(most)
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= least {
			return m * power * s.factor
		}
	}
	return 10 * power * s.factor
}

// number formats a value in the unit of the scale.
func (s *scale) number(v float64) string {
	v /= s.factor
	if a := math.Abs(v); a >= 1000 && a < 1e15 && math.Abs(v-math.Round(v)) < 1e-6 {
		return figures.Count(int64(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
