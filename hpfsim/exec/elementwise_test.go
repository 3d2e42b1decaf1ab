package exec

import (
	"fmt"
	"strings"
	"testing"
)

const elementwiseTail = `contains
elemental real function slow(x, k)
real, intent(in) :: x
integer, intent(in), optional :: k
integer i
slow = x
do i = 1, 1000
slow = slow * 0.5 + 1
end do
if (present(k)) slow = slow + k
end function
subroutine resized(x, n)
integer n
real x(n)
!HPF$ DISTRIBUTE x(BLOCK)
n = n - 60
x = slow(x, 1)
end subroutine
subroutine fixed(x, n)
integer, intent(in) :: n
real x(0:n-1)
!HPF$ DISTRIBUTE x(BLOCK)
x = slow(x) + x(n-1)
x(1:n-2) = slow(x(2:n-1), 2)
end subroutine
end program
`

// TestElementwiseOwners checks that the owners of the elements compute the values of an ELEMENTAL function, and that they are those of a replicated array.
func TestElementwiseOwners(t *testing.T) {
	const head = "program p\nreal a(64), b(64), c(8, 8)\ninteger k(64), n\n%s\na = (/ (i, i = 1, 64) /); b = 2 * a; k = int(a); c = reshape(a, (/ 8, 8 /)); n = 64\n%s\nprint *, sum(a), a(1), a(63), c(3, 7), n\n"
	for _, c := range []struct {
		do    string
		owned bool // by distribution of a and c
	}{
		{"a = slow(b) + sqrt(b)", true},
		{"a(2:63) = slow(a(1:62), k(3:64)) * b(2:63)", true},
		{"a = slow(b, 3) + k(5)", true},
		{"c = slow(c)", true},
		{"c(3, :) = slow(c(:, 7))", true},
		{"call fixed(a, 64)", true},
		{"do j = 1, 8\nc(:, j) = slow(c(:, j))\nend do", true},
		{"call resized(a, n)", false}, // its bounds are no longer those in the declaration
		{"a(1:63:2) = slow(a(2:64:2))", false},
		{"where (b > 20) a = slow(b)", false},
		{"a = slow(k * 1.0, (/ (i, i = 1, 64) /))", false},
	} {
		elapsed := func(directives string) (string, int64) {
			tail := elementwiseTail
			if directives == "" {
				tail = strings.ReplaceAll(tail, "!HPF$", "!")
			}
			out, m, err := run(t, "p.f90", fmt.Sprintf(head, directives, c.do)+tail, "", 4, Options{})
			if err != nil {
				t.Fatal(c.do, err)
			}
			return out, m.Now()
		}
		want, all := elapsed("")
		got, own := elapsed("!HPF$ DISTRIBUTE (BLOCK) :: a, b, k\n!HPF$ DISTRIBUTE c(*, BLOCK)")
		if got != want || (own*2 < all) != c.owned {
			t.Errorf("%s: %d ns, %d ns if replicated\n%s\n%s", c.do, own, all, got, want)
		}
	}
}

// TestElementwiseErrors checks the errors of arguments without the same shape.
func TestElementwiseErrors(t *testing.T) {
	for _, c := range []struct{ do, want string }{
		{"a(1:3) = slow(a(1:4))", "p.f90:4:10: the shapes [3] and [4] do not conform"},
		{"a = slow(a, (/ 1, 2, 3 /))", "p.f90:4:5: the shapes [64] and [3] do not conform"},
		{"n = 65; a = slow(a(2:n))", "p.f90:4:18: section 2:65 is outside of dimension 1 of A, which runs from 1 to 64"},
	} {
		text := "program p\nreal a(64)\n!HPF$ DISTRIBUTE a(BLOCK)\n" + c.do + "\n" + elementwiseTail
		if _, _, err := run(t, "p.f90", text, "", 4, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.do, err, c.want)
		}
	}
}
