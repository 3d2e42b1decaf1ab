package edit

import "whorl/fghc/syntax"

// A piece is a goal in the text: its bytes without the pragma, and where that ends.
type piece struct{ from, to, end int }

// body returns the goals of the body of the clause that begins at a byte, without those that are `true`.
func body(src string, at int) []piece {
	var tokens []syntax.Token
	for _, t := range syntax.Tokens(src) {
		if t.From < at || t.Kind == syntax.Comment {
			continue
		}
		if t.Kind == syntax.Stop {
			break
		}
		tokens = append(tokens, t)
	}
	from, depth := len(tokens), 0
	for i, t := range tokens {
		depth += deeper(src, t)
		if depth == 0 && (t.Kind == syntax.Bar || t.Kind == syntax.Sign && src[t.From:t.To] == ":-") {
			from = i + 1
		}
	}
	return split(src, tokens[from:], nil)
}

// deeper is 1 for a bracket that opens, -1 for one that closes.
func deeper(src string, t syntax.Token) int {
	if t.Kind == syntax.Bracket {
		switch src[t.From] {
		case '(', '[', '{':
			return 1
		}
		return -1
	}
	return 0
}

// split parts tokens at commas, also within brackets around several goals, and appends the goals to out.
func split(src string, tokens []syntax.Token, out []piece) []piece {
	depth, first := 0, 0
	for i, t := range tokens {
		depth += deeper(src, t)
		if depth == 0 && t.Kind == syntax.Comma {
			out = one(src, tokens[first:i], out)
			first = i + 1
		}
	}
	return one(src, tokens[first:], out)
}

// one appends the goal, or the goals in brackets, of tokens without a comma of their own.
func one(src string, tokens []syntax.Token, out []piece) []piece {
	if len(tokens) == 0 {
		return out
	}
	last := len(tokens) - 1
	pragma, depth, closes := -1, 0, -1
	for i, t := range tokens {
		depth += deeper(src, t)
		if depth == 0 && closes < 0 {
			closes = i // of a bracket that the tokens begin with
		}
		if depth == 0 && t.Kind == syntax.Sign && src[t.From:t.To] == "@" {
			pragma = i
		}
	}
	if closes == last && last > 1 && src[tokens[0].From] == '(' {
		return split(src, tokens[1:last], out)
	}
	p := piece{tokens[0].From, tokens[last].To, tokens[last].To}
	if pragma > 0 {
		p.to = tokens[pragma-1].To
		last = pragma - 1
	}
	if t := tokens[0]; last == 0 && t.Kind == syntax.Identifier && src[t.From:t.To] == "true" {
		return out
	}
	return append(out, p)
}
