package preprocess

import (
	"errors"
	"strings"
	"testing"
)

// files are those that the tests include.
func files(from, name string) (text, path string, err error) {
	switch name {
	case "sizes.h":
		return "#define N 8\ninteger n\n", name, nil
	case "again.h":
		return "#include \"again.h\"\n", name, nil
	}
	return "", "", errors.New("no such file")
}

// lines preprocesses a text and returns the lines that are not empty, and the errors.
func lines(name, text string, defines ...string) (string, string) {
	r, errs := Source(name, text, Options{Fixed: strings.HasSuffix(name, ".F"), Defines: defines, Include: files})
	var out, wrong []string
	for _, l := range strings.Split(r.Text, "\n") {
		if strings.TrimSpace(l) != "" {
			out = append(out, l)
		}
	}
	for _, e := range errs {
		text := e.Pos.String() + ": " + e.Msg
		if e.Want != "" {
			text += "; " + e.Want
		}
		wrong = append(wrong, text)
	}
	return strings.Join(out, "\n"), strings.Join(wrong, "\n")
}

func TestSource(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"objects", "#define N 10\n#define M N+1\nx = M*N ! N\n", "x = 10+1*10 ! N"},
		{"constants", "#define N 10\nprint *, 'N', \"N\", N\n", "print *, 'N', \"N\", 10"},
		{"parts of names", "#define N 10\nNN = 1N + N_ + xN\n", "NN = 1N + N_ + xN"},
		{"functions", "#define SQ(x) ((x)*(x))\ny = SQ(SQ(a+f(1,2))) + SQ (b) + SQ\n", "y = ((((a+f(1,2))*(a+f(1,2))))*(((a+f(1,2))*(a+f(1,2))))) + ((b)*(b)) + SQ"},
		{"in constants of a macro", "#define SHOW(x) print *, \"x\", x\nSHOW(k)\n", "print *, \"k\", k"},
		{"as a constant", "#define S(x) #x\nprint *, S(a + b)\n", "print *, \"a + b\""},
		{"joined", "#define A(x,y) x ## y\n#define B(x) x/**/_t\nA(s, 1) = B(k)\n", "s1 = k_t"},
		{"itself", "#define x x + y\n#define y x\nz = x\n", "z = x + x"},
		{"undefined", "#define N 1\n#undef N\nN\n", "N"},
		{"conditions", "#define A\n#ifdef A\n1\n#ifndef B\n2\n#else\n3\n#endif\n#elif defined(A)\n4\n#else\n5\n#endif\n", "1\n2"},
		{"elif", "#if 0\n1\n#elif defined(X) || defined Y\n2\n#elif 1\n3\n#else\n4\n#endif\n", "3"},
		{"skipped", "#if 0\n#if junk here (\n#endif\n#error no\n#include \"none\"\n#endif\nx\n", "x"},
		{"numbers", "#if (1 + 2 * 3 == 7) && -7 / 2 == -3 && (1 << 4) % 10 == 6 && 0x10 == 16 && !NONE && (1 ? 2 : 3) == 2 && (0 || ~0 == -1)\nyes\n#endif\n", "yes"},
		{"not evaluated", "#if defined(Q) && 1 / Q\nno\n#else\nyes\n#endif\n", "yes"},
		{"negated macros", "#define T 1\n#define F 0\n#if !T\nno\n#elif !F && T /* 'a' */\nyes\n#endif\n", "yes"},
		{"comments that go on behind directives", "#define N 1 /* more\n#define N 2\n*/ x = N\n#if N /* again\n*/\ny\n#endif /**/\n", " x = 1\ny"},
		{"macros of conditions", "#define V(x) (x >= 4)\n#if V(5)\nyes\n#endif\n", "yes"},
		{"includes", "#include \"sizes.h\"\nx(N)\n", "integer n\nx(8)"},
		{"comments of C", "a /* b */ = 1 // 'x/*y*/' /* more\nlines\n*/ + 2\n", "a  = 1 // 'x/*y*/' \n + 2"},
		{"lines of a directive", "#define A 1 + \\\n  2\nA\n", "1 +   2"},
		{"places", "  i = __LINE__ ; f = __FILE__\n", "  i = 1 ; f = \"places\""},
		{"directives of HPF", "#define P 4\n!HPF$ PROCESSORS Q(P)\n! P\n", "!HPF$ PROCESSORS Q(4)\n! P"},
		{"constants of two lines", "#define N 1\ns = 'N &\n  &N' // N\nN'N\nN\n", "s = 'N &\n  &N' // 1\n1'N\n1"},
		{"others", "#line 3\n#pragma once\n#\nx\n", "x"},
	} {
		if got, wrong := lines(c.name, c.text); got != c.want || wrong != "" {
			t.Errorf("%s:\n%s\nwant\n%s\n%s", c.name, got, c.want, wrong)
		}
	}
	if got, wrong := lines("d", "A B __WHORL__\n", "A=x y", "B"); got != "x y 1 1" || wrong != "" {
		t.Errorf("%s %s", got, wrong)
	}
}

