// Package ranges reads and writes lists of numbers and ranges of numbers, such as 0-31,64, and joins ranges.
package ranges

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
)

// A Range is the numbers from First to Last. It leads down if Last is less than First.
type Range struct{ First, Last int64 }

// dash is the sign between the ends of a range, which may have spaces around it.
var dash = regexp.MustCompile(`\s*-\s*`)

// Parse returns the ranges of a list, in its order. Commas or spaces separate them. The numbers are from 0 to 2^31-1.
func Parse(list string) (all []Range, err error) {
	list = dash.ReplaceAllString(list, "-")
	for part := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		a, b, two := strings.Cut(part, "-")
		first, err := strconv.ParseUint(a, 10, 31)
		last := first
		if err == nil && two {
			last, err = strconv.ParseUint(b, 10, 31)
		}
		if errors.Is(err, strconv.ErrRange) {
			return nil, fmt.Errorf("%s: expected numbers up to %s", nearest.Quote(part), figures.Count(math.MaxInt32))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: expected numbers and ranges, for instance 0-31,64", nearest.Quote(part))
		}
		all = append(all, Range{int64(first), int64(last)})
	}
	return all, nil
}

// FormatNumbers formats numbers as a list for Parse. It writes consecutive numbers, such as 4, 5, 6, as a range.
func FormatNumbers(numbers []int32) string {
	var all []Range
	for _, n := range numbers {
		n := int64(n)
		if k := len(all) - 1; k >= 0 && all[k].Last == n-1 {
			all[k].Last = n
		} else {
			all = append(all, Range{n, n})
		}
	}
	return Format(all)
}

// Format formats ranges as a list for Parse.
func Format(all []Range) string {
	var b []byte
	for i, r := range all {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, r.First, 10)
		if r.Last != r.First {
			b = append(b, '-')
			b = strconv.AppendInt(b, r.Last, 10)
		}
	}
	return string(b)
}

// Join sorts ranges of numbers from the first to below the second, and merges those that overlap or touch. It omits empty ranges and reuses the
// memory of the slice.
func Join[N int | int32](all [][2]N) [][2]N {
	slices.SortFunc(all, func(a, b [2]N) int { return cmp.Compare(a[0], b[0]) })
	out := all[:0]
	for _, r := range all {
		if n := len(out); n > 0 && r[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], r[1])
		} else if r[1] > r[0] {
			out = append(out, r)
		}
	}
	return out
}
