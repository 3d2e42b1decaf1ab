package query

import (
	"cmp"
	"math"
	"slices"
)

// A Range is a range of integers with both ends.
type Range struct{ First, Last int64 }

// Ranges returns the values of a number field that an expression allows, if it is a comparison of that field with whole constants: as
// ascending ranges and as the roots of subtrees. ok is false for any other expression.
func (e *Expr) Ranges(field string) (ranges []Range, roots []int64, ok bool) {
	n := e.root
	if len(n.args) < 2 || n.op == unequalNode || n.args[0].op != nameNode || n.args[0].text != field {
		return nil, nil, false
	}
	for _, m := range n.args[1:] {
		first, last := m, m
		switch m.op {
		case subtreeNode:
			roots = append(roots, m.args[0].value.integer)
			continue
		case rangeNode:
			first, last = m.args[0], m.args[1]
		}
		a, aWhole := first.integer()
		b, bWhole := last.integer()
		r, known := n.op.ranges(a, b)
		if !aWhole || !bWhole || !known {
			return nil, nil, false
		}
		if r.First <= r.Last {
			ranges = append(ranges, r)
		}
	}
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Compare(a.First, b.First) })
	return ranges, roots, true
}

// integer returns the value of a whole number with or without a sign, false for any other node.
func (n *node) integer() (v int64, ok bool) {
	if n.op == negateNode {
		v, ok = n.args[0].integer()
		return -v, ok
	}
	return n.value.integer, n.op == numberNode && n.value.whole
}

// ranges returns the values that a comparison with the constants from first to last allows.
func (o op) ranges(first, last int64) (r Range, ok bool) {
	switch o {
	case equalNode, inNode:
		return Range{first, last}, true
	case lessNode:
		return Range{math.MinInt64, max(first, math.MinInt64+1) - 1}, true
	case atMostNode:
		return Range{math.MinInt64, first}, true
	case moreNode:
		return Range{min(first, math.MaxInt64-1) + 1, math.MaxInt64}, true
	case atLeastNode:
		return Range{first, math.MaxInt64}, true
	}
	return r, false
}

// Uses returns the names of the fields of a schema that an expression uses, each once.
func Uses[R any](s Schema[R], e *Expr) (names []string) {
	c := compiler[R]{schema: &s, text: e.text}
	var walk func(n *node)
	walk = func(n *node) {
		if n.op == nameNode && !slices.Contains(names, n.text) {
			names = append(names, n.text)
		}
		if len(n.args) > 0 && c.tabled(n.args[0]) != nil {
			walk(n.args[0])
			return // the others are texts
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	walk(e.root)
	return names
}

// Wrong returns an error about the whole expression, at its place.
func (e *Expr) Wrong(msg, want string) error {
	first := e.root
	for len(first.args) > 0 && first.op != notNode && first.op != negateNode {
		first = first.args[0]
	}
	return fail(e.text, first.offset, msg, want)
}
