package syntax

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseFile(t *testing.T) {
	src := "\ufeff:- module m.\r\n" +
		"p([X|Xs]) :- X > 0, wait(Xs) |\r\n" +
		"\tq(X)@node(X), /* ä\n*/ m:r, true, (s, true, t).\n" +
		"otherwise. p(é) :- true.\n" +
		"p(_) :- true | true.\n" +
		"otherwise.\n" +
		"p(1). q(_). p.\n"
	f, errs := Parse("dir/a.fghc", src)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if f.Name != "dir/a.fghc" || f.Source != src || len(f.Modules) != 1 || f.Modules[0].Name != "m" || f.Damaged != nil {
		t.Errorf("the file reads as %q, modules %v, damaged %v", f.Name, f.Modules, f.Damaged)
	}
	got := ""
	for _, c := range f.Clauses {
		got += fmt.Sprintf("%d %d:%d group %d: %s", c.Number, c.Pos.Line, c.Pos.Column, c.Group, Format(c.Head.Term))
		for i, goals := range [][]Goal{c.Guard, c.Body} {
			for _, g := range goals {
				pos := g.Term.Position()
				got += fmt.Sprintf(" %c%s %d:%d", "?!"[i], Format(g.Term), pos.Line, pos.Column)
				if g.Node != nil {
					got += " @" + Format(g.Node)
				}
				if g.Module != "" {
					got += " of " + g.Module
				}
			}
		}
		got += "\n"
	}
	want := `1 2:1 group 0: p([X|Xs]) ?X > 0 2:16 ?wait(Xs) 2:21 !q(X) 3:2 @X !r 4:6 of m !s 4:16 !t 4:25
2 5:12 group 1: p(é)
3 6:1 group 1: p(_)
4 8:1 group 2: p(1)
5 8:7 group 0: q(_)
6 8:13 group 0: p
`
	if got != want {
		t.Errorf("the clauses read as\n%swant\n%s", got, want)
	}
}

func TestDamaged(t *testing.T) {
	f, errs := Parse("f", "p(1, [a]) :- .\nq :- ).\nr(1, :- s.\n'a b'(\"x\".\n[a] :- ).\n:- d.\nX :- ).\nok.")
	if got := fmt.Sprint(f.Damaged); got != "[p/2 q/0 r/-1 'a b'/-1]" || len(errs) != 7 || len(f.Clauses) != 1 {
		t.Errorf("damaged: %s, %d clauses, errors: %v", got, len(f.Clauses), errs)
	}
}

func TestParseGoals(t *testing.T) {
	tests := []struct{ src, goals, err string }{
		{"qsort([2,1],X), p(X)", "qsort([2,1],X); p(X)", ""},
		{"?- p, q.", "p; q", ""},
		{"true", "", ""},
		{"p(_x, _), (q, r)@node(2)", "p(_x,_); q,r", ""},
		{"", "", "1:1: the text ends too early"},
		{"p q", "p", "1:3: unexpected the name q"},
		{"p, \n q === r", "p; q", "2:4: unknown operator ==="},
		{"p. q", "p", "1:4: unexpected the name q"},
		{"p :- q", "p", "1:3: unexpected ':-'"},
		{"p | q", "p", "1:3: unexpected '|'"},
	}
	for _, test := range tests {
		goals, errs := ParseGoals("goal", test.src)
		var list []string
		for _, g := range goals {
			list = append(list, Format(g.Term))
		}
		if got := strings.Join(list, "; "); got != test.goals {
			t.Errorf("%q has the goals %s, want %s", test.src, got, test.goals)
		}
		if text := errs.Error(); test.err == "" && text != "" || test.err != "" && !strings.HasPrefix(text, "goal:"+test.err) {
			t.Errorf("%q has the errors %s, want %s", test.src, text, test.err)
		}
	}
}

