package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"whorl/internal/nearest"
)

// Where compiles a condition. The function reports whether a row fulfils it; it may be called by several goroutines at a time if the
// getters of the schema may. Errors are of type *fault.Error.
func Where[R any](s Schema[R], e *Expr) (func(row R) bool, error) {
	c := compiler[R]{schema: &s, text: e.text}
	match := c.condition(e.root)
	return match, c.err
}

// Measure compiles a numeric expression. dimension is the power of time that its values have, in ns: 1 for a time, 0 for a plain number,
// -1 for a rate. Errors are of type *fault.Error.
func Measure[R any](s Schema[R], e *Expr) (measure func(row R) float64, dimension int, err error) {
	c := compiler[R]{schema: &s, text: e.text}
	n := c.numeric(e.root)
	return n.real, n.dimension, c.err
}

// A compiler turns syntax trees into functions of rows. After the first error its results are meaningless.
type compiler[R any] struct {
	schema *Schema[R]
	text   string
	err    error
}

func (c *compiler[R]) fail(n *node, msg, want string) {
	if c.err == nil {
		c.err = fail(c.text, n.offset, msg, want)
	}
}

// condition compiles a node that is true or false.
func (c *compiler[R]) condition(n *node) func(R) bool {
	switch n.op {
	case andNode, orNode:
		x, y := c.condition(n.args[0]), c.condition(n.args[1])
		if n.op == andNode {
			return func(r R) bool { return x(r) && y(r) }
		}
		return func(r R) bool { return x(r) || y(r) }
	case notNode:
		x := c.condition(n.args[0])
		return func(r R) bool { return !x(r) }
	case matchNode, inNode, equalNode, unequalNode, lessNode, atMostNode, moreNode, atLeastNode:
		if f := c.tabled(n.args[0]); f != nil {
			return c.lookup(n, f)
		}
		return c.compare(n)
	}
	c.fail(n, "this is a value, not a condition", "a comparison such as pe = 3 or procedure ~ /^sum/")
	return nil
}

// tabled returns the field of texts or places that a node names, nil for any other node.
func (c *compiler[R]) tabled(n *node) *Field[R] {
	if n.op != nameNode {
		return nil
	}
	if f := c.schema.field(n.text); f != nil && (f.Type == Text || f.Type == Place) {
		return f
	}
	return nil
}

// lookup compiles a comparison of a field with a table: it finds the values that fulfil it.
func (c *compiler[R]) lookup(n *node, f *Field[R]) func(R) bool {
	set := make([]bool, len(f.Texts))
	switch {
	case n.op == matchNode:
		re, err := Pattern(n.text)
		if err != nil { // Parse has checked it
			c.fail(n, err.Error(), "")
			return nil
		}
		for i, text := range f.Texts {
			set[i] = re.MatchString(text)
		}
	case f.Type == Place:
		c.addPlaces(set, n, f)
	default:
		c.addTexts(set, n, f)
	}
	get := f.Int
	return func(r R) bool {
		i := get(r)
		return uint64(i) < uint64(len(set)) && set[i]
	}
}

func (c *compiler[R]) addTexts(set []bool, n *node, f *Field[R]) {
	if n.op != equalNode && n.op != unequalNode && n.op != inNode {
		c.fail(n, fmt.Sprintf("%s is a text, which has no order", f.Name), "one of =, !=, in and ~")
		return
	}
	for _, m := range n.args[1:] {
		if m.op != nameNode && m.op != textNode {
			c.fail(m, fmt.Sprintf("%s is a text", f.Name), "a name, or a text in double quotes")
			return
		}
		c.addText(set, m, f)
	}
	if n.op == unequalNode {
		for i := range set {
			set[i] = !set[i]
		}
	}
}

