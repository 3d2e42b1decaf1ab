package conformance_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"whorl/fghc/check"
	"whorl/fghc/syntax"
	"whorl/fghc/testdata/programs"
	"whorl/fghc/testdata/reference"
	"whorl/testdata/must"
)

// load parses a program and a query, which must be free of errors.
func load(t testing.TB, name, src, query string) (*syntax.File, []syntax.Goal) {
	t.Helper()
	f, errs := check.Program(name, src)
	must.Do(t, errs.Err())
	goals, errs := check.Files{f}.Query("query", query)
	must.Do(t, errs.Err())
	return f, goals
}

// orders returns the configurations of the reference for a program.
func orders() []reference.Config {
	configs := []reference.Config{{Order: reference.DepthFirst}, {Order: reference.BreadthFirst}}
	for seed := range uint64(3) {
		configs = append(configs, reference.Config{Order: reference.Random, Seed: seed})
	}
	return configs
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct {
		what, src, query, want string
		err                    error
	}{
		{"matching waits for what it needs", `p(a, Y) :- Y = 1. p(b, Y) :- Y = 2.`, `p(X, Y), X = b`, "X = b Y = 2", nil},
		{"and only for that", `p(_, Y) :- Y = 1.`, `p(X, Y)`, "X = X Y = 1", nil},
		{"lists, structures, vectors, strings", `p([f(A,_)|T], {B,"s"}, Y) :- Y = r(A, B, T).`, `p([f(1,2),3], {4,"s"}, Y)`, "Y = r(1,4,[3])", nil},
		{"the arity counts", `p(f(_), Y) :- Y = 1. otherwise. p(_, Y) :- Y = 2.`, `p(f(1,1), Y)`, "Y = 2", nil},
		{"a variable twice is a comparison", `p(A, A, Y) :- Y = same. otherwise. p(_, _, Y) :- Y = other.`, `p([1,B], [1,2], Y), p([1], [2], Z), B = 2`, "B = 2 Y = same Z = other", nil},
		{"otherwise waits for the earlier clauses", `p(1, Y) :- Y = a. otherwise. p(_, Y) :- Y = b.`, `p(X, Y)`, "X = X Y = Y", reference.ErrDeadlock},
		{"until they fail for good", `p(1, Y) :- Y = a. otherwise. p(_, Y) :- Y = b.`, `p(X, Y), X = 2`, "X = 2 Y = b", nil},
		{"two of them", `p(1, Y) :- Y = a. otherwise. p(2, Y) :- Y = b. otherwise. p(_, Y) :- Y = c.`, `p(1, A), p(2, B), p(3, C)`, "A = a B = b C = c", nil},
		{"comparisons", `p(X, Y) :- X < 2 | Y = less. p(X, Y) :- X =:= 2 | Y = two. p(X, Y) :- X > 2 | Y = more.`, `p(1, A), p(2, B), p(3, C)`, "A = less B = two C = more", nil},
		{"their other half", `p(X, Y) :- X =< 2, X =\= 1 | Y = a. p(X, Y) :- X >= 3 | Y = b. p(1, Y) :- Y = c.`, `p(1, A), p(2, B), p(3, C)`, "A = c B = a C = b", nil},
		{"kinds", `p(X, Y) :- integer(X) | Y = i. p(X, Y) :- atom(X) | Y = a. p(X, Y) :- list(X) | Y = l. otherwise. p(_, Y) :- Y = o.`, `p(1, A), p([], B), p([1], C), p(f(1), D), p("s", E)`, "A = i B = a C = l D = o E = o", nil},
		{"atomic", `p(X, Y) :- atomic(X) | Y = y. otherwise. p(_, Y) :- Y = n.`, `p(1, A), p(a, B), p("s", C), p([1], D), p({}, E)`, `A = y B = y C = n D = n E = n`, nil},
		{"wait", `p(X, Y) :- wait(X) | Y = 1.`, `p(X, Y), X = f(_)`, "X = f(_1) Y = 1", nil},
		{"wait forever", `p(X, Y) :- wait(X) | Y = 1.`, `p(_, Y)`, "Y = Y", reference.ErrDeadlock},
		{"a pattern in the guard", `p(X, Y) :- X = f(A), B := A + 1 | Y = B.`, `p(f(1), Y)`, "Y = 2", nil},
		{"a name in the guard", `p(X, Y) :- A = g(X) | Y = A.`, `p(1, Y)`, "Y = g(1)", nil},
		{"a value in the guard", `p(X, Y) :- X := 1 + 1 | Y = yes. otherwise. p(_, Y) :- Y = no.`, `p(2, A), p(3, B)`, "A = yes B = no", nil},
		{"no integer fails a guard", `p(X, Y) :- X < 1 | Y = a. otherwise. p(_, Y) :- Y = b.`, `p(a, Y)`, "Y = b", nil},
		{"division by zero fails a guard", `p(X, Y) :- 1 / X > 0 | Y = a. otherwise. p(_, Y) :- Y = b.`, `p(0, Y)`, "Y = b", nil},
		{"different looks at the functor", `p(X, Y, Z) :- X \= Y | Z = 1. otherwise. p(_, _, Z) :- Z = 0.`, `p(a, b, A), p(f(1), f(2), B), p(f(1), g(1), C), p(1, 1, D)`, "A = 1 B = 0 C = 1 D = 0", nil},
		{"different waits", `p(X, Y, Z) :- X \= Y | Z = 1.`, `p(X, a, Z)`, "X = X Z = Z", reference.ErrDeadlock},
		{":= waits", `p(X, Y) :- Y := X * 2.`, `p(X, Y), X := 3 + 4`, "X = 7 Y = 14", nil},
		{":= waits forever", `p(X, Y) :- Y := X * 2.`, `p(X, Y)`, "X = X Y = Y", reference.ErrDeadlock},
		{"mod and / go to zero", `p(X, Y, D, M) :- D := X / Y, M := X mod Y.`, `p(-7, 2, A, B), p(7, -2, C, D)`, "A = -3 B = -1 C = -3 D = 1", nil},
		{"bits", `p(X) :- X = [A,B,C,D,E,F], A := 12 /\ 10, B := 12 \/ 10, C := 12 xor 10, D := \ 5, E := 3 << 4, F := -17 >> 2.`, `p(X)`, "X = [8,14,6,-6,48,-5]", nil},
		{"overflow", `p(X, Y) :- Y := X + 1.`, `p(9223372036854775807, Y)`, "Y = Y", reference.ErrValue},
		{"no overflow", `p(X, Y) :- Y := X - 1.`, `p(-9223372036854775807, Y)`, "Y = -9223372036854775808", nil},
		{"nor in bigint", `p(X, Y) :- bigint(X * X, Y).`, `p(9223372036854775807, Y)`, "Y = 85070591730234615847396907784232501249", nil},
		{"large and small integers are equal", `p(X, Y) :- bigint(X * X - X * X + 1, Z), q(Z, Y). q(1, Y) :- Y = one.`, `p(9223372036854775807, Y)`, "Y = one", nil},
		{"division by zero", `p(X, Y) :- Y := X / 0.`, `p(1, Y)`, "Y = Y", reference.ErrValue},
		{"no integer", `p(X, Y) :- Y := X + 1.`, `p(a, Y)`, "Y = Y", reference.ErrValue},
		{"no clause", `p(1, Y) :- Y = 1.`, `p(2, Y)`, "Y = Y", reference.ErrNoClause},
		{"unification", `p(X) :- X = 1, X = 2.`, `p(X)`, "X = 1", reference.ErrUnify},
		{"unification of structures", `p(X) :- X = f(A, 2), X = f(1, A).`, `p(_)`, "", reference.ErrUnify},
		{"a different result", `p(X, Y) :- Y := X + 1, Y = 3.`, `p(1, Y)`, "Y = 2", reference.ErrUnify},
		{"variables become one", `p(X, Y, Z) :- X = Y, Y = Z, Z = 1.`, `p(X, Y, Z)`, "X = 1 Y = 1 Z = 1", nil},
		{"and keep a name", `p(X, Y) :- X = f(Y, Z, Z).`, `p(X, Y)`, "X = f(Y,_2,_2) Y = Y", nil},
		{"a variable at both ends of a list", `p(X) :- X = [V,f(V)|V], V = [].`, `p(X)`, "X = [[],f([])]", nil},
		{"waited for and bound at once", `p(X) :- q(X). q(X) :- Y := X + 1, X := -3 - 3, r(Y). r(-5).`, `p(X)`, "X = -6", nil},
		{"two names of one variable", `p(X) :- A = B, X := A + B, A = 2.`, `p(X)`, "X = 4", nil},
		{"a pragma changes nothing", `p(X) :- q(X)@node(3). q(X) :- X = 1.`, `p(X)@node(1)`, "X = 1", nil},
	} {
		f, goals := load(t, "test.fghc", c.src, c.query)
		want := expect(reference.Run(f, goals, reference.Config{}))
		for _, s := range []schedule{{policy: "on-demand", net: "bus", pes: 1, seed: 1}, {policy: "random", net: "all", pes: 4, seed: 1}} {
			if d := build(t, f, goals).run(t, s).differs(want); d != "" {
				t.Errorf("%s, the engine on %v: %s", c.what, s, d)
			}
		}
		for _, cfg := range orders() {
			for _, cfg.Lazy = range []bool{false, true} {
				r := reference.Run(f, goals, cfg)
				got := ""
				for i, a := range r.Answers {
					if i > 0 {
						got += " "
					}
					got += a.Name + " = " + syntax.Format(a.Value)
				}
				if got != c.want || !errors.Is(r.Err, c.err) {
					t.Errorf("%s, %v, lazy %v: %s, %v; expected %s, %v", c.what, cfg.Order, cfg.Lazy, got, r.Err, c.want, c.err)
				}
			}
		}
	}
}

