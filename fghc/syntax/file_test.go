package syntax_test

import (
	"strings"
	"testing"

	"whorl/fghc/syntax"
	"whorl/fghc/testdata/syntaxtest"
)

func TestFiles(t *testing.T) {
	for _, pattern := range []string{"testdata/*.fghc", "../../testdata/programs/good.fghc"} {
		syntaxtest.Run(t, pattern, func(name, src string) syntax.Errors {
			_, errs := syntax.Parse(name, src)
			return errs
		})
	}
}

// The harness must not accept everything.
func TestHarness(t *testing.T) {
	fault := func(line, column int32, msg, want string) *syntax.Error {
		return &syntax.Error{Pos: syntax.Pos{Line: line, Column: column}, Msg: msg, Want: want}
	}
	warning := fault(1, 1, "odd", "")
	warning.Severity = syntax.Warning
	tests := []struct {
		src  string
		errs syntax.Errors
		want string // part of the only problem, "" for none
	}{
		{"a", nil, ""},
		{`a %%% "x"`, nil, "1: no error like x"},
		{"a", syntax.Errors{fault(1, 3, "x", "y")}, "1:3: unexpected error: x; expected y"},
		{`a %%% "x.*y"`, syntax.Errors{fault(1, 3, "x", "y")}, ""},
		{`a %%% "z"`, syntax.Errors{fault(1, 3, "x", "y")}, "want z"},
		{`a %%% 3 "x"`, syntax.Errors{fault(1, 3, "x", "y")}, ""},
		{`a %%% 4 "x"`, syntax.Errors{fault(1, 3, "x", "y")}, "1:3: x; expected y"},
		{"a\n%%%^ `x`", syntax.Errors{fault(1, 3, "x", "")}, ""},
		{"a\n%%% `x`", syntax.Errors{fault(1, 3, "x", "")}, "unexpected error"},
		{`a %%% "x" "y"`, syntax.Errors{fault(1, 3, "x", ""), fault(1, 4, "y", "")}, ""},
		{`a %%% "y" "x"`, syntax.Errors{fault(1, 3, "x", ""), fault(1, 4, "y", "")}, "want y"},
		{`a %%% "x" "y"`, syntax.Errors{fault(1, 3, "x", "")}, "1: no error like y"},
		{`a %%% "x"`, syntax.Errors{fault(1, 3, "x", ""), fault(1, 4, "y", "")}, "1:4: unexpected error: y"},
		{`a %%% "^warning: odd"`, syntax.Errors{warning}, ""},
		{`a %%% x`, nil, "bad expectation"},
		{`a %%% "("`, nil, "bad expectation"},
	}
	for _, test := range tests {
		got := syntaxtest.Compare(test.src, test.errs)
		if test.want == "" && len(got) > 0 || test.want != "" && (len(got) == 0 || !strings.Contains(got[0], test.want)) {
			t.Errorf("Compare(%q) = %q, want %q", test.src, got, test.want)
		}
	}
}
