package lesson

import (
	"math"
	"strconv"
	"strings"
)

// units are the units of answers, with the measure of each and its size in ns or in shares.
var units = []struct {
	names   []string
	measure Measure
	size    float64
}{
	{[]string{"ns", "nanosecond", "nanoseconds"}, Time, 1},
	{[]string{"us", "µs", "μs", "microsecond", "microseconds"}, Time, 1e3},
	{[]string{"ms", "millisecond", "milliseconds"}, Time, 1e6},
	{[]string{"s", "sec", "second", "seconds"}, Time, 1e9},
	{[]string{"min", "minute", "minutes"}, Time, 60e9},
	{[]string{"%", "percent", "prozent"}, Portion, 0.01},
}

// mostAnswer is the length of the longest text that is read as a number, in bytes.
const mostAnswer = 200

// readNumber returns the numbers that a text can mean: 1,234 has a decimal comma or one between groups of digits. problem, if not empty, is a
// sentence that describes the expected text.
func readNumber(text string, m Measure) (readings []float64, problem string) {
	text = strings.TrimSpace(text)
	expected := map[Measure]string{
		Plain: "Write a number, such as 12 or 1.5.", Time: "Write a time with its unit, such as 2.5 ms or 40 us.", Portion: "Write a share, such as 35 % or 0.35.",
	}[m]
	if text == "" || len(text) > mostAnswer {
		return nil, expected
	}
	text = strings.TrimLeft(text, "~≈= ")
	digits := strings.TrimRightFunc(text, func(r rune) bool { return !('0' <= r && r <= '9') && r != '.' && r != ',' })
	unit := strings.ToLower(strings.TrimSpace(text[len(digits):]))
	size, measure, known := 1.0, Plain, unit == ""
	for _, u := range units {
		for _, name := range u.names {
			if unit == name {
				size, measure, known = u.size, u.measure, true
			}
		}
	}
	switch {
	case !known && m == Plain && strings.Trim(unit, "abcdefghijklmnopqrstuvwxyzäöüß -") == "": // the noun of the counted things: 12 messages
	case !known:
		return nil, expected
	case measure == Plain && m == Time && strings.Trim(digits, "+-0.,") != "":
		return nil, "Which unit? " + expected
	case measure != Plain && measure != m:
		return nil, expected
	}
	for _, x := range readDigits(digits) {
		x *= size
		if math.IsInf(x, 0) || math.IsNaN(x) {
			continue
		}
		readings = append(readings, x)
		if m == Portion && measure == Plain && x > 1 { // 35 means 35 %
			readings = append(readings, x/100)
		}
	}
	if readings == nil {
		return nil, expected
	}
	return readings, ""
}

// readDigits reads a number with a decimal point or a decimal comma, and with commas, points, blanks or apostrophes between groups of digits.
func readDigits(text string) (readings []float64) {
	for _, blank := range []string{" ", "\u00a0", "\u202f", "\u2009", "'", "’", "_"} {
		text = strings.ReplaceAll(text, blank, "")
	}
	add := func(decimal, group string) {
		s := text
		if group != "" && strings.Contains(s, group) {
			if !grouped(s, decimal, group) {
				return
			}
			s = strings.ReplaceAll(s, group, "")
		}
		s = strings.Replace(s, decimal, ".", 1)
		if strings.Trim(s, "+-0123456789.eE") != "" {
			return
		}
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return
		}
		for _, y := range readings {
			if x == y {
				return
			}
		}
		readings = append(readings, x)
	}
	add(".", ",")
	add(",", ".")
	return readings
}

// grouped reports whether a text has groups of three digits before its decimal sign.
func grouped(text, decimal, group string) bool {
	whole, _, _ := strings.Cut(strings.TrimLeft(text, "+-"), decimal)
	parts := strings.Split(whole, group)
	if len(parts[0]) < 1 || len(parts[0]) > 3 {
		return false
	}
	for _, p := range parts[1:] {
		if len(p) != 3 || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return true
}

// Read returns the number that a text means in the measure of n, false for a text that is none.
func (n *Number) Read(text string) (x float64, ok bool) {
	readings, problem := readNumber(text, n.Measure)
	if problem != "" {
		return 0, false
	}
	return readings[0], true
}
