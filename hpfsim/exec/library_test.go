package exec

import (
	"strings"
	"testing"
)

// TestLibrary checks procedures of HPF_LIBRARY with the examples of their definitions, on several numbers of processors.
func TestLibrary(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"sum_prefix((/ 1, 3 /))", "1 4"},
		{"sum_prefix(b)", "1 5 12 14 19 27 30 36 45"},
		{"sum_prefix(b, dim=1)", "1 5 12 2 7 15 3 9 18"},
		{"sum_prefix(b, dim=2)", "1 4 7 3 9 15 6 15 24"},
		{"sum_prefix((/ 1, 2, 3, 4, 5 /), exclusive=.true.)", "0 1 3 6 10"},
		{"sum_prefix((/ 1, 2, 3, 4, 5 /), segment=(/ t, t, f, f, t /))", "1 3 3 7 5"},
		{"sum_prefix((/ 1, 2, 3, 4, 5 /), mask=(/ t, f, t, t, f /))", "1 1 4 8 8"},
		{"sum_suffix((/ 1, 3, 5, 7 /))", "16 15 12 7"},
		{"product_prefix((/ 2, 3, 4 /))", "2 6 24"},
		{"maxval_prefix((/ 3, 4, 2, 5 /))", "3 4 4 5"},
		{"minval_suffix((/ 3, 4, 2, 5 /))", "2 2 2 5"},
		{"copy_prefix((/ 1, 2, 3, 4, 5 /), segment=(/ t, t, f, f, f /))", "1 1 3 3 3"},
		{"copy_suffix((/ 1, 2, 3, 4, 5 /), segment=(/ t, t, f, f, f /))", "2 2 5 5 5"},
		{"count_prefix((/ f, t, t, t, t /))", "0 1 2 3 4"},
		{"merge(1, 0, all_prefix((/ t, f, t, t, t /), segment=(/ t, t, t, f, f /)))", "1 0 0 1 1"},
		{"merge(1, 0, any_suffix((/ f, t, f, f /)))", "1 1 0 0"},
		{"merge(1, 0, parity_prefix((/ t, t, f, t, t /)))", "1 0 0 1 0"},
		{"iall_prefix((/ 7, 3, 5 /))", "7 3 1"},
		{"iparity_prefix((/ 1, 3, 2 /))", "1 2 0"},
		{"iall((/ 7, 3, 10 /)), iany((/ 9, 8, 3, 2 /)), iparity((/ 13, 8, 3, 2 /))", "2 11 4"},
		{"iany(b, dim=1)", "7 15 15"},
		{"merge(1, 0, parity((/ t, t, f, t /)))", "1"},
		{"leadz(64), popcnt(64), popcnt(-1), poppar(7), leadz(0)", "25 1 32 1 32"},
		{"sum_scatter((/ 10, 20, 30, 40, -10 /), (/ 1, 2, 3 /), (/ 3, 2, 2, 1, 1 /))", "31 52 13"},
		{"copy_scatter((/ 10, 20, 30, 40 /), (/ 1, 2, 3 /), (/ 3, 2, 2, 3 /), (/ t, t, f, f /))", "1 20 10"},
		{"count_scatter((/ t, t, f, t /), (/ 1, -1, 0 /), (/ 1, 2, 2, 3 /))", "2 0 1"},
		{"maxval_scatter((/ 1, 9, 4 /), (/ 5, 5 /), (/ 1, 2, 1 /))", "5 9"},
		{"sum_scatter((/ 1, 2, 3 /), reshape((/ 0, 0, 0, 0 /), (/ 2, 2 /)), (/ 1, 2, 1 /), (/ 2, 1, 2 /))", "0 2 4 0"},
		{"merge(1, 0, any_scatter((/ t, f /), (/ f, f, t /), (/ 2, 1 /)))", "0 1 1"},
		{"grade_up((/ 30, 20, 30, 40, -10 /))", "5 2 1 3 4"},
		{"grade_down((/ 30, 20, 30, 40, -10 /), dim=1)", "4 1 3 2 5"},
		{"grade_up(reshape((/ 1, 9, 2, 4, 5, 2 /), (/ 2, 3 /)))", "1 1 1 2 2 3 2 2 1 3 2 1"},
		{"sort_up((/ 30, 20, 30, 40, -10 /)), sort_down(b, dim=2)", "-10 20 30 30 40 3 6 9 2 5 8 1 4 7"},
	} {
		text := "program p\nuse hpf_library\nlogical, parameter :: t = .true., f = .false.\ninteger :: b(3, 3)\n!HPF$ DISTRIBUTE b(*, BLOCK)\nb = reshape((/ 1, 4, 7, 2, 5, 8, 3, 6, 9 /), (/ 3, 3 /))\nprint *, " + c.expr + "\nend\n"
		for _, p := range []int{1, 3, 4} {
			out, err := answer(t, text, p)
			if got := strings.Join(strings.Fields(out), " "); err != nil || got != c.want {
				t.Errorf("%s on %d processors is %s, want %s: %v", c.expr, p, got, c.want, err)
			}
		}
	}
}

