// Package ticks chooses the tick values of an axis and their labels: steps of 1, 2 or 5 times a power of ten (P.
// Heckbert, "Nice Numbers for Graph Labels", Graphics Gems, 1990), in whole nanoseconds for time.
package ticks

import (
	"math"
	"strconv"
	"strings"

	"whorl/internal/figures"
)

// Step returns the smallest step of 1, 2 or 5 times a power of ten that is at least least, and at least 1.
func Step(least float64) int64 {
	step := int64(1)
	for factors := 0; float64(step) < least && step < math.MaxInt64/10; factors++ {
		if factors%3 == 1 { // 1, 2, 5, 10
			step = step / 2 * 5
		} else {
			step *= 2
		}
	}
	return step
}

// Values returns the multiples of step from from to to inclusive, at most 10,000.
func Values(from, to, step int64) []int64 {
	var v []int64
	first := from / step * step
	if first < from {
		first += step
	}
	for t := first; t <= to && len(v) < 10_000; t += step {
		v = append(v, t)
		if t > math.MaxInt64-step {
			break
		}
	}
	return v
}

// Times formats instants in ns, all in the same unit and with the decimals that step needs. 0 has no unit.
func Times(values []int64, step int64) []string {
	largest := int64(0)
	for _, v := range values {
		largest = max(largest, v, -v)
	}
	unit, ns := figures.TimeUnit(float64(largest))
	power := int(math.Round(math.Log10(ns)))
	decimals := power
	for decimals > 0 && step%10 == 0 {
		step /= 10
		decimals--
	}
	texts := make([]string, len(values))
	for i, v := range values {
		if v == 0 {
			texts[i] = "0"
			continue
		}
		texts[i] = fixed(v, power, decimals) + " " + unit
	}
	return texts
}

// fixed formats v/10^power exactly, with the given number of decimals.
func fixed(v int64, power, decimals int) string {
	sign := ""
	u := uint64(v)
	if v < 0 {
		sign, u = "-", -u
	}
	p := uint64(pow10(power))
	s := figures.Count(int64(u / p))
	if decimals > 0 {
		part := strconv.FormatUint(u%p, 10)
		part = strings.Repeat("0", power-len(part)) + part
		s += "." + part[:decimals]
	}
	return sign + s
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
