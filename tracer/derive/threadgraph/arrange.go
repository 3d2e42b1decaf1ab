package threadgraph

import (
	"math"

	"whorl/tracer/derive/bounds"
)

// graph returns the graph of the events so far, nil if it has too many nodes, and the graph's thread for each of the builder's. It does not change
// the builder.
func (b *builder) graph() (g *Graph, place []int32) {
	order, place := b.preorder()
	extras := b.extras()
	var cuts []record
	if b.sharing == nil {
		cuts = b.cuts()
	}
	n, nodes := len(order), int(b.records.n)+len(extras)+len(cuts)
	if nodes > most {
		return nil, nil
	}
	g = &Graph{
		Task: make([]uint64, n), Parent: make([]int32, n), Size: make([]int32, n), Level: make([]int32, n), Code: make([]uint32, n),
		PE: make([]int32, n), First: make([]int32, n+1), Fork: make([]int32, n), Join: make([]int32, n),
		Kind: make([]Kind, nodes), Time: make([]int64, nodes), Run: make([]int64, nodes), Ref: make([]int32, nodes),
		NodePE: make([]int32, nodes), Line: make([]uint32, nodes), Thread: make([]int32, nodes), Order: make([]int32, nodes),
		Ignored: b.ignored,
	}
	if b.condensed {
		g.Virtual = make([]int64, nodes)
	}
	for k, old := range order {
		t := b.threads.get(old)
		g.Task[k], g.Code[k], g.PE[k], g.Fork[k], g.Join[k] = t.task, t.code, t.pe, -1, -1
		g.Parent[k], g.Size[k] = -1, 1
		if p := t.parent; p >= 0 && place[p] < int32(k) { // false where a cycle was broken
			g.Parent[k] = place[p]
			g.Level[k] = g.Level[place[p]] + 1
		}
		g.First[k+1] = t.nodes
	}
	for i := range extras {
		g.First[place[extras[i].thread]+1]++
	}
	for i := range cuts {
		g.First[place[cuts[i].thread]+1]++
	}
	for k := range n {
		g.First[k+1] += g.First[k]
	}
	for k := n - 1; k >= 0; k-- {
		if p := g.Parent[k]; p >= 0 {
			g.Size[p] += g.Size[k]
		}
	}
	at := b.scatter(g, place, extras, cuts)
	if b.sharing != nil {
		g.Shared, g.Unshared = true, b.sharing.unshared
	} else {
		g.runs()
	}
	g.joins()
	g.wake(&b.wakes, at)
	g.sort()
	return g, place
}

// preorder lists the threads in preorder, children in the order of their forks, and returns the place of each thread in the list. If threads form
// a cycle of parents, one of them counts as a root.
func (b *builder) preorder() (order, place []int32) {
	n := int(b.threads.n)
	child, next := make([]int32, n), make([]int32, n) // by thread: first child, next sibling
	place = make([]int32, n)
	for i := range n {
		child[i], place[i] = -1, -1
	}
	for i := n - 1; i >= 0; i-- {
		if p := b.threads.get(int32(i)).parent; p >= 0 {
			next[i] = child[p]
			child[p] = int32(i)
		}
	}
	order = make([]int32, 0, n)
	walk := func(root int32) {
		for at := root; ; {
			place[at] = int32(len(order))
			order = append(order, at)
			down := child[at]
			for {
				for down >= 0 && place[down] >= 0 { // a cycle: already listed
					down = next[down]
				}
				if down >= 0 || at == root {
					break
				}
				down, at = next[at], b.threads.get(at).parent
			}
			if down < 0 {
				return
			}
			at = down
		}
	}
	for i := range n {
		if b.threads.get(int32(i)).parent < 0 {
			walk(int32(i))
		}
	}
	for i := 0; len(order) < n; i++ {
		if place[i] < 0 {
			walk(int32(i))
		}
	}
	return order, place
}

// cuts returns the cut nodes at the end of the trace: for each PE, one for the thread of the last record, if it has not ended and does not wait.
// The ends of other threads without an end were lost. If threads wait and are woken, the states of all of them are known, and each that can run has one.
func (b *builder) cuts() (cuts []record) {
	cut := func(n int32) {
		r := b.records.get(n)
		if t := b.threads.get(r.thread); !t.goal && !t.ended && t.last == n && r.kind != BJoin && r.time < b.last {
			cuts = append(cuts, record{time: b.last, thread: r.thread, ref: -1, pe: r.pe, kind: Cut})
		}
	}
	if b.waits && b.sharing == nil {
		for i := range b.threads.n {
			if t := b.threads.get(i); t.started {
				cut(t.last)
			}
		}
		return cuts
	}
	var last []int32 // record + 1, by PE
	for i := range b.records.n {
		if l := bounds.Entry(&last, b.records.get(i).pe); l != nil {
			*l = i + 1
		}
	}
	for _, i := range last {
		if i > 0 {
			cut(i - 1)
		}
	}
	return cuts
}

