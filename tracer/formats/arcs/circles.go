package arcs

// connect finds the circles of the graph, and what flows into each.
func (g *Graph) connect() {
	g.out = make([][]int32, len(g.functions))
	for i := range g.arcs {
		from := g.arcs[i].from
		g.out[from] = append(g.out[from], int32(i))
	}
	g.findCircles()
	for i := range g.circles {
		c := &g.circles[i]
		c.total, c.into = make([]float64, g.flows()), make([]float64, g.flows())
		c.roots, c.given = make([]float64, g.flows()), make([]float64, g.flows())
		for _, f := range c.functions {
			c.total[len(g.metrics)] += float64(g.functions[f].calls)
			c.roots[len(g.metrics)] += float64(g.functions[f].entered)
			for _, at := range g.functions[f].costs {
				for k, v := range g.costs[at].value {
					c.total[k] += float64(v)
				}
			}
		}
	}
	for i := range g.arcs {
		a := &g.arcs[i]
		from, to := &g.circles[g.circle[a.from]], &g.circles[g.circle[a.to]]
		if from == to {
			continue
		}
		for k, v := range a.value {
			from.total[k] += float64(v)
			to.into[k] += float64(v)
		}
		to.into[len(g.metrics)] += float64(a.calls)
	}
	const rounding = 1e-6 // profilers round the costs of arcs
	for i := range g.circles {
		c := &g.circles[i]
		calls := len(g.metrics)
		if c.into[calls] += c.roots[calls]; c.into[calls] == 0 {
			c.roots[calls], c.into[calls] = 1, 1
		}
		for k, total := range c.total[:len(g.metrics)] {
			if more := total - c.into[k]; more > total*rounding || c.into[k] == 0 {
				c.roots[k] = max(more, 0)
				c.into[k] += c.roots[k]
			}
		}
	}
}

// entry returns the function of a circle where a context without a caller begins: the one with the largest arcs and costs.
func (g *Graph) entry(c *circle) int32 {
	best, most := c.functions[0], int64(-1)
	for _, f := range c.functions {
		sum := int64(0)
		for _, i := range g.functions[f].costs {
			sum = plus(sum, g.costs[i].value[0])
		}
		for _, a := range g.out[f] {
			sum = plus(sum, g.arcs[a].value[0])
		}
		if sum > most || sum == most && f < best {
			best, most = f, sum
		}
	}
	return best
}

// findCircles finds the strongly connected components of the graph (R. Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972), without
// recursion.
func (g *Graph) findCircles() {
	n := len(g.functions)
	g.circle, g.circles = make([]int32, n), nil
	index, low := make([]int32, n), make([]int32, n) // from 1; 0 for functions that have not been visited
	next := make([]int, n)                           // arc of each function
	open := make([]bool, n)
	var stack, path []int32
	count := int32(0)
	for root := range n {
		if index[root] != 0 {
			continue
		}
		path = append(path, int32(root))
		for len(path) > 0 {
			f := path[len(path)-1]
			if index[f] == 0 {
				count++
				index[f], low[f], open[f] = count, count, true
				stack = append(stack, f)
			}
			if next[f] < len(g.out[f]) {
				to := g.arcs[g.out[f][next[f]]].to
				next[f]++
				switch {
				case index[to] == 0:
					path = append(path, to)
				case open[to]:
					low[f] = min(low[f], index[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				caller := path[len(path)-1]
				low[caller] = min(low[caller], low[f])
			}
			if low[f] != index[f] {
				continue
			}
			c := circle{}
			for done := false; !done; {
				last := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				open[last] = false
				g.circle[last] = int32(len(g.circles))
				c.functions = append(c.functions, last)
				done = last == f
			}
			g.circles = append(g.circles, c)
		}
	}
}
