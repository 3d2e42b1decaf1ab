// Package figures writes numbers for people, and reads them.
package figures

import (
	"fmt"
	"strconv"
	"strings"
)

// Grouped is n with commas between groups of three digits.
func Grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// Duration is a time in ns with the unit that leaves one to three digits before the point, and four digits in all.
func Duration(ns int64) string {
	abs := ns
	if abs < 0 {
		abs = -abs
	}
	switch {
	case abs < 1e3:
		return fmt.Sprintf("%d ns", ns)
	case abs < 1e6:
		return short(float64(ns)/1e3) + " us"
	case abs < 1e9:
		return short(float64(ns)/1e6) + " ms"
	}
	return short(float64(ns)/1e9) + " s"
}

func short(x float64) string {
	abs := max(x, -x)
	switch {
	case abs < 9.9995:
		return strconv.FormatFloat(x, 'f', 3, 64)
	case abs < 99.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case abs < 999.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// OutOfMemory says that a run needs more than a limit of so many bytes.
func OutOfMemory(limit int64) string {
	size := Grouped(limit>>20) + " MiB"
	if limit < 1<<20 {
		size = Grouped(limit) + " bytes"
	}
	return "stopped: it needs more than the " + size + " of memory that it may have"
}

// Bytes reads an amount of memory: a number above 0, alone or with k, M, G or T (and B or iB after it), in powers of 1,024.
func Bytes(s string) (n int64, ok bool) {
	num := strings.TrimRight(s, "kKMGTiB")
	unit := strings.TrimSuffix(strings.TrimSuffix(s[len(num):], "B"), "i")
	shift := map[string]uint{"": 0, "k": 10, "K": 10, "M": 20, "G": 30, "T": 40}
	by, ok := shift[unit]
	n, err := strconv.ParseInt(num, 10, 64)
	if !ok || err != nil || n < 1 || n > 1<<62>>by {
		return 0, false
	}
	return n << by, true
}
