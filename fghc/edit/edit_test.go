package edit

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"whorl/benchmarks"
	"whorl/fghc/syntax"
)

const program = "\ufeff% été\n" + `go(N, X) :- true | (p(N, Y), /* , */ q(Y, [a, (b, c)])), X := N + 1, 'p,q'("|", 0'|).
:- module m.
p(N, Y) :- N > (0) | Y = f(N)@node(1), % a comment, with commas
    p(N, Y) @ node( N mod 4 ) /* behind */ , (q(Y, N)@node(3)), m:q(Y, 2).
q(_, _). q(X, Y) :- true.
go(N)-S :- ( N > 0, wait(N) -> p(N)-S, q(N, 1) ; otherwise ; true -> true ), S <= N, go(~(N - 1))-S@priority(1), p@node(2)@lower_priority.
`

func TestGoals(t *testing.T) {
	for clause, want := range []string{
		"no clause 0 of 5",
		`p(N, Y)! | q(Y, [a, (b, c)])! | X := N + 1 | 'p,q'("|", 0'|)`,
		"Y = f(N) @1 | p(N, Y)! @N mod 4 | q(Y, N)! @3 | m:q(Y, 2)!",
		"",
		"",
		"( N > 0, wait(N) -> p(N)-S, q(N, 1) ; otherwise ; true -> true )! | S <= N | go(~(N - 1))-S! | p @2",
		"no clause 6 of 5",
	} {
		list, err := Goals("p.fghc", program, clause)
		var shown []string
		for _, g := range list {
			s := g.Text
			if g.Own {
				s += "!"
			}
			if g.Node != "" {
				s += " @" + g.Node
			}
			shown = append(shown, s)
		}
		got := strings.Join(shown, " | ")
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("clause %d: %s, want %s", clause, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		clause, goal int
		node         string
		old, new     string // the change in the text
		err          string
	}{
		{1, 0, "2", "p(N, Y), /*", "p(N, Y)@node(2), /*", ""},
		{1, 1, "N+1", "(b, c)])),", "(b, c)])@node(N+1)),", ""},
		{2, 0, "7", "f(N)@node(1)", "f(N)@node(7)", ""},
		{2, 0, "", "f(N)@node(1)", "f(N)", ""},
		{2, 1, "5", "p(N, Y) @ node( N mod 4 ) /*", "p(N, Y)@node(5) /*", ""},
		{2, 1, "", "p(N, Y) @ node( N mod 4 ) /*", "p(N, Y) /*", ""},
		{2, 2, "0", "(q(Y, N)@node(3))", "(q(Y, N)@node(0))", ""},
		{2, 3, "1", "m:q(Y, 2).", "m:q(Y, 2)@node(1).", ""},
		{5, 0, "3", "true -> true )", "true -> true )@node(3)", ""},
		{5, 1, "1", "S <= N", "S <= N@node(1)", ""},
		{5, 2, "N", "-S@priority(1)", "-S@node(N)@priority(1)", ""},
		{5, 3, "5", "p@node(2)@lower", "p@node(5)@lower", ""},
		{5, 3, "", "p@node(2)@lower", "p@lower", ""},
		{1, 4, "1", "", "", "clause 1 of p.fghc has no goal 5 of 4"},
		{9, 0, "1", "", "", "p.fghc has no clause 9 of 5"},
		{1, 0, "1), q(1", "", "", `is not a number or an expression`},
		{1, 0, "1, 2", "", "", `is not a number or an expression`},
	} {
		got, err := Place("p.fghc", program, c.clause, c.goal, c.node)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if want := strings.Replace(program, c.old, c.new, 1); err != nil || got != want {
			t.Errorf("%+v: %v\n%s", c, err, got)
		}
	}
	if _, err := Place("p.fghc", "p :- .", 1, 0, "1"); err == nil || !strings.Contains(err.Error(), "p.fghc:1:6") {
		t.Errorf("a program with errors: %v", err)
	}
}

func TestClauseAtAndChild(t *testing.T) {
	f, _ := syntax.Parse("p", program)
	for line, want := range []int{0, 0, 1, 1, 2, 2, 4, 5} {
		if got := ClauseAt(f, int32(line)); got != want {
			t.Errorf("line %d is in clause %d, want %d", line, got, want)
		}
	}
	list, _ := Goals("p", program, 2)
	for k, want := range []int{1, 2, 3} {
		if got, ok := Child(list, k); !ok || got != want {
			t.Errorf("child %d is goal %d, want %d", k, got, want)
		}
	}
	if _, ok := Child(list, 3); ok {
		t.Error("there is a fourth child")
	}
}

// TestEveryGoalOfEveryBenchmark sets, replaces and removes the node of every goal of all benchmarks.
func TestEveryGoalOfEveryBenchmark(t *testing.T) {
	goals := 0
	for _, b := range benchmarks.All {
		if src, ok := b.Program.(benchmarks.FGHC); ok {
			f, errs := syntax.Parse(src.File, src.Source)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			for _, c := range f.Clauses {
				list, err := Goals(src.File, src.Source, c.Number)
				if err != nil {
					t.Fatal(err)
				}
				for k, g := range list {
					goals++
					text := src.Source
					for _, node := range []string{"3", "1 + 2", g.Node} {
						if text, err = Place(src.File, text, c.Number, k, node); err != nil {
							t.Fatalf("%s: %v", src.File, err)
						}
						if now, err := Goals(src.File, text, c.Number); err != nil || strings.ReplaceAll(now[k].Node, " ", "") != strings.ReplaceAll(node, " ", "") {
							t.Fatalf("%s: goal %q has %q, %v", src.File, g.Text, now[k].Node, err)
						}
					}
					if g.Node == "" && text != src.Source && !strings.Contains(text, "("+g.Text+")") {
						t.Fatalf("%s: %q came back changed", src.File, g.Text)
					}
				}
			}
		}
	}
	if goals < 100 {
		t.Errorf("only %d goals", goals)
	}
}

// TestRandomPrograms sets nodes in programs with comments, brackets, operators and quotes.
func TestRandomPrograms(t *testing.T) {
	placed := 0
	rapid.Check(t, func(t *rapid.T) {
		term := rapid.SampledFrom([]string{"a", "X", "f(X, [a,b|T])", "'a, b'", `"x. y"`, "0',", "{a, (b | c)}", "1 + 2", "-(1)"})
		goal := rapid.Custom(func(t *rapid.T) string {
			s := fmt.Sprintf(rapid.SampledFrom([]string{"p(%s)", "X = %s", "( p(%s) )", "m:q(%s)", "X := %s", "true, r(%s)", "(p(%s), p)"}).Draw(t, "form"), term.Draw(t, "term"))
			return s + rapid.SampledFrom([]string{"", "", "@node(1)", " @ node(N+1)"}).Draw(t, "pragma")
		})
		blank := rapid.SampledFrom([]string{"", " ", "\n", " % , .\n", " /* , | */ "})
		var b strings.Builder
		clauses := rapid.IntRange(1, 3).Draw(t, "clauses")
		for range clauses {
			b.WriteString("h(X) :-" + blank.Draw(t, "blank") + " true |")
			for k := range rapid.IntRange(1, 4).Draw(t, "goals") {
				if k > 0 {
					b.WriteString(",")
				}
				b.WriteString(blank.Draw(t, "blank") + goal.Draw(t, "goal") + blank.Draw(t, "blank"))
			}
			b.WriteString(" .\n")
		}
		src := b.String()
		f, errs := syntax.Parse("p", src)
		if len(errs) > 0 {
			return // some forms cannot have every pragma
		}
		c := f.Clauses[rapid.IntRange(0, clauses-1).Draw(t, "clause")]
		list, err := Goals("p", src, c.Number)
		if err != nil || len(list) != len(c.Body) {
			t.Fatalf("%v in\n%s", err, src)
		}
		if len(list) == 0 {
			return
		}
		k := rapid.IntRange(0, len(list)-1).Draw(t, "which")
		got, err := Place("p", src, c.Number, k, "9")
		if err != nil {
			t.Fatalf("%v in\n%s", err, src)
		}
		if now, err := Goals("p", got, c.Number); err != nil || now[k].Node != "9" {
			t.Fatalf("%v: %+v in\n%s", err, now, got)
		}
		placed++
	})
	if placed < 20 {
		t.Errorf("only %d programs were changed", placed)
	}
}
