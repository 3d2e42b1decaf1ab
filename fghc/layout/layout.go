// Package layout writes programs in one layout, as `whorl fmt` does.
//
// Only blank space changes: the tokens, and with them the program and its runs, stay as they are, and so do the comments, the choice of one
// line or several for a clause, the lines of a list or of arguments that are written on several, and one blank line where there are some.
// What has been laid out once does not change again.
package layout

import (
	"strings"

	"whorl/fghc/syntax"
)

// Width is the length of a line, in characters, that is only exceeded where nothing can be broken.
const Width = 100

// Format returns the text of a program in the canonical layout. It returns errors, and no text, for a source that cannot be read; warnings
// stand beside the text.
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

// A token is a token with the comments around it.
type token struct {
	syntax.Token
	text   string
	lead   string    // comments before it on its line
	before []comment // on lines of their own
	after  string    // comments at the end of its line
	lines  int       // ends of lines before it, or before the comments that lead it
	tight  bool      // nothing stands between it and the token before
}

// A comment stands on lines of its own.
type comment struct {
	text  string
	blank bool // behind a blank line
}

// read returns the tokens with their comments. Behind the last one stands a token without text, for the comments at the end.
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
		case syntax.Comma, syntax.Stop, syntax.Bar: // they stand on the line of the token before, whose comments go behind them
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

// comments gives the comments of a text, behind some ends of lines, to the token before or to the one behind them. ended says that a line
// ends with the text.
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

// first returns the first comment of a text that begins with one.
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
	if i := strings.Index(text, "*/"); i >= 0 { // comments that do not nest
		return text[:i+2]
	}
	return text
}
