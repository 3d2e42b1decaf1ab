// Package syntaxtest tests what reports errors of FGHC sources with files that say in place which errors they expect.
//
// A line of such a file ends with a comment of three percent signs and one regular expression in quotes for each error on that line, in
// order, each perhaps behind the column of the error:
//
//	p(X) :- q(X, Y).    %%% "variable Y" 9 "unknown procedure q/2"
//
// The comment %%%^ speaks of the line before, which may be unable to hold a comment. The expression is sought in the message and what was
// expected, written as "message; expected this", a warning as "warning: message; expected this". Every error must be expected, and every
// expected one be reported.
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

// Run tests every file that matches a pattern: report returns the errors of a source. A file of another name than *.fghc is an error.
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

type expectation struct {
	line, column int // column 0 is any
	text         *regexp.Regexp
	source       string
}

// Compare returns a line of text for each error of a source that was not expected, and each expected one that was not reported.
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
				problems = append(problems, strconv.Itoa(line)+":"+strconv.Itoa(column)+": "+text+"\n\twhere the test expects "+e.source)
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
