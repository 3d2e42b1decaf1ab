package calltable

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/tracer/derive/callingcontext"
	"whorl/visual/view"
)

// order compares two rows by the column that the table is sorted by: the largest number or the first name comes first.
func (g *Geometry) order(a, b *row) int {
	c := 0
	switch g.sort {
	case byName:
		c = cmp.Compare(g.FunctionName(a.code), g.FunctionName(b.code))
	case byModule:
		c = cmp.Or(cmp.Compare(a.module, b.module), cmp.Compare(g.FunctionName(a.code), g.FunctionName(b.code)))
	case byExclusive:
		c = cmp.Compare(b.ex, a.ex)
	case byVisits:
		c = cmp.Compare(b.visits, a.visits)
	case byMean:
		c = cmp.Compare(b.spread.Mean, a.spread.Mean)
	case byLeast:
		c = cmp.Compare(b.spread.Least, a.spread.Least)
	case byMost:
		c = cmp.Compare(b.spread.Most, a.spread.Most)
	case byDiffers:
		c = cmp.Compare(math.Abs(b.share), math.Abs(a.share))
	case bySpread:
		c = cmp.Compare(b.spread.Relative(), a.spread.Relative())
	}
	if g.reverse {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(b.in, a.in), cmp.Compare(a.node, b.node))
}

// valued reports whether a row has a value or is a match. Visits count in a table that is sorted by them.
func (g *Geometry) valued(r *row) bool {
	return r.in != 0 || r.ex != 0 || g.sort == byVisits && r.visits != 0 || r.share != 0 || r.spread.Least != 0 || r.spread.Most != 0 || r.marked
}

// listFunctions makes the rows of the flat profile, for the given percentage of the functions. Those without values have none.
func (g *Geometry) listFunctions(top float64) {
	all := g.flat.functions
	g.listed = len(all)
	n := min(int(top*float64(len(all))/100+0.9999), len(all))
	g.smaller = len(all) - n
	visits, counted := g.Visits()
	sought := map[uint32]bool{}
	for _, v := range g.found {
		sought[g.Code[v]] = true
	}
	for k := range all[:n] {
		f := &all[k]
		r := row{node: f.Outermost[0], code: f.Code, in: f.Inclusive, ex: f.Exclusive, spread: f.spread, function: k, module: g.Module(f.Code), marked: sought[f.Code]}
		if counted {
			for _, v := range f.Nodes {
				r.visits = callingcontext.Plus(r.visits, g.Total(v, visits, false))
			}
		}
		if g.diff.Compared() {
			r.share = g.diff.Sum(g.counted(f))
			g.differs = max(g.differs, math.Abs(r.share))
		}
		if !g.valued(&r) {
			g.without++
			continue
		}
		g.rows = append(g.rows, r)
		g.filed = g.filed || r.module != ""
	}
	slices.SortStableFunc(g.rows, func(a, b row) int { return g.order(&a, &b) })
	for i := range g.rows {
		g.rowOf[int32(g.rows[i].code)] = i
	}
}

// counted returns the nodes whose values add up to that of a function.
func (g *Geometry) counted(f *function) []int32 {
	if g.Inclusive {
		return f.Outermost
	}
	return f.Nodes
}

// An opening decides which contexts have rows and which rows are open.
type opening struct {
	least, open float64 // percent of the root's value
	list        string  // of exceptions
	exceptions  map[uint64]bool
}

// exceptions returns the contexts that the user opened (true) or closed (false), by number. A number need not be that of a context of the
// trace, since the list may have been made for another trace.
func exceptions(list string) (map[uint64]bool, error) {
	out := map[uint64]bool{}
	for s := range strings.SplitSeq(list, ",") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		id, err := strconv.ParseUint(s[1:], 10, 64)
		if err != nil || s[0] != '+' && s[0] != '-' {
			return nil, fmt.Errorf("%s: %q is not + or - and the number of a context", opened.Name, s)
		}
		out[id] = s[0] == '+'
	}
	return out, nil
}

// share returns the inclusive value of a context in percent of that of the root.
func (g *Geometry) share(node int32) float64 {
	if whole := g.In[g.root]; whole != 0 {
		return 100 * float64(g.In[node]) / float64(whole)
	}
	return 0
}

