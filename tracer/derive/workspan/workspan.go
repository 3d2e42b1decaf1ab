// Package workspan measures the work, the span and the critical path of a run: of threads by their graph (Compute), of the goals of a logic program
// in one pass over their events (Goals).
//
// Work is the sum of all run times (T1); the span is the longest path through the graph (T infinity), the least time on any number of PEs. On P
// PEs a program takes at least max(T1/P, Tinf), and with a scheduler that leaves no PE idle while there is work at most T1/P + Tinf (R. Graham,
// "Bounds for Certain Multiprocessing Anomalies", 1966; R. Brent, 1974; for work stealing R. Blumofe and C. Leiserson, JACM 46(5), 1999).
//
// A try of a goal that suspends is work but not on any path, because another schedule may avoid it.
//
// The burdened span adds to each structural edge of the path the cost of moving work to another PE, since every fork may be stolen (Y. He,
// C. Leiserson, W. Leiserson, "The Cilkview Scalability Analyzer", SPAA 2010, where the burden is a constant of the machine). Here the burden is
// measured: the median, over the threads that started on a PE other than that of their fork, of the time from the instant at which thread and PE
// were both free to the start. In live runs of logic programs it leaves out time before either PE had its core again or was through with a collection.
package workspan

import (
	"cmp"
	"slices"

	"whorl/internal/numbering"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/threadgraph"
)

// A Measure holds the measures of a graph. Times are in ns.
type Measure struct {
	Work, Span   int64
	Path         []int32 // the nodes of a longest path, in order; preferably one without waiting
	Functions    []Share // run times of functions or clauses along the path, longest first
	Burden       int64   // of a structural edge; -1 if unknown: no thread changed its PE, or times of PEs are not comparable
	BurdenedSpan int64   // -1 if Burden is -1
	Migrated     int64   // threads that started on a PE other than that of their fork
	Waiting      int64   // sum of the times from forks to starts; 0 if times of PEs are not comparable
	Blocked      int64   // sum of the times from b-joins to a-joins; 0 if times of PEs are not comparable
	Blocks       []Block // the same by the code of the threads that ended, longest first
}

// A Share is the part of the critical path in one function or clause.
type Share struct {
	Code  uint32
	Time  int64
	Edges int64 // flow edges
}

// Compute measures a graph.
func Compute(g *threadgraph.Graph) *Measure {
	m := &Measure{Burden: -1, BurdenedSpan: -1}
	for _, run := range g.Run {
		m.Work = add(m.Work, run)
	}
	w := newWalk(g)
	m.Span, m.Path = w.longest(0, true)
	m.functions(g)
	m.waits(g)
	if m.Burden >= 0 {
		m.BurdenedSpan, _ = w.longest(m.Burden, false)
	}
	return m
}

// Bounds returns bounds of the speedup on a number of PEs: the least under every schedule that leaves no PE idle while there is work, with the
// burdened span if it is known, and the most under any schedule. ok is false if the trace has no times.
func (m *Measure) Bounds(pes int) (least, most float64, ok bool) {
	if pes <= 0 || m.Span <= 0 {
		return 0, 0, false
	}
	p, work, span := float64(pes), float64(m.Work), m.Span
	if m.Burden >= 0 {
		span = m.BurdenedSpan
	}
	return work / (float64(max(0, m.Work-span))/p + float64(span)), min(p, work/float64(m.Span)), true
}

// add returns the sum of two times, at most the largest int64.
func add(a, b int64) int64 {
	if s := a + b; s >= a {
		return s
	}
	return 1<<63 - 1
}

// A walk goes through the graph in topological order.
type walk struct {
	g    *threadgraph.Graph
	free map[int32][]int32 // by node: nodes from which free edges lead to it
}

func newWalk(g *threadgraph.Graph) *walk {
	w := &walk{g: g, free: make(map[int32][]int32, len(g.Free))}
	for _, e := range g.Free {
		w.free[e.To] = append(w.free[e.To], e.From)
	}
	return w
}

