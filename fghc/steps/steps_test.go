package steps_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"whorl/benchmarks"
	"whorl/fghc/compile"
	"whorl/fghc/engine"
	"whorl/fghc/steps"
	"whorl/fghc/testdata/fghctest"
	"whorl/sim"
	"whorl/sim/policy"
	"whorl/testdata/must"
)

type setup struct {
	pes     int
	policy  string
	net     string
	collect bool
	opts    func(*compile.Program) steps.Options
}

var one = setup{pes: 1, policy: "on-demand", net: "bus"}

// follow runs a goal and returns the lines and the engine.
func follow(t *testing.T, src, goal string, s setup) (string, *engine.Engine) {
	t.Helper()
	prog, query := fghctest.Query(t, "/some/where/test.fghc", src, goal)
	pol, err := policy.Named(s.policy)
	if err != nil {
		t.Fatal(err)
	}
	net := must.Get(sim.NetworkNamed(s.net, s.pes))(t)
	var opts steps.Options
	if s.opts != nil {
		opts = s.opts(prog)
	}
	var b strings.Builder
	w := steps.New(&b, prog, s.pes, opts)
	e := engine.New(prog, query, engine.Options{Observe: w.Observe, Collect: s.collect})
	m := must.Get(sim.New(sim.Config{PEs: s.pes, Policy: pol, Network: net, Seed: 1}, e))(t)
	err = e.Boot(m, nil)
	for more := err == nil; more; {
		more, err = m.Advance(context.Background(), 1<<20)
	}
	if w.End(err) != nil {
		t.Fatal(w.Err())
	}
	return b.String(), e
}

const program = `double([], Ys) :- Ys = [].
double([X|Xs], Ys) :- integer(X) | Y := X + X, Ys = [Y|Ys1], double(Xs, Ys1).
make(Xs) :- Xs = [1|T], end(T).
end(T) :- T = [].
later(X, Y) :- Y := X + 1, five(Z, X), make(Z).
five([_|_], X) :- X = 5.
both(A, B) :- wait(A), wait(B) | true.
deaf :- both(A, B), both(B, A).
wrong(X) :- same(X, Y), Y = 2.
same(X, Y) :- X = Y.
half(X, Y) :- Y := 1 / X.
named(A, B, C) :- B = A, same(C, D), show(B, D).
show(_, _).
`

