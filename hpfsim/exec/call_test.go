package exec

import (
	"strings"
	"testing"

	"whorl/testdata/testenv"
)

// TestCallsGiveMemoryBack checks that a call releases its memory.
func TestCallsGiveMemoryBack(t *testing.T) {
	testenv.Sequential(t)
	const source = "program p\ndo i = 1, 300\ncall work(10000, DEPTH)\nend do\nprint *, used(1.0)\ncontains\nrecursive subroutine work(n, deep)\ninteger, intent(in) :: n, deep\n" +
		"real :: local(n)\nlocal = 1\nif (deep > 0) call work(n, deep - 1)\ncall both(local + 1)\nend subroutine\nsubroutine both(x)\nreal, intent(in) :: x(:)\nend subroutine\n" +
		"real function used(x)\nreal, intent(in) :: x\nused = x\nend function\nend\n"
	for _, c := range []struct{ depth, want string }{{"0", ""}, {"5", ""}, {"40", "limit of memory"}} {
		_, _, err := run(t, "p.f90", strings.ReplaceAll(source, "DEPTH", c.depth), "", 2, Options{Limits: Limits{Bytes: 1 << 20}})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s deep: %v", c.depth, err)
		}
	}
}

// TestDeepRecursion checks that endless recursion is an error.
func TestDeepRecursion(t *testing.T) {
	const source = "program p\nprint *, down(1)\ncontains\nrecursive integer function down(n) result(r)\ninteger, intent(in) :: n\nr = down(n + 1) + 1\nend function\nend\n"
	for _, plain := range []bool{false, true} {
		o := Options{}
		if plain {
			o.Stops = &Stops{}
		}
		_, _, err := run(t, "p.f90", source, "", 2, o)
		if err == nil || !strings.Contains(err.Error(), "p.f90:6:5: calls nest more than 5000 deep") {
			t.Error(err)
		}
	}
}