func TestErrorText(t *testing.T) {
	long := "p(" + strings.Repeat("abcdefghi,", 30) + " :- ."
	tests := []struct{ src, text string }{
		{"ok.\n  p(ä) :- q r.\r\n", "f:2:13: unexpected the name r\n      p(ä) :- q r.\n                ^\nexpected an operator, a comma, | or '.'"},
		{"\tp :-\t).", "f:1:7: unexpected ')'\n    \tp :-\t).\n    \t    \t^\nexpected a goal"},
		{"p :- \x1b[31m.", "f:1:6: unexpected character '\\x1b'\n    p :- \ufffd[31m.\n         ^"},
		{"p :- \"a\xffb\", ).", "f:1:8: the byte ff is not UTF-8\n    p :- \"a\ufffdb\", ).\n           ^\n" +
			"expected UTF-8; in Latin-1 the byte is ÿ, and iconv -f latin1 -t utf-8 converts such a text\n" +
			"f:1:13: unexpected ')'\n    p :- \"a\ufffdb\", ).\n                ^\nexpected a goal"},
		{"/* a\n/* b \nc.", "f:1:1: the comment is not closed\n    /* a\n    ^\nexpected */"},
		{"p(X) :-", "f:1:8: the text ends too early\n    p(X) :-\n           ^\nexpected a goal"},
		{long, "f:1:304: unexpected ':-'\n    ..." + long[243:] + "\n    " + strings.Repeat(" ", 63) + "^\nexpected an argument"},
	}
	for _, test := range tests {
		_, errs := Parse("f", test.src)
		if got := errs.Error(); got != test.text {
			t.Errorf("%q has the errors\n%s\nwant\n%s", test.src, got, test.text)
		}
	}
}

func TestErrors(t *testing.T) {
	var none Errors
	fault, warning := &Error{Msg: "a"}, &Error{Msg: "b", Severity: Warning}
	if none.Err() != nil || (Errors{warning}).Err() != nil || (Errors{warning, fault}).Err() == nil {
		t.Error("Err must return an error exactly if there is a Fault")
	}
	if got := (Errors{{Pos: Pos{File: "f", Line: 1, Column: 2}, Msg: "odd", Severity: Warning}}).Error(); got != "f:1:2: warning: odd" {
		t.Errorf("a warning prints as %q", got)
	}
}

// The depth of terms is bounded, their length is not.
func TestDepthAndLength(t *testing.T) {
	repeat := func(open, middle, closing string, n int) string {
		return "p(" + strings.Repeat(open, n) + middle + strings.Repeat(closing, n) + ")."
	}
	deep := []struct {
		name string
		src  func(n int) string
	}{
		{"lists", func(n int) string { return repeat("[", "", "]", n) }},
		{"vectors", func(n int) string { return repeat("{", "", "}", n) }},
		{"structures", func(n int) string { return repeat("f(", "a", ")", n) }},
		{"parentheses", func(n int) string { return repeat("(", "a", ")", n) }},
		{"prefixes", func(n int) string { return repeat("- ", "a", "", n) }},
		{"sums", func(n int) string { return repeat("1+", "a", "", n) }},
		{"modules", func(n int) string { return repeat("a:", "a", "", n) }},
		{"heads", func(n int) string { return repeat("[a|", "b", "]", n) }},
		{"conjunction", func(n int) string { return "p :- (" + strings.Repeat("a, ", n) + "a)." }},
		{"otherwise", func(n int) string { return "p :- " + strings.Repeat("f(", n) + "a" + strings.Repeat(")", n) + "." }},
	}
	for _, c := range deep {
		if _, errs := Parse("f", c.src(9_990)); len(errs) != 0 {
			t.Errorf("%s: 9,990 levels: %v", c.name, errs)
		}
		for _, n := range []int{10_001, 300_000} {
			if _, errs := Parse("f", c.src(n)); len(errs) != 1 || !strings.Contains(errs[0].Msg, "nests too deep") {
				t.Errorf("%s: %d levels: %.200q", c.name, n, errs.Error())
			}
		}
	}
	const n = 100_000
	long := []struct{ name, src string }{
		{"list", "p([" + strings.Repeat("a, ", n) + "b])."},
		{"list tail", "p([" + strings.Repeat("a, ", n) + "b|T])."},
		{"body", "p :- " + strings.Repeat("q(X), ", n) + "q(X)."},
		{"guard", "p(X) :- " + strings.Repeat("wait(X), ", n) + "true | true."},
		{"arguments", "p(" + strings.Repeat("a, ", n) + "b)."},
		{"vector", "p({" + strings.Repeat("a, ", n) + "b})."},
		{"string", "p(\"" + strings.Repeat("abcdefghi ", n) + "\")."},
		{"name", "p(" + strings.Repeat("abcdefghi_", n) + ")."},
		{"number", "p(" + strings.Repeat("1", n) + ")."},
		{"clauses", strings.Repeat("p(a).\n", n)},
		{"comment", strings.Repeat("/*", n) + strings.Repeat("*/", n) + "p."},
	}
	for _, c := range long {
		f, errs := Parse("f", c.src)
		if len(errs) != 0 || len(f.Clauses) == 0 {
			t.Errorf("long %s: %.200q", c.name, errs.Error())
			continue
		}
		if c.name == "list" {
			if text := Format(f.Clauses[0].Head.Term); len(text) != 2*n+6 {
				t.Errorf("a list of %d elements prints as %d bytes", n+1, len(text))
			}
		}
	}
	if _, errs := Parse("f", "p("+strings.Repeat("1", n+1)+")."); len(errs) != 1 || !strings.Contains(errs[0].Msg, "100,000 digits") {
		t.Errorf("a number of 100,001 digits: %.200q", errs.Error())
	}
}

