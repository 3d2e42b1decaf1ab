package query

import (
	"strconv"
	"strings"
)

// An Expr is a parsed expression.
type Expr struct {
	text string
	root *node
}

// A node is a node of the syntax tree.
type node struct {
	op     op
	offset int    // in the text of the expression, in bytes
	text   string // a name, a text, the file of a place, a regular expression, or a number as written
	value  value  // of a number
	args   []*node
}

// op is the kind of a node.
type op uint8

const (
	nameNode op = iota
	textNode
	numberNode
	placeNode   // text: the file; args: the line
	subtreeNode // args: the root
	orNode
	andNode
	notNode
	inNode    // args: the value, then the members
	rangeNode // args: the ends
	matchNode // args: the value; text: the regular expression
	equalNode
	unequalNode
	lessNode
	atMostNode
	moreNode
	atLeastNode
	addNode
	subtractNode
	multiplyNode
	divideNode
	negateNode
)

// operators has the sign of each operator and how strongly it binds.
var operators = [...]struct {
	sign  string
	binds int
}{
	nameNode: {"", 8}, textNode: {"", 8}, numberNode: {"", 8}, placeNode: {"", 8}, subtreeNode: {"", 8},
	orNode: {"or", 1}, andNode: {"and", 2}, notNode: {"not", 3},
	inNode: {"in", 4}, rangeNode: {"..", 4}, matchNode: {"~", 4},
	equalNode: {"=", 4}, unequalNode: {"!=", 4}, lessNode: {"<", 4}, atMostNode: {"<=", 4}, moreNode: {">", 4}, atLeastNode: {">=", 4},
	addNode: {"+", 5}, subtractNode: {"-", 5}, multiplyNode: {"*", 6}, divideNode: {"/", 6},
	negateNode: {"-", 7},
}

// String returns the expression with as few parentheses as it needs. Parse reads the same expression back.
func (e *Expr) String() string {
	var b strings.Builder
	e.root.write(&b, 0)
	return b.String()
}

// write writes a node, in parentheses if it binds less than required.
func (n *node) write(b *strings.Builder, required int) {
	o := operators[n.op]
	if o.binds < required {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n.op {
	case nameNode, numberNode:
		b.WriteString(n.text)
	case textNode:
		b.WriteString(strconv.Quote(n.text))
	case placeNode:
		b.WriteString(strconv.Quote(n.text) + ":")
		n.args[0].write(b, operators[nameNode].binds)
	case subtreeNode:
		b.WriteString("subtree(")
		n.args[0].write(b, 0)
		b.WriteByte(')')
	case notNode:
		b.WriteString("not ")
		n.args[0].write(b, o.binds)
	case negateNode:
		b.WriteByte('-')
		n.args[0].write(b, o.binds)
	case matchNode:
		n.args[0].write(b, o.binds+1)
		b.WriteString(" ~ /" + n.text + "/")
	case rangeNode:
		n.args[0].write(b, o.binds+1)
		b.WriteString("..")
		n.args[1].write(b, o.binds+1)
	case inNode:
		n.writeMembers(b)
	case orNode, andNode, addNode, subtractNode, multiplyNode, divideNode:
		n.args[0].write(b, o.binds)
		b.WriteString(" " + o.sign + " ")
		n.args[1].write(b, o.binds+1)
	default:
		n.args[0].write(b, o.binds+1)
		b.WriteString(" " + o.sign + " ")
		n.args[1].write(b, o.binds+1)
	}
}

func (n *node) writeMembers(b *strings.Builder) {
	binds := operators[inNode].binds
	n.args[0].write(b, binds+1)
	b.WriteString(" in ")
	members := n.args[1:]
	if len(members) == 1 && members[0].op == rangeNode {
		members[0].write(b, 0)
		return
	}
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteString(", ")
		}
		if m.op == rangeNode {
			m.write(b, 0)
		} else {
			m.write(b, binds+1)
		}
	}
	b.WriteByte('}')
}

// Conjuncts returns the parts of the expression that "and" joins, in order; the expression alone if there is no "and" outside.
func (e *Expr) Conjuncts() (parts []*Expr) {
	var walk func(n *node)
	walk = func(n *node) {
		if n.op == andNode {
			walk(n.args[0])
			walk(n.args[1])
			return
		}
		parts = append(parts, &Expr{e.text, n})
	}
	walk(e.root)
	return parts
}
