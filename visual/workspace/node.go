package workspace

import (
	"fmt"
	"slices"
)

// A Split is the direction of the division of a node.
type Split uint8

// The splits.
const (
	Tabs    Split = iota // not divided: a leaf, which shows one of its panes
	Columns              // A is left of B
	Rows                 // A is above B
)

// A Node is a part of the window: a leaf with panes as tabs, or two nodes with a bar between them. Nodes are immutable, so a
// workspace that the history keeps never changes. The nil Node is empty.
type Node struct {
	Split Split
	Share float64 // of A, from 0 to 1
	A, B  *Node

	Panes []int // of a leaf, by id
	Shown int   // the id of the tab in front
}

// Leaf returns a leaf with the given panes, the first in front.
func Leaf(panes ...int) *Node { return &Node{Panes: panes, Shown: panes[0]} }

// Divide returns two nodes beside or above each other, of the same size.
func Divide(s Split, a, b *Node) *Node { return &Node{Split: s, Share: 0.5, A: a, B: b} }

// Least sizes of a leaf, in points.
const (
	LeastWidth  = 220
	LeastHeight = 120
)

// Least returns the least width of the node for Columns, or its least height for Rows, in points.
func (n *Node) Least(s Split) float64 {
	switch {
	case n.Split == s:
		return n.A.Least(s) + 1 + n.B.Least(s)
	case n.Split != Tabs:
		return max(n.A.Least(s), n.B.Least(s))
	case s == Rows:
		return LeastHeight
	}
	return LeastWidth
}

// Gather returns one leaf with all panes of the node. In front is the pane front if it is in front of its leaf, otherwise that of the first leaf.
func (n *Node) Gather(front int) *Node {
	leaves := n.Leaves()
	g := &Node{Panes: n.All(), Shown: leaves[0].Shown}
	if slices.ContainsFunc(leaves, func(l *Node) bool { return l.Shown == front }) {
		g.Shown = front
	}
	return g
}

// Replace returns the tree with the node old replaced by the node by.
func (n *Node) Replace(old, by *Node) *Node {
	switch {
	case n == old:
		return by
	case n == nil || n.Split == Tabs:
		return n
	}
	c := *n
	c.A, c.B = n.A.Replace(old, by), n.B.Replace(old, by)
	return &c
}

// LeafOf returns the leaf of a pane, nil if the tree does not have the pane.
func (n *Node) LeafOf(pane int) *Node {
	for _, leaf := range n.Leaves() {
		if slices.Contains(leaf.Panes, pane) {
			return leaf
		}
	}
	return nil
}

// Keep returns the tree with only the panes that ok accepts. It removes leaves without panes.
func (n *Node) Keep(ok func(pane int) bool) *Node {
	if n == nil {
		return nil
	}
	c := *n
	if n.Split == Tabs {
		front := slices.Index(n.Panes, n.Shown)
		c.Panes = slices.DeleteFunc(slices.Clone(n.Panes), func(p int) bool { return !ok(p) })
		if len(c.Panes) == 0 {
			return nil
		}
		if !ok(c.Shown) {
			c.Shown = c.Panes[min(max(front, 0), len(c.Panes)-1)]
		}
		return &c
	}
	c.A, c.B = n.A.Keep(ok), n.B.Keep(ok)
	switch {
	case c.A == nil:
		return c.B
	case c.B == nil:
		return c.A
	}
	return &c
}

// All lists the panes of the tree, from left to right and from top to bottom.
func (n *Node) All() []int {
	var all []int
	for _, leaf := range n.Leaves() {
		all = append(all, leaf.Panes...)
	}
	return all
}

// Leaves lists the leaves of the tree, from left to right and from top to bottom.
func (n *Node) Leaves() []*Node {
	switch {
	case n == nil:
		return nil
	case n.Split == Tabs:
		return []*Node{n}
	}
	return append(n.A.Leaves(), n.B.Leaves()...)
}

// Add returns the leaf with one more pane in front, to the right of the former front pane.
func (n *Node) Add(pane int) *Node {
	c := *n
	c.Panes = slices.Insert(slices.Clone(n.Panes), slices.Index(n.Panes, n.Shown)+1, pane)
	c.Shown = pane
	return &c
}

// Even returns the tree with equal sizes of all parts of consecutive splits in the same direction. Other splits keep their shares.
func (n *Node) Even() *Node {
	if n == nil || n.Split == Tabs {
		return n
	}
	c := *n
	for _, part := range []**Node{&c.A, &c.B} {
		if (*part).Split == n.Split {
			*part = (*part).Even()
		}
	}
	a, b := n.A.parts(n.Split), n.B.parts(n.Split)
	c.Share = float64(a) / float64(a+b)
	return &c
}

// parts returns the number of parts of consecutive splits in one direction.
func (n *Node) parts(s Split) int {
	if n == nil || n.Split != s {
		return 1
	}
	return n.A.parts(s) + n.B.parts(s)
}

// renumber returns the tree with a number added to every id.
func (n *Node) renumber(by int) *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.A, c.B = n.A.renumber(by), n.B.renumber(by)
	c.Panes = nil
	for _, id := range n.Panes {
		c.Panes = append(c.Panes, id+by)
	}
	c.Shown += by
	return &c
}

// Alike reports whether two trees have the same panes at the same places, whichever tabs are in front.
func (n *Node) Alike(m *Node) bool {
	if n == nil || m == nil {
		return n == m
	}
	return n.Split == m.Split && n.Share == m.Share && slices.Equal(n.Panes, m.Panes) && n.A.Alike(m.A) && n.B.Alike(m.B)
}

// String describes the tree, for messages of tests: [1 2]1 is a leaf with pane 1 in front of pane 2.
func (n *Node) String() string {
	switch {
	case n == nil:
		return "-"
	case n.Split == Tabs:
		return fmt.Sprint(n.Panes, n.Shown)
	}
	return fmt.Sprintf("(%d %.2f %s %s)", n.Split, n.Share, n.A, n.B)
}
