package exec

import (
	"strings"
	"testing"
)

// TestLiveSquare checks that loops in two dimensions that are no nests are distributed along both, and end with the values of
// sequential loops.
func TestLiveSquare(t *testing.T) {
	const head = `program p
integer, parameter :: n = 23
real*8 c(n, n), d(n, n), t
!HPF$ PROCESSORS square(2, 3)
!HPF$ DISTRIBUTE (FORMATS) ONTO square :: c, d
t = 0; i = 0; j = 0
`
	const tail = "\nprint *, c, d, t, i, j\ncontains\npure real*8 function smooth(x, k)\nreal*8, intent(in) :: x\ninteger, intent(in) :: k\nsmooth = x / 2 + k\nend function\nend\n"
	for _, c := range []struct {
		body string
		all  bool
	}{
		{"!HPF$ INDEPENDENT, NEW(i)\ndo j = 1, n\n!HPF$ INDEPENDENT\ndo i = 1, n\nif (mod(i + j, 3) == 0) then\nc(i, j) = i * j\nelse\nd(i, j) = c(i, j) - i\nend if\nend do\nend do", true},
		{"do j = 2, n - 1\ndo i = n - 2, 3, -1\nc(i, j) = smooth(d(i, j), i) + j\nend do\nend do", false}, // descending
		{"do j = 2, n - 1\ndo i = 3, n, 2\nc(i, j) = smooth(d(i, j), i) + j\nend do\nend do", true},
		{"do i = 1, n\ndo j = i, n\nc(i, j) = smooth(d(i, j), i) + j\nend do\nend do", true},
		{"do j = 1, n\ndo i = 1, j - 1\nc(i, j) = smooth(d(i, j), j)\nend do\nend do", true},
		{"do j = 1, n\ndo i = 1, n\nt = smooth(c(i, j), j)\nd(i, j) = t * 2\nend do\nend do", true},
		{"do j = 1, n\ndo i = 1, n\nif (i == j) cycle\nd(i, j) = i\nend do\nend do", false},
		{"rows: do j = 1, n\ndo i = 1, n\nif (i > j) cycle rows\nd(i, j) = i\nend do\nend do rows", false},
		{"do j = 1, n\ndo i = 5, 4\nc(i, j) = smooth(d(i, j), i)\nend do\nend do", false},
		{"do j = 1, n\ndo i = 1, n\nc(i, 3) = smooth(c(i, 3), j)\nend do\nend do", false},
	} {
		for _, formats := range []string{"BLOCK, BLOCK", "CYCLIC, BLOCK", "CYCLIC(2), CYCLIC"} {
			text := strings.ReplaceAll(head, "FORMATS", formats) + c.body + tail
			want, _, err := run(t, "p.f90", text, "", 6, Options{})
			if err != nil {
				t.Fatalf("%s: %v", c.body, err)
			}
			got, m, err := run(t, "p.f90", text, "", 6, Options{Live: true})
			if err != nil || got != want {
				t.Errorf("%s, %s: %v\n%s\nwant\n%s", c.body, formats, err, got, want)
			}
			took := 0
			for p := range m.crew.members {
				if m.crew.members[p].left > 0 {
					took++
				}
			}
			if (took == 6) != c.all {
				t.Errorf("%s, %s: %d of 6 processors took part", c.body, formats, took)
			}
		}
	}
}
