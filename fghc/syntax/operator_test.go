package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// canonical formats a term with every operator in prefix form.
func canonical(t Term) string {
	c, ok := t.(*Compound)
	if !ok {
		return Format(t)
	}
	var args []string
	for _, arg := range c.Args {
		args = append(args, canonical(arg))
	}
	return c.Name + "(" + strings.Join(args, ",") + ")"
}

func TestOperators(t *testing.T) {
	tests := []struct{ src, structure, text string }{
		{"1+2*3", "+(1,*(2,3))", "1+2*3"},
		{"(1+2)*3", "*(+(1,2),3)", "(1+2)*3"},
		{"1-2-3", "-(-(1,2),3)", "1-2-3"},
		{"1-(2-3)", "-(1,-(2,3))", "1-(2-3)"},
		{"8 mod 3*2", "*(mod(8,3),2)", "8 mod 3*2"},
		{"8 mod (3*2)", "mod(8,*(3,2))", "8 mod (3*2)"},
		{"1<<2+3", "+(<<(1,2),3)", "1<<2+3"},
		{"a/\\b\\/c xor d", "xor(\\/(/\\(a,b),c),d)", "a/\\b\\/c xor d"},
		{"X:=Y+1", ":=(X,+(Y,1))", "X := Y+1"},
		{"X := Y@node(3)", "@(:=(X,Y),node(3))", "(X := Y)@node(3)"},
		{"a:b:c", ":(a,:(b,c))", "a:b:c"},
		{"(a:b):c", ":(:(a,b),c)", "(a:b):c"},
		{"m:p(X)@node(N)", ":(m,@(p(X),node(N)))", "m:p(X)@node(N)"},
		{"(m:p(X))@node(N)", "@(:(m,p(X)),node(N))", "(m:p(X))@node(N)"},
		{"a@b = c", "@(a,=(b,c))", "a@b = c"},
		{"(a@b)@c", "@(@(a,b),c)", "(a@b)@c"},
		{"(a,b,c)", ",(a,,(b,c))", "a,b,c"},
		{"((a,b),c)", ",(,(a,b),c)", "(a,b),c"},
		{"(a:-b,c|d;e->f)", ":-(a,|(,(b,c),;(d,->(e,f))))", "a :- b,c | d ; e -> f"},
		{"f((a,b),c)", "f(,(a,b),c)", "f((a,b),c)"},
		{"f(a:-b)", "", ""},
		{"f((a:-b))", "f(:-(a,b))", "f((a :- b))"},
		{"a=b=c", "", ""},
		{"a=(b=c)", "=(a,=(b,c))", "a = (b = c)"},
		{"-1", "-1", "-1"},
		{"- 1", "-1", "-1"},
		{"-(1)", "-(1)", "-(1)"},
		{"-a", "-(a)", "-a"},
		{"--a", "", ""}, // one symbol
		{"- -a", "-(-(a))", "-(-a)"},
		{"- -1", "-(-1)", "-(-1)"},
		{"-(-)", "-(-)", "-(-)"},
		{"-a+b", "+(-(a),b)", "-a+b"},
		{"-(a+b)", "-(+(a,b))", "-(a+b)"},
		{"-(a,b)", "-(a,b)", "a-b"},
		{"- (a,b)", "-(,(a,b))", "-((a,b))"},
		{"-(-):b", ":(-(-),b)", "-(-):b"},
		{"- (-):b", ":(-(-),b)", "-(-):b"},
		{"f(:-)", "f((:-))", "f((:-))"},
		{":- a", ":-(a)", ":-a"},
		{"f((:-module(m)))", "f(:-(module(m)))", "f(:-(module m))"},
		{"f(:- a)", "", ""},
		{"a = mod b", "", ""},
		{"-((a,b))", "-(,(a,b))", "-((a,b))"},
		{"- a:b", ":(-(a),b)", "-a:b"},
		{"- (a=b):c", ":(-(=(a,b)),c)", "-(a = b):c"},
		{"(-a):b", ":(-(a),b)", "-a:b"},
		{"- 1:b", ":(-1,b)", "-1:b"},
		{"-1:b", ":(-1,b)", "-1:b"},
		{"\\ X/\\ \\Y", "/\\(\\(X),\\(Y))", "\\X/\\ \\Y"},
		{"+1", "+(1)", "+(1)"},
		{"1 - 1", "-(1,1)", "1-1"},
		{"1 -1", "-(1,1)", "1-1"},
		{"1 - -1", "-(1,-1)", "1- -1"},
		{"a- (-1)", "-(a,-1)", "a- -1"},
		{"a*(b)", "*(a,b)", "a*b"},
		{"= = =", "=(=,=)", "(=) = (=)"},
		{"(-)-(-)", "-(-,-)", "(-)-(-)"},
		{"f(+,-,mod,;)", "f(+,-,mod,;)", "f(+,-,mod,;)"},
		{"mod(1)", "mod(1)", "mod(1)"},
		{"mod(1,2)", "mod(1,2)", "1 mod 2"},
		{"','(1)", ",(1)", "','(1)"},
		{"'|'", "'|'", "'|'"},
		{"a '+' b", "", ""}, // a quoted name is not an infix operator
		{"X=[]", "=(X,[])", "X = []"},
		{"-a*b", "-(*(a,b))", "-(a*b)"}, // a sign applies to the product that follows
		{"-a+b*c", "+(-(a),*(b,c))", "-a+b*c"},
		{"a* -b*c", "*(*(a,-(b)),c)", "a*(-b)*c"},
		{"a* -b+c", "+(*(a,-(b)),c)", "a*(-b)+c"},
		{"2*8 mod 3", "*(2,mod(8,3))", "2*8 mod 3"},
		{"a**b**c", "**(a,**(b,c))", "a**b**c"},
		{"~(N-1)", "~(-(N,1))", "~(N-1)"},
		{"~N-1", "-(~(N),1)", "~N-1"},
		{"$~X", "$~(X)", "$~X"},
		{"X $:= Y+1.0", "$:=(X,+(Y,1.0))", "X $:= Y+1.0"},
		{"X=..Y", "=..(X,Y)", "X =.. Y"},
		{"X =.. Y", "=..(X,Y)", "X =.. Y"},
		{"X@<Y", "@<(X,Y)", "X @< Y"},
		{"p(X)-S+[]", "+(-(p(X),S),[])", "p(X)-S+[]"},
		{"S<==T", "<==(S,T)", "S <== T"},
		{"m:p(X)-S@node(1)", ":(m,@(-(p(X),S),node(1)))", "m:p(X)-S@node(1)"},
		{"p@node(1)@priority(2)", "@(p,@(node(1),priority(2)))", "p@node(1)@priority(2)"},
		{"p#(m:q/2)", "#(p,:(m,/(q,2)))", "p#(m:q/2)"},
		{"#\"a\"", "#(\"a\")", "#\"a\""},
		{"16#\"ff\"", "#(16,\"ff\")", "16#\"ff\""},
		{"C>= #\"a\"+1", ">=(C,+(#(\"a\"),1))", "C >= #\"a\"+1"},
		{"X++", "++(X)", "++(X)"},
		{"X++ + 1", "+(++(X),1)", "++(X)+1"},
		{"`(a)", "`(a)", "`(a)"},
		{"mode=is", "=(mode,is)", "(mode) = (is)"},
		{"(mode)=(is)", "=(mode,is)", "(mode) = (is)"},
		{"module m", "module(m)", "module m"},
		{"module(m)", "module(m)", "module m"},
		{"module m:p", ":(module(m),p)", "module m:p"},
		{"module:m", ":(module,m)", "(module):m"},
		{"module -m", "-(module,m)", "(module)-m"},
		{"module m-1", "-(module(m),1)", "module m-1"},
		{"public a/1,b/2", "public(,(/(a,1),/(b,2)))", "public((a/1,b/2))"},
		{"mode a", "mode(a)", "mode a"},
		{"mode (a)", "mode(a)", "mode a"},
		{"mode X", "mode(X)", "mode X"},
		{"mode \"x\"", "mode(\"x\")", "mode \"x\""},
		{"mode -1", "mode(-1)", "mode(-1)"},
		{"with_macro pimos", "with_macro(pimos)", "with_macro pimos"},
		{"local_operator a", "local_operator(a)", "local_operator a"},
		{"implicit a:b", "implicit(:(a,b))", "implicit(a:b)"},
		{"spy a=b", "spy(=(a,b))", "spy(a = b)"},
		{"spy -a", "spy(-(a))", "spy(-a)"},
		{"nospy spy a", "nospy(spy(a))", "nospy(spy a)"},
		{"X = spy", "=(X,spy)", "X = (spy)"},
		{"X = spy a", "", ""},
		{"[mode,public|spy]", "[mode,public|spy]", "[mode,public|spy]"},
		{"[mode-1,spy-1]", "[(mode)-1,spy(-1)]", "[(mode)-1,spy(-1)]"},
		{"f(mode a)", "", ""},
		{"f((mode a),spy a)", "f(mode(a),spy(a))", "f((mode a),spy a)"},
		{"(-) = 1", "=(-,1)", "(-) = 1"},
		{"- = 1", "=(-,1)", "(-) = 1"},
		{"[-|-]", "[-|-]", "[-|-]"},
		{"(|)", "'|'", "'|'"},
		{".(a,b)", "[a|b]", "[a|b]"},
		{"'.'(a,[])", "[a]", "[a]"},
		{"$(a,b)", "$(a,b)", "$(a,b)"},
		{"\"a\" \"b\"\n\"c\"", "\"abc\"", "\"abc\""},
		{"\"a\nb\"", "\"a\\nb\"", "\"a\\nb\""}, // a string may contain a newline
		{"\"a\\\nb\"", "\"ab\"", "\"ab\""},
		{`"\101\x42+\?\%"`, `"AB+?%"`, `"AB+?%"`},
		{`"\400"`, "", ""},
		{"0'\\", "92", "92"},
		{"f(0'\\,a)", "f(92,a)", "f(92,a)"},
		{"0'`", "96", "96"},
		{"[a|b]", "[a|b]", "[a|b]"},
		{"[a,b|[c]]", "[a,b,c]", "[a,b,c]"},
		{"[a|b,c]", "", ""},
		{"[(a,b),(c:-d)]", "[(a,b),(c :- d)]", "[(a,b),(c :- d)]"},
		{"{}", "{}", "{}"},
		{"'{}'", "'{}'", "'{}'"},
		{"{a,{b}}", "{a,{b}}", "{a,{b}}"},
		{"'[]'(a)", "[](a)", "'[]'(a)"},
		{"[](a)", "", ""},
		{"f (a)", "", ""},
		{"'hello world'", "'hello world'", "'hello world'"},
		{"'hello'", "hello", "hello"},
		{"'Hello'", "'Hello'", "'Hello'"},
		{"'_'", "'_'", "'_'"},
		{"'it''s'", `'it\'s'`, `'it\'s'`},
		{`"a""b\n\x41\x0"`, `"a\"b\nA\000"`, `"a\"b\nA\000"`},
		{`"\x41\n\x3b1\\x1\101c"`, `"A\nα\001Ac"`, `"A\nα\001Ac"`},
		{"1'10110", "3", "3"},
		{"'/*'", "'/*'", "'/*'"},
		{"é", "é", "é"},
		{"É", "É", "É"},
		{"0'a", "97", "97"},
		{"0' ", "32", "32"},
		{"0'\\n", "10", "10"},
		{"0'''", "39", "39"},
		{"0'\\x3b1\\", "945", "945"},
		{"16'Ff", "255", "255"},
		{"-16'80", "-128", "-128"},
		{"2'1", "1", "1"},
		{"007", "7", "7"},
		{"000", "0", "0"},
		{"9223372036854775807", "9223372036854775807", "9223372036854775807"},
		{"9223372036854775808", "9223372036854775808", "9223372036854775808"},
		{"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
		{"-9223372036854775809", "-9223372036854775809", "-9223372036854775809"},
		{"16'10000000000000000", "18446744073709551616", "18446744073709551616"},
		{"1'2", "", ""},
		{"1.5", "1.5", "1.5"},
		{"-1.5e-3", "-0.0015", "-0.0015"},
		{"- 1.0", "-1.0", "-1.0"},
		{"1.0E+30", "1.0e+30", "1.0e+30"},
		{"1.5e400", "", ""},
		{"1.5e", "", ""},
		{"a.b", "", ""},
	}
	for _, test := range tests {
		term, errs := parseTerm(test.src)
		if test.structure == "" {
			if len(errs) != 1 {
				t.Errorf("%s: %d errors, want one; it reads as %v", test.src, len(errs), term)
			}
			continue
		}
		if len(errs) > 0 {
			t.Errorf("%s: %v", test.src, errs)
			continue
		}
		if got := canonical(term); got != test.structure {
			t.Errorf("%s reads as %s, want %s", test.src, got, test.structure)
		}
		if got := Format(term); got != test.text {
			t.Errorf("%s prints as %s, want %s", test.src, got, test.text)
		}
	}
}

func TestIntegersFitWhereTheyCan(t *testing.T) {
	for _, c := range []struct {
		src string
		big bool
	}{
		{"9223372036854775807", false},
		{"9223372036854775808", true},
		{"-9223372036854775808", false},
		{"-9223372036854775809", true},
		{"16'7fffffffffffffff", false},
		{"16'8000000000000000", true},
		{"00000000000000000000000001", false},
	} {
		term, _ := parseTerm(c.src)
		if n, ok := term.(*Int); !ok || (n.Big != "") != c.big {
			t.Errorf("%s reads as %#v, want Big set: %v", c.src, term, c.big)
		}
	}
}

// The priorities of any two operators, not their order, decide how they nest.
func TestOperatorPairs(t *testing.T) {
	pairs, refused := 0, 0
	for _, a := range Operators {
		for _, b := range Operators {
			if a.Prefix || b.Prefix || a.Postfix || b.Postfix {
				continue
			}
			pairs++
			left := fmt.Sprintf("%s(%s(x,y),z)", b.Name, a.Name)  // (x a y) b z
			right := fmt.Sprintf("%s(x,%s(y,z))", a.Name, b.Name) // x a (y b z)
			want := ""
			switch {
			case a.Priority <= b.Left && b.Priority > a.Right:
				want = left
			case b.Priority <= a.Right:
				want = right
			}
			term, errs := parseTerm(fmt.Sprintf("(x %s y %s z)", a.Name, b.Name))
			switch {
			case want == "":
				refused++
				if len(errs) == 0 {
					t.Errorf("x %s y %s z reads as %s, want an error", a.Name, b.Name, canonical(term))
				}
			case len(errs) > 0:
				t.Errorf("x %s y %s z: %v", a.Name, b.Name, errs)
			case canonical(term) != want:
				t.Errorf("x %s y %s z reads as %s, want %s", a.Name, b.Name, canonical(term), want)
			}
		}
	}
	// Only operators of equal priority whose arguments must have lower priorities are refused: 2 clause operators, 50 comparisons, mod
	// beside itself and before **, and # and :: beside themselves.
	if pairs != 73*73 || refused != 2*2+50*50+2+1+1 {
		t.Errorf("%d of %d pairs refused", refused, pairs)
	}
}

// TestOperatorTable changes a table of operators and reads terms with each version of it.
func TestOperatorTable(t *testing.T) {
	table := NewOperatorTable()
	add := func(name, kind string, priority int) {
		op, ok := NewOperator(name, kind, priority)
		if !ok {
			t.Fatal(kind)
		}
		table = table.With(op)
	}
	add("likes", "xfx", 700)
	add("and", "xfy", 600)
	add("minus", "yfx", 500)
	add("not", "fy", 200)
	add("all", "fx", 200)
	add("indeed", "xf", 300)
	add("so", "yf", 300)
	before := table
	none, _ := NewOperator("likes", "xfx", 1)
	table = table.Without(none)
	for _, c := range []struct {
		table     *OperatorTable
		src, want string
	}{
		{before, "a likes b and c and d", "likes(a,and(b,and(c,d)))"},
		{before, "a minus b minus c", "minus(minus(a,b),c)"},
		{before, "not not a", "not(not(a))"},
		{before, "all all a", ""},
		{before, "a indeed", "indeed(a)"},
		{before, "a indeed indeed", ""},
		{before, "a so so", "so(so(a))"},
		{table, "a likes b", ""},
		{table, "a minus b", "minus(a,b)"},
	} {
		got := ""
		if term, errs := ParseTerm("input", c.src+" .", c.table); !errs.Failed() {
			got = canonical(term)
		}
		if got != c.want {
			t.Errorf("%s: %q, expected %q", c.src, got, c.want)
		}
	}
	for _, kind := range []string{"", "f", "yfy", "xx", "fz", "ff"} {
		if op, ok := NewOperator("a", kind, 700); ok {
			t.Errorf("%q: %v", kind, op)
		}
	}
}
