// Package columns lays threads out side by side, each a column of its own, with time downwards: B. Steckelbach, T. Bubeck, U. Fößmeier,
// M. Kaufmann, M. Ritt and W. Rosenstiel, "Visualization of Parallel Execution Graphs" (Graph Drawing 1998), sections 3 and 4.
//
// A node stands as far down as its predecessors and the lengths of the edges from them say (Rows, section 4.1). Short edges can be given a
// least length, so that their ends can be told apart. The threads that a thread forks stand to its left and its right (Arrange, section 4.2):
// those whose forks and joins are nested or follow each other need never cross, and go one by one, the outermost first, to the narrower
// side. Where they do overlap, the sides are a division of the graph of overlaps: without a crossing when it is bipartite (two stacks, after
// P. Rosenstiehl and R. Tarjan, "Gauss Codes, Planar Hamiltonian Graphs, and Stack-Sortable Permutations", 1984), else as large a cut
// as greed and exchange find, or branch and bound for up to 40 threads.
//
// Threads that follow each other share columns: a column is used again below the join of the thread that had it.
package columns

import "fmt"

// A Graph is threads and the nodes of their chains, in arrays. Threads are in preorder of who forked whom: those below thread t are t+1 to
// t+Size[t]-1. The nodes of thread t are First[t] to First[t+1]-1, in order of time.
type Graph struct {
	// By thread.
	Parent []int32 // -1 for a root
	Size   []int32 // threads below it and itself
	First  []int32 // its first node; one entry more than there are threads
	Fork   []int32 // the node in the parent's chain that forked it, -1 where that is not known
	Join   []int32 // the node in the parent's chain at which it is joined, -1 for never

	// By node.
	Length []float64 // of the edge that ends there, from the node before in the chain: the time that the thread ran
	Delay  []float64 // how much later it is than its predecessors and edges ask for; nil for nowhere
	Edge   []Edge    // what the edge that ends there is

	Order []int32 // all nodes, each behind its predecessors; an edge from a later one is not looked at
	Free  []Link  // edges from a node of one thread to one of another, beside those of Fork and Join
}

// Edge says how the edge between two nodes of a chain is drawn.
type Edge uint8

// The sorts of edges.
const (
	Runs  Edge = iota // the thread runs; the edge has the least length
	Waits             // from a b-join to its a-join; it has the least length unless it takes no time at all
	Rigid             // it is as long as it takes
)

// A Link leads from a node to another.
type Link struct{ From, To int32 }

// Len is the number of threads.
func (g *Graph) Len() int { return len(g.Parent) }

// Check returns an error that names the first place at which the arrays are no graph. The other functions take this for granted.
func (g *Graph) Check() error {
	n, nodes := len(g.Parent), len(g.Length)
	if len(g.Size) != n || len(g.Fork) != n || len(g.Join) != n || len(g.First) != n+1 {
		return fmt.Errorf("columns: %d parents, %d sizes, %d forks, %d joins and %d chains: want as many of each, and one chain more",
			n, len(g.Size), len(g.Fork), len(g.Join), len(g.First))
	}
	if len(g.Edge) != nodes || len(g.Order) != nodes || g.Delay != nil && len(g.Delay) != nodes || g.First[0] != 0 || int(g.First[n]) != nodes {
		return fmt.Errorf("columns: %d lengths, %d edges, %d in order, chains up to %d: want as many of each", nodes, len(g.Edge), len(g.Order), g.First[n])
	}
	var open []int32 // the way to the thread before
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
			return fmt.Errorf("columns: thread %d has parent %d, its place in preorder says %d", t, g.Parent[t], up)
		case g.Size[t] < 1 || end > int64(n) || up >= 0 && end > int64(up)+int64(g.Size[up]):
			return fmt.Errorf("columns: thread %d has size %d, which holds nothing or reaches beyond its parent's", t, g.Size[t])
		case g.First[t+1] < g.First[t]:
			return fmt.Errorf("columns: the chain of thread %d ends before it begins", t)
		}
		for _, at := range [2]int32{g.Fork[t], g.Join[t]} {
			if at >= 0 && (up < 0 || at < g.First[up] || at >= g.First[up+1]) {
				return fmt.Errorf("columns: thread %d is forked or joined at node %d, which is not its parent's", t, at)
			}
		}
		open = append(open, t)
	}
	seen := make([]bool, nodes)
	for _, v := range g.Order {
		if v < 0 || int(v) >= nodes || seen[v] {
			return fmt.Errorf("columns: node %d is no node, or twice in the order", v)
		}
		seen[v] = true
	}
	for _, l := range g.Free {
		if min(l.From, l.To) < 0 || int(max(l.From, l.To)) >= nodes {
			return fmt.Errorf("columns: an edge from node %d to %d of %d", l.From, l.To, nodes)
		}
	}
	return nil
}
