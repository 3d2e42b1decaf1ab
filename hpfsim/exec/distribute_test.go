package exec

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/testdata/must"
)

// TestTabledDistributions compares messages with those that a plain table of owners needs, and checks that answers do not depend on the distribution.
func TestTabledDistributions(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const n = 12
		p := rapid.IntRange(2, 5).Draw(r, "processors")
		owners := [2][]int{}
		formats := [2]string{}
		for k := range formats {
			values := rapid.SliceOfN(rapid.IntRange(1, p), n, n).Draw(r, "owners")
			if rapid.Bool().Draw(r, "blocks") {
				sizes := make([]int, p)
				for _, v := range values {
					sizes[v-1]++
				}
				for q, size := range sizes {
					for range size {
						owners[k] = append(owners[k], q+1)
					}
				}
				formats[k] = fmt.Sprintf("GEN_BLOCK(%s)", constructor(sizes))
			} else {
				owners[k] = values
				formats[k] = fmt.Sprintf("INDIRECT(%s)", constructor(values))
			}
		}
		shift := rapid.IntRange(0, 3).Draw(r, "shift")
		program := fmt.Sprintf("program p\ninteger :: a(%d), b(%d), i\n!HPF$ PROCESSORS q(%d)\n!HPF$ DISTRIBUTE a(%s) ONTO q\n!HPF$ DISTRIBUTE b(%s) ONTO q\na = 0\n"+
			"forall (i = 1:%d) b(i) = i*i\nforall (i = 1:%d) a(i) = b(i+%d)\nif (a(1) < 0) print *, a\nend\n", n, n, p, formats[0], formats[1], n, n-shift, shift)
		_, m, err := run(t, "p.f90", program, "", p, Options{})
		if err != nil {
			r.Fatal(err)
		}
		want := int64(0)
		for i := range n - shift {
			if owners[0][i] != owners[1][i+shift] {
				want++
			}
		}
		_, none, err := run(t, "p.f90", strings.Replace(program, "forall (i = 1:"+fmt.Sprint(n-shift)+") a(i) =", "forall (i = 1:0) a(i) =", 1), "", p, Options{})
		if err != nil || m.Totals().Bytes-none.Totals().Bytes != 4*want {
			r.Fatalf("%s\nsends %d bytes, want %d: %v", program, m.Totals().Bytes-none.Totals().Bytes, 4*want, err)
		}
	})
}

func constructor(values []int) string {
	return "(/" + strings.Trim(strings.ReplaceAll(fmt.Sprint(values), " ", ","), "[]") + "/)"
}

// TestMappingsOfArguments checks directives whose mapping is known at run time: tables that are arguments, INHERIT, and remappings.
func TestMappingsOfArguments(t *testing.T) {
	for _, c := range []struct {
		name, text string
		sent       int64 // integers
	}{
		{"INHERIT moves nothing", "!HPF$ INHERIT x", 0},
		{"DISTRIBUTE * moves nothing", "!HPF$ DISTRIBUTE x * ONTO *", 0},
		{"the same mapping, described", "!HPF$ DISTRIBUTE *(CYCLIC) :: x", 0},
		{"another mapping", "!HPF$ DISTRIBUTE x(BLOCK)", 6},
		{"the compiler's mapping", "!HPF$ DISTRIBUTE x", 6},
		{"a table that is an argument", "!HPF$ DISTRIBUTE x(INDIRECT(map))", 0},
		{"blocks of a table that is an argument", "!HPF$ DISTRIBUTE x(GEN_BLOCK(sizes))", 6},
		{"aligned with an inherited mapping", "integer y(12)\n!HPF$ INHERIT x\n!HPF$ ALIGN y(i) WITH x(i)\ny = x", 0},
	} {
		program := "program p\ninteger :: a(12), m(12), i, s(3)\n!HPF$ PROCESSORS q(3)\n!HPF$ DISTRIBUTE a(CYCLIC) ONTO q\nm = (/ (mod(i, 3) + 1, i = 0, 11) /)\ns = 4\na = 1\ncall work(a, m, s)\nif (m(1) > 9) print *, a\n" +
			"contains\nsubroutine work(x, map, sizes)\ninteger :: x(12), map(12), sizes(3)\n" + c.text + "\nx = x + 1\nend subroutine\nend\n"
		_, m, err := run(t, "p.f90", program, "", 3, Options{})
		sent := m.Totals().Bytes / 4
		if err != nil || sent != c.sent {
			t.Errorf("%s: %d integers are sent, want %d: %v", c.name, sent, c.sent, err)
		}
	}
}

// TestTablesAreReadOnce checks that a later change of a table changes no mapping, that REALIGN takes several arrays, and that * remaps to all processors.
func TestTablesAreReadOnce(t *testing.T) {
	const text = "program p\ninteger :: a(6), b(6), c(6, 2), m(6) = (/ 2, 2, 1, 1, 3, 3 /), k\ninteger, parameter :: o(6) = (/ 3, 3, 3, 1, 2, 1 /)\n!HPF$ PROCESSORS q(3)\n!HPF$ DYNAMIC a, b, c\n!HPF$ RANGE a (BLOCK), (INDIRECT), (*)\n!HPF$ SHADOW b(1:1)\n!HPF$ DISTRIBUTE a(BLOCK) ONTO q\n" +
		"a = (/ (k, k = 1, 6) /)\nb = a; c(:, 1) = a; c(:, 2) = -a\n!HPF$ REDISTRIBUTE a(INDIRECT(m)) ONTO q\nm = 1\n!HPF$ REALIGN b(i), c(i, *) WITH a(i)\nb = a + b\nc(:, 2) = c(:, 2) + a\nprint *, b, c(:, 2)\n!HPF$ REDISTRIBUTE a(INDIRECT(o)) ONTO q\nprint *, a + b\n!HPF$ REDISTRIBUTE a(*)\nprint *, a\nend\n"
	want := must.Get(answer(t, text, 3))(t)
	for _, p := range []int{4, 7} {
		if got := must.Get(answer(t, text, p))(t); got != want || !strings.Contains(got, "12") {
			t.Errorf("on %d processors the answer is\n%sand on 3\n%s", p, got, want)
		}
	}
}

func answer(t *testing.T, text string, processors int) (string, error) {
	out, _, err := run(t, "p.f90", text, "", processors, Options{})
	return out, err
}
