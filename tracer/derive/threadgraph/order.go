package threadgraph

// sort sorts Order topologically. Order lists the nodes in the order of the trace, which usually is a topological order; but if clocks disagree, a
// join can precede the end that it waited for.
func (g *Graph) sort() {
	s := sorter{Graph: g, place: make([]int32, g.Nodes())}
	for k, node := range g.Order {
		s.place[node] = int32(k)
	}
	sorted := true
	for node := range g.Kind {
		if from := g.From(int32(node)); from >= 0 && s.place[from] > s.place[node] {
			sorted = false
			break
		}
	}
	for _, e := range g.Free {
		sorted = sorted && s.place[e.From] < s.place[e.To]
	}
	if !sorted {
		s.sort()
	}
}

// From returns the source of the structural edge to a node: the fork of a start, or of a wait before it; the end that an a-join waited for; -1 for
// none. Free edges do not count.
func (g *Graph) From(node int32) int32 {
	t := g.Thread[node]
	switch g.Kind[node] {
	case Start, BJoin:
		if g.First[t] == node {
			return g.Fork[t]
		}
	case AJoin:
		if ref := g.Ref[node]; ref >= 0 && g.Join[ref] == node {
			return g.EndOf(ref)
		}
	}
	return -1
}

// To returns the target of the structural edge from a node: the first node of a forked thread, or the a-join that waited for an end; -1 for none.
// Free edges do not count.
func (g *Graph) To(node int32) int32 {
	t := g.Thread[node]
	switch g.Kind[node] {
	case Fork:
		if ref := g.Ref[node]; ref >= 0 && g.Fork[ref] == node {
			return g.StartOf(ref)
		}
	case End:
		if g.First[t+1] == node+1 {
			return g.Join[t]
		}
	}
	return -1
}

// Next returns the next node in the chain, -1 for none.
func (g *Graph) Next(node int32) int32 {
	if g.First[g.Thread[node]+1] == node+1 {
		return -1
	}
	return node + 1
}

// A sorter lists nodes in the order of the trace, and delays nodes with an edge from a node that is not listed yet.
type sorter struct {
	*Graph
	place []int32           // by node: its place in the trace
	lacks []int32           // by node: edges from nodes not listed yet; -1 for a listed node
	free  map[int32][]int32 // free edges by their first node
	order []int32
	ready []int32
	now   int32 // place of the next node
}

func (s *sorter) sort() {
	s.lacks = make([]int32, s.Nodes())
	s.free = make(map[int32][]int32, len(s.Free))
	for node := range s.lacks {
		if s.From(int32(node)) >= 0 {
			s.lacks[node]++
		}
		if s.First[s.Thread[node]] != int32(node) {
			s.lacks[node]++
		}
	}
	for _, e := range s.Free {
		s.free[e.From] = append(s.free[e.From], e.To)
		s.lacks[e.To]++
	}
	s.order = make([]int32, 0, s.Nodes())
	for k, node := range s.Order {
		if s.now = int32(k); s.lacks[node] == 0 {
			s.emit(node)
		}
	}
	for _, node := range s.Order { // the rest is on cycles or behind them
		if s.lacks[node] > 0 {
			s.Backward += int64(s.lacks[node])
			s.emit(node)
		}
	}
	s.Order = s.order
}

// emit lists a node, and then all earlier nodes that waited only for it.
func (s *sorter) emit(node int32) {
	s.ready = append(s.ready[:0], node)
	for len(s.ready) > 0 {
		node := s.ready[len(s.ready)-1]
		s.ready = s.ready[:len(s.ready)-1]
		s.lacks[node] = -1
		s.order = append(s.order, node)
		s.reach(s.Next(node))
		s.reach(s.To(node))
		for _, to := range s.free[node] {
			s.reach(to)
		}
	}
}

// reach removes an edge to a node.
func (s *sorter) reach(node int32) {
	if node < 0 || s.lacks[node] <= 0 {
		return
	}
	if s.lacks[node]--; s.lacks[node] == 0 && s.place[node] <= s.now {
		s.ready = append(s.ready, node)
	}
}
