package benchmarks

import (
	"fmt"
	"strings"
)

// equal returns an error that locates the first difference between an answer and the right one. White space does not count.
func equal(answer, want string) error {
	got, want := squeeze(answer), squeeze(want)
	if got == want {
		return nil
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	return fmt.Errorf("the answer is wrong at character %d: got %s, expected %s", i+1, around(got, i), around(want, i))
}

// equalWords is like equal for answers of words separated by white space.
func equalWords(answer, want string) error {
	return equal(strings.Join(strings.Fields(answer), ","), strings.Join(strings.Fields(want), ","))
}

// squeeze removes white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// around quotes the characters of s around position i.
func around(s string, i int) string {
	const before, after = 12, 24
	from, to := max(0, i-before), min(len(s), i+after)
	if from >= to {
		return "nothing"
	}
	out := s[from:to]
	if from > 0 {
		out = "..." + out
	}
	if to < len(s) {
		out += "..."
	}
	return fmt.Sprintf("%q", out)
}

// list formats a list in FGHC notation.
func list[T any](xs []T) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = fmt.Sprint(x)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// lists formats a list of lists.
func lists[T any](xss [][]T) string {
	texts := make([]string, len(xss))
	for i, xs := range xss {
		texts[i] = list(xs)
	}
	return list(texts)
}
