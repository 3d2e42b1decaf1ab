package syntax

import "fmt"

// args reads terms up to a closing bracket. It also returns the depth of a term with these arguments.
func (p *parser) args(open token, closing tokenKind, sign string) ([]Term, int) {
	var args []Term
	depth := 0
	for {
		arg, d := p.term(999, "an argument")
		if arg == nil {
			return nil, 0
		}
		args, depth = append(args, arg), max(depth, d)
		if p.tok.kind != tokComma {
			break
		}
		p.advance()
	}
	if !p.closes(open, closing, "an operator, a comma or "+sign) {
		return nil, 0
	}
	return args, depth + 1
}

// list reads the rest of a list. Tails do not add to the depth.
func (p *parser) list(open token) (Term, int) {
	if p.tok.kind == tokCloseList {
		p.advance()
		return &Atom{open.pos, "[]"}, 1
	}
	var elements []Term
	var tail Term
	depth := 0
	for tail == nil {
		element, d := p.term(999, "an element of the list")
		if element == nil {
			return nil, 0
		}
		elements, depth = append(elements, element), max(depth, d)
		if p.tok.kind == tokComma {
			p.advance()
			continue
		}
		tail = &Atom{p.tok.pos, "[]"}
		if p.tok.kind == tokBar {
			p.advance()
			if tail, d = p.term(999, "the tail of the list"); tail == nil {
				return nil, 0
			}
			depth = max(depth, d)
			if !p.closes(open, tokCloseList, "an operator or ]") {
				return nil, 0
			}
		} else if !p.closes(open, tokCloseList, "an operator, a comma, | or ]") {
			return nil, 0
		}
	}
	for i := len(elements) - 1; i >= 0; i-- {
		pos := elements[i].Position()
		if i == 0 {
			pos = open.pos
		}
		tail = &List{pos, elements[i], tail}
	}
	if depth++; depth > maxDepth {
		return p.tooDeep(open.pos)
	}
	return tail, depth
}

// closes advances over a closing bracket, or reports that it is missing.
func (p *parser) closes(open token, closing tokenKind, want string) bool {
	if p.tok.kind == closing {
		p.advance()
		return true
	}
	if p.noOperator() {
		return false
	}
	p.unexpected(fmt.Sprintf("%s, for the %s of line %d, column %d", want, open.text, open.pos.Line, open.pos.Column))
	return false
}
