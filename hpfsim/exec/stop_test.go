package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

// TestStops checks that a run stops before the statements of a line and shows the values of every processor.
func TestStops(t *testing.T) {
	const text = `program p
real a(6)
integer :: k(3) = (/ 7, 8, 9 /)
character(3) :: c = 'abc'
!HPF$ DISTRIBUTE a(CYCLIC)
do i = 1, 6
a(i) = i + k(1) / 2.0
end do
call s(a)
print *, c
contains
subroutine s(x)
real x(6)
!HPF$ DISTRIBUTE x *(BLOCK)
x(2) = 0
end subroutine
end
`
	for _, live := range []bool{false, true} {
		var b strings.Builder
		stops := &Stops{Breaks: []Break{{"p.f90", 7}, {"p.f90", 10}, {"p.f90", 15}}}
		steps := 0
		stops.Tell = func(s *Stop) bool {
			if steps++; s.Pos.Line == 7 && steps > 2 {
				return false
			}
			fmt.Fprintln(&b, s.Pos.Line, s.Unit(), s.Processors(), s.Names())
			for _, n := range s.Names() {
				lines, ok := s.Value(n)
				if !ok {
					t.Errorf("there is no %s", n)
				}
				fmt.Fprintln(&b, "   "+strings.Join(lines, "\n   "))
			}
			if _, ok := s.Value("nothing"); ok {
				t.Error("an unknown variable has a value")
			}
			return steps == 1
		}
		if _, _, err := run(t, "p.f90", text, "", 4, Options{Stops: stops, Live: live}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(`7 p [0] [a i k]
   processor 0      a(1:5:4) = 0 0
   processor 1      a(2:6:4) = 0 0
   processor 2      a(3) = 0
   processor 3      a(4) = 0
   i = 1
   every processor  k(1:3) = 7 8 9
7 p [1] [a i k]
   processor 0      a(1:5:4) = 4.5 0
   processor 1      a(2:6:4) = 0 0
   processor 2      a(3) = 0
   processor 3      a(4) = 0
   i = 2
   every processor  k(1:3) = 7 8 9
15 s [0 1 2 3] [x]
   processor 0      x(1:2) = 4.5 5.5
   processor 1      x(3:4) = 6.5 7.5
   processor 2      x(5:6) = 8.5 9.5
10 p [0 1 2 3] [c]
   c = "abc"
`, b.String()); diff != "" {
			t.Errorf("live %v: -want +got\n%s", live, diff)
		}
	}
	f, _ := syntax.Parse("p.f90", text, syntax.Options{})
	prog, _ := lower.Lower(f, 4, Constant)
	for _, c := range []struct {
		b    Break
		want int
	}{{Break{"p.f90", 5}, 6}, {Break{"p.f90", 8}, 9}, {Break{"p.f90", 17}, 0}, {Break{"q.f90", 7}, 0}} {
		if wrong, next := (&Stops{Breaks: []Break{c.b}}).Check(prog); wrong == nil || next != c.want {
			t.Errorf("%v: %v, next %d, want %d", c.b, wrong, next, c.want)
		}
	}
	if wrong, _ := (&Stops{Breaks: []Break{{"p.f90", 7}}}).Check(prog); wrong != nil {
		t.Errorf("%v is wrong", wrong)
	}
}
