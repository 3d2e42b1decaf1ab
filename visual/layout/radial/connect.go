package radial

// Levels is the level connection of section 3.2: the nodes of each level, ordered by angle.
type Levels struct {
	First []int32 // First[l] is where level l starts in Node; one more entry ends the last level
	Node  []int32 // nodes by level, within a level in preorder
}

// Connect connects the nodes of each level. The paper threads cousin pointers through the tree; here it is a counting sort.
func Connect(t Tree) Levels {
	c := Levels{First: make([]int32, t.Height()+2), Node: make([]int32, t.Len())}
	for _, l := range t.Level.All() {
		c.First[l+1]++
	}
	for l := 1; l < len(c.First); l++ {
		c.First[l] += c.First[l-1]
	}
	next := append([]int32(nil), c.First...)
	for i, l := range t.Level.All() {
		c.Node[next[l]] = int32(i)
		next[l]++
	}
	return c
}

// Nodes returns the nodes of a level, ordered by angle, and nil for a level outside the tree.
func (c Levels) Nodes(level int32) []int32 {
	if level < 0 || int(level) >= len(c.First)-1 {
		return nil
	}
	return c.Node[c.First[level]:c.First[level+1]]
}
