package profile

import "whorl/internal/hashtable"

// A Tree numbers paths, such as stacks of places or calling contexts. Node 0 is the root, and parents have smaller numbers than their children.
// The zero Tree is ready to use.
//
// Most nodes have one child, added right after them, which Tree finds by its number. A hash table holds the others.
type Tree struct {
	nodes []node          // empty until there is a child of the root
	table hashtable.Table // nodes by key
}

type node struct{ parent, label uint32 }

// Len returns the number of nodes.
func (t *Tree) Len() int { return max(len(t.nodes), 1) }

// First returns the node added right after parent, and whether it is the child of parent with that label.
func (t *Tree) First(parent, label uint32) (uint32, bool) {
	first := parent + 1
	return first, int(first) < len(t.nodes) && t.nodes[first] == node{parent, label}
}

// Child returns the child of parent with a label. If there is none it adds one, as the last node.
func (t *Tree) Child(parent, label uint32) uint32 {
	if n, ok := t.First(parent, label); ok {
		return n
	}
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{})
	}
	last := len(t.nodes)
	if int(parent)+1 == last {
		t.nodes = append(t.nodes, node{parent, label})
		return uint32(last)
	}
	n, added := t.table.Add(key(parent, label), uint32(last))
	if added {
		t.nodes = append(t.nodes, node{parent, label})
	}
	return n
}

// HasChild reports whether a node has a child with a label.
func (t *Tree) HasChild(parent, label uint32) bool {
	if _, ok := t.First(parent, label); ok {
		return true
	}
	_, ok := t.table.Get(key(parent, label))
	return ok
}

func key(parent, label uint32) uint64 { return uint64(parent)<<32 | uint64(label) }
