package inline

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// tokens are the tokens of C: arguments of the clause, names, numbers, characters, strings and signs.
var tokens = regexp.MustCompile(`^(?:%[0-9]+|%f|[A-Za-z_][A-Za-z_0-9]*|0[xX][0-9a-fA-F]+|[0-9]+|'(?:\\.|[^'\\])'|"(?:\\.|[^"\\])*"|%%|<<|>>|<=|>=|==|!=|&&|\|\||->|[-+*/%&|^~!<>=(){};,?:.\[\]])`)

var (
	comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	includes = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include.*$`)
)

// scan splits C code into tokens without comments and includes. Like KLIC's format, it reads %% as the operator %.
func scan(text string) (all []string, err error) {
	text = includes.ReplaceAllString(comments.ReplaceAllString(text, " "), " ")
	for {
		text = strings.TrimSpace(text)
		if text == "" {
			return all, nil
		}
		token := tokens.FindString(text)
		switch {
		case token == "" && text[0] == '#':
			return nil, errors.New("the preprocessor has no replacement")
		case token == "":
			return nil, fmt.Errorf("%q is no token of C", text[:1])
		}
		text = text[len(token):]
		if token == "%%" {
			token = "%"
		}
		all = append(all, token)
	}
}

// isArgument reports whether a token is %0, %1 and so on.
func isArgument(token string) bool { return len(token) > 1 && token[0] == '%' && token[1] != 'f' }
