package lower

import (
	"strings"
	"testing"

	"whorl/hpfsim/syntax"
)

// TestReport checks who executes statements, the shares, the reasons and the messages.
func TestReport(t *testing.T) {
	const head = "program p\ninteger :: a(10), b(10), c(10,10), n, i, j, k\n!HPF$ PROCESSORS q(4)\n!HPF$ DISTRIBUTE (BLOCK) ONTO q :: a, b\n!HPF$ DISTRIBUTE c(*,BLOCK) ONTO q\n"
	for _, c := range []struct{ body, want string }{
		{"a = 1", "6  a = 1    the owner of a(:)  3 3 3 1 elements"},
		{"a(10:1:-2) = 1", "the owner of a(10:1:-2)  1 2 1 1 elements"},
		{"n = sum(a)", "reduce sum(a)"},
		{"do i = 2, 9\na(i) = b(i-1)\nend do", "6  do i = 2, 9  the owner of a(i)  2 3 3 0 iterations\n        shift b by -1 along axis 1, before the loop over i, for line 7"},
		{"do i = 2, 9\na(i) = a(i-1)\nend do", "not shared out\n        because an iteration writes a(i), and another may use it as a(i-1) (line 7)"},
		{"do i = 2, 9\nprint *, a(i)\nend do", "because output happens in the order of the iterations (line 7)"},
		{"do i = 2, 9\na(i) = n\nn = i\nend do", "because an iteration reads n, which it has not written on every path before (line 7)"},
		{"do i = 2, 9\nif (n > 3) exit\na(i) = 1\nend do", "because the loop is left here before its last iteration (line 7)"},
		{"do i = 1, 9\nn = i\nend do", "because it writes no element of a mapped array. Every processor executes all iterations"},
		{"!HPF$ INDEPENDENT\ndo i = 1, 9\na(b(i)) = 1\nend do", "not shared out, declared INDEPENDENT\n        because no subscript of a(b(i)) is a sum with i."},
		{"!HPF$ INDEPENDENT, NEW(k)\ndo i = 1, 9\nk = 0\ndo while (k < i)\nk = k + 1\nend do\na(i) = k\nend do", "the owner of a(i), declared INDEPENDENT  3 3 3 0 iterations\n"},
		{"do j = 1, 10\ndo i = 1, 10\nc(i,j) = 1\nend do\nend do", "the owner of c(i,j)  3 3 3 1 iterations\n   7    do i = 1, 10  not shared out\n          because dimension 1 of c is not distributed"},
		{"forall (i = 1:10, i > 3) a(i) = 1", "at most 3 3 3 1 elements"},
		{"!HPF$ INDEPENDENT, NEW(k, n)\ndo i = 1, 9\nn = 0\ndo k = 1, 3\nn = n + b(k)\nend do\na(i) = n\nend do", "9 do k = 1, 3 the processor of the loop around it"},
		{"where (a > 0)\na = 1\nend where", "6  where (a>0)\n   7    a = 1   the owner of a(:)  3 3 3 1 elements"},
		{"do i = 1, 10\na(i) = sum(c(i,:))\nend do", "reduce sum(c(i,:)), before the loop over i"},
		{"do i = 1, 10\na(i) = sum(c(:,i))\nend do", "6  do i = 1, 10  the owner of a(i)  3 3 3 1 iterations\n"},
	} {
		file, errs := syntax.Parse("p.f90", head+c.body+"\nend\n", syntax.Options{})
		if errs.Failed() {
			t.Fatal(errs)
		}
		p, errs := Lower(file, 4, nil)
		if errs.Failed() {
			t.Fatalf("%s: %v", c.body, errs)
		}
		var out strings.Builder
		if err := Report(&out, p); err != nil || !strings.Contains(squeezed(out.String()), squeezed(c.want)) {
			t.Errorf("%s: the report is\n%swhich does not contain %s", c.body, out.String(), c.want)
		}
	}
}

// squeezed replaces runs of spaces by one.
func squeezed(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.Join(strings.Fields(l), " ")
	}
	return strings.Join(lines, "\n")
}
