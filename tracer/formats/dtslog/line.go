package dtslog

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"whorl/internal/fault"
	"whorl/internal/nearest"
)

// A word is a part of a line: a plain word, or the key and value of key="value".
type word struct {
	key, text string
	quoted    bool
	column    int // byte where the word begins
}

// A line is a line of the file with its position.
type line struct {
	file  string
	row   int32
	text  string
	words []word
}

// wrong returns an error at a word, or at the end of the line for an index after the last word.
func (l *line) wrong(at int, want, format string, args ...any) error {
	column := len(strings.TrimRight(l.text, " \t"))
	if at < len(l.words) {
		column = l.words[at].column
	}
	return l.wrongAt(column, want, format, args...)
}

func (l *line) wrongAt(column int, want, format string, args ...any) error {
	return &fault.Error{
		Pos: fault.Pos{File: l.file, Line: l.row, Column: int32(utf8.RuneCountInString(l.text[:column])) + 1},
		Msg: fmt.Sprintf(format, args...), Line: l.text, Want: want,
	}
}

// split splits the line into words.
func (l *line) split() error {
	l.words = l.words[:0]
	s := l.text
	for i := 0; i < len(s); {
		c := s[i]
		if c == ' ' || c == '\t' {
			i++
			continue
		}
		if c == '#' {
			return nil
		}
		w := word{column: i}
		if n := strings.IndexAny(s[i:], " \t=\"#"); n > 0 && s[i+n] == '=' {
			w.key = s[i : i+n]
			i += n + 1
		}
		if i < len(s) && s[i] == '"' {
			quoted, err := strconv.QuotedPrefix(s[i:])
			if err != nil {
				return l.wrongAt(i, `a text in double quotes, with the escapes of Go: "a \"b\" \n"`, "unterminated or invalid quoted text")
			}
			w.text, _ = strconv.Unquote(quoted)
			w.quoted = true
			i += len(quoted)
			if i < len(s) && s[i] != ' ' && s[i] != '\t' && s[i] != '#' {
				return l.wrongAt(i, "a blank", "no blank after the quoted text")
			}
		} else {
			n := strings.IndexAny(s[i:]+" ", " \t\"=")
			if stop := i + n; stop < len(s) && (s[stop] == '"' || s[stop] == '=') {
				return l.wrongAt(stop, `words, and pairs as key=value or key="value"`, "unexpected %q", s[stop:stop+1])
			}
			if n == 0 {
				return l.wrongAt(i, "a value", "no value for %s", short(w.key))
			}
			w.text = s[i : i+n]
			i += n
		}
		l.words = append(l.words, w)
	}
	return nil
}

// name returns the word at an index, which must be one of known.
func (l *line) name(at int, what string, known ...string) (string, error) {
	if at >= len(l.words) || l.words[at].key != "" || l.words[at].quoted {
		return "", l.wrong(at, "one of: "+strings.Join(known, " "), "no %s", what)
	}
	got := l.words[at].text
	for _, k := range known {
		if got == k {
			return got, nil
		}
	}
	want := "one of: " + strings.Join(known, " ")
	if near := nearest.Names(got, known); len(near) > 0 {
		want = strings.Join(near, " or ") + "; known are: " + strings.Join(known, " ")
	}
	return "", l.wrong(at, want, "unknown %s %q", what, short(got))
}

// number returns the word at an index as a number in a range.
func (l *line) number(at int, what string, from, to int64) (int64, error) {
	want := fmt.Sprintf("%s, %d to %d", what, from, to)
	if at >= len(l.words) || l.words[at].quoted {
		return 0, l.wrong(at, want, "no %s", what)
	}
	n, err := strconv.ParseInt(l.words[at].text, 10, 64)
	if err != nil || n < from || n > to {
		return 0, l.wrong(at, want, "invalid %s %q", what, short(l.words[at].text))
	}
	return n, nil
}

// place returns the word at an index, NODE or NODE:PE, as a number that holds both.
func (l *line) place(at int) (int32, error) {
	node, pe, several := strings.Cut(l.words[at].text, ":")
	n, err := strconv.ParseUint(node, 10, 32)
	k := uint64(0)
	if err == nil && several {
		k, err = strconv.ParseUint(pe, 10, peBits)
	}
	if err != nil || n >= mostNodes || n == mostNodes-1 && k > 0 || l.words[at].quoted {
		return 0, l.wrong(at, fmt.Sprintf("node number, 0 to %d, or NODE:PE with a PE of the node, 0 to %d", mostNodes-1, mostPEs-1), "invalid node number %q", short(l.words[at].text))
	}
	return int32(uint32(n<<peBits | k)), nil
}

// short truncates a text for an error.
func short(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

// time parses a time in units of 10^digits ns, which may have a fraction. It truncates to whole ns.
func (l *line) time(at int, digits int) (int64, error) {
	s := l.words[at].text
	bad := func() (int64, error) {
		return 0, l.wrong(at, "a time such as 1250 or 12.5, of at most 292 years", "invalid time %q", short(s))
	}
	whole, fraction, point := strings.Cut(strings.TrimLeft(s, "+-"), ".")
	negative := strings.HasPrefix(s, "-")
	if l.words[at].key != "" || l.words[at].quoted || whole+fraction == "" || point && fraction == "" || len(s)-len(strings.TrimLeft(s, "+-")) > 1 {
		return bad()
	}
	n := int64(0)
	push := func(c byte) bool {
		if c < '0' || c > '9' || n > (1<<63-1-9)/10 {
			return false
		}
		n = 10*n + int64(c-'0')
		return true
	}
	for i := range len(whole) {
		if !push(whole[i]) {
			return bad()
		}
	}
	for i := range len(fraction) {
		if fraction[i] < '0' || fraction[i] > '9' {
			return bad()
		}
	}
	for i := range digits {
		c := byte('0')
		if i < len(fraction) {
			c = fraction[i]
		}
		if !push(c) {
			return bad()
		}
	}
	if negative {
		n = -n
	}
	return n, nil
}
