// Package syntaxtest tests error reporting with FGHC files whose comments state the expected errors.
//
// A line of such a file ends with %%% and, for each error on the line in order, a quoted regular expression, optionally preceded by the column
// of the error:
//
//	p(X) :- q(X, Y).    %%% "variable Y" 9 "unknown procedure q/2"
//
// A comment %%%^ applies to the previous line, for lines that cannot contain a comment. The expression is matched against "message; expected
// this"; warnings begin with "warning: ". A test fails for errors that are not expected and for expected errors that are not reported.
package syntaxtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"whorl/fghc/syntax"
)

// Run tests every file that matches a pattern. The function report returns the errors of a source.
func Run(t *testing.T, pattern string, report func(name, src string) syntax.Errors) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file matches %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(file)
			for _, problem := range Compare(string(text), report(name, string(text))) {
				t.Errorf("%s:%s", name, problem)
			}
		})
	}
}

// An expectation is an expected error.
type expectation struct {
	line, column int // column is 0 for any column
	text         *regexp.Regexp
	source       string
}

// Compare returns a line for each error of a source that is not expected, and for each expected error that is missing.
func Compare(src string, errs syntax.Errors) []string {
	var problems []string
	expected, bad := expectations(src)
	problems = append(problems, bad...)
	for _, err := range errs {
		text := err.Msg
		if err.Severity == syntax.Warning {
			text = "warning: " + text
		}
		if err.Want != "" {
			text += "; expected " + err.Want
		}
		line, column := int(err.Pos.Line), int(err.Pos.Column)
		for len(expected) > 0 && expected[0].line < line {
			problems = append(problems, strconv.Itoa(expected[0].line)+": no error like "+expected[0].source)
			expected = expected[1:]
		}
		if len(expected) > 0 && expected[0].line == line {
			if e := expected[0]; !e.text.MatchString(text) || e.column != 0 && e.column != column {
				problems = append(problems, strconv.Itoa(line)+":"+strconv.Itoa(column)+": "+text+"\n\twant "+e.source)
			}
			expected = expected[1:]
			continue
		}
		problems = append(problems, strconv.Itoa(line)+":"+strconv.Itoa(column)+": unexpected error: "+text)
	}
	for _, e := range expected {
		problems = append(problems, strconv.Itoa(e.line)+": no error like "+e.source)
	}
	return problems
}

// expectations returns the expected errors of a source, and a line for each comment that cannot be parsed.
func expectations(src string) (list []expectation, problems []string) {
	for i, line := range strings.Split(src, "\n") {
		_, rest, found := strings.Cut(line, "%%%")
		if !found {
			continue
		}
		number := i + 1
		if up, ok := strings.CutPrefix(rest, "^"); ok {
			rest = up
			number--
		}
		rest = strings.TrimSpace(rest)
		for rest != "" {
			e := expectation{line: number}
			digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
			e.column, _ = strconv.Atoi(digits)
			rest = strings.TrimSpace(rest[len(digits):])
			quoted, err := strconv.QuotedPrefix(rest)
			if err == nil {
				e.source, _ = strconv.Unquote(quoted)
				e.text, err = regexp.Compile(e.source)
			}
			if err != nil {
				problems = append(problems, strconv.Itoa(i+1)+": bad expectation "+rest)
				break
			}
			list = append(list, e)
			rest = strings.TrimSpace(rest[len(quoted):])
		}
	}
	return list, problems
}