// Format prints terms that are deeper than any source.
func TestFormatDeep(t *testing.T) {
	var term Term = &Atom{Name: "a"}
	const n = 1_000_000
	for range n {
		term = &Compound{Name: "-", Args: []Term{&Vector{Args: []Term{term}}}}
	}
	if text := Format(term); len(text) != 3*n+1 {
		t.Errorf("%d levels print as %d bytes", n, len(text))
	}
}

var seeds = []string{
	"",
	":- module m.\np([X|Xs], Y) :- X >= 0, wait(Y) | Y = [X|Z], p(Xs, Z)@node(X + 1).\notherwise.\np(_, []).",
	"p :- a == b, \"abc.\nq(1, 2 :- r.\ns.",
	"p('a\\n\\x41\\', \"s\"\"t\", 0'a, 16'ff, -1, - 1, {}, [], {a|b}).",
	"/* /* */ p. */ q. /* r",
	"größe(Ä, \xff) :- -(-)-(- 1), (a:-b|c;d->e,f).",
	"p(1234567890123456789012345678901234567890) :- (((((((a))))))), !, X := \\ Y mod -3.",
	"otherwise.\np.\notherwise.\notherwise.\nalternatively.\n?- p.\n:- op(1, 2, 3).\n.",
	"p(X)-S :- ( X > 0 -> S <= X, q-S ; otherwise ; true -> q(~(X + 1))-S ), r(#\"a\", 16#\"ff\").\n:- with((A = 1)).\nalternatively.",
	"p(X) :- generic:string(X):N:_, ( N = 1 ; N = 2 ) | X += 1, 2 => X, a ; b.",
	"p(0'\\x110000\\, 0'", "p :- q@prio(1), 1:r, a:b:c@node(1).", "\ufeffp. \tq(\r\n).",
}

