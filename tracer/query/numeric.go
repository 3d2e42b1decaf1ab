package query

import (
	"fmt"
	"math"
)

// A numeric is a compiled number.
type numeric[R any] struct {
	real      func(R) float64
	int       func(R) int64 // nil for a number with fractions
	constant  *value        // nil for a number that depends on the row
	dimension int
}

func constant[R any](v value) numeric[R] {
	n := numeric[R]{real: func(R) float64 { return v.real }, constant: &v, dimension: v.dimension}
	if v.whole {
		n.int = func(R) int64 { return v.integer }
	}
	return n
}

// numeric compiles a node that is a number.
func (c *compiler[R]) numeric(n *node) (out numeric[R]) {
	switch n.op {
	case numberNode:
		return constant[R](n.value)
	case nameNode:
		return c.fieldValue(n)
	case negateNode:
		x := c.numeric(n.args[0])
		return c.arithmetic(&node{op: subtractNode, offset: n.offset}, constant[R](value{whole: true, dimension: x.dimension}), x)
	case addNode, subtractNode, multiplyNode, divideNode:
		x, y := c.numeric(n.args[0]), c.numeric(n.args[1])
		if c.err == nil {
			return c.arithmetic(n, x, y)
		}
	case textNode, placeNode:
		c.fail(n, "a text is compared with a field of texts at its left", "a number")
	case subtreeNode:
		c.fail(n, "a subtree is a member of a set", "a number; subtrees follow in, as in task in subtree(17)")
	default:
		c.fail(n, "this is a condition, not a number", "a number")
	}
	return out
}

func (c *compiler[R]) fieldValue(n *node) (out numeric[R]) {
	f := c.schema.field(n.text)
	switch {
	case f == nil:
		c.fail(n, c.unknown("field of "+c.schema.Rows, n.text, c.schema.names()), "")
	case f.Type == Text || f.Type == Place:
		c.fail(n, fmt.Sprintf("%s is a %v, not a number", f.Name, f.Type), "a number, or a comparison that begins with "+f.Name)
	case f.Int != nil:
		get := f.Int
		out = numeric[R]{real: func(r R) float64 { return float64(get(r)) }, int: get}
	default:
		out = numeric[R]{real: f.Real}
	}
	if f != nil && f.Type == Time {
		out.dimension = 1
	}
	return out
}

// alike checks that two numbers have the same dimension. Zero has every dimension.
func (c *compiler[R]) alike(n *node, x, y numeric[R]) bool {
	zero := func(n numeric[R]) bool { return n.constant != nil && n.constant.real == 0 }
	if x.dimension == y.dimension || zero(x) || zero(y) {
		return true
	}
	want := "two numbers of one kind"
	if x.dimension == 1 && y.dimension == 0 && y.constant != nil {
		want = "a time, with one of the units ns, us, ms, s"
	}
	c.fail(n, fmt.Sprintf("%s and %s cannot be combined", dimensionName(x.dimension), dimensionName(y.dimension)), want)
	return false
}

func dimensionName(d int) string {
	switch d {
	case 0:
		return "a plain number"
	case 1:
		return "a time"
	case -1:
		return "a rate"
	}
	return fmt.Sprintf("a time to the power of %d", d)
}

// arithmetic compiles an operation on two numbers.
func (c *compiler[R]) arithmetic(n *node, x, y numeric[R]) (out numeric[R]) {
	a, b := x.real, y.real
	switch n.op {
	case addNode, subtractNode:
		if !c.alike(n, x, y) {
			return out
		}
		out.dimension = x.dimension
		if x.constant != nil && x.constant.real == 0 {
			out.dimension = y.dimension
		}
		out.real = func(r R) float64 { return a(r) + b(r) }
		if n.op == subtractNode {
			out.real = func(r R) float64 { return a(r) - b(r) }
		}
	case multiplyNode:
		out.dimension = x.dimension + y.dimension
		out.real = func(r R) float64 { return a(r) * b(r) }
	case divideNode:
		out.dimension = x.dimension - y.dimension
		out.real = func(r R) float64 { return a(r) / b(r) }
	}
	if math.Abs(float64(out.dimension)) > 9 {
		c.fail(n, "the power of time is out of range", "powers from -9 to 9")
	}
	if x.constant != nil && y.constant != nil {
		var none R
		v := value{real: out.real(none), dimension: out.dimension}
		v.integer, v.whole = whole(v.real)
		return constant[R](v)
	}
	return out
}
