package query

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"whorl/internal/fault"
	"whorl/internal/nearest"
)

// patternFile stands for the file in errors of regular expressions.
const patternFile = "regular expression"

// Pattern compiles a regular expression. Its error is a *fault.Error with the place of the mistake.
func Pattern(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(text)
	if err == nil {
		return re, nil
	}
	wrong := &fault.Error{Pos: fault.Pos{File: patternFile, Line: 1, Column: 1}, Msg: err.Error(), Line: text}
	if at := new(syntax.Error); errors.As(err, &at) {
		wrong.Msg = at.Code.String()
		if i := strings.LastIndex(text, at.Expr); at.Expr != "" && i >= 0 {
			wrong.Pos.Column = int32(utf8.RuneCountInString(text[:i]) + 1)
			if at.Expr != text {
				wrong.Msg += ": " + at.Expr
			}
		}
		if at.Code == syntax.ErrMissingParen {
			wrong.Pos.Column = int32(utf8.RuneCountInString(text[:unclosed(text)]) + 1)
		}
	}
	return nil, wrong
}

// Exact compiles a regular expression. The error, in one line, says at which character it is wrong.
func Exact(text string) (*regexp.Regexp, error) {
	re, err := Pattern(text)
	if wrong := new(fault.Error); errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s is not a regular expression: %s at character %d", nearest.Quote(text), wrong.Msg, wrong.Pos.Column)
	}
	return re, err
}

// Search compiles the regular expression of a search. One without capitals ignores case. The error is that of Exact.
func Search(text string) (*regexp.Regexp, error) {
	re, err := Exact(text)
	if err == nil && strings.ToLower(text) == text {
		re, err = regexp.Compile("(?i)" + text)
	}
	return re, err
}

// unclosed returns the offset of the last opening parenthesis of a regular expression that is never closed, 0 if there is none.
func unclosed(text string) int {
	var open []int
	class := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '(' && !class:
			open = append(open, i)
		case c == ')' && !class && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}