// longest returns the length of the longest path, with a given length of structural edges, and on request its nodes.
func (w *walk) longest(structural int64, path bool) (span int64, nodes []int32) {
	g := w.g
	at := make([]int64, g.Nodes()) // by node: length + 1; 0 for an unreached node on a cycle
	var via []int32
	if path {
		via = make([]int32, g.Nodes())
	}
	last := int32(-1)
	for _, node := range g.Order {
		best, from := int64(1), int32(-1)
		reach := func(pred int32, by int64) {
			if pred < 0 || at[pred] == 0 {
				return
			}
			if d := add(at[pred], by); d > best || from < 0 {
				best, from = d, pred
			}
		}
		if g.First[g.Thread[node]] != node {
			reach(node-1, length(g, node))
		}
		reach(g.From(node), structural)
		if len(w.free) > 0 {
			for _, pred := range w.free[node] {
				reach(pred, structural)
			}
		}
		at[node] = best
		if path {
			via[node] = from
		}
		if best-1 > span || last < 0 {
			span, last = best-1, node
		}
	}
	if !path {
		return span, nil
	}
	for node := last; node >= 0; node = via[node] {
		nodes = append(nodes, node)
	}
	slices.Reverse(nodes)
	return span, nodes
}

// length returns the length of the flow edge that ends at a node.
func length(g *threadgraph.Graph, node int32) int64 {
	if g.Kind[node] != threadgraph.BJoin || g.Goal == nil {
		return g.Run[node]
	}
	try := node - 1
	for try > 0 && g.Kind[try] == threadgraph.Wake { // by a builtin that waits for more
		try--
	}
	if g.Goal[try] != 0 {
		return 0
	}
	return g.Run[node]
}

// functions adds up the path by function.
func (m *Measure) functions(g *threadgraph.Graph) {
	var codes numbering.List[uint32]
	for k := 1; k < len(m.Path); k++ {
		from, to := m.Path[k-1], m.Path[k]
		if g.Thread[from] != g.Thread[to] || length(g, to) == 0 {
			continue
		}
		code := g.Code[g.Thread[to]]
		if g.Goal != nil && g.Goal[from] != 0 {
			code = g.Line[from]
		}
		m.spend(&codes, code, length(g, to))
	}
	m.sort()
}

// spend adds an edge of the path to the share of its function. codes numbers the functions.
func (m *Measure) spend(codes *numbering.List[uint32], code uint32, time int64) {
	i := int(codes.Number(code))
	if i == len(m.Functions) {
		m.Functions = append(m.Functions, Share{Code: code})
	}
	m.Functions[i].Time += time
	m.Functions[i].Edges++
}

func (m *Measure) sort() {
	slices.SortFunc(m.Functions, func(a, b Share) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Code, b.Code)) })
}

// waits measures waiting times and the burden.
func (m *Measure) waits(g *threadgraph.Graph) {
	type pe struct {
		seen bool
		free int64 // time of its last node
	}
	var pes []pe
	var late []int64 // times from when both were free until a thread started
	var by blocks
	for _, node := range g.Order {
		p, now := bounds.Entry(&pes, g.NodePE[node]), g.Time[node]
		if p == nil {
			continue
		}
		if fork := g.From(node); g.Kind[node] == threadgraph.Start && fork >= 0 {
			if !g.Shared {
				m.Waiting = add(m.Waiting, max(0, now-g.Time[fork]))
			}
			if g.NodePE[fork] != g.NodePE[node] {
				m.Migrated++
				since := g.Time[fork]
				if p.seen {
					since = max(since, p.free)
				}
				late = append(late, max(0, now-since))
			}
		}
		if g.Kind[node] == threadgraph.BJoin && !g.Shared {
			if next := g.Next(node); next >= 0 {
				ns := max(0, g.Time[next]-now)
				m.Blocked = add(m.Blocked, ns)
				other := g.Ref[node]
				if other < 0 { // a wait, which a wake-up ends
					other = g.Ref[next]
				}
				by.add(Block{Blocked{Code: g.Code[g.Thread[node]], By: codeOf(g, other)}, ns, 1})
			}
		}
		*p = pe{true, now}
	}
	m.Blocks = by.list()
	if len(late) > 0 && !g.Shared {
		slices.Sort(late)
		m.Burden = late[len(late)/2]
	}
}

// codeOf returns the code of a thread, 0 for none.
func codeOf(g *threadgraph.Graph, thread int32) uint32 {
	if thread < 0 {
		return 0
	}
	return g.Code[thread]
}
