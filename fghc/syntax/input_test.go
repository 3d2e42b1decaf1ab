package syntax

import (
	"strings"
	"testing"
)

func TestTermEnd(t *testing.T) {
	for _, c := range []struct {
		src  string
		n    int
		more bool
	}{
		{"", 0, true},
		{"a", 0, true},
		{"a.", 2, true},
		{"a.\n", 2, false},
		{"f(X, 'it. is',\n \"a. b\"). rest.", 24, false},
		{"% one. two.\n/* three. */ X = 1.5 .\nY", 34, false},
		{"X = Y.Z .", 9, true},
		{"'never closed. ", 0, true},
		{"/* never closed. ", 0, true},
	} {
		if n, more := TermEnd(c.src); n != c.n || more != c.more {
			t.Errorf("%q: %d, %v; expected %d, %v", c.src, n, more, c.n, c.more)
		}
	}
}

func TestParseTerm(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"f(X,Y,X).", "f(X,Y,X)"},
		{" a :- b, c . ", "a :- b,c"},
		{"[1,2|T].", "[1,2|T]"},
		{"1 + 2 * 3.", "1+2*3"},
		{"{a, \"s\", 2.5}.", "{a,\"s\",2.5}"},
	} {
		got, errs := ParseTerm("input", c.src, Standard)
		if errs.Failed() || Format(got) != c.want {
			t.Errorf("%q: %v, %v; expected %s", c.src, got, errs, c.want)
		}
	}
	for _, src := range []string{"a b.", "f(.", ").", ".", "X Y.", "'a.", "\xff."} {
		if got, errs := ParseTerm("input", src, Standard); !errs.Failed() {
			t.Errorf("%q parses as %s, want an error", src, Format(got))
		}
	}
	if !Blank(" % comment\n /* another */ ") || Blank(" % comment\n a") {
		t.Error("Blank does not distinguish blank space and comments from terms")
	}
}

// Any input has a prefix that parses, or an error.
func FuzzTerms(f *testing.F) {
	f.Add("f(X, [1|T], 'a b', \"s\"). rest")
	f.Add("a.b. c")
	f.Add("0'a. 16'ff. #\"x\".")
	f.Add("/* a /* b */ c. */ d.")
	f.Fuzz(func(t *testing.T, src string) {
		n, _ := TermEnd(src)
		if n > len(src) || n > 0 && !strings.Contains(src[:n], ".") {
			t.Fatalf("%d of %q", n, src)
		}
		if got, errs := ParseTerm("input", src[:n], Standard); (got == nil) != errs.Failed() && got == nil {
			t.Fatalf("%q yields neither a term nor an error", src[:n])
		}
	})
}