// TestLazy tests programs whose outcome differs under Config.Lazy.
func TestLazy(t *testing.T) {
	for _, c := range []struct{ src, query, want string }{
		// The clause fails at the second argument, but a lazy try ends at the first.
		{`p(a, b, Y) :- Y = 1. otherwise. p(_, _, Y) :- Y = 2.`, `p(X, c, Y)`, "X = X\nY = 2\n"},
		{`p(A, A, Y) :- Y = same.`, `p(B, B, Y)`, "B = B\nY = same\n"},
		{`p(A, A, Y) :- Y = same.`, `p(f(B), f(B), Y)`, "B = B\nY = same\n"},
	} {
		f, goals := load(t, "test.fghc", c.src, c.query)
		if r := reference.Run(f, goals, reference.Config{}); r.Err != nil || r.String() != c.want {
			t.Errorf("%s: %v, %v; expected %s", c.query, r, r.Err, c.want)
		}
		if r := reference.Run(f, goals, reference.Config{Lazy: true}); !errors.Is(r.Err, reference.ErrDeadlock) {
			t.Errorf("%s, lazy: %v, %v; expected a deadlock", c.query, r, r.Err)
		}
	}
}

// TestTree checks the tree of the quick sort of the paper (VISTA, section 3): 23 reductions, levels 0 to 6.
func TestTree(t *testing.T) {
	f, goals := load(t, "qsort.fghc", programs.QSort, `qsort([2,1,4,5,3], X)`)
	const want = `0 qsort/2 2
1 qsort/3 4
2 part/4 6
3 part/4 7
4 part/4 7
5 part/4 7
6 part/4 5
2 qsort/3 4
3 part/4 5
3 qsort/3 3
3 qsort/3 3
2 qsort/3 4
3 part/4 7
4 part/4 6
5 part/4 5
3 qsort/3 4
4 part/4 5
4 qsort/3 3
4 qsort/3 3
3 qsort/3 4
4 part/4 5
4 qsort/3 3
4 qsort/3 3
`
	for _, cfg := range orders() {
		r := reference.Run(f, goals, cfg)
		if got := r.Shape(); got != want || r.Height != 6 || r.Err != nil {
			t.Errorf("%v: height %d, %v,\n%s; expected height 6,\n%s", cfg.Order, r.Height, r.Err, got, want)
		}
		if counts := map[string]int{"qsort/2": 1, "qsort/3": 11, "part/4": 11}; !maps.Equal(r.Reductions(), counts) {
			t.Errorf("%v: %v; expected %v", cfg.Order, r.Reductions(), counts)
		}
	}
	// A sixth element adds two qsort/3, a part/4 for each of 2, 4 and 5, with which it is compared, and one part/4 for
	// the end of its own list.
	_, goals = load(t, "qsort.fghc", programs.QSort, `qsort([2,1,4,5,3,6], X)`)
	if r := reference.Run(f, goals, reference.Config{}); len(r.Nodes) != 23+2+3+1 {
		t.Errorf("%d reductions for six elements", len(r.Nodes))
	}
}

