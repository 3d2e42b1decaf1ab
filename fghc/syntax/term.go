package syntax

import (
	"fmt"
	"strconv"
	"strings"

	"whorl/internal/nearest"
)

// maxDepth bounds the nesting of terms, and with it the recursion of code that walks terms.
const maxDepth = 10_000

// A parser reads terms by operator precedence (V. R. Pratt, "Top down operator precedence", POPL 1973). Its methods report errors and
// return nil after one.
type parser struct {
	*scanner
	tok   token
	prev  tokenKind // kind of the token before tok
	name  string    // text of the token before tok
	ended Pos       // end of the token before tok
	depth int
	ops   *OperatorTable
	roles map[int]Role // roles of operators by byte offset; nil if not wanted
}

// note records the role of the operator at a byte offset.
func (p *parser) note(off int, r Role) {
	if p.roles != nil {
		p.roles[off] = r
	}
}

func (p *parser) advance() {
	p.prev, p.name = p.tok.kind, p.tok.text
	p.ended = p.pos()
	p.tok = p.next()
}

// describe returns a description of a token for messages.
func (t token) describe() string {
	switch t.kind {
	case tokEOF:
		return "the end of the text"
	case tokEnd:
		return "'.'"
	case tokQuoted:
		return "the name " + cut(FormatName(t.text))
	case tokString:
		return "the string " + cut(Format(&Str{Value: t.text}))
	case tokVar:
		return "the variable " + cut(t.text)
	case tokInt, tokFloat:
		return "the number " + cut(t.text)
	case tokName:
		if classes[t.text[0]] != classSymbol {
			return "the name " + cut(t.text)
		}
	}
	return "'" + cut(t.text) + "'"
}

// unexpected reports the current token.
func (p *parser) unexpected(want string) {
	if p.tok.kind == tokBad {
		return // reported by the scanner
	}
	if p.tok.kind == tokEOF {
		p.fail(p.ended, want, "the text ends too early")
		return
	}
	p.fail(p.tok.pos, want, "unexpected %s", p.tok.describe())
}

// term reads a term of at most the given priority. It also returns the nesting depth of the term.
func (p *parser) term(priority int, want string) (Term, int) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return p.tooDeep(p.tok.pos)
	}
	left, depth, leftPriority := p.operand(priority, want)
	for left != nil {
		at := p.tok
		if op, ok := p.postfix(); ok && op.Priority <= priority && leftPriority <= op.Left {
			p.note(at.off, Postfix)
			p.advance()
			if depth++; depth > maxDepth {
				return p.tooDeep(at.pos)
			}
			left, leftPriority = &Compound{at.pos, op.Name, []Term{left}}, op.Priority
			continue
		}
		op, ok := p.infix()
		if !ok || op.Priority > priority {
			break
		}
		if leftPriority > op.Left {
			p.fail(at.pos, "parentheses around one of them", "%s cannot follow another operator of its priority", op.Name)
			return nil, 0
		}
		p.note(at.off, Infix)
		p.advance()
		right, d := p.term(op.Right, "a term after "+op.Name)
		if right == nil {
			return nil, 0
		}
		if depth = max(depth, d) + 1; depth > maxDepth {
			return p.tooDeep(at.pos)
		}
		left, leftPriority = &Compound{at.pos, op.Name, []Term{left, right}}, op.Priority
	}
	return left, depth
}

func (p *parser) tooDeep(pos Pos) (Term, int) {
	p.fail(pos, "at most 10,000 levels", "the term nests too deep")
	return nil, 0
}

// infix returns the infix operator that the current token denotes.
func (p *parser) infix() (Operator, bool) {
	switch p.tok.kind {
	case tokName, tokComma, tokBar:
		op, ok := p.ops.infix[p.tok.text]
		return op, ok
	}
	return Operator{}, false
}

// postfix returns the postfix operator that the current token denotes.
func (p *parser) postfix() (Operator, bool) {
	if p.tok.kind != tokName {
		return Operator{}, false
	}
	op, ok := p.ops.postfix[p.tok.text]
	return op, ok
}

// operand reads a term without trailing operators. It also returns the term's depth and its priority, which is 0 unless the term is a prefix
// operator's application.
func (p *parser) operand(priority int, want string) (Term, int, int) {
	if p.tok.kind == tokName || p.tok.kind == tokQuoted {
		return p.named(priority, want)
	}
	t, depth := p.primary(want)
	return t, depth, 0
}

// primary reads a term that does not begin with a name.
func (p *parser) primary(want string) (Term, int) {
	t := p.tok
	switch t.kind {
	case tokVar:
		p.advance()
		return &Var{t.pos, t.text}, 1
	case tokInt:
		p.advance()
		return integer(t.pos, "", t.text), 1
	case tokFloat:
		p.advance()
		return decimal(t.pos, "", t.text), 1
	case tokString:
		p.advance()
		if p.tok.kind != tokString {
			return &Str{t.pos, t.text}, 1
		}
		return &Str{t.pos, p.join(t.text)}, 1
	case tokBar:
		if p.peek(0) == ')' { // (|) is an atom
			p.advance()
			return &Atom{t.pos, t.text}, 1
		}
	case tokOpen:
		p.advance()
		inner, depth := p.term(1200, "a term")
		if inner == nil || !p.closes(t, tokClose, "an operator or )") {
			return nil, 0
		}
		return inner, depth
	case tokOpenList:
		p.advance()
		return p.list(t)
	case tokOpenVector:
		p.advance()
		if p.tok.kind == tokCloseVector {
			p.advance()
			return &Vector{Pos: t.pos}, 1
		}
		args, depth := p.args(t, tokCloseVector, "}")
		if args == nil {
			return nil, 0
		}
		return &Vector{t.pos, args}, depth
	}
	p.unexpected(want)
	return nil, 0
}

