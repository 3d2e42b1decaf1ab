package query

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A value is a constant number.
type value struct {
	real      float64
	integer   int64 // if whole
	whole     bool
	dimension int // the power of time; a time is in ns
}

// units are the units of time, in ns. A unit precedes those that it ends with.
var units = []struct {
	name string
	ns   int64
}{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// parseNumber returns the value of a number with or without a unit, false if text is no such number.
func parseNumber(text string) (v value, ok bool) {
	if digits, hex := strings.CutPrefix(text, "0x"); hex { // ids of 64 bits
		n, err := strconv.ParseUint(digits, 16, 64)
		return value{real: float64(n), integer: int64(n), whole: true}, err == nil
	}
	digits, factor := text, int64(1)
	for _, u := range units {
		if cut, found := strings.CutSuffix(text, u.name); found {
			digits, factor, v.dimension = cut, u.ns, 1
			break
		}
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(digits), "e")
	if digits == "" || strings.Trim(mantissa, "0123456789.") != "" || len(exponent) > 3 || len(mantissa) > 400 {
		return v, false
	}
	exact, ok := new(big.Rat).SetString(digits)
	if !ok {
		return v, false
	}
	exact.Mul(exact, new(big.Rat).SetInt64(factor))
	v.real, _ = exact.Float64()
	if v.whole = exact.IsInt() && exact.Num().IsInt64(); v.whole {
		v.integer = exact.Num().Int64()
	}
	return v, !math.IsInf(v.real, 0)
}

// FormatTime formats ns as a time of the language, without rounding: 2ms, 1.25us.
func FormatTime(ns int64) string {
	u := units[0]
	for _, unit := range units {
		if ns >= unit.ns || ns <= -unit.ns {
			u = unit
		}
	}
	if u.ns == 1e3 {
		u.name = "us"
	}
	text := new(big.Rat).SetFrac64(ns, u.ns).FloatString(9)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + u.name
}