func TestWaiting(t *testing.T) {
	f, goals := load(t, "test.fghc", "p(X) :- q(X, Y), q(Y, _), Z := Y + 1, r(Z).\nq(1, Y) :- Y = 2.\nq(2, Y) :- Y = 3.\nr(3).", `p(X)`)
	r := reference.Run(f, goals, reference.Config{})
	got := ""
	for _, g := range r.Waiting {
		got += fmt.Sprintf("%d %s;", g.Term.Position().Column, syntax.Format(g.Term))
	}
	if want := "9 q(X,Y);18 q(Y,_);29 Z := Y+1;39 r(Z);"; got != want || !errors.Is(r.Err, reference.ErrDeadlock) {
		t.Errorf("%s, %v; expected %s", got, r.Err, want)
	}
	if _, goals = load(t, "test.fghc", f.Source, `p(1)`); reference.Run(f, goals, reference.Config{}).Err != nil {
		t.Error("a deadlock although X is bound")
	}
}

func TestLimit(t *testing.T) {
	f, goals := load(t, "test.fghc", `p :- p.`, `p`)
	if r := reference.Run(f, goals, reference.Config{MaxReductions: 100}); !errors.Is(r.Err, reference.ErrStopped) || len(r.Nodes) != 100 || r.Height != 99 {
		t.Errorf("%v after %d reductions, height %d", r.Err, len(r.Nodes), r.Height)
	}
}
