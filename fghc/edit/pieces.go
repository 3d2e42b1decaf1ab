package edit

import "whorl/fghc/syntax"

// A piece is the extent of a goal in the text, in byte offsets.
type piece struct {
	from, to int    // the goal without its pragmas
	end      int    // the end of the pragmas
	others   string // the pragmas other than @node
	cases    bool   // the goal is ( Condition -> Goals ; ... )
}

// body returns the goals, except `true`, of the body of the clause at a byte offset.
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

// deeper returns 1 for an opening bracket, -1 for a closing one and 0 for other tokens.
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

// split splits tokens into goals at commas, including those in parentheses, and appends the goals to out.
func split(src string, tokens []syntax.Token, out []piece) []piece {
	depth, first := 0, 0
	for i, t := range tokens {
		depth += deeper(src, t)
		if depth == 0 && t.Kind == syntax.Comma {
			out = appendGoals(src, tokens[first:i], out)
			first = i + 1
		}
	}
	return appendGoals(src, tokens[first:], out)
}

// appendGoals appends the goal, or the goals in parentheses, of tokens without a top-level comma.
func appendGoals(src string, tokens []syntax.Token, out []piece) []piece {
	if len(tokens) == 0 {
		return out
	}
	last := len(tokens) - 1
	var pragmas []int
	depth, closes, cases := 0, -1, false
	for i, t := range tokens {
		depth += deeper(src, t)
		if depth == 0 && closes < 0 {
			closes = i // the end of a bracket at the beginning
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