// listTree makes the rows of the call tree: the root and the callees of open contexts. Contexts have none if neither they nor those below them have
// values.
func (g *Geometry) listTree() {
	g.listed = int(g.End[g.root] - g.root)
	g.differs = g.diff.Most
	exceptions := g.opening.exceptions
	visits, counted := g.Visits()
	numbers := func(v int32, visited bool) row {
		r := row{node: v, in: g.In[v], ex: g.Ex[v], spread: g.Of(v), function: -1}
		if visited {
			r.visits = g.Total(v, visits, false)
		}
		if g.diff.Compared() {
			r.share = g.diff.Share[v]
		}
		return r
	}
	g.shown = g.mayShow(func(v int32) row { return numbers(v, counted && g.sort == byVisits) })
	make := func(v, depth int32) row {
		r := numbers(v, counted)
		r.code, r.depth, r.module = g.Code[v], depth, g.Module(g.Code[v])
		_, r.marked = slices.BinarySearch(g.found, v)
		return r
	}
	stack := []row{make(g.root, 0)}
	var children []row
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		children = children[:0]
		for v := r.node + 1; v < g.End[r.node]; v = g.End[v] {
			if g.shown[v-g.root] && (g.opening.least <= 0 || g.share(v) >= g.opening.least) {
				children = append(children, make(v, r.depth+1))
			}
		}
		r.calls = len(children) > 0
		opened, listed := exceptions[g.ID(r.node)]
		r.open = r.calls && (listed && opened || !listed && (g.share(r.node) >= g.opening.open || r.node == g.root))
		if !r.open {
			r.inside = between(g.found, r.node+1, g.End[r.node])
		}
		g.rowOf[r.node] = len(g.rows)
		g.rows = append(g.rows, r)
		g.deep, g.filed = max(g.deep, r.depth), g.filed || r.module != ""
		if r.open {
			slices.SortStableFunc(children, func(a, b row) int { return g.order(&b, &a) }) // the stack reverses them
			stack = append(stack, children...)
		}
	}
}

// mayShow reports for each node from the root on whether it or a node below it has values or is a match. It counts the others.
func (g *Geometry) mayShow(numbers func(v int32) row) []bool {
	shown := make([]bool, g.End[g.root]-g.root)
	for _, v := range g.found {
		if v >= g.root && v < g.End[g.root] {
			shown[v-g.root] = true
		}
	}
	for v := g.End[g.root] - 1; v > g.root; v-- {
		if r := numbers(v); shown[v-g.root] || g.valued(&r) {
			shown[v-g.root], shown[g.Parent[v]-g.root] = true, true
		} else {
			g.without++
		}
	}
	return shown
}

// between returns the number of nodes in [from, end); nodes are ascending.
func between(nodes []int32, from, end int32) int {
	i, _ := slices.BinarySearch(nodes, from)
	j, _ := slices.BinarySearch(nodes, end)
	return j - i
}

// toggle returns the action that opens or closes a row.
func (g *Geometry) toggle(pane int, i int) []view.Action {
	r := &g.rows[i]
	if !r.calls {
		return view.Refuse(pane, g.Name(r.node)+" has no callees")
	}
	return []view.Action{g.set(pane, !r.open, r.node)}
}

// mostOpened is the largest number of contexts opened or closed by the user; the oldest are forgotten.
const mostOpened = 1000

// set opens or closes contexts. If they are more than mostOpened, it sets the last ones.
func (g *Geometry) set(pane int, show bool, nodes ...int32) view.Action {
	sign := "-"
	if show {
		sign = "+"
	}
	nodes = nodes[max(len(nodes)-mostOpened, 0):]
	again := make(map[string]bool, len(nodes))
	var now []string
	for _, v := range nodes {
		id := strconv.FormatUint(g.ID(v), 10)
		again[id] = true
		now = append(now, sign+id)
	}
	list := strings.FieldsFunc(g.opening.list, func(c rune) bool { return c == ',' || c == ' ' })
	list = append(slices.DeleteFunc(list, func(s string) bool { return again[s[1:]] }), now...)
	list = list[max(len(list)-mostOpened, 0):]
	return view.Action{Do: view.SetParam, Pane: pane, Name: opened.Name, Value: strings.Join(list, ",")}
}

// way returns the action that opens all ancestors of nodes, or false if they are open. The ancestors of a node are in order from the innermost
// to the outermost, without those of a node before it.
func (g *Geometry) way(pane int, nodes ...int32) (view.Action, bool) {
	var closed []int32
	seen := map[int32]bool{}
	for _, v := range nodes[:min(len(nodes), mostOpened)] {
		if v <= g.root || v >= g.End[g.root] || !g.shown[v-g.root] {
			continue
		}
		for v = g.Parent[v]; v >= g.root && !seen[v]; v = g.Parent[v] {
			seen[v] = true
			if i, ok := g.rowOf[v]; !ok || !g.rows[i].open {
				closed = append(closed, v)
			}
		}
	}
	if len(closed) == 0 {
		return view.Action{}, false
	}
	return g.set(pane, true, closed...), true
}

// shownBy returns the row of a context, or of its lowest ancestor with a row; -1 for contexts outside the subtree of the root.
func (g *Geometry) shownBy(node int32) int {
	if node < g.root || node >= g.End[g.root] {
		return -1
	}
	for ; node >= g.root; node = g.Parent[node] {
		if i, ok := g.rowOf[node]; ok {
			return i
		}
	}
	return -1
}