// scatter puts each node into the chain of its thread, in the order of the trace. It returns the node of each record.
func (b *builder) scatter(g *Graph, place []int32, extras []extra, cuts []record) (at []int32) {
	free := make([]int32, g.Len()) // by thread: next free place in its chain
	copy(free, g.First)
	k := 0
	put := func(r record) int32 {
		t := place[r.thread]
		at := free[t]
		free[t]++
		g.Kind[at], g.Time[at], g.NodePE[at], g.Line[at], g.Thread[at] = r.kind, r.time, r.pe, r.code, t
		switch {
		case r.kind == Start:
			g.Ref[at] = g.Parent[t]
		case r.ref >= 0:
			g.Ref[at] = place[r.ref]
		default:
			g.Ref[at] = -1
		}
		if b.condensed {
			g.Virtual[at] = r.virtual
		}
		g.Order[k] = at
		k++
		return at
	}
	at = make([]int32, b.records.n)
	if b.all.n == 0 {
		for i := range b.records.n {
			at[i] = put(*b.records.get(i))
			g.Run[at[i]] = b.cost(i)
		}
	} else {
		b.scatterGoals(g, extras, at, put)
	}
	for i := range cuts {
		g.Run[put(cuts[i])] = b.lost(&cuts[i])
	}
	return at
}

// scatterGoals puts the records into their chains, each followed by the nodes that its step made. It stores the cost of a step in Run of the step.
func (b *builder) scatterGoals(g *Graph, extras []extra, at []int32, put func(record) int32) {
	g.Goal = make([]uint64, g.Nodes())
	x := 0
	for i := range b.records.n {
		r := *b.records.get(i)
		goal := uint64(0)
		if b.threads.get(r.thread).goal && (r.kind == Start || r.kind == Step) {
			goal = b.all.get(r.ref).task
			r.ref = -1
		}
		at[i] = put(r)
		g.Goal[at[i]] = goal
		g.Run[at[i]] = b.cost(i)
		for ; x < len(extras) && extras[x].after == i; x++ {
			node := put(extras[x].record)
			if extras[x].joined >= 0 {
				g.Free = append(g.Free, Edge{node, extras[x].joined})
			}
		}
	}
	for i := range g.Free {
		e := &g.Free[i]
		e.To = at[e.To]
		g.Ref[e.To] = g.Thread[e.From]
		g.Time[e.To] = max(g.Time[e.To], g.Time[e.From])
	}
}

// runs sets the run times of the flow edges for a trace with times of threads. A thread runs between two nodes of its chain, unless it waits in a
// join, has ended, or has no core. A goal runs for the cost of its tries; that of a try which suspends belongs to the edge to the b-join.
func (g *Graph) runs() {
	waits := -1 // the b-join at the end of the present wake-ups, -1 for none
	for i := g.Nodes() - 1; i > 0; i-- {
		k := g.Kind[i-1]
		if g.Kind[i] == BJoin {
			waits = i
		} else if g.Kind[i] != Wake {
			waits = -1
		}
		switch {
		case g.Thread[i] != g.Thread[i-1]:
			g.Run[i] = 0
		case g.ofGoals(g.Thread[i]):
			if g.Run[i] = 0; k != Start && k != Step {
				continue
			}
			if waits < 0 {
				waits = i
			}
			g.Run[waits] = g.Run[i-1]
		case k != BJoin && k != End && g.Kind[i] != Start: // a second start follows the loss of the first PE
			g.Run[i] = max(0, between(g.Time[i-1], g.Time[i])-g.Run[i])
		default:
			g.Run[i] = 0
		}
	}
	if g.Nodes() > 0 {
		g.Run[0] = 0
	}
	ended := false
	for i := 1; i < g.Nodes(); i++ { // forks in the name of a thread that has ended
		ended = g.Thread[i] == g.Thread[i-1] && (ended || g.Kind[i-1] == End) && g.Kind[i] != Start
		if ended && !g.ofGoals(g.Thread[i]) {
			g.Run[i] = 0
		}
	}
	if g.Goal != nil { // a resumed goal continues only after the step that resumed it
		for i := 1; i < g.Nodes(); i++ {
			if g.Thread[i] == g.Thread[i-1] {
				g.Time[i] = max(g.Time[i], g.Time[i-1])
			}
		}
	}
}

// ofGoals reports whether a thread consists of goals.
func (g *Graph) ofGoals(thread int32) bool {
	from, to := g.Chain(thread)
	return g.Goal != nil && from < to && g.Goal[from] != 0
}

// between returns to - from, clamped to 0 and the largest int64.
func between(from, to int64) int64 {
	if to <= from {
		return 0
	}
	if d := to - from; d > 0 {
		return d
	}
	return math.MaxInt64
}

// joins finds the fork and join of each thread, and counts irregular ones.
func (g *Graph) joins() {
	joined := make([]bool, g.Len())
	for i, kind := range g.Kind {
		ref := g.Ref[i]
		if ref < 0 || kind == AJoin && g.ofGoals(g.Thread[i]) {
			continue
		}
		switch kind {
		case Fork:
			if g.Parent[ref] == g.Thread[i] && g.Fork[ref] < 0 {
				g.Fork[ref] = int32(i)
			}
		case AJoin:
			joined[ref] = true
			switch {
			case g.Parent[ref] != g.Thread[i]:
				g.Foreign++
			case g.Join[ref] < 0:
				g.Join[ref] = int32(i)
				continue
			default:
				g.Again++
			}
			if end := g.EndOf(ref); end >= 0 {
				g.Free = append(g.Free, Edge{end, int32(i)})
			}
		}
	}
	for t := range g.Len() {
		if g.Parent[t] >= 0 && !joined[t] && !g.ofGoals(int32(t)) {
			g.Unjoined++
		}
		if from, to := g.Chain(int32(t)); from < to {
			for from < to-1 && (g.Kind[from] == BJoin || g.Kind[from] == AJoin) { // it waits for what it starts with
				from++
			}
			if g.Kind[from] != Start {
				g.Lost++
			}
		}
	}
}
