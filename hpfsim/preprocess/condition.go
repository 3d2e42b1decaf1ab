package preprocess

import (
	"bytes"
	"strconv"
	"strings"
)

// value evaluates the expression of an #if, in which names that are not macros are 0. It reports an error and returns 0 if the expression is invalid.
func (r *reader) value(p piece) int64 {
	r.steps = 0
	q, _ := r.expand(r.settled(p), []string{plain})
	e := &expression{r: r, piece: q}
	v := e.choice()
	if e.skip(); !e.failed && e.i < len(q.text) {
		e.fail("an operator, or the end of the line")
	}
	if e.failed {
		return 0
	}
	return v
}

// settled replaces defined(NAME) and defined NAME by 1 or 0.
func (r *reader) settled(p piece) piece {
	var out piece
	for i := 0; i < len(p.text); {
		n := nameAt(p.text, i)
		if n == 0 || string(p.text[i:i+n]) != "defined" {
			n = max(n, 1)
			out = out.join(p.part(i, i+n))
			i += n
			continue
		}
		rest := p.from(i + n).trimmed()
		open := rest.starts('(')
		if open {
			rest = rest.from(1).trimmed()
		}
		k := nameAt(rest.text, 0)
		after := rest.from(k).trimmed()
		if k == 0 || open && !after.starts(')') {
			r.fail(rest.place(k), "a name, as in defined(NAME)", "defined without a name")
			return written("0", p.place(i))
		}
		digit := "0"
		if r.defined(string(rest.text[:k])) {
			digit = "1"
		}
		out = out.join(written(digit, p.place(i)))
		if open {
			after = after.from(1)
		} else {
			after = rest.from(k)
		}
		p, i = after, 0
	}
	return out
}

// An expression is read by recursive descent.
type expression struct {
	piece
	r      *reader
	i      int
	depth  int
	failed bool
	unused int // number of enclosing operands whose values are not used
}

func (e *expression) skip() {
	for e.i < len(e.text) && blank(e.text[e.i]) {
		e.i++
	}
}

func (e *expression) fail(want string) {
	if e.failed {
		return
	}
	e.failed = true
	next := "the end of the line"
	if e.i < len(e.text) {
		next = strconv.Quote(string(e.text[e.i : e.i+1]))
	}
	e.r.fail(e.place(e.i), want, "unexpected %s in the condition", next)
}

// accept skips an operator if it is next.
func (e *expression) accept(op string) bool {
	e.skip()
	rest := e.text[e.i:]
	if !bytes.HasPrefix(rest, []byte(op)) {
		return false
	}
	if len(op) == 1 && len(rest) > 1 && strings.Contains("<< >> <= >= && || == !=", op+string(rest[1:2])) {
		return false // the beginning of another operator
	}
	e.i += len(op)
	return true
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// choice reads a ? b : c.
func (e *expression) choice() int64 {
	if e.depth++; e.depth > maxDepth {
		e.fail("fewer parentheses")
		return 0
	}
	defer func() { e.depth-- }()
	v := e.binary(0)
	if !e.accept("?") {
		return v
	}
	a := e.choice()
	if !e.accept(":") {
		e.fail(":")
	}
	if b := e.choice(); v == 0 {
		return b
	}
	return a
}

// operators lists the binary operators by increasing precedence. The longer of two that begin alike comes first.
var operators = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (e *expression) binary(level int) int64 {
	if level == len(operators) {
		return e.unary()
	}
	v := e.binary(level + 1)
	for !e.failed {
		op := ""
		for _, o := range operators[level] {
			if e.accept(o) {
				op = o
				break
			}
		}
		if op == "" {
			return v
		}
		unused := op == "||" && v != 0 || op == "&&" && v == 0
		if unused {
			e.unused++
		}
		w := e.binary(level + 1)
		if unused {
			e.unused--
		}
		v = e.apply(op, v, w)
	}
	return v
}

func (e *expression) apply(op string, x, y int64) int64 {
	switch op {
	case "||":
		return truth(x != 0 || y != 0)
	case "&&":
		return truth(x != 0 && y != 0)
	case "|":
		return x | y
	case "^":
		return x ^ y
	case "&":
		return x & y
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<=":
		return truth(x <= y)
	case ">=":
		return truth(x >= y)
	case "<":
		return truth(x < y)
	case ">":
		return truth(x > y)
	case "<<":
		return x << (uint64(y) & 63)
	case ">>":
		return x >> (uint64(y) & 63)
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	}
	switch {
	case y == 0:
		if !e.failed && e.unused == 0 {
			e.r.fail(e.place(max(e.i-1, 0)), "", "the condition divides by zero")
			e.failed = true
		}
		return 0
	case op == "/":
		return x / y
	}
	return x % y
}

func (e *expression) unary() int64 {
	if e.depth++; e.depth > maxDepth {
		e.fail("fewer operators")
		return 0
	}
	defer func() { e.depth-- }()
	switch {
	case e.failed:
		return 0
	case e.accept("!"):
		return truth(e.unary() == 0)
	case e.accept("-"):
		return -e.unary()
	case e.accept("+"):
		return e.unary()
	case e.accept("~"):
		return ^e.unary()
	case e.accept("("):
		v := e.choice()
		if !e.accept(")") {
			e.fail(")")
		}
		return v
	}
	e.skip()
	if n := nameAt(e.text, e.i); n > 0 {
		e.i += n
		if e.skip(); e.i < len(e.text) && e.text[e.i] == '(' {
			e.fail("an operator: this name is no macro with arguments")
		}
		return 0
	}
	from := e.i
	for e.i < len(e.text) && ('0' <= e.text[e.i] && e.text[e.i] <= '9' || nameAt(e.text, e.i) > 0) {
		e.i++
	}
	v, err := strconv.ParseInt(strings.TrimRight(string(e.text[from:e.i]), "uUlL"), 0, 64)
	if err != nil {
		e.i = from
		e.fail("an integer, a name or defined(NAME)")
	}
	return v
}
