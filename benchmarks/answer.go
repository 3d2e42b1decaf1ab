package benchmarks

import (
	"fmt"
	"strings"
)

// equal says where an answer differs from the one that is wanted.
func equal(answer, want string) error {
	got, want := squeeze(answer), squeeze(want)
	if got == want {
		return nil
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	return fmt.Errorf("the answer is wrong at character %d: %s where %s is right", at+1, around(got, at), around(want, at))
}

// equalWords is equal for answers in which white space separates.
func equalWords(answer, want string) error {
	return equal(strings.Join(strings.Fields(answer), ","), strings.Join(strings.Fields(want), ","))
}

// squeeze removes white space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// around shows some characters of s from shortly before place at on.
func around(s string, at int) string {
	const before, after = 12, 24
	from, to := max(0, at-before), min(len(s), at+after)
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

// list writes a list as FGHC does.
func list[T any](xs []T) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = fmt.Sprint(x)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// lists writes a list of lists.
func lists[T any](xss [][]T) string {
	texts := make([]string, len(xss))
	for i, xs := range xss {
		texts[i] = list(xs)
	}
	return list(texts)
}
