package query

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestPrinted: expressions print in one form.
func TestPrinted(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"((pe==3))", "pe = 3"},
		{"a=1 and (b=2 or c=3)", "a = 1 and (b = 2 or c = 3)"},
		{"(a=1 and b=2) or c=3", "a = 1 and b = 2 or c = 3"},
		{"a=1 and (b=2 and c=3)", "a = 1 and (b = 2 and c = 3)"},
		{"not(a=1)", "not a = 1"},
		{"not(a=1 or b=2)", "not (a = 1 or b = 2)"},
		{"pe in 3", "pe in {3}"},
		{"pe in {3..4}", "pe in 3..4"},
		{"pe in {3..4,9}", "pe in {3..4, 9}"},
		{"a - (b - c) > 0", "a - (b - c) > 0"},
		{"a-b-c>0", "a - b - c > 0"},
		{"-(a+b) < 0", "-(a + b) < 0"},
		{"time/count", "time / count"},
		{`line in "lu.hpf" : 3..4`, `line in "lu.hpf":3..4`},
		{`p ~ /a\/b/`, `p ~ /a\/b/`},
		{"task in subtree( 4 )", "task in {subtree(4)}"},
	} {
		e, err := Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := e.String(); got != c.want {
			t.Errorf("%s prints as %s, want %s", c.text, got, c.want)
		}
	}
	e, err := Parse("a = 1 and (b = 2 or c = 3) and d = 4")
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, p := range e.Conjuncts() {
		parts = append(parts, p.String())
	}
	if got := strings.Join(parts, "; "); got != "a = 1; b = 2 or c = 3; d = 4" {
		t.Errorf("parts: %s", got)
	}
}

// random returns a random tree of the grammar.
func random(r *rand.Rand, depth int) *node {
	number := func() *node {
		text := []string{"3", "17", "2ms", "1.5us", "0x1f", "1e3", "0"}[r.IntN(7)]
		v, _ := parseNumber(text)
		return &node{op: numberNode, text: text, value: v}
	}
	if depth == 0 {
		return []*node{number(), {op: nameNode, text: "pe"}, {op: textNode, text: "a \"b\""}, {op: placeNode, text: "f", args: []*node{{op: numberNode, text: "3", value: value{real: 3, integer: 3, whole: true}}}}}[r.IntN(4)]
	}
	o := op(int(orNode) + r.IntN(int(negateNode-orNode)+1))
	if o == rangeNode {
		o = inNode
	}
	n := &node{op: o, args: []*node{random(r, r.IntN(depth))}}
	switch o {
	case notNode, negateNode:
	case matchNode:
		n.text = []string{"^big", `a\/b`, "[a-z]+ "}[r.IntN(3)]
	case inNode:
		for range 1 + r.IntN(3) {
			m := random(r, 0)
			if r.IntN(2) == 0 {
				m = &node{op: rangeNode, args: []*node{m, random(r, r.IntN(depth))}}
			}
			n.args = append(n.args, m)
		}
	default:
		n.args = append(n.args, random(r, r.IntN(depth)))
	}
	return n
}

// placeless returns a copy of a tree without offsets.
func placeless(n *node) *node {
	c := *n
	if c.offset, c.args = 0, nil; n.op == placeNode || n.op == subtreeNode || n.op > subtreeNode {
		if n.op != matchNode && n.op != placeNode {
			c.text = ""
		}
	}
	for _, a := range n.args {
		c.args = append(c.args, placeless(a))
	}
	return &c
}

// TestPrintThenParse: any tree is parsed back from its printed form.
func TestPrintThenParse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		want := random(r, 1+r.IntN(5))
		text := (&Expr{root: want}).String()
		e, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(placeless(e.root), placeless(want)) {
			t.Fatalf("%s is parsed as %s", text, e)
		}
	}
}
