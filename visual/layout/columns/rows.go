package columns

import "slices"

// Rows holds the vertical place of each node.
type Rows struct {
	Y      []float64 // by node; 0 for those without predecessors
	Exact  []float64 // the same without a least length
	Merged []bool    // by node: the edge that ends there is a wait of no time, so that b-join and a-join coincide
	Height float64   // the largest Y
	Least  float64   // the least length of an edge
}

// NewRows places each node as far down as its predecessors and their edges require. least is the least length of an
// edge, 0 for the true scale.
func NewRows(g *Graph, least float64) *Rows {
	p := newPlacer(g)
	exact := p.place(nil, 0)
	merged := p.merged(exact)
	if least <= 0 {
		return &Rows{exact, exact, merged, height(exact), 0}
	}
	y := p.place(merged, least)
	return &Rows{y, exact, merged, height(y), least}
}

// Labelled places the nodes with a least length that is the given share of the whole height. If so many edges follow
// each other that they would take more than half of the height, the least length is reduced to leave half of it for
// differences in time.
func Labelled(g *Graph, share float64) *Rows {
	p := newPlacer(g)
	exact := p.place(nil, 0)
	merged := p.merged(exact)
	whole := height(exact)
	if edges := p.longest(merged); edges*share > 0.5 {
		share = 0.5 / edges
	}
	least := share * whole
	if whole == 0 {
		least = 1
	}
	var y []float64
	const rounds = 3 // the height grows with the least length, by less each time
	for range rounds {
		y = p.place(merged, least)
		if h := height(y); h*share <= least*1.02 {
			break
		} else if whole > 0 {
			least = share * h
		}
	}
	return &Rows{y, exact, merged, height(y), least}
}

func height(y []float64) float64 {
	if len(y) == 0 {
		return 0
	}
	return slices.Max(y)
}

// A placer holds the structural predecessors of each node.
type placer struct {
	*Graph
	pred  []int32 // by node: its predecessor by fork or join, -1 for none
	free  []int32 // by node: where its further predecessors begin in from; nil if there are none
	from  []int32
	first []bool // by node: whether it is the first of its chain
}

func newPlacer(g *Graph) *placer {
	nodes := len(g.Length)
	p := &placer{Graph: g, pred: make([]int32, nodes), first: make([]bool, nodes)}
	for v := range p.pred {
		p.pred[v] = -1
	}
	for t := range g.Parent {
		from, to := g.First[t], g.First[t+1]
		if from == to {
			continue
		}
		p.first[from] = true
		p.pred[from] = g.Fork[t]
		if j := g.Join[t]; j >= 0 {
			p.pred[j] = to - 1
		}
	}
	if len(g.Free) == 0 {
		return p
	}
	p.free = make([]int32, nodes+1)
	for _, l := range g.Free {
		p.free[l.To+1]++
	}
	for v := range nodes {
		p.free[v+1] += p.free[v]
	}
	p.from = make([]int32, len(g.Free))
	next := slices.Clone(p.free)
	for _, l := range g.Free {
		p.from[next[l.To]] = l.From
		next[l.To]++
	}
	return p
}

// place computes y (section 4.1). Rigid and merged edges do not get the least length.
func (p *placer) place(merged []bool, least float64) []float64 {
	y := make([]float64, len(p.Length))
	const unknown = -1
	for v := range y {
		y[v] = unknown
	}
	for _, v := range p.Order {
		row := 0.0
		if !p.first[v] {
			length := p.Length[v]
			if length < least && p.Edge[v] != Rigid && (p.Edge[v] == Runs || !merged[v]) {
				length = least
			}
			row = max(y[v-1], 0) + max(length, 0)
		}
		if u := p.pred[v]; u >= 0 {
			row = max(row, y[u])
		}
		if p.free != nil {
			for _, u := range p.from[p.free[v]:p.free[v+1]] {
				row = max(row, y[u])
			}
		}
		if p.Delay != nil {
			row += max(p.Delay[v], 0)
		}
		y[v] = row
	}
	return y
}

// merged returns for each node whether it ends a wait of no time.
func (p *placer) merged(exact []float64) []bool {
	merged := make([]bool, len(exact))
	for v, e := range p.Edge {
		merged[v] = e == Waits && !p.first[v] && exact[v] <= exact[v-1]
	}
	return merged
}

// longest returns the largest number of edges below each other.
func (p *placer) longest(merged []bool) float64 {
	q := *p
	q.Graph = &Graph{Length: make([]float64, len(p.Length)), Edge: p.Edge, Order: p.Order}
	return height(q.place(merged, 1))
}