// TestMappingInquiries checks the inquiries of HPF_LIBRARY and HPF_LOCAL_LIBRARY.
func TestMappingInquiries(t *testing.T) {
	const text = `program p
use hpf_library, only: hpf_alignment, hpf_template, hpf_distribution
integer :: a(10), b(4, 5), lb(2), ub(2), st(2), ax(2), n, r, info(2)
character(10) :: kind(2)
logical :: same
!HPF$ PROCESSORS q(3)
!HPF$ TEMPLATE t(30, 6)
!HPF$ DISTRIBUTE t(CYCLIC(2), *) ONTO q
!HPF$ ALIGN a(i) WITH t(3*i, *)
!HPF$ ALIGN b(*, j) WITH t(j + 1, 4)
call hpf_alignment(a, lb, ub, st, ax, same, ncopies=n)
print *, lb(1), ub(1), st(1), ax(1), merge(1, 0, same), n
call hpf_template(b, r, lb, ub, kind, info)
print *, r, lb, ub, info, kind
call hpf_distribution(b, kind, info, r, st)
print *, kind, info(1), r, st(1)
call own(a)
contains
extrinsic(hpf_local) subroutine own(x)
use hpf_local_library
integer :: x(:), g(1), l(1), n, who(1)
logical :: here
call local_to_global(x, (/ 1 /), g)
call global_to_local(x, (/ 5 /), l, here, n, who)
if (my_processor() == 0) print *, size(x), global_size(x), global_shape(x), local_blkcnt(x, 1), local_lindex(x, 1), local_uindex(x, 1), g, merge(1, 0, here), n, who
end subroutine
end
`
	const want = "3 30 3 1 0 6 2 1 1 30 6 2 4 NORMAL SINGLE CYCLIC COLLAPSED 2 1 3"
	out, err := answer(t, text, 3)
	got := strings.Join(strings.Fields(out), " ")
	// Elements 1 to 10 of A are at 3, 6, ..., 30 of T; processor 0 has 1, 2, 7, 8, 13, 14, 19, 20, 25, 26 of T: none of them. Processor 1 has 3, 9, 15, 21, 27.
	if err == nil || !strings.HasPrefix(got, want) || !strings.Contains(err.Error(), "the processor has no element [1]") {
		t.Errorf("%s, want %s: %v", got, want, err)
	}
	out, err = answer(t, strings.NewReplacer("t(3*i, *)", "t(i, *)", "TEMPLATE t(30, 6)", "TEMPLATE t(10, 6)").Replace(text), 3)
	const local = "4 10 10 2 1 3 2 4 1 0 1 2"
	if got := strings.Join(strings.Fields(out), " "); err != nil || !strings.HasSuffix(got, local) {
		t.Errorf("%s, want %s: %v", got, local, err)
	}
}

// TestKindsOfComplex checks that COMPLEX(8) has parts of 8 bytes, as COMPLEX*16 has.
func TestKindsOfComplex(t *testing.T) {
	for _, c := range [][2]string{
		{"complex(8)", "T"},
		{"complex(kind=8)", "T"},
		{"complex*16", "T"},
		{"complex(kind(1d0))", "T"},
		{"double complex", "T"},
		{"complex", "F"},
		{"complex(4)", "F"},
		{"complex(kind=4)", "F"},
		{"complex*8", "F"},
	} {
		declared, want := c[0], c[1]
		out, err := answer(t, "program p\n"+declared+" :: z\nz = cmplx(0.1d0, 0, 8)\nprint *, real(z, 8) == 0.1d0\nend\n", 1)
		if err != nil || strings.TrimSpace(out) != want {
			t.Errorf("%s: %q, want %s: %v", declared, out, want, err)
		}
	}
}