// addText adds the values of a text to set: those that equal it, or else those whose short form does.
func (c *compiler[R]) addText(set []bool, n *node, f *Field[R]) {
	add := func(short func(string) string) (found bool) {
		for i, text := range f.Texts {
			if short(text) == n.text {
				set[i], found = true, true
			}
		}
		return found
	}
	if !add(func(text string) string { return text }) && (f.Short == nil || !add(f.Short)) {
		kind := f.Name
		if f.Type == Place {
			kind = "file"
		}
		c.fail(n, c.unknown(kind, n.text, f.known()), "")
	}
}

func (c *compiler[R]) unknown(kind, name string, known []string) string {
	const most = 20 // names in a message
	hint := fmt.Sprintf("%d are known", len(known))
	if near := nearest.Names(name, known); len(near) > 0 || len(known) <= most {
		hint = nearest.Hint(name, known)
	}
	return fmt.Sprintf("there is no %s %s; %s", kind, nearest.Quote(name), hint)
}

// addPlaces adds the places that a comparison names to set. A line without a file is that line of all files.
func (c *compiler[R]) addPlaces(set []bool, n *node, f *Field[R]) {
	for _, m := range n.args[1:] {
		first, last := m, m
		if m.op == rangeNode {
			first, last = m.args[0], m.args[1]
		}
		files := make([]bool, len(set))
		if first.op == placeNode {
			c.addText(files, first, f)
			first = first.args[0]
		} else {
			for i, line := range f.Lines {
				files[i] = line > 0
			}
		}
		if m.op == placeNode {
			last = first
		}
		if !c.lineNumber(first) || !c.lineNumber(last) {
			return
		}
		for i, line := range f.Lines {
			if files[i] && c.inLines(n.op, int64(line), first.value.integer, last.value.integer) {
				set[i] = true
			}
		}
	}
	if n.op == unequalNode {
		for i := range set {
			set[i] = !set[i] && f.Lines[i] > 0
		}
	}
}

func (c *compiler[R]) lineNumber(n *node) bool {
	if n.op == numberNode && n.value.whole && n.value.dimension == 0 {
		return true
	}
	c.fail(n, "this is no line", `a line such as 12 or "lu.hpf":12, or a range of lines such as "lu.hpf":12..20`)
	return false
}

func (c *compiler[R]) inLines(o op, line, first, last int64) bool {
	if o == inNode || o == equalNode || o == unequalNode {
		return first <= line && line <= last
	}
	return compares(o, cmp.Compare(line, first))
}

// compares reports whether the result of cmp.Compare fulfils a comparison.
func compares(o op, order int) bool {
	switch o {
	case equalNode:
		return order == 0
	case unequalNode:
		return order != 0
	case lessNode:
		return order < 0
	case atMostNode:
		return order <= 0
	case moreNode:
		return order > 0
	}
	return order >= 0
}

// compare compiles a comparison of numbers.
func (c *compiler[R]) compare(n *node) func(R) bool {
	if n.op == matchNode {
		c.numeric(n.args[0]) // its errors come first
		c.fail(n.args[0], "a number has no text to match", "a field of texts before ~: "+c.textFields())
		return nil
	}
	x := c.numeric(n.args[0])
	if n.op == inNode {
		return c.within(n, x)
	}
	y := c.numeric(n.args[1])
	if c.err != nil || !c.alike(n, x, y) {
		return nil
	}
	switch {
	case x.int != nil && y.constant != nil && y.int != nil:
		return compareInt(n.op, x.int, y.constant.integer)
	case x.int != nil && y.int != nil:
		return func(r R) bool { return compares(n.op, cmp.Compare(x.int(r), y.int(r))) }
	}
	return compareReal(n.op, x.real, y.real)
}

func (c *compiler[R]) textFields() string {
	text := ""
	for i := range c.schema.Fields {
		if f := &c.schema.Fields[i]; f.Type == Text || f.Type == Place {
			if text != "" {
				text += ", "
			}
			text += f.Name
		}
	}
	return text
}

