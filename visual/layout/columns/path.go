package columns

import "slices"

// Critical returns the critical path to the lowest node, in order of time. Each node on it is the predecessor that its
// successor had to wait for; of equal ones, the predecessor in the successor's own thread. Least lengths do not count.
func Critical(g *Graph, rows *Rows) []int32 {
	if len(rows.Exact) == 0 {
		return nil
	}
	p := newPlacer(g)
	y := rows.Exact
	v := int32(0)
	for u := range y {
		if y[u] > y[v] {
			v = int32(u)
		}
	}
	place := make([]int32, len(y)) // index in Order: an edge from a later node does not count
	for k, u := range g.Order {
		place[u] = int32(k)
	}
	var path []int32
	for {
		path = append(path, v)
		next, latest := int32(-1), 0.0
		if !p.first[v] {
			next, latest = v-1, y[v-1]+max(g.Length[v], 0)
		}
		other := func(u int32) {
			if place[u] < place[v] && (next < 0 || y[u] > latest) {
				next, latest = u, y[u]
			}
		}
		if u := p.pred[v]; u >= 0 {
			other(u)
		}
		if p.free != nil {
			for _, u := range p.from[p.free[v]:p.free[v+1]] {
				other(u)
			}
		}
		if next < 0 {
			slices.Reverse(path)
			return path
		}
		v = next
	}
}
