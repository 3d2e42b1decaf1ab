package syntax

import "strings"

// A Token is a piece of a source, for those who colour or change the text. Blank space has none.
type Token struct {
	Kind     TokenKind
	Role     Role
	From, To int // bytes
}

// A Role says how a name is used. Only Structure finds it.
type Role uint8

// The roles. Every other token is Plain, a name that is an atom or begins a structure among them.
const (
	Plain Role = iota
	Infix
	Prefix
	Postfix
)

// TokenKind says what a token is.
type TokenKind uint8

// The kinds of tokens.
const (
	Comment    TokenKind = iota // with its signs
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
	Stop // the full stop behind a clause
	Bad  // what has no meaning
)

var tokenKinds = [...]TokenKind{
	tokBad: Bad, tokEnd: Stop, tokName: Identifier, tokQuoted: Quoted, tokVar: Variable, tokInt: Integer, tokFloat: Decimal, tokString: String, tokOpen: Bracket,
	tokClose: Bracket, tokOpenList: Bracket, tokCloseList: Bracket, tokOpenVector: Bracket, tokCloseVector: Bracket, tokComma: Comma, tokBar: Bar,
}

// Tokens cuts any source into tokens, in the order of the text and as the parser does.
func Tokens(src string) []Token {
	var tokens []Token
	s := newScanner("", src)
	last := s.at
	for {
		t := s.next()
		if from := last + len(src[last:t.off]) - len(strings.TrimLeft(src[last:t.off], " \t\r\n\v\f")); from < t.off {
			end := last + len(strings.TrimRight(src[last:t.off], " \t\r\n\v\f"))
			tokens = append(tokens, Token{Kind: Comment, From: from, To: end}) // comments with nothing between them count as one
		}
		switch {
		case t.kind == tokEOF:
			return tokens
		case t.end == t.off: // a comment that is not closed took the rest, and is there already
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

// Structure reads a program for its layout: its tokens, those that are operators with their roles. They are those of a program that can be
// compiled only where there is no error.
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