// FuzzParse checks that no source makes the parser panic, that errors are sorted and lie in the source, and that clauses are unchanged by
// formatting and parsing.
func FuzzParse(f *testing.F) {
	for _, src := range seeds {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		file, errs := Parse("f", src)
		checkErrors(t, src, errs)
		if len(errs) > 0 {
			file.Clauses = nil // some are incomplete
		}
		var text strings.Builder
		for _, c := range file.Clauses {
			text.WriteString(clauseText(c))
		}
		again, errs := Parse("f", text.String())
		if len(errs) > 0 || len(again.Clauses) != len(file.Clauses) {
			t.Fatalf("%q prints as %q, which has %d clauses of %d and the errors %v", src, text.String(), len(again.Clauses), len(file.Clauses), errs)
		}
		for i, c := range file.Clauses {
			if first, second := clauseText(c), clauseText(again.Clauses[i]); first != second || !equal(c.Head.Term, again.Clauses[i].Head.Term) {
				t.Fatalf("%q prints as %q, and that as %q", src, first, second)
			}
		}
		goals, errs := ParseGoals("f", src)
		checkErrors(t, src, errs)
		ExpandGoals(goals)
		if len(file.Clauses) > 0 {
			fuzzExpand(t, src, file)
		}
	})
}

// fuzzExpand checks that expanding twice is the same as expanding once.
func fuzzExpand(t *testing.T, src string, file *File) {
	core, errs := Expand(file)
	checkErrors(t, src, errs)
	if len(errs) > 0 || strings.ContainsAny(src, "`-+@:#") { // quoted terms, and goals like p-X-Y, m:generic:p and ##"a", expand again
		return
	}
	again, errs := Expand(core)
	if first, second := coreText(core.Clauses), coreText(again.Clauses); first != second || len(errs) > 0 {
		t.Fatalf("%q expands to\n%sand that to\n%s%v", src, first, second, errs)
	}
}

func checkErrors(t *testing.T, src string, errs Errors) {
	lines := strings.Split(src, "\n")
	last := Pos{}
	for _, e := range errs {
		if e.Pos.Line < last.Line || e.Pos.Line == last.Line && e.Pos.Column < last.Column {
			t.Fatalf("%q: errors out of order: %v", src, errs)
		}
		last = e.Pos
		if e.Pos.Line < 1 || int(e.Pos.Line) > len(lines) || e.Pos.Column < 1 || int(e.Pos.Column) > utf8.RuneCountInString(lines[e.Pos.Line-1])+1 {
			t.Fatalf("%q: the position does not exist: %v", src, e)
		}
		if !utf8.ValidString(e.Error()) {
			t.Fatalf("%q: an error that is not UTF-8: %q", src, e.Error())
		}
	}
}

// clauseText formats a clause as source text, without otherwise.
func clauseText(c *Clause) string {
	goals := func(list []Goal) string {
		parts := []string{"true"}
		for _, g := range list {
			parts = append(parts, goalText(g))
		}
		return strings.Join(parts, ", ")
	}
	return goalText(c.Head) + " :- " + goals(c.Guard) + " | " + goals(c.Body) + ".\n"
}

func goalText(g Goal) string {
	t := g.Term
	if g.Module != "" {
		t = &Compound{Name: ":", Args: []Term{&Atom{Name: g.Module}, t}}
	}
	if g.Node != nil {
		t = &Compound{Name: "@", Args: []Term{t, &Compound{Name: "node", Args: []Term{g.Node}}}}
	}
	text := Format(t)
	return "(" + text + ")"
}

func BenchmarkParse(b *testing.B) {
	src := strings.Repeat(`
% Quick sort with difference lists.
qsort([], X, Y) :- X = Y.
qsort([P|Xs], X, Y) :- part(P, Xs, S, L), qsort(S, X, [P|T])@node(1), qsort(L, T, Y).

part(_, [], S, L) :- S = [], L = [].
part(P, [X|Xs], S, L) :- P >= X | S = [X|S1], part(P, Xs, S1, L).
otherwise.
part(P, [X|Xs], S, L) :- N := P + 2 * (3 - 1), print("text", N), L = [X|L1], part(P, Xs, S, L1).
`, 1000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, errs := Parse("bench.fghc", src); len(errs) > 0 {
			b.Fatal(errs)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	f, _ := Parse("bench.fghc", "p(["+strings.Repeat("f(X + 1, 'a b', \"s\"), ", 10_000)+"x]).")
	b.SetBytes(int64(len(Format(f.Clauses[0].Head.Term))))
	for b.Loop() {
		Format(f.Clauses[0].Head.Term)
	}
}
