package inline

import (
	"os"
	"strings"
	"testing"
	"unicode"

	"whorl/fghc/syntax"
	"whorl/testdata/must"
)

// translated returns a clause with its C code replaced, or the errors.
func translated(t *testing.T, clause string) string {
	t.Helper()
	f, errs := syntax.Parse("c.kl1", clause)
	if errs.Failed() {
		t.Fatal(errs)
	}
	c := f.Clauses[0]
	if _, errs := Translate(f, nil); errs.Failed() {
		return errs.Error()
	}
	var out []string
	for k, goals := range [][]syntax.Goal{c.Guard, c.Body} {
		if k == 1 {
			out = append(out, "|")
		}
		for _, g := range goals {
			text := syntax.Format(g.Term)
			if g.Module != "" {
				text = g.Module + ":" + text
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " ; ")
}

func TestTranslate(t *testing.T) {
	for _, c := range []struct{ guard, want string }{
		{`true`, `| ; q`},
		{`inline:""`, `| ; q`},
		{`X > 0, inline:"%0 = makeint(1);":[Y-int], Y < X`, `X > 0 ; Y := 1 ; Y < X ; | ; q`},
		{`inline:"%1 = makeint(intval(%0));":[X+int,Y-int]`, `integer(X) ; Y := X ; | ; q`},
		{`inline:"{ %2=makeint(-(intval(%0)+0x10)*~intval(%1)/'a'); }":[X+int,Y+int,Z-int]`, `integer(X) ; integer(Y) ; Z := -(X+16)* \Y/97 ; | ; q`},
		{`inline:"%1 = makeint(intval(%0) >> 2 << 1 & 7 | 8 ^ 1);":[X+int,Y-int]`, `integer(X) ; Y := X>>2<<1/\7\/(8 xor 1) ; | ; q`},
		{`inline:"%1 = makeint(intval(%0) %% 3);":[X+int,Y-int]`, `integer(X) ; Y := X mod 3 ; | ; q`},
		{`inline:"%1 = %0; /* a copy */ // of it":[X+any,Y-any]`, `Y = X ; | ; q`},
		{`inline:"#include <a.h>\n if (intval(%0) < 1) goto %f;":[X+int]`, `integer(X) ; X >= 1 ; | ; q`},
		{`inline:"if (!(intval(%0) <= 1 && intval(%0) != 0)) goto %f;":[X+int]`, `integer(X) ; X =< 1 ; X =\= 0 ; | ; q`},
		{`inline:"if (intval(%0) || intval(%0) == 4) goto %f;":[X+int]`, `integer(X) ; X =:= 0 ; X =\= 4 ; | ; q`},
		{`inline:"unsigned int c = intval(%0) * 2; %1 = makeint(c + c);":[X+int,Y-int]`, `integer(X) ; _C1 := X*2 ; Y := _C1+_C1 ; | ; q`},
		{`inline:"if (intval(%0)) { goto %f; }":[X+int]`, `integer(X) ; X =:= 0 ; | ; q`},
		{`inline:"goto %f;"`, `0 = 1 ; | ; q`},
		{`inline:"%0 = NILATOM;":[X-atom]`, `X = [] ; | ; q`},
		{`inline:"%0 = makeint(command_argc); fflush(stdout);":[X-int]`, `| ; unix:argc(X) ; q`},
		{`inline:"klic_exit(intval(%0));":[X+int]`, `integer(X) ; | ; unix:exit(X) ; q`},
		{
			`inline:"":[A+atom,B+bound,C+list,D+functor,E+float,F+object(float),G+object(byte_string)]`,
			`atom(A) ; wait(B) ; list(C) ; wait(D) ; float(E) ; float(F) ; string(G,_,_) ; | ; q`,
		},
	} {
		if got := translated(t, "p :- "+c.guard+" | q."); got != c.want {
			t.Errorf("%s:\n%s\nexpected\n%s", c.guard, got, c.want)
		}
	}
}

// TestLongStatement checks that the length of a statement is bounded, and with it the depth of expressions.
func TestLongStatement(t *testing.T) {
	nested := func(n int) string {
		return `p(X,Y) :- inline:"%1 = makeint(` + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + `);":[X+int,Y-int] | q.`
	}
	if got := translated(t, nested(maxTokens/2-4)); got != "integer(X) ; Y := 1 ; | ; q" {
		t.Error(got)
	}
	if got := translated(t, nested(maxTokens/2)); !strings.Contains(got, "more than 5000 tokens") {
		t.Error(got)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ guard, want string }{
		{`inline:"foo();"`, "C code without a replacement: foo();\nunknown statement: foo ( )"},
		{`inline:"%0 = foo(1);":[X-int]`, "unknown value: foo ( 1 )"},
		{`inline:"%0 = makeint(foo);":[X-int]`, "unknown value: foo"},
		{`inline:"%0 = makeint(1":[X-int]`, "a statement lacks )"},
		{`inline:"%0 = makeint(":[X-int]`, "a statement ends too early"},
		{`inline:"%0 = makeint(1) 2":[X-int]`, "unexpected 2"},
		{`inline:"%0 = makeint(1 < 2)":[X-int]`, "< is no operator of arithmetic"},
		{`inline:"%0 = makeint(2 + !1)":[X-int]`, "! is no operator of arithmetic"},
		{`inline:"%0 = makeint(99999999999999999999)":[X-int]`, "unknown number: 99999999999999999999"},
		{`inline:"%0 = makeint('\\q')":[X-int]`, "unknown character"},
		{`inline:"%1 = makeint(1)":[X-int]`, "%1 is not an argument"},
		{`inline:"%1 = %0":[X-int]`, "%1 is not an argument"},
		{`inline:"%0 = %1":[X-int]`, "%1 is not an argument"},
		{`inline:"%3 = NILATOM":[X-int]`, "%3 is not an argument"},
		{`inline:"long c = intval(%0), d;":[X+int]`, "unexpected ,"},
		{`inline:"long c"`, "unknown declaration: c"},
		{`inline:"long c = f"`, "unknown value: f"},
		{`inline:"long c = 1 < 2"`, "< is no operator of arithmetic"},
		{`inline:"if (isalpha(1 < 2)) goto %f"`, "< is no operator of arithmetic"},
		{`inline:"if 1"`, "a statement lacks ("},
		{`inline:"if (1) x"`, "unknown statement after a condition: x"},
		{`inline:"if (1 && 2) goto %f"`, "a guard cannot test that one of two conditions holds"},
		{`inline:"if (!(1 || 2)) goto %f"`, "a guard cannot test that one of two conditions holds"},
		{`inline:"if (foo < 1 || 2) goto %f"`, "unknown value: foo"},
		{`inline:"if (1 < !1) goto %f"`, "! is no operator of arithmetic"},
		{`inline:"if ((1 < 2) < 1) goto %f"`, "< is no operator of arithmetic"},
		{`inline:"if ((1 < 2) > 1 || 1) goto %f"`, "< is no operator of arithmetic"},
		{"inline:\"\n#ifdef X\n#endif\n\"", "the preprocessor has no replacement"},
		{"inline:\"@\"", `"@" is no token of C`},
		{`inline:f`, "f is not C code"},
		{`inline:"":[1]`, "1 is not an argument of C code"},
		{`inline:"":[X+object(pointer)]`, "values of the type object(pointer) have no replacement"},
		{`inline:"%0 = makeint(command_argc);":[X-int], X > 0`, "X is computed by the body, after the guard"},
	} {
		if got := translated(t, "p :- "+c.guard+" | q."); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "c.kl1:1:") && !strings.HasPrefix(got, "c.kl1:2:") {
			t.Errorf("%s:\n%s\nexpected\n%s", c.guard, got, c.want)
		}
	}
}

// TestReplacements checks that each entry of the table can be read and is documented.
func TestReplacements(t *testing.T) {
	text := string(must.Get(os.ReadFile("../../docs/fghc.md"))(t))
	for _, r := range replacements {
		if !strings.Contains(text, "`"+r.c+";`") {
			t.Errorf("docs/fghc.md lacks %s", r.c)
		}
		for _, goals := range []string{r.guard, r.body} {
			if _, errs := syntax.ParseGoals("", strings.ReplaceAll(goals, "$", "X")); goals != "" && errs.Failed() {
				t.Errorf("%s: %v", r.c, errs)
			}
		}
	}
}

// TestClasses compares the classes of characters with those of package unicode.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		name string
		is   func(r rune) bool
	}{
		{"isupper", unicode.IsUpper},
		{"islower", unicode.IsLower},
		{"isdigit", unicode.IsDigit},
		{"isalpha", unicode.IsLetter},
		{"isalnum", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }},
		{"isgraph", func(r rune) bool { return unicode.IsPrint(r) && r != ' ' }},
		{"isprint", unicode.IsPrint},
		{"ispunct", func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }},
		{"isspace", unicode.IsSpace},
	} {
		got := translated(t, `p :- inline:"if (!`+c.name+`(intval(%0))) goto %f; if (`+c.name+`(intval(%0) + 1)) goto %f":[X+int] | q.`)
		var yes, no strings.Builder
		for r := range rune(256) {
			bit := map[bool]byte{true: '1', false: '0'}[r < 128 && c.is(r)]
			yes.WriteByte(bit)
			no.WriteByte('0' + '1' - bit)
		}
		want := `integer(X) ; string_element("` + yes.String() + `",X,49) ; _C1 := X+1 ; string_element("` + no.String() + `",_C1,49) ; | ; q`
		if got != want {
			t.Errorf("%s: %s\nexpected %s", c.name, got, want)
		}
	}
}
