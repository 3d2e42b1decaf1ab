package kaleidoscope

import (
	"slices"

	"whorl/tracer/derive/spawntree"
)

const (
	countedNodes = 4096 // of a block, whose counts fit into 16 bits
	countedPEs   = 256  // the most PEs whose nodes are counted by block
)

// counts are the numbers of nodes of each PE in blocks of a tree, and the times of the blocks: the order of a node among those of its PE is known
// without visiting all of them.
type counts struct {
	first, last []int64                  // time of the first and of the last node, by block
	nodes       [][countedPEs + 1]uint16 // by block and by PE from -1 on; nil if there are more than countedPEs
}

// count counts the nodes of a tree.
func count(t *spawntree.Tree) *counts {
	blocks := (t.Len() + countedNodes - 1) / countedNodes
	c := &counts{make([]int64, blocks), make([]int64, blocks), make([][countedPEs + 1]uint16, blocks)}
	pes, times := make([]int32, countedNodes), make([]int64, countedNodes)
	for b := range blocks {
		pes, times := readBlock(t, b, pes, times)
		c.first[b], c.last[b] = slices.Min(times), slices.Max(times)
		for i := 0; i < len(pes) && c.nodes != nil; i++ {
			if pes[i] >= countedPEs {
				c.nodes = nil
				break
			}
			c.nodes[b][max(pes[i], -1)+1]++
		}
	}
	return c
}

// readBlock reads the PEs and the times of a block.
func readBlock(t *spawntree.Tree, block int, pes []int32, times []int64) ([]int32, []int64) {
	first := block * countedNodes
	n := min(countedNodes, t.Len()-first)
	t.PE.Read(pes[:n], first)
	t.Time.Read(times[:n], first)
	return pes[:n], times[:n]
}

// ordinal returns the number of a node among those of its PE in the order of time, from 1.
func (g *Geometry) ordinal(node int32) (n int) {
	t, c := g.whole, g.counts()
	pe, time, task := max(g.tree.PE.At(int(node)), -1), g.tree.Time.At(int(node)), g.tree.Task.At(int(node))
	pes, times := make([]int32, countedNodes), make([]int64, countedNodes)
	for b := range c.first {
		switch {
		case c.first[b] > time:
			continue
		case c.last[b] < time && c.nodes != nil:
			n += int(c.nodes[b][pe+1])
			continue
		}
		pes, times := readBlock(t, b, pes, times)
		for i, at := range times {
			if max(pes[i], -1) == pe && (at < time || at == time && t.Task.At(b*countedNodes+i) <= task) {
				n++
			}
		}
	}
	return n
}
