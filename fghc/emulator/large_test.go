package emulator

import (
	"fmt"
	"strings"
	"testing"

	"whorl/fghc/report"
	"whorl/testdata/testenv"
)

// list joins n items with a separator.
func list(n int, separator string, item func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = item(i)
	}
	return strings.Join(all, separator)
}

func numbered(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

// TestLarge runs goals with many arguments, clauses with many variables and constants, long bodies, many clauses, and
// long constants.
func TestLarge(t *testing.T) {
	const n = 400
	vars := list(n, ",", numbered("A%d"))
	digits, letters := strings.Repeat("1234567890", 50), strings.Repeat("abc", 5000)
	constants := list(n, ",", numbered("atom%d")) + "," + list(n, ",", numbered(`"string %d"`)) + "," + list(n, ",", numbered("1%d000000000000000000000"))
	for _, c := range []struct{ what, text, goal, want string }{
		{
			"arguments", fmt.Sprintf("p(%s,R) :- q(%[1]s,R). q(%[1]s,R) :- wait(A0) | R = [A0,A4,A%d].", vars, n-1),
			fmt.Sprintf("p(X,%s,R), X = here", list(n-1, ",", numbered("%d"))), fmt.Sprintf("X = here, R = [here,3,%d]", n-2),
		},
		{
			"arguments in another order", fmt.Sprintf("p(%s,R) :- q(%s,R). q(%[1]s,R) :- R = [A0,A1,A%[3]d].", vars, list(n, ",", func(i int) string { return fmt.Sprintf("A%d", n-1-i) }), n-1),
			fmt.Sprintf("p(%s,R)", list(n, ",", numbered("%d"))), fmt.Sprintf("R = [%d,%d,0]", n-1, n-2),
		},
		{
			"variables and goals", fmt.Sprintf("p(R) :- R = [%s], %s. q(X,Y) :- Y := X * 2.", vars, list(n, ",", numbered("q(%[1]d,A%[1]d)"))),
			"p(R)", "R = [" + list(n, ",", func(i int) string { return fmt.Sprint(2 * i) }) + "]",
		},
		{
			"goals of builtins that wait", fmt.Sprintf("p(X,R) :- R = [%s], %s.", vars, list(n, ",", numbered("A%[1]d := X + %[1]d"))),
			"p(X,R), X = 1", "X = 1, R = [" + list(n, ",", func(i int) string { return fmt.Sprint(i + 1) }) + "]",
		},
		{"constants", "p(R) :- R = {" + constants + "}.", "p(R)", "R = {" + constants + "}"},
		{"clauses", list(n, "\n", numbered("p(k%[1]d,R) :- R = %[1]d.")), "p(k0,A), p(X,B), X = k399", "A = 0, X = k399, B = 399"},
		{"a long number", "p(R) :- bigint(" + digits + " * 1, R).", "p(R)", "R = " + digits},
		{"a long string", `p(R) :- R = "` + letters + `".`, "p(R)", `R = "` + letters + `"`},
	} {
		for i, o := range setups(t, testenv.Race) {
			if got, err := try(t, "p.fghc", c.text, c.goal, o); err != nil || got != c.want {
				t.Errorf("%s, setup %d: %.200s, %v\nexpected %.200s", c.what, i, got, err, c.want)
			}
		}
	}
}

// Terms may be as deep as they are long: comparison, unification and collection need no recursion.
func TestDeepTerms(t *testing.T) {
	const text = `
deep(0,D) :- D = end.
deep(N,D) :- N > 0 | M := N-1, D = [D1,N|f(D1,D1)], deep(M,D1).
long(0,L,E) :- L = [], E = end.
long(N,L,E) :- N > 0 | M := N-1, L = [N|L1], long(M,L1,E).
same(end,end,A,B,R) :- A = B | R = yes.
otherwise.
same(end,end,_,_,R) :- R = no.
end(0,D,R) :- R = D.
end(N,[D|_],R) :- N > 0 | M := N-1, end(M,D,R).
equal(N,R) :- long(N,A,E), long(N,B,F), same(E,F,A,B,R).
longer(N,R) :- long(N,A,E), long(N,B,F), same(E,F,[0|A],B,R).
twice(N,R) :- long(N,A,E), long(N,A,F), same(E,F,A,A,R).
unequal(N,R) :- long(N,A,E), long(N,B,F), same(E,F,f(A,1),f(B,2),R).
down(N,R) :- deep(N,A), end(N,A,R).
`
	n := 100_000
	if testenv.Race {
		n = 5_000
	}
	for _, c := range []struct{ goal, want string }{
		{"equal", "yes"}, {"longer", "no"}, {"twice", "yes"}, {"unequal", "no"}, {"down", "end"},
	} {
		for _, o := range []Options{{}, {PEs: 2, Policy: named(t, "random")}} {
			prog, q := prepare(t, text, fmt.Sprintf("%s(%d,R)", c.goal, n))
			m, err := New(prog, q, o)
			if err == nil {
				err = m.Run(t.Context())
			}
			if err != nil {
				t.Fatalf("%s, %d PEs: %v", c.goal, o.PEs, err)
			}
			m.collect(0, 0, true)
			if got := answerOf(m); got != "R = "+c.want {
				t.Errorf("%s, %d PEs: %s, expected %s", c.goal, o.PEs, got, c.want)
			}
		}
	}
}

// The tables grow for a million goals that wait for one variable and then are ready at the same time.
func TestManyGoals(t *testing.T) {
	n := 1_000_000
	if testenv.Race {
		n = 20_000
	}
	const text = `
all(0,_,S,R) :- S = R.
all(N,X,S,R) :- N > 0 | M := N-1, one(X,S,S1), all(M,X,S1,R).
one(X,S,S1) :- integer(X) | S1 = S.
later(0,X) :- X = 1.
later(N,X) :- N > 0 | M := N-1, later(M,X).
`
	for _, o := range []Options{{}, {PEs: 3, Policy: named(t, "random")}, {PEs: 2, Policy: named(t, "breadth-first")}} {
		o.Lost = func(some []report.Pending, n int) { t.Errorf("%d PEs: %d goals are lost: %v", o.PEs, n, some) }
		m := runProgram(t, text, fmt.Sprintf("all(%d,X,end,R), later(1000,X)", n), o)
		if got := answerOf(m); got != "X = 1\nR = end" {
			t.Errorf("%d PEs: %s", o.PEs, got)
		}
		if s := m.Stats(); s.Reductions != int64(2*n+1+1001) {
			t.Errorf("%d PEs: %d reductions", o.PEs, s.Reductions)
		}
	}
}

// A collection may need more words than before: the cell of a variable that is reached before its list moves alone, and
// the list then refers to it.
func TestCollectionsMayNeedMoreSpace(t *testing.T) {
	const text = `
main(N,K,Z) :- Z = f(g(L)), build(N,K,L).
build(0,K,L) :- K = [], L = [].
build(N,K,L) :- N > 0 | L = [X|L1], K = [X|K1], M := N-1, build(M,K1,L1).
`
	const n = 100_000
	for _, o := range []Options{{}, {PEs: 2, Policy: named(t, "on-demand")}} {
		m := runProgram(t, text, fmt.Sprintf("main(%d,K,Z)", n), o)
		if s := m.Stats(); s.Reductions != n+2 || s.Collections == 0 {
			t.Errorf("%d PEs: %d reductions and %d collections, want %d reductions", o.PEs, s.Reductions, s.Collections, n+2)
		}
	}
}
