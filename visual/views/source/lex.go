package source

import (
	"strings"

	"whorl/fghc/syntax"
)

// A class is the kind of a token, which determines its colour.
type class uint8

const (
	plain class = iota
	comment
	variable
	number
	text   // a string or a quoted name
	sign   // an operator or a bracket
	pragma // @node
	stop   // the full stop of a clause
)

var classOf = map[syntax.TokenKind]class{
	syntax.Comment: comment, syntax.Variable: variable, syntax.Integer: number, syntax.Decimal: number, syntax.String: text, syntax.Quoted: text, syntax.Sign: sign,
	syntax.Bracket: sign, syntax.Comma: sign, syntax.Bar: sign, syntax.Stop: stop,
}

// A span is the bytes from from to to-1 of a line.
type span struct {
	from, to int32
	class    class
}

// colour splits the lines of an FGHC program into spans. White space has none.
func colour(lines []string) [][]span {
	spans := make([][]span, len(lines))
	src := strings.Join(lines, "\n")
	line, begin := 0, 0 // current line and its offset in src
	tokens := syntax.Tokens(src)
	for i, t := range tokens {
		c := classOf[t.Kind]
		if next := i + 1; c == sign && src[t.From:t.To] == "@" && next < len(tokens) && tokens[next].From == t.To && tokens[next].Kind == syntax.Identifier {
			c = pragma
		} else if i > 0 && c == plain && t.From > 0 && src[t.From-1] == '@' && tokens[i-1].To == t.From && tokens[i-1].To-tokens[i-1].From == 1 {
			c = pragma
		}
		for from := t.From; from < t.To; {
			for from > begin+len(lines[line]) { // skip to the line of the token
				begin += len(lines[line]) + 1
				line++
			}
			to := min(t.To, begin+len(lines[line]))
			if k := len(spans[line]); k > 0 && spans[line][k-1].class == c && spans[line][k-1].to == int32(from-begin) {
				spans[line][k-1].to = int32(to - begin) // merge spans of the same class
			} else if to > from {
				spans[line] = append(spans[line], span{int32(from - begin), int32(to - begin), c})
			}
			from = to + 1
		}
	}
	return spans
}
