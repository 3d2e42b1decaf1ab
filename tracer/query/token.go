package query

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word, a literal or a sign of an expression.
type token struct {
	kind   tokenKind
	text   string // as written; of a quoted text its value; of an operator its sign
	offset int    // in bytes
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	nameToken
	numberToken // with its unit
	textToken
	signToken
)

// String describes a token in an error.
func (t token) String() string {
	switch t.kind {
	case endToken:
		return "end of the expression"
	case textToken:
		return strconv.Quote(t.text)
	}
	return t.text
}

// signs are the operators and brackets; a sign precedes those that it begins with.
var signs = []string{"..", "<=", ">=", "!=", "==", "=", "<", ">", "~", "+", "-", "*", "/", "(", ")", "{", "}", ",", ":"}

// A lexer divides an expression into tokens.
type lexer struct {
	text   string
	offset int
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	l.offset += len(l.text[l.offset:]) - len(strings.TrimLeftFunc(l.text[l.offset:], unicode.IsSpace))
	t := token{offset: l.offset}
	rest := l.text[l.offset:]
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "":
		return t, nil
	case r == '_' || unicode.IsLetter(r):
		t.kind, t.text = nameToken, leading(rest, inName)
	case r >= '0' && r <= '9':
		t.kind, t.text = numberToken, number(rest)
	case r == '"':
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return t, fail(l.text, l.offset, "the text has no closing quote or an invalid escape", `a text such as "lu.hpf"`)
		}
		l.offset += len(quoted)
		t.kind = textToken
		t.text, err = strconv.Unquote(quoted)
		return t, err
	default:
		for _, sign := range signs {
			if strings.HasPrefix(rest, sign) {
				t.kind, t.text = signToken, sign
				break
			}
		}
		if t.kind == endToken {
			return t, fail(l.text, l.offset, fmt.Sprintf("unexpected character %q", r), "")
		}
	}
	l.offset += len(t.text)
	if t.text == "==" {
		t.text = "="
	}
	return t, nil
}

// pattern returns the regular expression between slashes that follows.
func (l *lexer) pattern() (text string, offset int, err error) {
	l.offset += len(l.text[l.offset:]) - len(strings.TrimLeftFunc(l.text[l.offset:], unicode.IsSpace))
	begin := l.offset
	if !strings.HasPrefix(l.text[begin:], "/") {
		return "", 0, fail(l.text, begin, "a regular expression follows ~", "a regular expression between slashes, such as /^sum/")
	}
	for i := begin + 1; i < len(l.text); i++ {
		switch l.text[i] {
		case '\\':
			i++
		case '/':
			l.offset = i + 1
			return l.text[begin+1 : i], begin + 1, nil
		}
	}
	return "", 0, fail(l.text, begin, "the regular expression has no closing slash", "a slash at its end")
}

func inName(r rune) bool {
	return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// leading returns the longest beginning of text whose characters f accepts. A name has no two points in a row and none at its end,
// which are a range.
func leading(text string, f func(rune) bool) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !f(r) })
	if end < 0 {
		end = len(text)
	}
	name, _, _ := strings.Cut(text[:end], "..")
	return strings.TrimRight(name, ".")
}

// number returns the number at the beginning of text, with its unit and whatever letters follow.
func number(text string) string {
	digit := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || r >= '0' && r <= '9' }
	whole := leading(text, digit)
	rest := text[len(whole):]
	if len(rest) > 1 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9' {
		whole += "." + leading(rest[1:], digit)
		rest = text[len(whole):]
	}
	if last := whole[len(whole)-1]; len(rest) > 1 && (last == 'e' || last == 'E') && (rest[0] == '-' || rest[0] == '+') && !strings.HasPrefix(whole, "0x") {
		whole += rest[:1] + leading(rest[1:], digit)
	}
	return whole
}
