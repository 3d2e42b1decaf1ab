// Package arcs turns call graphs into calling contexts. Some profilers record no stacks: they have the costs of each function, and for each pair of a
// caller and a callee the cost of the calls between them, that of all inner calls included. Such a pair is an arc.
//
// # From arcs to contexts
//
// The costs of a function are divided among its callers in proportion to the costs of their arcs, as gprof does (S. Graham, P. Kessler, M. McKusick,
// "gprof: A Call Graph Execution Profiler", 1982): where main has taken 3 of the 4 s of solve, each cost of solve and of what it calls counts 3/4 below
// main. The graph does not say whether solve did the same for both callers. The exclusive costs of all functions stay exact, and the inclusive ones are
// those of the graph but for rounding, since the parts of the cost of a line are whole numbers.
//
// Functions that call each other in a circle are one node of the graph, whose arcs are those to other nodes. Within the circle the contexts are a tree
// with each function once, along the largest arcs from the function that was called from outside.
//
// A graph of n functions may have 2^n contexts. The largest ones are recorded. The costs of functions in the others are below the function named
// OtherCallers.
package arcs

import (
	"cmp"
	"slices"

	"whorl/internal/heap"
	"whorl/tracer"
	"whorl/tracer/formats/profile"
)

// OtherCallers is the name of the caller of functions in contexts too small to be recorded.
const OtherCallers = "[other callers]"

// Bounds of what is recorded of a graph.
const (
	mostContexts = 1 << 17
	mostSamples  = 1 << 22
	mostQueued   = 1 << 20
)

// A Graph is the call graph of a processor.
type Graph struct {
	w         *profile.Writer
	metrics   []uint32
	calls     uint32
	functions []function
	arcs      []arc
	arcOf     map[arcKey]int32
	costOf    map[costKey]int32
	costs     []cost

	out     [][]int32 // arcs by caller
	circle  []int32   // of a function
	circles []circle
	parts   [][]part // of the metrics, and of calls
	emitted int
}

// A part is an amount in a calling context.
type part struct {
	context uint32
	amount  int64
}

type function struct {
	line    profile.Line
	module  *profile.Module
	costs   []int32
	calls   int64
	entered int64 // calls without a caller
	called  counter
}

// A cost has the values of a line of a function.
type cost struct {
	file  string
	line  int32
	value []int64
	given []counter
}

// A counter divides a whole number into whole parts.
type counter struct {
	part  float64 // the sum of the parts so far
	given int64
}

// next returns the whole amount of the next part of n. The last part is the rest.
func (c *counter) next(n int64, part float64) int64 {
	c.part += part
	share := c.part
	if share > 1-1e-9 {
		share = 1
	}
	amount := int64(float64(n)*share+0.5) - c.given
	if share == 1 {
		amount = n - c.given
	}
	c.given += amount
	return amount
}

// An arc has the costs of calls, those of all inner calls included.
type arc struct {
	arcKey
	calls int64
	value []int64
}

// flow returns a value of an arc, or behind these the number of calls.
func (a *arc) flow(k int) float64 {
	if k == len(a.value) {
		return float64(a.calls)
	}
	return float64(a.value[k])
}

type arcKey struct {
	from, to int32
	file     string
	line     int32
}

type costKey struct {
	of   int32
	file string
	line int32
}

// New returns an empty graph whose costs have some metrics. calls is the metric of numbers of calls, 0 to leave them out.
func New(w *profile.Writer, metrics []uint32, calls uint32) *Graph {
	return &Graph{w: w, metrics: metrics, calls: calls, arcOf: map[arcKey]int32{}, costOf: map[costKey]int32{}}
}

// Function adds a function and returns its number.
func (g *Graph) Function(l profile.Line, m *profile.Module) int32 {
	g.functions = append(g.functions, function{line: l, module: m})
	return int32(len(g.functions) - 1)
}

