package figures

import (
	"math"
	"strconv"
	"strings"
)

// Count formats a whole number with commas between groups of three digits: 15,419.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Counted formats a number of things: 1 thread, 1,204 processes. The noun is one with a regular plural.
func Counted(n int64, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	default:
		noun += "s"
	}
	return Count(n) + " " + noun
}

var timeUnits = []struct {
	name string
	ns   float64
}{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// TimeUnit returns a unit for times up to longest, in ns, and the length of the unit in ns.
func TimeUnit(longest float64) (unit string, ns float64) {
	u := timeUnits[0]
	for _, v := range timeUnits[1:] {
		if longest >= v.ns {
			u = v
		}
	}
	return u.name, u.ns
}

// Duration formats nanoseconds to three digits in the unit that fits: 12.3 ms, 652 µs.
func Duration(ns int64) string {
	x := math.Abs(float64(ns))
	u := timeUnits[0]
	for _, v := range timeUnits[1:] {
		if x >= v.ns*0.9995 { // smaller values round to less than 1000 of the next unit
			u = v
		}
	}
	return digits(float64(ns)/u.ns) + " " + u.name
}

// Durations formats a column of nanoseconds: all in the unit of the largest, with equal decimals. The largest has at least three digits;
// decimals are added, up to three, until the smallest has two.
func Durations(ns []int64) []string {
	most, least := int64(0), int64(math.MaxInt64)
	for _, n := range ns {
		if a := max(n, -n); a > 0 {
			most, least = max(most, a), min(least, a)
		}
	}
	u := timeUnits[0]
	for _, v := range timeUnits[1:] {
		if float64(most) >= v.ns*0.9995 {
			u = v
		}
	}
	decimals := 0
	if u.ns > 1 && most > 0 {
		behind := func(n int64, digits int) int {
			return digits - 1 - int(math.Floor(math.Log10(float64(n)/u.ns*1.0005)))
		}
		decimals = min(max(behind(most, 3), behind(least, 2), 0), 3)
	}
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = Fixed(float64(n)/u.ns, decimals) + " " + u.name
	}
	return texts
}

// Fixed formats x with a number of decimals, and commas in its whole part: 1,070.58.
func Fixed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	whole, part, dot := strings.Cut(s, ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil && len(whole) > 3 {
		s = Count(n)
		if dot {
			s += "." + part
		}
	}
	return s
}

// Share formats a share of 1 as a percentage with a number of decimals: 12.5 %. Unlike PercentTo, it may round to 0 or 100 %.
func Share(share float64, decimals int) string { return Fixed(100*share, decimals) + " %" }

// Percent formats part as a share of whole: 83 %, 0.4 %. It returns "" if whole is 0.
func Percent(part, whole int64) string {
	if p := 100 * float64(part) / float64(whole); p >= 9.95 || part == 0 {
		return PercentTo(part, whole, 0)
	}
	return PercentTo(part, whole, 1)
}

// SignedPercent is Percent for a part that may be negative.
func SignedPercent(part, whole int64) string {
	if part < 0 {
		return "–" + Percent(-part, whole)
	}
	return Percent(part, whole)
}

// Percents formats a column of shares with equal decimals.
func Percents(parts, wholes []int64) []string {
	decimals := 0
	for i, part := range parts {
		if part > 0 && float64(part) < 0.0995*float64(wholes[i]) {
			decimals = 1
		}
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = PercentTo(part, wholes[i], decimals)
	}
	return texts
}

// PercentTo formats a share with a number of decimals. A share above 0 never rounds to 0, nor one below the whole to 100 %.
func PercentTo(part, whole int64, decimals int) string {
	if whole <= 0 {
		return ""
	}
	s := strconv.FormatFloat(100*float64(part)/float64(whole), 'f', decimals, 64)
	all, none := "100", "0"
	if decimals > 0 {
		all, none = "100.0", "0.0"
	}
	switch {
	case part > 0 && s == none:
		s = "< " + strconv.FormatFloat(math.Pow(0.1, float64(decimals)), 'f', decimals, 64)
	case part < whole && s == all:
		s = "> " + strconv.FormatFloat(100-math.Pow(0.1, float64(decimals)), 'f', decimals, 64)
	}
	return s + " %"
}

// digits formats x to three digits without trailing zeros.
func digits(x float64) string {
	decimals := 2
	switch a := math.Abs(x); {
	case a >= 99.95:
		decimals = 0
	case a >= 9.995:
		decimals = 1
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	if len(s) > 3 {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return Count(n)
		}
	}
	return s
}
