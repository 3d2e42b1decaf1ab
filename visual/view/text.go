package view

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"whorl/visual/scene"
)

// Capital writes a word of ASCII with a capital.
func Capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// Count writes a whole number with commas: 15,419.
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

var timeUnits = []struct {
	name string
	ns   float64
}{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}

// Duration writes nanoseconds to three digits in the unit that fits: 12.3 ms.
func Duration(ns int64) string {
	x := math.Abs(float64(ns))
	u := timeUnits[0]
	for _, v := range timeUnits[1:] {
		if x >= v.ns*0.9995 { // what would be rounded to 1000 of the smaller unit
			u = v
		}
	}
	return digits(float64(ns)/u.ns) + " " + u.name
}

// Durations writes nanoseconds that stand in a column: all in the unit of the largest, with as many decimals as give it three digits, or
// more, up to three, where the smallest would have less than two.
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

// Fixed writes x with so many decimals, and commas in what is before them: 1,070.58.
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

// Percent writes a part of a whole: 83 %, 0.4 %; "" of nothing.
func Percent(part, whole int64) string {
	if p := 100 * float64(part) / float64(whole); p >= 9.95 || part == 0 {
		return PercentTo(part, whole, 0)
	}
	return PercentTo(part, whole, 1)
}

// Percents writes parts of wholes that stand in a column, all with as many decimals.
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

// PercentTo writes a part of a whole with so many decimals. It never rounds something to nothing, nor a part to the whole.
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

// digits writes x to three digits, without zeros behind the point.
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

// Elide cuts a text to a width, with an ellipsis where something is missing, and returns "" where not even that has room.
func Elide(m scene.Measurer, s string, width, size float32, face scene.Face) string {
	if m.Width(s, size, face) <= width {
		return s
	}
	runes := []rune(s)
	lo, hi := 0, len(runes) // the widest prefix that fits is at least lo and below hi
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if m.Width(string(runes[:mid])+"…", size, face) <= width {
			lo = mid
		} else {
			hi = mid
		}
	}
	cut := strings.TrimRight(string(runes[:lo]), " ,;:") + "…"
	if m.Width(cut, size, face) > width {
		return ""
	}
	return cut
}

// ElideMiddle is Elide for names, which differ at their ends as often as at their beginnings: the ellipsis takes the place of the middle.
func ElideMiddle(m scene.Measurer, s string, width, size float32, face scene.Face) string {
	if m.Width(s, size, face) <= width {
		return s
	}
	runes := []rune(s)
	cut := func(keep int) string { return string(runes[:keep-keep/3]) + "…" + string(runes[len(runes)-keep/3:]) }
	lo, hi := 0, len(runes)
	for lo+1 < hi {
		mid := (lo + hi) / 2
		if m.Width(cut(mid), size, face) <= width {
			lo = mid
		} else {
			hi = mid
		}
	}
	if c := cut(lo); m.Width(c, size, face) <= width {
		return c
	}
	return ""
}

// Printable is a line of a program as it is shown: without tabs and control characters, at most so many characters long.
func Printable(line string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range line {
		switch {
		case n >= most:
			b.WriteRune('…')
			return b.String()
		case r == '\t':
			for pad := 8 - n%8; pad > 0; pad-- {
				b.WriteByte(' ')
				n++
			}
			continue
		case r == '\r':
			continue
		case !unicode.IsPrint(r):
			r = '·'
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Wrap breaks a text into lines of at most a width, between words; a word that is too long is cut.
func Wrap(m scene.Measurer, s string, width, size float32, face scene.Face) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && m.Width(longer, size, face) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
		if m.Width(line, size, face) > width {
			line = Elide(m, line, width, size, face)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// SpeedText is a speed of State.Shared in words: 1/4×, 2×.
func SpeedText(speed int) string {
	if speed < 0 {
		return "1/" + strconv.Itoa(1<<min(-speed, MaxSpeed)) + "×"
	}
	return strconv.Itoa(1<<min(speed, MaxSpeed)) + "×"
}