// Cost adds values, one for each metric, to a line of a function; 0 for an unknown line. file is the file of the line, "" for that of the function.
func (g *Graph) Cost(f int32, file string, line int32, values []int64) {
	key := costKey{f, file, line}
	i, ok := g.costOf[key]
	if !ok {
		i = int32(len(g.costs))
		g.costOf[key] = i
		g.costs = append(g.costs, cost{file: file, line: line, value: make([]int64, len(g.metrics))})
		g.functions[f].costs = append(g.functions[f].costs, i)
	}
	add(g.costs[i].value, values)
}

// Arc adds calls from a line of a function to another function, with their costs.
func (g *Graph) Arc(from int32, file string, line, to int32, calls int64, values []int64) {
	key := arcKey{from, to, file, line}
	i, ok := g.arcOf[key]
	if !ok {
		i = int32(len(g.arcs))
		g.arcOf[key] = i
		g.arcs = append(g.arcs, arc{arcKey: key, value: make([]int64, len(g.metrics))})
	}
	add(g.arcs[i].value, values)
	g.arcs[i].calls = plus(g.arcs[i].calls, calls)
	g.functions[to].calls = plus(g.functions[to].calls, calls)
}

// Entered adds calls of a function that have no caller.
func (g *Graph) Entered(f int32, calls int64) {
	g.functions[f].calls = plus(g.functions[f].calls, calls)
	g.functions[f].entered = plus(g.functions[f].entered, calls)
}

func add(to, values []int64) {
	for k, v := range values[:min(len(values), len(to))] {
		to[k] = plus(to[k], v)
	}
}

// plus adds two values that are not negative, up to the bound of a value.
func plus(a, b int64) int64 { return min(a+b, 1<<56) }

// A circle is a node of the graph: a function, or functions that call each other. It has a number for each metric, and one for calls.
type circle struct {
	functions []int32
	total     []float64 // costs of its functions and of its arcs to others; calls of its functions
	into      []float64 // costs or calls of the arcs to it, and what no caller accounts for
	roots     []float64 // what no caller accounts for
	given     []float64 // parts recorded so far
}

// A call is a call of a function in a context.
type call struct {
	to     int32
	parent uint32    // the calling context of the caller
	part   []float64 // of its costs and calls
	size   float64   // the largest share of a total
	number int       // of the call
}

// Record records the graph as samples at time 0, those of the first metric first.
func (g *Graph) Record(s *tracer.Stream, pe int32) {
	g.connect()
	g.parts = make([][]part, g.flows())
	grand := make([]float64, g.flows())
	for i := range g.circles {
		for k, v := range g.circles[i].roots {
			grand[k] += v
		}
		grand[len(g.metrics)] += g.circles[i].total[len(g.metrics)]
	}
	var queue []call
	before := func(a, b *call) bool { return a.size > b.size || a.size == b.size && a.number < b.number }
	number := 0
	push := func(to int32, parent uint32, part []float64) {
		c := &g.circles[g.circle[to]]
		size := 0.0
		for k, q := range part {
			if grand[k] > 0 {
				size = max(size, q*c.total[k]/grand[k])
			}
		}
		if size > 0 && len(queue) < mostQueued {
			number++
			queue = heap.Add(queue, call{to, parent, part, size, number}, before)
		}
	}
	for i := range g.circles {
		c := &g.circles[i]
		part := make([]float64, g.flows())
		for k := range part {
			if c.into[k] > 0 {
				part[k] = c.roots[k] / c.into[k]
			}
		}
		push(g.entry(c), 0, part)
	}
	for n := 0; len(queue) > 0 && n < mostContexts && g.emitted < mostSamples; {
		next := queue[0]
		queue = heap.RemoveFirst(queue, before)
		n += len(g.circles[g.circle[next.to]].functions)
		g.expand(&next, push)
	}
	g.rest()
	for k, parts := range g.parts {
		metric := g.calls
		if k < len(g.metrics) {
			metric = g.metrics[k]
		}
		if metric == 0 {
			continue
		}
		for _, p := range parts {
			g.w.Sample(s, 0, pe, p.context, metric, p.amount)
		}
	}
}

