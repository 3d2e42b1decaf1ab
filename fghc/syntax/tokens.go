package syntax

import "strings"

// A Token is a token of a source, for highlighting and layout. Blank space is not a token.
type Token struct {
	Kind     TokenKind
	Role     Role
	From, To int // byte offsets
}

// A Role is the use of a name as an operator. Only Structure sets it.
type Role uint8

// The roles. Tokens that are not operators are Plain, including names that are atoms or functors.
const (
	Plain Role = iota
	Infix
	Prefix
	Postfix
)

// TokenKind is the kind of a token.
type TokenKind uint8

// The kinds of tokens.
const (
	Comment    TokenKind = iota // including its delimiters
	Identifier                  // a name that begins with a letter
	Quoted                      // a quoted name
	Variable
	Integer
	Decimal // a floating-point number
	String
	Sign    // a name of symbol characters, ! or ;
	Bracket // of any kind
	Comma
	Bar
	Stop // the full stop at the end of a clause
	Bad  // an invalid character or literal
)

var tokenKinds = [...]TokenKind{
	tokBad: Bad, tokEnd: Stop, tokName: Identifier, tokQuoted: Quoted, tokVar: Variable, tokInt: Integer, tokFloat: Decimal, tokString: String, tokOpen: Bracket,
	tokClose: Bracket, tokOpenList: Bracket, tokCloseList: Bracket, tokOpenVector: Bracket, tokCloseVector: Bracket, tokComma: Comma, tokBar: Bar,
}

// Tokens splits src into the tokens that the parser reads, in source order. It accepts any text.
func Tokens(src string) []Token {
	var tokens []Token
	s := newScanner("", src)
	last := s.off
	for {
		t := s.next()
		if from := last + len(src[last:t.off]) - len(strings.TrimLeft(src[last:t.off], " \t\r\n\v\f")); from < t.off {
			end := last + len(strings.TrimRight(src[last:t.off], " \t\r\n\v\f"))
			tokens = append(tokens, Token{Kind: Comment, From: from, To: end}) // adjacent comments form one token
		}
		switch {
		case t.kind == tokEOF:
			return tokens
		case t.end == t.off: // an unclosed comment extends to the end and is already in tokens
			return tokens
		}
		kind := tokenKinds[t.kind]
		if c := classes[src[t.off]]; kind == Identifier && (c == classSymbol || c == classSolo) {
			kind = Sign
		}
		tokens = append(tokens, Token{Kind: kind, From: t.off, To: t.end})
		last = t.end
	}
}

// Structure parses a program and returns its tokens, with the roles of operators. The roles are reliable only if there are no errors.
func Structure(name, src string) ([]Token, Errors) {
	p, errs := newParser(name, src)
	if p == nil {
		return nil, errs
	}
	p.roles = map[int]Role{}
	p.program(&File{Name: name, Source: src})
	tokens := Tokens(p.src)
	for i := range tokens {
		tokens[i].Role = p.roles[tokens[i].From]
	}
	return tokens, p.errs.Locate(src)
}
