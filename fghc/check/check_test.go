package check_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/check"
	"whorl/fghc/syntax"
	"whorl/fghc/testdata/syntaxtest"
	"whorl/internal/fault"
)

func TestFiles(t *testing.T) {
	syntaxtest.Run(t, "testdata/*.fghc", func(name, src string) syntax.Errors {
		files, errs := check.Read([]check.Source{{Name: name, Text: src}})
		if !errs.Failed() {
			errs = append(errs, files.Doubts(nil)...).Locate(src)
		}
		return errs
	})
}

// TestTwoFiles defines a procedure of one module in two files.
func TestTwoFiles(t *testing.T) {
	src := ":- module main.\nmain."
	_, errs := check.Read([]check.Source{{Name: "a.kl1", Text: src}, {Name: "b.kl1", Text: src}})
	want := "b.kl1:2:1: main/0 has clauses in two files\n    main.\n    ^\nexpected all of them in one file; the first is in line 2 of a.kl1"
	if len(errs) != 1 || errs[0].Error() != want {
		t.Errorf("%v, want %s", errs, want)
	}
}

func TestQuery(t *testing.T) {
	f, errs := check.Program("sort.fghc", ":- module sort.\nqsort([], X, X).\nbroken(X) :- .")
	if len(errs) != 1 {
		t.Fatalf("%d errors, want that of broken: %v", len(errs), errs)
	}
	tests := []struct {
		query string
		goals int
		want  []string
	}{
		{"qsort([], X, []), Y := 1, true", 2, nil},
		{"sort:qsort([], X, []), broken(1)@node(2)", 2, nil},
		{"qsrt([], X, []), X", 2, []string{
			"query:1:1: unknown procedure qsrt/3\n    qsrt([], X, []), X\n    ^\nexpected a procedure of the program or a builtin; did you mean qsort/3?",
			"query:1:18: the variable X is not a goal\n    qsrt([], X, []), X\n                     ^\nexpected a goal: an atom or a structure",
		}},
		{"qsort([], X,\n []), X < 1", 2, []string{"query:2:9: </2 is a test, which a body cannot contain\n     []), X < 1\n            ^\nexpected a guard goal, before |"}},
		{"X := a, qsort(", 1, []string{
			"query:1:6: the atom a has no value\n    X := a, qsort(\n         ^\nexpected an integer, a variable or an expression",
			"query:1:15: the text ends too early\n    X := a, qsort(\n                  ^\nexpected an argument",
		}},
	}
	for _, test := range tests {
		goals, errs := check.Files{f}.Query("query", test.query)
		var got []string
		for _, e := range errs {
			got = append(got, e.Error())
		}
		if len(goals) != test.goals || strings.Join(got, "\n") != strings.Join(test.want, "\n") {
			t.Errorf("%s: %d goals and the errors\n%s\nwant %d and\n%s", test.query, len(goals), strings.Join(got, "\n"), test.goals, strings.Join(test.want, "\n"))
		}
	}
}

// call formats a goal of a builtin with n extra arguments.
func call(b *builtin.Builtin, n int) string {
	var args []string
	if b.Class != "" {
		args = append(args, b.Class)
	}
	for k, letter := range b.Args {
		arg := "X"
		if letter == 'o' {
			arg = fmt.Sprint("Y", k)
		}
		args = append(args, arg)
	}
	for range n {
		args = append(args, "X")
	}
	name := syntax.FormatName(b.Name)
	if b.Module != "" {
		name = b.Module + ":" + name
	}
	if len(args) == 0 {
		return name
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// Every builtin is accepted in guards or bodies according to its table entry, and only with the right number of arguments.
func TestBuiltins(t *testing.T) {
	faults := func(src string) int {
		_, errs := check.Program("t", src)
		n := 0
		for _, e := range errs {
			if e.Severity == syntax.Fault {
				n++
			}
		}
		return n
	}
	for i := range builtin.All {
		b := &builtin.All[i]
		for _, place := range []struct {
			belongs bool
			clause  string
		}{{b.Guard, "p(X, X) :- %s | true."}, {b.Body, "p(X, X) :- %s."}} {
			src := fmt.Sprintf(place.clause, call(b, 0))
			if n := faults(src); place.belongs != (n == 0) {
				t.Errorf("%d errors in %s", n, src)
			}
			if src = fmt.Sprintf(place.clause, call(b, 9)); faults(src) == 0 {
				t.Errorf("no error in %s", src)
			}
		}
		if b.Doc == "" {
			t.Errorf("%s has no documentation", b.Title())
		}
	}
	for _, table := range [][]arith.Operator{arith.IntOps, arith.FloatOps} {
		for _, op := range table {
			e := &syntax.Compound{Name: op.Name}
			for range op.Arity {
				e.Args = append(e.Args, &syntax.Var{Name: "X"})
			}
			src := "p(X, X) :- X := " + syntax.Format(e) + "."
			if &table[0] == &arith.FloatOps[0] {
				src = strings.Replace(src, ":= ", "$:= ", 1)
			}
			if n := faults(src); n != 0 {
				t.Errorf("%d errors in %s", n, src)
			}
		}
	}
}

func TestManyUnknownProcedures(t *testing.T) {
	var b strings.Builder
	const n = 5000
	for i := range n {
		fmt.Fprintf(&b, "procedure_%d :- procedur_%d.\n", i, i)
	}
	_, errs := check.Program("t", b.String())
	if len(errs) != n || !strings.Contains(errs[0].Want, "did you mean procedure_0/0") {
		t.Errorf("%d errors, the first %v", len(errs), errs[0])
	}
	if text := errs.Error(); !strings.HasSuffix(text, "and 4900 more errors") {
		t.Errorf("the errors end with %q", text[len(text)-40:])
	}
}

// TestErrorsBeforeWarnings lists few errors among many warnings, with and without all of them.
func TestErrorsBeforeWarnings(t *testing.T) {
	_, errs := check.Program("t", strings.Repeat("p(X).\n", 200)+"q :- r.\ns :- t.\n")
	text := errs.Error()
	if !strings.HasPrefix(text, "t:201:6: unknown procedure r/0") || strings.Count(text, "warning: ") != 10 || !strings.HasSuffix(text, "\nand 190 more warnings") {
		t.Error(text)
	}
	if text := (fault.Listing{Errors: errs, Hint: "more"}).Error(); !strings.HasSuffix(text, "\nand 190 more warnings; more") {
		t.Error(text)
	}
	all := fault.Listing{Errors: errs, All: true}
	if text := all.Error(); !strings.HasPrefix(text, "t:201:6: ") || strings.Count(text, "warning: ") != 200 || strings.Contains(text, " more ") {
		t.Error(text)
	}
	if inner, ok := errors.AsType[fault.Errors](error(all)); !ok || len(inner) != 202 {
		t.Error(inner)
	}
	one := append(slices.Repeat(errs[200:201], 101), errs[0])
	if text := one.Error(); !strings.HasSuffix(text, "\nand 1 more error, 1 more warning") {
		t.Error(text)
	}
}

// TestNoClauses checks files that are empty or have only directives and comments.
func TestNoClauses(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "t:1:1: warning: the file is empty"},
		{" \n\t", "the file is empty"},
		{"% a\n", "the file has no clauses"},
		{":- module m.\n", "the file has no clauses"},
		{"p.", ""},
		{"p :- ).", "unexpected"},
	} {
		if _, errs := check.Program("t", c.src); len(errs) > 1 || !strings.Contains(errs.Error(), c.want) || c.want == "" && len(errs) > 0 {
			t.Errorf("%q: %v, expected %q", c.src, errs, c.want)
		}
	}
}

