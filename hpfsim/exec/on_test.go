package exec

import (
	"strings"
	"testing"
)

// TestOn checks who executes the statements of ON, and the messages to and from them.
func TestOn(t *testing.T) {
	const head = "program p\ninteger :: a(8), b(8), i, k, s\n!HPF$ PROCESSORS q(4)\n!HPF$ TEMPLATE t(8)\n!HPF$ DISTRIBUTE (BLOCK) ONTO q :: a, b, t\na = 0; b = 1; s = 0\n"
	for _, c := range []struct {
		name, body string
		sent       int64 // integers
		answer     string
	}{
		{"the owner of an element of another processor", "!HPF$ ON HOME(b(8))\na(1) = 5", 1, "5"},
		{"its operand", "!HPF$ ON HOME(b(8))\na(1) = b(8) + 4", 1, "5"},
		{"an operand of a third one", "!HPF$ ON HOME(b(8))\na(1) = b(3) + 4", 2, "5"},
		{"the owner itself", "!HPF$ ON HOME(b(1)), RESIDENT(a, b)\na(1) = b(2) + 4", 0, "5"},
		{"a block", "!HPF$ ON HOME(a(1)), NEW(k), RESIDENT BEGIN\nk = 4\na(1) = b(1) + k\n!HPF$ END ON", 0, "5"},
		{"processors", "!HPF$ ON (q(1))\na(1) = 5", 0, "5"},
		{"a template", "!HPF$ ON HOME(t(1))\na(1) = 5", 0, "5"},
		{"a loop", "!HPF$ INDEPENDENT\ndo i = 1, 8\n!HPF$ ON HOME(b(9-i))\na(i) = 5\nend do", 8, "5"},
		{"a block in a loop", "!HPF$ INDEPENDENT, NEW(k)\ndo i = 1, 8\n!HPF$ ON HOME(b(i)), RESIDENT BEGIN\nk = b(i)\na(i) = 4 + k\n!HPF$ END ON\nend do", 0, "5"},
		{"a label in a block", "!HPF$ ON HOME(t(1)) BEGIN\ngoto 10\na(1) = 7\n10 a(1) = 5\n!HPF$ END ON", 0, "5"},
	} {
		out, m, err := run(t, "p.f90", head+c.body+"\nif (a(1) /= 5) stop 1\nend\n", "", 4, Options{})
		base, none, _ := run(t, "p.f90", head+"\nif (a(1) /= 0) stop 1\nend\n", "", 4, Options{})
		if sent := (m.Totals().Bytes - none.Totals().Bytes) / 4; err != nil || out != base || sent != c.sent {
			t.Errorf("%s: %d integers are sent, want %d: %v", c.name, sent, c.sent, err)
		}
	}
}

// TestOnOutside checks errors in the subscripts of ON, which is the first statement of its program.
func TestOnOutside(t *testing.T) {
	const head = "program p\ninteger :: a(8), k = 0\n!HPF$ PROCESSORS q(4)\n!HPF$ DISTRIBUTE a(BLOCK) ONTO q\n!HPF$ ON "
	for _, c := range []struct{ home, want string }{
		{"HOME(a(9))", "index 9 of dimension 1 of A is outside of its bounds 1:8"},
		{"HOME(a(1:8:k))", "a section of A with a step of 0"},
		{"HOME(a(8:0:-1))", "section 8:0 is outside of dimension 1 of A, which runs from 1 to 8"},
		{"(q(1:3:k))", "a section of Q with a step of 0"},
		{"(q(4:9))", "section 4:9 is outside of dimension 1 of Q, which runs from 1 to 4"},
		{"(q(4:3))", ""},
		{"(q(3:1:-2))", ""},
	} {
		_, _, err := run(t, "p.f90", head+c.home+"\na(1) = 5\nend\n", "", 4, Options{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %s", c.home, err, c.want)
		}
	}
}

// TestOnTakesTime checks that only the processors of ON work, and that a loop in two halves takes half the time.
func TestOnTakesTime(t *testing.T) {
	const text = "program p\ninteger :: a(4), i, k\n!HPF$ PROCESSORS q(4)\n!HPF$ DISTRIBUTE a(BLOCK) ONTO q\n!HPF$ INDEPENDENT, NEW(k)\ndo i = 1, 4\n!HPF$ ON HOME(HOME) BEGIN\ndo k = 1, 1000\nend do\na(i) = k\n!HPF$ END ON\nend do\nend\n"
	all, one := strings.Replace(text, "HOME(HOME)", "HOME(a(i))", 1), strings.Replace(text, "HOME(HOME)", "(q(2))", 1)
	_, shared, err1 := run(t, "p.f90", all, "", 4, Options{})
	_, alone, err2 := run(t, "p.f90", one, "", 4, Options{})
	if err1 != nil || err2 != nil || shared.Now()*3 > alone.Now() {
		t.Errorf("the owners take %d, one processor %d: %v, %v", shared.Now(), alone.Now(), err1, err2)
	}
}

// TestExtrinsic checks variables that each processor keeps, and the messages of a serial subroutine.
func TestExtrinsic(t *testing.T) {
	const local = "program p\ninteger :: a(8), k\n!HPF$ PROCESSORS q(4)\n!HPF$ DISTRIBUTE a(BLOCK) ONTO q\na = (/ (k, k = 1, 8) /)\ndo k = 1, 3\ncall count(a)\nend do\nprint *, a\nend\n" +
		"extrinsic(hpf_local) subroutine count(x)\ninteger :: x(:), n, calls\n!HPF$ DISTRIBUTE x(BLOCK)\ninteger, save :: times = 0\ncommon /own/ n\ntimes = times + 1\nif (times == 1) n = 0\nn = n + x(1)\nif (times == 3) then\nx(1) = 10 * n\nx(2) = 20 * n\nend if\nend subroutine\n"
	if out, _, err := run(t, "p.f90", local, "", 4, Options{}); err != nil || strings.Join(strings.Fields(out), " ") != "30 60 90 180 150 300 210 420" {
		t.Errorf("%q, %v", out, err)
	}
	const serial = "program p\ninteger :: a(8), s, k\n!HPF$ PROCESSORS q(4)\n!HPF$ DISTRIBUTE a(BLOCK) ONTO q\na = (/ (k, k = 1, 8) /)\ncall sorted(a%s)\nif (s < 0) print *, a\nend\n" +
		"extrinsic(hpf_serial) subroutine sorted(x%s)\ninteger%s :: x(:)\ninteger, optional :: n\nx(1) = x(8)\nif (present(n)) n = 1\nend subroutine\n"
	for _, c := range []struct {
		given, taken, intent string
		sent                 int64
	}{{"", ", n", "", 12}, {"", ", n", ", intent(out)", 6}, {", s", ", n", ", intent(out)", 6 + 3}} {
		text := strings.NewReplacer("a%s", "a"+c.given, "x%s", "x"+c.taken, "integer%s", "integer"+c.intent).Replace(serial)
		_, m, err := run(t, "p.f90", text, "", 4, Options{})
		if err != nil || m.Totals().Bytes/4 != c.sent {
			t.Errorf("%q: %d integers are sent, want %d: %v", c.given+c.intent, m.Totals().Bytes/4, c.sent, err)
		}
	}
}
