package edit

import "whorl/fghc/syntax"

// A piece is a goal in the text.
type piece struct {
	from, to int    // bytes without the pragmas
	end      int    // of the pragmas
	others   string // the pragmas but for @node
	cases    bool   // it is ( Condition -> Goals ; ... )
}

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
	var pragmas []int
	depth, closes, cases := 0, -1, false
	for i, t := range tokens {
		depth += deeper(src, t)
		if depth == 0 && closes < 0 {
			closes = i // of a bracket that the tokens begin with
		}
		switch text := src[t.From:t.To]; {
		case t.Kind != syntax.Sign:
		case depth == 0 && text == "@":
			pragmas = append(pragmas, i)
		case depth == 1 && closes < 0 && (text == "->" || text == ";"):
			cases = src[tokens[0].From] == '('
		}
	}
	if closes == last && last > 1 && src[tokens[0].From] == '(' && !cases {
		return split(src, tokens[1:last], out)
	}
	p := piece{from: tokens[0].From, to: tokens[last].To, end: tokens[last].To, cases: cases}
	for k, at := range pragmas {
		end := last
		if k+1 < len(pragmas) {
			end = pragmas[k+1] - 1
		}
		if at < last && src[tokens[at+1].From:tokens[at+1].To] != "node" {
			p.others += src[tokens[at].From:tokens[end].To]
		}
	}
	if len(pragmas) > 0 && pragmas[0] > 0 {
		last = pragmas[0] - 1
		p.to = tokens[last].To
	}
	if t := tokens[0]; last == 0 && t.Kind == syntax.Identifier && src[t.From:t.To] == "true" {
		return out
	}
	return append(out, p)
}