// join appends the adjacent strings that follow a string.
func (p *parser) join(first string) string {
	var b strings.Builder
	for b.WriteString(first); p.tok.kind == tokString; p.advance() {
		b.WriteString(p.tok.text)
	}
	return b.String()
}

// named reads an atom, a structure or the application of a prefix operator.
func (p *parser) named(priority int, want string) (Term, int, int) {
	t := p.tok
	p.advance()
	if t.call {
		open := p.tok
		p.advance()
		args, depth := p.args(open, tokClose, ")")
		if args == nil {
			return nil, 0, 0
		}
		if t.text == "." && len(args) == 2 {
			return &List{t.pos, args[0], args[1]}, depth, 0
		}
		return &Compound{t.pos, t.text, args}, depth, 0
	}
	op, ok := p.ops.prefix[t.text]
	if !ok && t.kind == tokName && p.misplaced(t.text) {
		p.fail(t.pos, want, "unexpected %s", t.describe())
		return nil, 0, 0
	}
	if ok && classes[t.text[0]] == classLower && !p.applies(op, priority) {
		return &Atom{t.pos, t.text}, 1, 0
	}
	if loose := op.Priority > 999 && op.Priority > priority; loose && (p.begins() && !p.between() || p.tok.kind <= tokEnd) {
		p.fail(t.pos, want, "unexpected %s", t.describe()) // probably the next clause, after a missing full stop
		return nil, 0, 0
	}
	if !ok || t.kind == tokQuoted || !p.begins() || p.between() {
		return &Atom{t.pos, t.text}, 1, 0
	}
	p.note(t.off, Prefix)
	if t.text == "-" && (p.tok.kind == tokInt || p.tok.kind == tokFloat) {
		digits, float := p.tok.text, p.tok.kind == tokFloat
		p.advance()
		if float {
			return decimal(t.pos, "-", digits), 1, 0
		}
		return integer(t.pos, "-", digits), 1, 0
	}
	arg, depth := p.term(min(op.Right, priority), "a term after "+t.text) // an operator of a higher priority than allowed binds tighter
	if arg == nil {
		return nil, 0, 0
	}
	if depth++; depth > maxDepth {
		arg, depth = p.tooDeep(t.pos)
		return arg, depth, 0
	}
	return &Compound{t.pos, t.text, []Term{arg}}, depth, min(op.Priority, priority)
}

// between reports whether the current token is an infix operator that cannot begin a term, so that the name before it is an atom.
func (p *parser) between() bool {
	if _, ok := p.infix(); !ok || p.tok.call {
		return false
	}
	_, prefix := p.ops.prefix[p.tok.text]
	return !prefix
}

// applies reports whether a prefix operator made of letters applies to the current token. As in KLIC it is an atom where an operator of its
// priority is not allowed, and before a sign that its argument may not begin with.
func (p *parser) applies(op Operator, priority int) bool {
	sign, signed := p.ops.prefix[p.tok.text]
	_, infix := p.infix()
	return op.Priority <= priority && !(infix && signed && sign.Priority > op.Right)
}

// misplaced reports whether name, which precedes the current token, is an infix operator without a left argument rather than an atom.
func (p *parser) misplaced(name string) bool {
	if p.ops.infix[name].Name == "" {
		return false
	}
	_, infix := p.infix()
	return p.begins() && !infix
}

// begins reports whether the current token can begin a term.
func (p *parser) begins() bool {
	switch p.tok.kind {
	case tokName, tokQuoted, tokVar, tokInt, tokFloat, tokString, tokOpen, tokOpenList, tokOpenVector:
		return true
	}
	return false
}

func integer(pos Pos, sign, digits string) *Int {
	n, err := strconv.ParseInt(sign+digits, 10, 64)
	if err != nil {
		return &Int{Pos: pos, Big: sign + digits}
	}
	return &Int{Pos: pos, Value: n}
}

func decimal(pos Pos, sign, text string) *Float {
	v, _ := strconv.ParseFloat(sign+text, 64) // the scanner has checked it
	return &Float{Pos: pos, Value: v}
}

// noOperator reports a symbolic name after a term that is not an operator.
func (p *parser) noOperator() bool {
	if p.tok.kind != tokName || classes[p.tok.text[0]] != classSymbol || p.ops.infix[p.tok.text].Name != "" {
		return false
	}
	var names []string
	for _, op := range Operators {
		if p.ops.infix[op.Name].Name != "" {
			names = append(names, op.Name)
		}
	}
	want := nearest.Suggest("an operator", nearest.Names(p.tok.text, names))
	for i := len(p.tok.text) - 1; i > 0; i-- { // as in X:=-1
		first, second := p.tok.text[:i], p.tok.text[i:]
		if p.ops.infix[first].Name != "" && p.ops.prefix[second].Name != "" {
			want = fmt.Sprintf("an operator; for %s and %s put a space between them", first, second)
			break
		}
	}
	p.fail(p.tok.pos, want, "unknown operator %s", cut(p.tok.text))
	return true
}