// In fixed form the columns after 72 are no code, and lines that macros make longer go on after them.
func TestFixed(t *testing.T) {
	text := "#define N 1234567890\nC     N\n      X = N" + strings.Repeat(" ", 59) + "+NN\n     &  N  N\n"
	want := "C     N\n      X = 1234567890" + strings.Repeat(" ", 59) + "+1234567890\n     &  1234567890  1234567890"
	if got, wrong := lines("a.F", text); got != want || wrong != "" {
		t.Errorf("%q\nwant\n%q\n%s", got, want, wrong)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"#if 1\n", "e:1:1: a condition is not closed; #endif"},
		{"x\n#endif\n", "e:2:2: #endif without a condition; #if, #ifdef or #ifndef before it"},
		{"#if 1\n#else\n#else\n#endif\n", "e:3:2: a second #else; #endif"},
		{"#if 1\n#else\n#elif 1\n#endif\n", "e:3:2: #elif after #else; #endif"},
		{"#if 1 +\n#endif\n", "e:1:8: unexpected the end of the line in the condition; an integer, a name or defined(NAME)"},
		{"#if 1 2\n#endif\n", "e:1:7: unexpected \"2\" in the condition; an operator, or the end of the line"},
		{"#if f(1)\n#endif\n", "e:1:6: unexpected \"(\" in the condition; an operator: this name is no macro with arguments"},
		{"#if 1 / 0\n#endif\n", "e:1:9: the condition divides by zero"},
		{"#if defined()\n#endif\n", "e:1:13: defined without a name; a name, as in defined(NAME)"},
		{"#ifdef\n#endif\n", "e:1:7: #ifdef without a name; a name"},
		{"#defin A\n", "e:1:2: #defin is not a directive of the preprocessor; a directive, such as #if or #define; did you mean define?"},
		{"#define 1\n", "e:1:9: #define without a name; a name"},
		{"#define A(x\n", "e:1:10: the parameters of the macro A are not closed; )"},
		{"#define A(x,x) x\n", "e:1:11: \"x\" is no parameter of the macro A; names that differ, separated by commas"},
		{"#define A 1\n#define A 2\n", "e:2:9: A is defined in another way in line 1 of e; #undef A before"},
		{"#define A(x) x\ny = A(1, 2)\n", "e:2:5: the macro A has 1 parameters, but 2 arguments are given"},
		{"#define A(x) x\ny = A(1\n", "e:2:5: the arguments of the macro A do not end in this line; a ) in the same line"},
		{"#include \"none.h\"\n", "e:1:10: cannot include \"none.h\": no such file"},
		{"#include none.h\n", "e:1:10: #include without the name of a file; a name, as in #include \"sizes.h\""},
		{"#include \"again.h\"\n", "again.h:1:10: files include each other more than 20 deep"},
		{"#error too small\n", "e:1:2: #error too small"},
		{"#warning odd\n", "e:1:2: #warning odd"},
		{"x /* y\n", "e:1:3: a comment is not closed; */"},
	} {
		if _, got := lines("e", c.text); got != c.want {
			t.Errorf("%q:\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
	if _, _, err := Definition("A B"); err == nil {
		t.Error("A B defines a macro")
	}
}

// Macros that double their text, or nothing, end.
func TestEndless(t *testing.T) {
	for _, last := range []string{"x", ""} {
		var b strings.Builder
		for c := 'A'; c < 'Z'; c++ {
			b.WriteString("#define " + string(c) + " " + string(c+1) + " " + string(c+1) + "\n")
		}
		b.WriteString("#define Z " + last + "\nA\n")
		if _, wrong := lines("e", b.String()); !strings.Contains(wrong, "e:27:1: the macros of this line are too long") || strings.Count(wrong, "\n") > 0 {
			t.Errorf("%.300s", wrong)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add("#define A(x) x ## x\n#if A(1) && defined A\nA(A(2)) 'a' /* */ ! \"\n#endif")
	f.Fuzz(func(t *testing.T, text string) {
		for _, fixed := range []bool{false, true} {
			r, _ := Source("f.F90", text, Options{Fixed: fixed})
			if n := strings.Count(r.Text, "\n"); n != len(r.Lines) {
				t.Fatalf("%d lines, with places for %d", n, len(r.Lines))
			}
			for _, l := range r.Lines {
				from := strings.Split(r.Files[l.File].Text, "\n")[l.Number]
				for _, c := range l.Columns {
					if c < 0 || int(c) > len(from) {
						t.Fatalf("column %d of %q", c, from)
					}
				}
			}
		}
	})
}