func TestLongNamesAreCut(t *testing.T) {
	name := strings.Repeat("name", 10_000)
	_, errs := check.Program("t", name+"(1).\np :- "+name+", X := "+name+".")
	if len(errs) != 3 {
		t.Fatalf("%d errors", len(errs))
	}
	if n := len(errs.Error()); n > 2000 {
		t.Errorf("the errors are %d bytes long", n)
	}
}

func TestDeepTermsAndLongLists(t *testing.T) {
	long := "p([" + strings.Repeat("X, ", 200_000) + "X])."
	if _, errs := check.Program("t", long); len(errs) != 0 {
		t.Errorf("a long list: %v", errs)
	}
	deep := "p(X) :- X := " + strings.Repeat("- ", 9000) + "1."
	if _, errs := check.Program("t", deep); len(errs) != 0 {
		t.Errorf("a deep term: %v", errs)
	}
}

// FuzzCheck checks that accepted programs have the properties that the package comment promises.
func FuzzCheck(f *testing.F) {
	for _, src := range []string{
		"p(X) :- X > 1 | q(X)@node(X + 1).\nq(_).",
		":- module m.\np :- m:p, bigint(1, _), X = X.\notherwise.\np.",
		"X. 1 :- p. [a]. :- p.\na:b. a@node(1) :- b:c@node(d).",
		"p([X|Y], {Z}) :- f(Y) = X, Z := X mod 2, otherwise | p.",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, errs := check.Program("f", src)
		_ = errs.Error()
		if errs.Failed() {
			return
		}
		for _, c := range file.Clauses {
			if name, _ := c.Head.Name(); name == "" {
				if _, ok := c.Head.Term.(*syntax.Atom); !ok {
					t.Fatalf("accepted the head %s", syntax.Format(c.Head.Term))
				}
			}
			if len(file.Modules) > 0 {
				continue // the query would belong to no module
			}
			if _, errs := (check.Files{file}).Query("q", query(c.Body)); errs.Failed() {
				t.Fatalf("accepted a body but not the same query: %v", errs)
			}
			for _, g := range c.Guard {
				name, args := g.Name()
				if i, ok := builtin.Find(g.Module, name, len(args), ""); !ok || !builtin.All[i].Guard {
					t.Fatalf("accepted the guard %s", syntax.Format(g.Term))
				}
			}
		}
	})
}

// query formats goals as the text of a query.
func query(goals []syntax.Goal) string {
	list := []string{"true"}
	for _, g := range goals {
		t := g.Term
		if g.Module != "" {
			t = &syntax.Compound{Name: ":", Args: []syntax.Term{&syntax.Atom{Name: g.Module}, t}}
		}
		if g.Priority != nil {
			name := "priority"
			if g.Lower {
				name = "lower_priority"
			}
			t = &syntax.Compound{Name: "@", Args: []syntax.Term{t, &syntax.Compound{Name: name, Args: []syntax.Term{g.Priority}}}}
		}
		if g.Node != nil {
			t = &syntax.Compound{Name: "@", Args: []syntax.Term{t, &syntax.Compound{Name: "node", Args: []syntax.Term{g.Node}}}}
		}
		list = append(list, syntax.Format(t))
	}
	return strings.Join(list, ", ")
}
