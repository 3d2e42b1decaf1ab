// Package columns lays out threads side by side, each in a column of its own, with time downwards: B. Steckelbach, T.
// Bubeck, U. Fößmeier, M. Kaufmann, M. Ritt and W. Rosenstiel, "Visualization of Parallel Execution Graphs" (Graph
// Drawing 1998), sections 3 and 4.
//
// Rows (section 4.1) places each node below its predecessors by the lengths of its edges. Short edges can be given a
// least length, so that their ends are distinguishable.
//
// Arrange (section 4.2) places the children of a thread to its left and right. Children whose forks and joins are
// nested or follow each other never cross: they go one by one, the outermost first, to the narrower side. Children
// that overlap are divided by their overlap graph. If it is bipartite, no crossing is needed (two stacks, after P.
// Rosenstiehl and R. Tarjan, "Gauss Codes, Planar Hamiltonian Graphs, and Stack-Sortable Permutations", 1984).
// Otherwise the division is a large cut, found by greed and exchange, or by branch and bound for up to 40 threads.
//
// A column is reused below the join of its thread.
package columns

import "fmt"

// A Graph holds threads and the nodes of their chains. Threads are in preorder of the fork tree: the subtree of thread
// t is t to t+Size[t]-1. The nodes of thread t are First[t] to First[t+1]-1, in order of time.
type Graph struct {
	// By thread.
	Parent []int32 // -1 for a root
	Size   []int32 // threads in the subtree, including itself
	First  []int32 // the thread's first node; one more entry than there are threads
	Fork   []int32 // the node of the parent's chain that forked it; -1 if unknown
	Join   []int32 // the node of the parent's chain that joins it; -1 if none does
	Width  []int32 // its own columns; nil for one each

	// By node.
	Length []float64 // of the edge from the previous node of the chain: how long the thread ran
	Delay  []float64 // additional delay after the predecessors; nil for none
	Edge   []Edge    // kind of the edge from the previous node of the chain

	Order []int32 // all nodes in topological order; an edge from a later node is ignored
	Free  []Link  // further edges between nodes of different threads
}

// Edge is the kind of an edge between two nodes of a chain.
type Edge uint8

// The kinds of edges.
const (
	Runs  Edge = iota // the thread runs; the edge has the least length
	Waits             // from a b-join to its a-join; it has the least length unless it takes no time
	Rigid             // it keeps its own length
)

// A Link is an edge between two nodes.
type Link struct{ From, To int32 }

// Len returns the number of threads.
func (g *Graph) Len() int { return len(g.Parent) }

// Check returns an error that names the first inconsistency of the arrays. The other functions require a valid graph.
func (g *Graph) Check() error {
	n, nodes := len(g.Parent), len(g.Length)
	if len(g.Size) != n || len(g.Fork) != n || len(g.Join) != n || len(g.First) != n+1 {
		return fmt.Errorf("columns: %d parents, %d sizes, %d forks, %d joins and %d chains: expected equal numbers, and one chain more",
			n, len(g.Size), len(g.Fork), len(g.Join), len(g.First))
	}
	if g.Width != nil && len(g.Width) != n {
		return fmt.Errorf("columns: %d widths of %d threads: expected equal numbers", len(g.Width), n)
	}
	if len(g.Edge) != nodes || len(g.Order) != nodes || g.Delay != nil && len(g.Delay) != nodes || g.First[0] != 0 || int(g.First[n]) != nodes {
		return fmt.Errorf("columns: %d lengths, %d edges, %d in order, chains up to %d: expected equal numbers", nodes, len(g.Edge), len(g.Order), g.First[n])
	}
	var open []int32 // the ancestors of the previous thread
	for t := range int32(n) {
		for len(open) > 0 && open[len(open)-1]+g.Size[open[len(open)-1]] <= t {
			open = open[:len(open)-1]
		}
		up := int32(-1)
		if len(open) > 0 {
			up = open[len(open)-1]
		}
		end := int64(t) + int64(g.Size[t])
		switch {
		case g.Parent[t] != up:
			return fmt.Errorf("columns: thread %d has parent %d, its place in preorder gives %d", t, g.Parent[t], up)
		case g.Size[t] < 1 || end > int64(n) || up >= 0 && end > int64(up)+int64(g.Size[up]):
			return fmt.Errorf("columns: thread %d has size %d, which is below 1 or exceeds its parent's subtree", t, g.Size[t])
		case g.First[t+1] < g.First[t]:
			return fmt.Errorf("columns: the chain of thread %d ends before it begins", t)
		}
		for _, node := range [2]int32{g.Fork[t], g.Join[t]} {
			if node >= 0 && (up < 0 || node < g.First[up] || node >= g.First[up+1]) {
				return fmt.Errorf("columns: thread %d is forked or joined at node %d, which is not in its parent's chain", t, node)
			}
		}
		open = append(open, t)
	}
	seen := make([]bool, nodes)
	for _, v := range g.Order {
		if v < 0 || int(v) >= nodes || seen[v] {
			return fmt.Errorf("columns: the order names node %d, which does not exist or stands in it twice", v)
		}
		seen[v] = true
	}
	for _, l := range g.Free {
		if min(l.From, l.To) < 0 || int(max(l.From, l.To)) >= nodes {
			return fmt.Errorf("columns: an edge from node %d to node %d, but there are %d nodes", l.From, l.To, nodes)
		}
	}
	return nil
}
