package exec

import (
	"strings"
	"testing"
)

// TestAccumulation checks that a loop that only accumulates into a scalar is distributed and that its partial results are
// joined once after it, with the messages and the result of SUM. A loop with other uses of the scalar sends every element
// to all processors.
func TestAccumulation(t *testing.T) {
	const head = "program p\nreal a(40), b(40, 40), r, s, t\ninteger k(40), m\n!HPF$ PROCESSORS line(4), square(2, 2)\n!HPF$ DISTRIBUTE (CYCLIC) ONTO line :: a, k\n!HPF$ DISTRIBUTE b(BLOCK, BLOCK) ONTO square\n" +
		"do i = 1, 40\na(i) = 1.0 / i\nk(i) = mod(7 * i, 11)\ndo j = 1, 40\nb(i, j) = i - 0.3 * j\nend do\nend do\nr = -1; s = 2; t = 3; m = 0\n"
	const tail = "\nprint *, r, s, t, m\nend\n"
	sent := func(body string) (string, int64) {
		t.Helper()
		var first string
		var n int64
		for i, processors := range []int{1, 4} {
			text := head + body + tail
			if processors == 1 {
				text = strings.NewReplacer("line(4), square(2, 2)", "line(1), square(1, 1)").Replace(text)
			}
			out, m, err := run(t, "p.f90", text, "", processors, Options{})
			if err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			if i == 0 {
				first = out
			} else if out != first {
				t.Errorf("%s: %s, want %s as on one processor", body, out, first)
			}
			n = m.Totals().Messages
		}
		return first, n
	}
	_, base := sent("")
	_, sum := sent("s = s + sum(a)")
	joined := sum - base // reduction and broadcast
	if joined != 6 {
		t.Fatalf("%d messages for SUM on 4 processors", joined)
	}
	for _, c := range []struct {
		body  string
		times int64
	}{
		{"do i = 1, 40\ns = s + a(i)\nend do", 1},
		{"do i = 1, 40\ns = a(i) + s - k(i)\nend do", 1},
		{"do i = 2, 40, 3\nr = max(r, a(i))\nm = m + k(i)\nend do", 2},
		{"do i = 1, 40\nif (k(i) > 3) s = s * a(i)\nend do", 1},
		{"do i = 1, 40\nr = min(a(i) * k(i), r)\nend do", 1},
		{"do j = 1, 40\ndo i = 1, 40\ns = s + b(i, j)\nend do\nend do", 1},
		{"do j = 1, 3\ndo i = 1, 40\ns = s + a(i) * j\nend do\nend do", 3},
		{"!HPF$ INDEPENDENT, REDUCTION(s)\ndo i = 1, 40\ns = s + a(i)\nend do", 1},
		{"do i = 1, 40\na(i) = a(i) + 1\ns = s + a(i)\nend do", 1},
		{"!HPF$ INDEPENDENT, NEW(j), REDUCTION(s)\ndo i = 1, 40\ndo j = 1, 40\ns = s + b(j, i)\nend do\nend do", 1},
	} {
		if _, n := sent(c.body); n != base+c.times*joined {
			t.Errorf("%s: %d messages, and %d without it", c.body, n, base)
		}
	}
	for _, c := range []struct {
		body string
		sent int64 // to those who do not have them: the elements, before the loop
	}{
		{"do i = 1, 40\ns = s + a(i)\nt = s\nend do", 12},
		{"do i = 1, 40\ns = s + a(i)\ns = s * 0.5\nend do", 12},
		{"do i = 1, 40\ns = a(i) - s\nend do", 12},
		{"do i = 1, 40\ns = s + a(i) * s\nend do", 12},
		{"do i = 1, 40\ns = s + b(i, 3)\nend do", 6}, // which two processors have
	} {
		if _, n := sent(c.body); n != base+c.sent {
			t.Errorf("%s: %d messages, and %d without it", c.body, n, base)
		}
	}
}