// flows returns the number of values that are divided among callers: the metrics, and calls.
func (g *Graph) flows() int { return len(g.metrics) + 1 }

// expand records the functions of a circle that is called in a context, and what they call.
func (g *Graph) expand(c *call, push func(to int32, parent uint32, part []float64)) {
	at := &g.circles[g.circle[c.to]]
	for k, q := range c.part {
		at.given[k] += q
	}
	var inner []int32
	parents := map[int32]uint32{c.to: c.parent}
	reached := []int32{c.to}
	for len(reached) > 0 {
		f := reached[0]
		reached = reached[1:]
		g.own(f, parents[f], c.part)
		inner = inner[:0]
		for _, a := range g.out[f] {
			to := g.arcs[a].to
			if g.circle[to] != g.circle[f] {
				g.outside(&g.arcs[a], parents[f], c.part, push)
			} else if _, ok := parents[to]; !ok {
				inner = append(inner, a)
			}
		}
		slices.SortStableFunc(inner, func(a, b int32) int { return cmp.Compare(g.arcs[b].value[0], g.arcs[a].value[0]) })
		for _, a := range inner {
			to := g.arcs[a].to
			if _, ok := parents[to]; !ok {
				parents[to] = g.context(f, parents[f], g.arcs[a].file, g.arcs[a].line)
				reached = append(reached, to)
			}
		}
	}
}

// outside goes on with an arc out of a circle.
func (g *Graph) outside(a *arc, parent uint32, part []float64, push func(to int32, parent uint32, part []float64)) {
	to := &g.circles[g.circle[a.to]]
	next := make([]float64, len(part))
	for k, q := range part {
		if to.into[k] > 0 {
			next[k] = q * a.flow(k) / to.into[k]
		}
	}
	push(a.to, g.context(a.from, parent, a.file, a.line), next)
}

// own records the costs of a function in a context.
func (g *Graph) own(f int32, parent uint32, share []float64) {
	fn := &g.functions[f]
	if n := fn.called.next(fn.calls, share[len(g.metrics)]); n > 0 {
		g.add(len(g.metrics), g.context(f, parent, "", 0), n)
	}
	for _, i := range fn.costs {
		c := &g.costs[i]
		if c.given == nil {
			c.given = make([]counter, len(g.metrics))
		}
		for k, v := range c.value {
			if n := c.given[k].next(v, share[k]); n != 0 {
				g.add(k, g.context(f, parent, c.file, c.line), n)
			}
		}
	}
}

func (g *Graph) add(k int, context uint32, amount int64) {
	g.parts[k] = append(g.parts[k], part{context, amount})
	g.emitted++
}

// context returns the calling context of a line of a function.
func (g *Graph) context(f int32, parent uint32, file string, line int32) uint32 {
	fn := &g.functions[f]
	l := fn.line
	l.Line = line
	if file != "" && file != l.File && line > 0 {
		l.Home, l.File = l.File, file
	}
	return g.w.Call(parent, g.w.Frames(profile.Place{Module: fn.module, Lines: []profile.Line{l}}))
}

// rest records the costs in the contexts that are left out.
func (g *Graph) rest() {
	parent := uint32(0)
	for f := range g.functions {
		c := &g.circles[g.circle[f]]
		left := make([]float64, g.flows())
		some := false
		for k := range left {
			if left[k] = 1 - c.given[k]; left[k] < 1e-9 {
				left[k] = 0
			}
			some = some || left[k] > 0 && c.total[k] > 0
		}
		if !some {
			continue
		}
		if parent == 0 {
			parent = g.w.Call(0, g.w.Frames(profile.Place{Lines: []profile.Line{{Function: OtherCallers}}}))
		}
		g.own(int32(f), parent, left)
	}
}
