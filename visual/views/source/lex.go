package source

import (
	"strings"

	"whorl/fghc/syntax"
)

// A class is what a piece of a line is, for its colour.
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

// A span is the bytes from and to of a line.
type span struct {
	from, to int32
	class    class
}

// colour cuts the lines of an FGHC program into spans; blank space has none.
func colour(lines []string) [][]span {
	spans := make([][]span, len(lines))
	src := strings.Join(lines, "\n")
	line, begin := 0, 0 // of the source
	tokens := syntax.Tokens(src)
	for i, t := range tokens {
		c := classOf[t.Kind]
		if at := i + 1; c == sign && src[t.From:t.To] == "@" && at < len(tokens) && tokens[at].From == t.To && tokens[at].Kind == syntax.Identifier {
			c = pragma
		} else if i > 0 && c == plain && t.From > 0 && src[t.From-1] == '@' && tokens[i-1].To == t.From && tokens[i-1].To-tokens[i-1].From == 1 {
			c = pragma
		}
		for from := t.From; from < t.To; {
			for from > begin+len(lines[line]) { // a newline ends a line
				begin += len(lines[line]) + 1
				line++
			}
			to := min(t.To, begin+len(lines[line]))
			if k := len(spans[line]); k > 0 && spans[line][k-1].class == c && spans[line][k-1].to == int32(from-begin) {
				spans[line][k-1].to = int32(to - begin) // one text to draw
			} else if to > from {
				spans[line] = append(spans[line], span{int32(from - begin), int32(to - begin), c})
			}
			from = to + 1
		}
	}
	return spans
}