// compareInt returns the comparison of an integer with a constant.
func compareInt[R any](o op, x func(R) int64, y int64) func(R) bool {
	switch o {
	case equalNode:
		return func(r R) bool { return x(r) == y }
	case unequalNode:
		return func(r R) bool { return x(r) != y }
	case lessNode:
		return func(r R) bool { return x(r) < y }
	case atMostNode:
		return func(r R) bool { return x(r) <= y }
	case moreNode:
		return func(r R) bool { return x(r) > y }
	}
	return func(r R) bool { return x(r) >= y }
}

func compareReal[R any](o op, x, y func(R) float64) func(R) bool {
	switch o {
	case equalNode:
		return func(r R) bool { return x(r) == y(r) }
	case unequalNode:
		return func(r R) bool { return x(r) != y(r) }
	case lessNode:
		return func(r R) bool { return x(r) < y(r) }
	case atMostNode:
		return func(r R) bool { return x(r) <= y(r) }
	case moreNode:
		return func(r R) bool { return x(r) > y(r) }
	}
	return func(r R) bool { return x(r) >= y(r) }
}

// within compiles the membership of a number in ranges of constants and in subtrees.
func (c *compiler[R]) within(n *node, x numeric[R]) func(R) bool {
	var spans, reals []span
	var below []func(int64) bool
	for _, m := range n.args[1:] {
		if m.op == subtreeNode {
			below = append(below, c.subtree(n.args[0], m))
			continue
		}
		first, last := m, m
		if m.op == rangeNode {
			first, last = m.args[0], m.args[1]
		}
		a, b := c.numeric(first), c.numeric(last)
		if c.err != nil || !c.alike(m, x, a) || !c.alike(m, x, b) {
			return nil
		}
		if a.constant == nil || b.constant == nil {
			c.fail(m, "a member of a set is a constant", "a number or a range of numbers")
			return nil
		}
		s := span{a.constant.integer, b.constant.integer, a.constant.real, b.constant.real}
		if a.int != nil && b.int != nil && x.int != nil {
			spans = append(spans, s)
		} else {
			reals = append(reals, s)
		}
	}
	if c.err != nil {
		return nil
	}
	spans = joined(spans)
	get, real := x.int, x.real
	return func(r R) bool {
		if get != nil {
			v := get(r)
			if i, _ := slices.BinarySearchFunc(spans, v, func(s span, v int64) int { return cmp.Compare(s.last, v) }); i < len(spans) && spans[i].first <= v {
				return true
			}
			for _, f := range below {
				if f(v) {
					return true
				}
			}
		}
		for _, s := range reals {
			if v := real(r); s.realFirst <= v && v <= s.realLast {
				return true
			}
		}
		return false
	}
}

// A span is a range of numbers with both ends.
type span struct {
	first, last         int64
	realFirst, realLast float64
}

// joined returns the ranges of whole numbers in ascending order, with those that touch made one.
func joined(spans []span) (out []span) {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for _, s := range spans {
		if n := len(out); n > 0 && s.first <= out[n-1].last {
			out[n-1].last = max(out[n-1].last, s.last)
		} else if s.first <= s.last {
			out = append(out, s)
		}
	}
	return out
}

// subtree returns the membership in a subtree of the tree of the field that x names.
func (c *compiler[R]) subtree(x, n *node) func(int64) bool {
	var f *Field[R]
	if x.op == nameNode {
		f = c.schema.field(x.text)
	}
	if f == nil || f.Subtree == nil {
		c.fail(n, "only a field with a tree has subtrees", "numbers or ranges of numbers")
		return nil
	}
	below := f.Subtree(n.args[0].value.integer)
	if below == nil {
		c.fail(n.args[0], fmt.Sprintf("there is no %s %s", f.Name, n.args[0].text), "")
	}
	return below
}

// whole returns the integer of a real number that has one, false for others.
func whole(x float64) (int64, bool) {
	if x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
		return 0, false
	}
	return int64(x), true
}
