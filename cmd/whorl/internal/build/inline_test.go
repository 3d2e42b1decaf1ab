package build

import (
	"strings"
	"testing"

	"whorl/fghc/check"
)

// TestInline reads Go files with functions for C code.
func TestInline(t *testing.T) {
	program := []check.Source{{Name: "p.kl1", Text: `
:- module main.
p(X, Y) :- inline:"f();":[X+int, Z-atom] | Y = Z.
q(X) :- inline:"g();":[X+object(pointer)] | true.
r(X) :- inline:"h();":[Y-list] | X = Y.
s(X) :- inline:"a();":[X+int] | true.
s(X) :- inline:"b();":[X+float] | true.
`}}
	for _, c := range []struct{ text, want string }{
		{"package", "expected 'IDENT'"},
		{"package p\nfunc main() {}", "f.go:2:6: the program has its own function main"},
		{"package p\nfunc f() {}\n// g does nothing.\nfunc g() {}", "f.go: no function has a comment such as //whorl:inline main:p/2"},
		{"package p\n//whorl:inline main:p/2\nfunc f(n int) string { return \"\" }", "f.go:3:6: f replaces C code with the type func(int64) (string)"},
		{"package p\n//whorl:inline main:p/2\nfunc f(n int64) {}", "f.go:3:6: f replaces C code with the type func(int64) (string)"},
		{"package p\n//whorl:inline main:q/1\nfunc f(n int64) {}", "f.go:3:6: the program has no C code in main:q/1"},
		{"package p\n//whorl:inline main:r/1\nfunc f() int64 { return 0 }", "f.go:3:6: values of the type list cannot be passed to Go"},
		{"package p\n//whorl:inline main:t/1\nfunc f() int64 { return 0 }", "f.go:3:6: the program has no C code in main:t/1"},
		{"package p\n//whorl:inline main:p/2\nfunc f(n int64) (string, bool) { return \"\", true }", ""},
		{"package p\n//whorl:inline main:s/1\nfunc f(int64) {}\n//whorl:inline main:s/1 2\nfunc g(x float64) bool { return true }", ""},
	} {
		in, err := ReadInline("f.go", c.text)
		var b strings.Builder
		if err == nil {
			err = in.write(&b, program)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, expected %q", c.text, err, c.want)
		}
		if c.want == "" && strings.Count(b.String(), "func(in []any)") != len(in.Names()) {
			t.Errorf("%s: %s", c.text, b.String())
		}
	}
}
