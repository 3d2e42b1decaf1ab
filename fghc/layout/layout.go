// Package layout formats programs, as `whorl fmt` does.
//
// Format changes only blank space, so that the tokens and the behaviour of a program stay the same. It keeps comments, the author's choice of
// one or several lines for a clause, line breaks within lists and arguments, and single blank lines. Formatting is idempotent.
package layout

import (
	"strings"

	"whorl/fghc/syntax"
)

// Width is the maximum length of a line in characters, exceeded only where a line cannot be broken.
const Width = 100

// Format returns a program in canonical layout. For a source with errors it returns the errors and no text; warnings come with the text.
func Format(name, src string) (string, syntax.Errors) {
	src = strings.TrimPrefix(src, "\ufeff")
	tokens, errs := syntax.Structure(name, src)
	if errs.Failed() {
		return "", errs
	}
	var w writer
	var item []token
	all := read(src, tokens)
	for _, t := range all {
		item = append(item, t)
		if t.Kind == syntax.Stop {
			w.item(item)
			item = item[:0]
		}
	}
	if len(item) > 0 {
		w.item(item)
	}
	return w.text(), errs
}

// A token is a token with its comments.
type token struct {
	syntax.Token
	text   string
	lead   string    // comments before it on its line
	before []comment // comments before it on their own lines
	after  string    // comments at the end of its line
	lines  int       // number of newlines before it and its lead
	tight  bool      // the token follows the previous one directly
}

// A comment is a comment on its own lines.
type comment struct {
	text  string
	blank bool // preceded by a blank line
}

// read returns the tokens with their comments. A final token without text holds the comments at the end.
func read(src string, tokens []syntax.Token) []token {
	var out []token
	var next token
	at := 0
	for _, t := range append(tokens, syntax.Token{Kind: syntax.Bad, From: len(src), To: len(src)}) {
		lines := strings.Count(src[at:t.From], "\n")
		if t.Kind == syntax.Comment {
			rest := src[t.To:]
			ended := strings.HasPrefix(strings.TrimLeft(rest, " \t\r\v\f"), "\n") || strings.TrimSpace(rest) == ""
			next.comments(out, lines, src[t.From:t.To], ended)
			at = t.To
			continue
		}
		if next.lead == "" {
			next.lines = max(next.lines, lines)
		}
		next.tight = t.From == at && len(out) > 0 && next.lead == ""
		next.Token, next.text = t, src[t.From:t.To]
		out = append(out, next)
		next, at = token{}, t.To
	}
	for i := range out[:len(out)-1] {
		t, u := &out[i], &out[i+1]
		switch u.Kind {
		case syntax.Comma, syntax.Stop, syntax.Bar: // they stay on the line of the previous token and take over its comments
			u.after = join(t.after, u.after)
			t.after = ""
			if i+2 < len(out) {
				out[i+2].before = append(u.before, out[i+2].before...)
				u.before = nil
			}
		}
	}
	return out
}

func join(a, b string) string {
	if a != "" && b != "" {
		return a + " " + b
	}
	return a + b
}

// comments attaches the comments of a text, which is preceded by a number of newlines, to the previous token or to next. ended reports whether
// a line ends after the text.
func (next *token) comments(out []token, lines int, text string, ended bool) {
	for text != "" {
		line, whole, gap := "", true, 0 // the comments of one line
		for text != "" && whole {
			one := first(text)
			rest := text[len(one):]
			text = strings.TrimLeft(rest, " \t\r\n\v\f")
			gap = strings.Count(rest[:len(rest)-len(text)], "\n")
			whole = gap == 0 && one[0] != '%'
			line = join(line, strings.ReplaceAll(strings.TrimRight(one, " \t\r\n\v\f"), "\r\n", "\n"))
			if strings.Contains(one, "\n") {
				break
			}
		}
		last := !whole || text != "" || ended
		switch {
		case strings.Contains(line, "\n"), last && (lines > 0 || len(out) == 0 || len(next.before) > 0):
			next.before = append(next.before, comment{join(next.lead, line), lines > 1})
			next.lead = ""
			next.lines = 1
		case last:
			out[len(out)-1].after = join(out[len(out)-1].after, line)
		default:
			next.lines = max(lines, next.lines)
			next.lead = join(next.lead, line)
		}
		lines = max(gap, 1)
	}
}

// first returns the first comment of a text that begins with a comment.
func first(text string) string {
	if text[0] == '%' {
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			return text[:i]
		}
		return text
	}
	depth := 0
	for i := 0; i+1 < len(text); i++ {
		switch text[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return text[:i+1]
			}
		}
	}
	if i := strings.Index(text, "*/"); i >= 0 { // comments do not nest
		return text[:i+2]
	}
	return text
}
