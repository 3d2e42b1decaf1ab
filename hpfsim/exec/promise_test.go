package exec

import (
	"errors"
	"strings"
	"testing"
)

// TestPromises checks that a broken promise is reported with both iterations and the element, and that a kept one is not.
func TestPromises(t *testing.T) {
	const head = "program p\nreal a(0:20), b(20), c(4, 20), s, t\ninteger ix(20)\n!HPF$ DISTRIBUTE (BLOCK) :: a, b\na = 1; b = 2; c = 3; s = 0\nix = (/ (i, i = 1, 20) /)\nix(7) = 3\n"
	const loop = "\ndo i = 1, 20\n"
	const independent = "!HPF$ INDEPENDENT\n"
	const after = "\ndo i = 1, 1\n"
	const tail = "\nend do\ncontains\nsubroutine add(x)\nreal x, y\ny = x\nx = y + 1\nend subroutine\nend\n"
	for _, c := range []struct{ body, want string }{
		{"!HPF$ INDEPENDENT" + loop + "a(i) = a(i-1) + 1", "p.f90:10:8: the loop in line 9 is not INDEPENDENT: its iteration I = 1 writes A(1), and its iteration I = 2 reads it here"},
		{"!HPF$ INDEPENDENT" + loop + "b(i) = a(i)\na(i-1) = 0", "its iteration I = 1 reads A(1), and its iteration I = 2 writes it here"},
		{"!HPF$ INDEPENDENT" + loop + "b(ix(i)) = i", "its iteration I = 3 writes B(3), and its iteration I = 7 writes it here"},
		{"!HPF$ INDEPENDENT" + loop + "s = s + b(i)", "its iteration I = 1 writes S, and its iteration I = 2 reads it here"},
		{"!HPF$ INDEPENDENT, REDUCTION(s)" + loop + "s = s + b(i)", ""},
		{"!HPF$ INDEPENDENT" + loop + "t = b(i)\nb(i) = t", "its iteration I = 1 writes T, and its iteration I = 2 writes it here"},
		{"!HPF$ INDEPENDENT, NEW(t)" + loop + "t = b(i)\nb(i) = t", ""},
		{"!HPF$ INDEPENDENT" + loop + "c(:, i) = c(:, 3)", "its iteration I = 1 reads C(1,3), and its iteration I = 3 writes it here"},
		{"!HPF$ INDEPENDENT" + loop + "where (c(:, i) > 5) c(:, 3) = 0\nc(:, i) = c(:, i)", ""},
		{"!HPF$ INDEPENDENT" + loop + "do j = 1, 4\nc(j, i) = j\nend do", ""},
		{"!HPF$ INDEPENDENT" + loop + "call add(b(i))", ""},
		{"!HPF$ INDEPENDENT" + loop + "call add(b(1))", "its iteration I = 1 writes X, and its iteration I = 2 reads it here"},
		{independent + "forall (i = 1:20) a(i) = a(i-1) + 1" + after, "p.f90:9:19: the FORALL in line 9 is not INDEPENDENT: its iteration I = 2 reads A(1), and its iteration I = 1 writes it here"},
		{independent + "forall (i = 1:20) a(i) = a(i) + b(i)" + after, ""},
		{independent + "forall (i = 1:4, j = 1:20, c(i, j) > 0) c(i, j) = c(5-i, j)" + after, "its iteration I = 4, J = 1 reads C(1,1), and its iteration I = 1, J = 1 writes it here"},
		{independent + "forall (i = 1:20, b(21-i) > 0) b(i) = i" + after, "its iteration I = 20 reads B(1), and its iteration I = 1 writes it here"},
		{independent + "forall (i = 1:20) b(ix(i)) = i" + after, "its iteration I = 3 writes B(3), and its iteration I = 7 writes it here"},
		{independent + "forall (i = 1:20)\na(i) = 1\nb(i) = a(i)\nend forall" + after, ""},
		{independent + "forall (i = 1:20)\na(i) = 1\nb(i) = a(21-i)\nend forall" + after, "its iteration I = 20 writes A(20), and its iteration I = 1 reads it here"},
		{independent + "forall (i = 1:20) c(:, i) = c(:, 21-i)" + after, "is not INDEPENDENT"},
		{"forall (i = 1:20) a(i) = a(i-1) + 1" + after, ""},
		{loop + "a(i) = a(i-1) + 1", ""},
	} {
		for _, live := range []bool{false, true} {
			_, _, err := run(t, "p.f90", head+c.body+tail, "", 4, Options{Promises: true, Live: live})
			var e *RunError
			if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &e) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s:\n%v\nwant %s", c.body, err, c.want)
			}
		}
		if _, _, err := run(t, "p.f90", head+c.body+tail, "", 4, Options{}); err != nil {
			t.Errorf("%s, unwatched: %v", c.body, err)
		}
	}
}

// TestProvedLoops checks that --check-independent leaves loops alone that are proved to be independent, and no others.
func TestProvedLoops(t *testing.T) {
	for _, c := range []struct {
		clauses, body string
		proved        bool
	}{
		{"", "a(i) = b(i)", true},
		{"", "a(i) = a(i+1)", false},
		{"", "a(ix(i)) = i", false},
		{", NEW(t)", "t = b(i)\na(i) = t", true},
		{"", "t = b(i)\na(i) = t", false},
		{", REDUCTION(t)", "t = t + b(i)", true},
		{", REDUCTION(t)", "t = t - t*b(i)", false},
		{", NEW(j)", "j = 0\ndo while (j < i)\nj = j + 1\nend do\na(i) = j", true},
	} {
		p := prepared(t, "p.f90", "program p\nreal a(9), b(9), t\ninteger ix(9)\n!HPF$ DISTRIBUTE (BLOCK) :: a, b\n!HPF$ INDEPENDENT"+c.clauses+"\ndo i = 1, 8\n"+c.body+"\nend do\nend\n", 2)
		if p.Doubtful() == c.proved {
			t.Errorf("%s %q: proved is %v", c.clauses, c.body, !c.proved)
		}
	}
}

// TestWhileIsSharedOut checks that an INDEPENDENT loop around a DO WHILE takes less time on more processors, with the same answer.
func TestWhileIsSharedOut(t *testing.T) {
	const text = "program p\ninteger :: a(64), i, k\n!HPF$ DISTRIBUTE a(CYCLIC)\n!HPF$ INDEPENDENT, NEW(k)\ndo i = 1, 64\nk = 0\ndo while (k < 50 + i)\nk = k + 1\nend do\na(i) = k\nend do\nprint *, sum(a)\nend\n"
	alone, one, _ := run(t, "p.f90", text, "", 1, Options{})
	shared, four, _ := run(t, "p.f90", text, "", 4, Options{})
	if alone != shared || 2*four.Now() > one.Now() {
		t.Errorf("1 processor: %s in %d; 4 processors: %s in %d", alone, one.Now(), shared, four.Now())
	}
}
