package exec

import (
	"strings"
	"testing"
)

// TestClocks checks that clocks of a simulated run show virtual time: an instruction takes 2 ns here.
func TestClocks(t *testing.T) {
	const source = "program p\ninteger(8) :: a, b\nreal(8) :: s, e\nreal :: t(2)\nreal, external :: etime\ncharacter(8) :: d\ncharacter(10) :: c\n" +
		"call system_clock(a)\ndo i = 1, LOOPS\nk = mod(k + i, 7)\nend do\ncall system_clock(b)\ncall cpu_time(e)\ncall date_and_time(d, c)\n" +
		"print *, b - a\nprint *, abs(e - etime(t)) < 1d-5\nprint *, d, ' ', c\nend\n"
	took := func(loops string) string {
		out, _, err := run(t, "p.f90", strings.ReplaceAll(source, "LOOPS", loops), "", 2, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(out), " ")
	}
	// An iteration takes 13 instructions: a load, an addition, 10 for MOD, and a branch.
	for _, c := range []struct{ loops, want string }{
		{"0", "22 T 20000101 000000.000"},
		{"1000", "26022 T 20000101 000000.000"},
		{"50000", "1300022 T 20000101 000000.001"},
	} {
		if got := took(c.loops); got != c.want {
			t.Errorf("%s iterations: %s, want %s", c.loops, got, c.want)
		}
	}
}

// TestExit checks that EXIT ends a run, and that a status other than 0 is an error.
func TestExit(t *testing.T) {
	for _, c := range []struct{ call, want string }{{"exit", ""}, {"exit(0)", ""}, {"exit(3)", "p.f90:2:1: the program stopped with 3"}} {
		out, _, err := run(t, "p.f90", "print *, 'a'\ncall "+c.call+"\nprint *, 'b'\nend\n", "", 2, Options{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if out != " a\n" || got != c.want {
			t.Errorf("%s: %q, %v", c.call, out, err)
		}
	}
}
