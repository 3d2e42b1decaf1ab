package exec

import "testing"

// TestBits checks cases that gfortran does not support: bits of a real in DATA, and substrings whose length depends on the loop of DATA.
func TestBits(t *testing.T) {
	const source = "real x\ncharacter(4) c(3)\ndata x /Z'3FC00000'/\ndata (c(i)(2:i+1), i = 1, 3) /'u', 'vw', 'xyz'/\ndata (c(i)(1:1), i = 1, 3) /3*'-'/\nprint *, x\nprint '(3a)', c\nend\n"
	out, _, err := run(t, "b.f90", source, "", 1, Options{})
	if want := "   1.50000000    \n-u  -vw -xyz\n"; err != nil || out != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}