func TestLines(t *testing.T) {
	for _, c := range []struct{ name, goal, want string }{
		{"a waiting goal is resumed by its binder; REDUCE shows the bindings of the body", "make(L), double(L, D)", `
         ns PE   goal  event    place
          0  0      2  CALL     goal:1        double(L,D)
          0  0      2  SUSPEND  goal:1        double(L,D)  for L
         14  0      1  CALL     goal:1        make(L)
         14  0      1  REDUCE   test.fghc:3   make([1|_3])  -> 3
         14  0      2  RESUME   goal:1        double([1|_3],D)  by 1
         36  0      3  CALL     test.fghc:3     end(_3)
         36  0      3  REDUCE   test.fghc:4     end([])
         47  0      2  REDUCE   test.fghc:2   double([1],[2|_4])  -> 4
         75  0      4  CALL     test.fghc:2     double([],_4)
         75  0      4  REDUCE   test.fghc:1     double([],[])
`},
		{"a builtin that waits has an END", "later(X, Y)", `
         ns PE   goal  event    place
          0  0      1  CALL     goal:1        later(X,Y)
          0  0      1  REDUCE   test.fghc:5   later(X,Y)  -> 2 3 4
          0  0      2  SUSPEND  test.fghc:5     Y := X+1  for X
         36  0      3  CALL     test.fghc:5     five(_3,X)
         36  0      3  SUSPEND  test.fghc:5     five(_3,X)  for _3
         50  0      4  CALL     test.fghc:5     make(_3)
         50  0      4  REDUCE   test.fghc:3     make([1|_4])  -> 5
         50  0      3  RESUME   test.fghc:5     five([1|_4],X)  by 4
         72  0      5  CALL     test.fghc:3       end(_4)
         72  0      5  REDUCE   test.fghc:4       end([])
         83  0      3  REDUCE   test.fghc:6     five([1],5)
         83  0      2  RESUME   test.fghc:5     Y := X+1  by 3
        103  0      2  END      test.fghc:5     Y := X+1
`},
		{"unified variables keep the first name", "named(A, B, C)", `
         ns PE   goal  event    place
          0  0      1  CALL     goal:1        named(A,B,C)
          0  0      1  REDUCE   test.fghc:12  named(A,A,C)  -> 2 3
         26  0      2  CALL     test.fghc:12    same(C,_4)
         26  0      2  REDUCE   test.fghc:10    same(C,C)
         38  0      3  CALL     test.fghc:12    show(A,C)
         38  0      3  REDUCE   test.fghc:13    show(A,C)
`},
		{"a deadlock", "deaf", `
         ns PE   goal  event    place
          0  0      1  CALL     goal:1        deaf
          0  0      1  REDUCE   test.fghc:8   deaf  -> 2 3
         22  0      2  CALL     test.fghc:8     both(_1,_2)
         22  0      2  SUSPEND  test.fghc:8     both(_1,_2)  for _1
         36  0      3  CALL     test.fghc:8     both(_2,_1)
         36  0      3  SUSPEND  test.fghc:8     both(_2,_1)  for _2
         36  0      2  WAIT     test.fghc:8     both(_1,_2)  for _1
         36  0      3  WAIT     test.fghc:8     both(_2,_1)  for _2
`},
		{"a failure", "double([1,a,3],D)", `
         ns PE   goal  event    place
          0  0      1  CALL     goal:1        double([1,a,3],D)
          0  0      1  REDUCE   test.fghc:2   double([1,a,3],[2|_2])  -> 2
         28  0      2  CALL     test.fghc:2     double([a,3],_2)
         28  0      2  FAIL     test.fghc:2     double([a,3],_2)  no clause can ever commit
`},
		{"two values for one variable", "wrong(1)", `
         ns PE   goal  event    place
          0  0      1  CALL     goal:1        wrong(1)
          0  0      1  REDUCE   test.fghc:9   wrong(1)  -> 2
         18  0      2  CALL     test.fghc:9     same(1,2)
         18  0      2  FAIL     test.fghc:9     same(1,2)  unification failure: 1 = 2
`},
		{"an error of arithmetic", "half(0, Y)", `
         ns PE   goal  event    place
          0  0      1  CALL     goal:1        half(0,Y)
          0  0      1  FAIL     goal:1        half(0,Y)  1 / 0: division by zero
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := follow(t, program, c.goal, one)
			if got != c.want[1:] {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

// TestLimits checks that limits omit lines and change nothing else.
func TestLimits(t *testing.T) {
	const goal = "double([1,2],D), later(X, Y)"
	all, _ := follow(t, program, goal, one)
	for _, c := range []struct {
		name string
		opts func(*compile.Program) steps.Options
		keep func(line string) bool
	}{
		{
			"depth", func(*compile.Program) steps.Options { return steps.Options{Depth: 2} },
			func(line string) bool {
				return !strings.Contains(line, strings.Repeat(" ", 6)+"double([],") && !strings.Contains(line, "end(")
			},
		},
		{"spy", func(p *compile.Program) steps.Options {
			i, _ := p.Proc("", "five", 2)
			return steps.Options{Spy: map[*compile.Proc]bool{&p.Procs[i]: true}}
		}, func(line string) bool { return strings.Contains(line, "five(") }},
		{"length", func(*compile.Program) steps.Options { return steps.Options{Length: 3} }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one
			s.opts = c.opts
			got, _ := follow(t, program, goal, s)
			var want []string
			for i, line := range strings.Split(strings.TrimSpace(all), "\n") {
				if c.keep == nil && i < 4 || c.keep != nil && (i == 0 || c.keep(line)) {
					want = append(want, strings.Join(strings.Fields(line), " "))
				}
			}
			var lines []string
			for _, line := range strings.Split(strings.TrimSpace(got), "\n") {
				f := strings.Fields(line)
				if c.name == "spy" {
					f = append(f[:3:3], f[4:]...) // the column of callers
				}
				lines = append(lines, strings.Join(f, " "))
			}
			// variables are numbered in the order in which they are shown
			if len(lines) != len(want) || len(want) < 3 {
				t.Fatalf("got\n%s\nof\n%s", got, all)
			}
			for i := range want {
				if !sameButVariables(lines[i], want[i]) {
					t.Errorf("line %d:\n%s\nwant\n%s", i, lines[i], want[i])
				}
			}
		})
	}
}

func sameButVariables(a, b string) bool {
	blank := func(s string) string {
		out, skip := []rune{}, false
		for _, r := range s {
			skip = r == '_' || skip && r >= '0' && r <= '9'
			if !skip {
				out = append(out, r)
			}
		}
		return string(out)
	}
	return blank(a) == blank(b)
}

// TestNames collects before every step, which moves all variables: their names must stay. (If PEs exchange messages, a collection saves some
// of them and changes the run.) On any network the number of lines must match the engine's counts.
func TestNames(t *testing.T) {
	for _, b := range benchmarks.All {
		prog, ok := b.Program.(benchmarks.FGHC)
		if !ok {
			continue
		}
		sizes := make([]int64, len(b.Params))
		for i, p := range b.Params {
			sizes[i] = min(p.Default, 3)
		}
		for _, s := range []setup{one, {pes: 3, policy: "random", net: "bus"}, {pes: 3, policy: "random", net: "mesh2d"}} {
			t.Run(fmt.Sprintf("%s on %d, %s", b.Name, s.pes, s.net), func(t *testing.T) {
				want, e := follow(t, prog.Source, prog.Goal(sizes), s)
				n := e.Stats()
				if s.collect = true; s.net == "bus" && n.Reductions < 2000 {
					if got, _ := follow(t, prog.Source, prog.Goal(sizes), s); got != want {
						t.Error(firstDifference(got, want))
					}
				}
				for _, c := range []struct {
					event string
					count int64
				}{{"REDUCE", n.Reductions}, {"SUSPEND", n.Suspensions}, {"RESUME", n.Resumptions}} {
					if lines := strings.Count(want, "  "+c.event+" "); int64(lines) != c.count {
						t.Errorf("%d lines of %s, but the engine counts %d", lines, c.event, c.count)
					}
				}
			})
		}
	}
}

func firstDifference(a, b string) error {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Errorf("line %d:\n%s\nwant\n%s", i+1, x[i], y[i])
		}
	}
	return fmt.Errorf("%d lines, want %d", len(x), len(y))
}
