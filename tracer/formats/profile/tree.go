package profile

// A Tree numbers paths, such as stacks of places or calling contexts. Node 0 is the root, and parents have smaller numbers than their children.
// The zero Tree is ready to use.
//
// Most nodes have one child, added right after them, which Tree finds by its number. A hash table with open addressing holds the others.
type Tree struct {
	nodes []node // empty until there is a child of the root
	keys  []uint64
	table []uint32 // nodes, parallel to keys
	used  int
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
	if 4*t.used >= 3*len(t.keys) {
		t.grow()
	}
	key := uint64(parent)<<32 | uint64(label) + 1
	i := t.slot(key)
	if t.keys[i] == 0 {
		t.keys[i], t.table[i] = key, uint32(last)
		t.used++
		t.nodes = append(t.nodes, node{parent, label})
	}
	return t.table[i]
}

// HasChild reports whether a node has a child with a label.
func (t *Tree) HasChild(parent, label uint32) bool {
	if _, ok := t.First(parent, label); ok {
		return true
	}
	return len(t.keys) > 0 && t.keys[t.slot(uint64(parent)<<32|uint64(label)+1)] != 0
}

// slot returns the index of a key in the table, or of the free slot where it belongs.
func (t *Tree) slot(key uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	i := scatter(key) & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (t *Tree) grow() {
	keys, table := t.keys, t.table
	size := max(2*len(keys), 1<<10)
	t.keys, t.table = make([]uint64, size), make([]uint32, size)
	for k, key := range keys {
		if key != 0 {
			i := t.slot(key)
			t.keys[i], t.table[i] = key, table[k]
		}
	}
}

// scatter mixes the bits of a key (the finisher of S. Vigna's splitmix64).
func scatter(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
