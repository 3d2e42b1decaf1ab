package app

import (
	"slices"

	"whorl/visual/view"
)

// split says how the place of a node is divided.
type split uint8

const (
	tabs    split = iota // it is not: a leaf shows one of its panes
	columns              // side by side
	rows                 // one above the other
)

// A node is a place of the window: a leaf with panes as tabs, or two places with a bar between them. Nodes are never changed, so that a
// workspace that was kept stays what it was; nil is a place with nothing in it.
type node struct {
	split split
	share float64 // of a, 0 to 1
	a, b  *node

	panes []int // ids
	shown int   // which of them, by its id
}

func leaf(pane int) *node { return &node{panes: []int{pane}, shown: pane} }

// A spot is where a leaf lies, in points.
type spot struct {
	node *node
	rect view.Rect
}

// The least size of a place, in points.
const (
	leastW = 160
	leastH = 96
)

// with returns the tree with another node in the place of old.
func (n *node) with(old, now *node) *node {
	switch {
	case n == old:
		return now
	case n == nil || n.split == tabs:
		return n
	}
	c := *n
	c.a, c.b = n.a.with(old, now), n.b.with(old, now)
	return &c
}

// leafOf is the leaf that has a pane, nil for none.
func (n *node) leafOf(pane int) *node {
	switch {
	case n == nil:
		return nil
	case n.split == tabs:
		if slices.Contains(n.panes, pane) {
			return n
		}
		return nil
	}
	if l := n.a.leafOf(pane); l != nil {
		return l
	}
	return n.b.leafOf(pane)
}

// keep returns the tree with those panes only for which it holds; places without any close.
func (n *node) keep(ok func(pane int) bool) *node {
	if n == nil {
		return nil
	}
	c := *n
	if n.split == tabs {
		at := slices.Index(n.panes, n.shown)
		c.panes = slices.DeleteFunc(slices.Clone(n.panes), func(p int) bool { return !ok(p) })
		if len(c.panes) == 0 {
			return nil
		}
		if !ok(c.shown) {
			c.shown = c.panes[min(max(at, 0), len(c.panes)-1)]
		}
		return &c
	}
	c.a, c.b = n.a.keep(ok), n.b.keep(ok)
	switch {
	case c.a == nil:
		return c.b
	case c.b == nil:
		return c.a
	}
	return &c
}

// all lists the panes of the tree, from left to right and from top to bottom.
func (n *node) all() []int {
	switch {
	case n == nil:
		return nil
	case n.split == tabs:
		return n.panes
	}
	return append(slices.Clone(n.a.all()), n.b.all()...)
}

// leaves lists the places that are not divided.
func (n *node) leaves() []*node {
	switch {
	case n == nil:
		return nil
	case n.split == tabs:
		return []*node{n}
	}
	return append(n.a.leaves(), n.b.leaves()...)
}

// add returns the leaf with one more tab, after the one that is shown, which is shown now.
func (n *node) add(pane int) *node {
	c := *n
	c.panes = slices.Insert(slices.Clone(n.panes), slices.Index(n.panes, n.shown)+1, pane)
	c.shown = pane
	return &c
}

// even gives all that stands in a row of splits of one kind the same room; what is divided within that stays as it is.
func (n *node) even() *node {
	if n == nil || n.split == tabs {
		return n
	}
	c := *n
	for _, part := range []**node{&c.a, &c.b} {
		if (*part).split == n.split {
			*part = (*part).even()
		}
	}
	c.share = float64(n.a.count(n.split)) / float64(n.a.count(n.split)+n.b.count(n.split))
	return &c
}

// count is how many places stand side by side in splits of that kind.
func (n *node) count(s split) int {
	if n == nil || n.split != s {
		return 1
	}
	return n.a.count(s) + n.b.count(s)
}
