package exec

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const linked = `type node
integer :: v = 3
real :: w(2)
type(node), pointer :: next => null()
end type
`

// TestPointersAtFault checks that a pointer without a target is an error with its position and name, also in generated code.
func TestPointersAtFault(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"print *, p%v", "e.f90:8:10: the pointer p is not associated"},
		{"p%w(2) = 1", "e.f90:8:1: the pointer p is not associated"},
		{"print *, t%next%v", "e.f90:8:10: the pointer t%next is not associated"},
		{"allocate(p%next)", "e.f90:8:10: the pointer p is not associated"},
		{"a(2) = p", "e.f90:8:8: the pointer p is not associated"},
		{"call s(p)", "e.f90:12:10: the pointer n is not associated"},
		{"allocate(p); q => p; deallocate(p); print *, q%v", "e.f90:8:46: the target of the pointer q has been deallocated"},
		{"allocate(p); q => p; deallocate(p); deallocate(q)", "e.f90:8:37: the pointer q has no target that is allocated"},
		{"call local(p); print *, p%v", "e.f90:8:25: the target of the pointer p has been deallocated"},
		{"allocate(p); print *, p%w(k + 3)", "e.f90:8:23: index 3 is outside of dimension 1 of P%W, which runs from 1 to 2, on processor 0"},
		{"allocate(p); do k = 1, 9000; if (k == 8000) p => p%next; p%v = k; end do", "e.f90:8:58: the pointer p is not associated"},
		{"p => t; do; p => p%next; end do", "e.f90:8:18: the pointer p is not associated"},
	} {
		text := linked + "type(node), pointer :: p => null(), q\ntype(node), target :: t, a(3); integer :: k = 0\n" + c.body +
			"\ncontains\nsubroutine s(n)\ntype(node) :: n\nprint *, n%v\nend subroutine\n" +
			"subroutine local(o)\ntype(node), pointer :: o\ntype(node), target :: own\no => own\nend subroutine\nend\n"
		for _, o := range []Options{{}, {eager: true}, {stepwise: true}} {
			_, _, err := run(t, "e.f90", text, "", 2, o)
			var e *RunError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.body, err, c.want)
			}
		}
	}
}

// TestMemoryOfPools checks that the memory of freed targets is used again, and that a pool ends a run at the limit.
func TestMemoryOfPools(t *testing.T) {
	out, _, err := run(t, "m.f90", linked+"type(node), pointer :: p\nn = 0\ndo i = 1, 400000\nallocate(p)\nn = n + p%v\np%v = 7\ndeallocate(p)\nend do\nprint '(i0)', n\nend\n", "", 2,
		Options{Limits: Limits{Bytes: 8 << 20}})
	if err != nil || out != "1200000\n" {
		t.Errorf("%v\n%s", err, out)
	}
	var limit *LimitError
	_, _, err = run(t, "m.f90", linked+"type(node), pointer :: p\ndo\nallocate(p)\nend do\nend\n", "", 2, Options{Limits: Limits{Bytes: 8 << 20}})
	if !errors.As(err, &limit) || limit.What != "memory" {
		t.Errorf("an endless list: %v", err)
	}
}

// TestStopAtPointers checks that a break shows the targets of pointers.
func TestStopAtPointers(t *testing.T) {
	var got []string
	o := Options{Stops: &Stops{Breaks: []Break{{"s.f90", 11}}, Tell: func(s *Stop) bool {
		for _, name := range s.Names() {
			lines, _ := s.Value(name)
			got = append(got, lines...)
		}
		got = append(got, strings.Join(s.All(), " "))
		return false
	}}}
	text := linked + "type(node), pointer :: p, q\nallocate(p)\nallocate(p%next)\np%w = 0\nnullify(q)\np%next%v = q%v\nend\n"
	run(t, "s.f90", text, "", 2, o)
	want := []string{"p%v = 3", "every processor  p%w(1:2) = 0 0", "p%next is target 2", "q is not associated", "p q"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
