package contexts

import (
	"whorl/internal/hashtable"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/view"
)

// numbers are the numbers of the nodes of a tree.
type numbers struct {
	id   []uint64        // by node
	byID hashtable.Table // nodes
}

// programID is the number of the root, the program.
const programID = 1

// number numbers the nodes of a tree.
func number(run *view.Run, tree *callingcontext.Tree) *numbers {
	n := tree.Nodes()
	c := &numbers{id: make([]uint64, n)}
	c.id[0] = programID
	c.byID.Add(programID, 0)
	names := map[uint32]uint64{}
	last := map[uint64]uint64{} // the last number given to a sibling of the same name, by the number that the first one has
	for v := int32(1); int(v) < n; v++ {
		code := tree.Code[v]
		name, ok := names[code]
		if !ok {
			name = hash(run, code)
			names[code] = name
		}
		first := scatter(c.id[tree.Parent[v]] ^ name)
		id := first
		for again := false; ; again = true { // one context may call several procedures of the same name
			if id > programID {
				if _, added := c.byID.Add(id, uint32(v)); added {
					break
				}
			}
			if before, ok := last[first]; ok && !again {
				id = before
			}
			id = scatter(id)
		}
		if id != first {
			last[first] = id
		}
		c.id[v] = id
	}
	return c
}

// ID returns the number of a node.
func (c *Contexts) ID(node int32) uint64 { return c.numbers().id[node] }

// Node returns the node with a number, or false if the tree has none.
func (c *Contexts) Node(id uint64) (int32, bool) {
	v, ok := c.numbers().byID.Get(id)
	return int32(v), ok
}

// Root returns the node of the parameter view.Root: the program if the number is 0 or not (yet) in the tree.
func (c *Contexts) Root(id uint64) int32 {
	if id == 0 { // the usual case, which needs no numbers
		return callingcontext.Root
	}
	v, _ := c.Node(id)
	return v
}
