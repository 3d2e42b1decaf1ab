package callingcontext

import (
	"slices"

	"whorl/internal/heap"
)

// mostTurned is the number of nodes of a turned tree up to which no caller is left out.
const mostTurned = 1 << 19

// Callers returns the tree turned round: below the root are the functions that spent something, and below each function its callers, with what the
// function spent in calls by them. If of is not nil, only functions that it chooses are below the root, with all that they and their callees spent; a
// call within another call of a chosen function counts with that one. To has for each context the node at the end of its path.
//
// A turned tree can have a node for each context and each of its callers. Beyond 524,288 nodes those with the smallest values of the metric keep
// the values of their callers, and Cut counts them. The time and the memory so are those of the contexts, not of their depth.
func (t *Tree) Callers(of func(code uint32) bool, metric int) Derived {
	return t.callers(of, metric, mostTurned)
}

// callers is Callers with a number of nodes beyond which callers are left out.
func (t *Tree) callers(of func(code uint32) bool, metric, most int) Derived {
	m := t.another()
	to, kept := t.none()
	r := &turner{tree: t, m: m, inclusive: of != nil, metric: metric, groups: make([]turned, 1)}
	until := Root // the end of the last outermost call
	for v := int32(1); int(v) < t.Nodes(); v++ {
		if of != nil {
			if v < until || !of(t.Code[v]) {
				continue
			}
			until = t.End[v]
		} else if !t.spends(v) {
			continue
		}
		r.put(Root, member{v, v})
	}
	for n := int32(1); int(n) < len(r.groups); n++ {
		r.wait = heap.Add(r.wait, waiting{r.groups[n].value, n}, largest)
	}
	cut := 0
	for len(r.wait) > 0 {
		e := r.wait[0]
		r.wait = heap.RemoveFirst(r.wait, largest)
		if g := &r.groups[e.node]; len(m.code) < most {
			first := int32(len(r.groups))
			members := g.members
			g.members = nil
			for _, x := range members {
				if up := t.Parent[x.at]; up > Root {
					r.put(e.node, member{x.context, up})
				} else {
					r.groups[e.node].members = append(r.groups[e.node].members, x)
				}
			}
			for n := first; int(n) < len(r.groups); n++ {
				r.wait = heap.Add(r.wait, waiting{r.groups[n].value, n}, largest)
			}
		} else if slices.ContainsFunc(g.members, func(x member) bool { return t.Parent[x.at] > Root }) {
			cut++
		}
	}
	for n, g := range r.groups {
		for _, x := range g.members {
			to[x.context], kept[x.context] = int32(n), true
			t.give(m, x.context, int32(n), r.inclusive)
		}
	}
	d := m.derived(to, kept)
	d.Cut = cut
	return d
}

// A turner makes a turned tree, the largest nodes first.
type turner struct {
	tree      *Tree
	m         *Merger
	inclusive bool
	metric    int
	groups    []turned  // by node of m
	wait      []waiting // a heap
}

// turned is the contexts whose values are at a node or at its callers, which have not been made yet.
type turned struct {
	members []member
	value   int64
}

// A member is a context, and the node on its path that corresponds to the node of its group.
type member struct{ context, at int32 }

// waiting is a node whose callers have not been made.
type waiting struct {
	value int64
	node  int32
}

// put puts a context into the group of the function of its member below a node.
func (r *turner) put(below int32, x member) {
	n := r.m.Call(below, r.tree.Code[x.at])
	if int(n) == len(r.groups) {
		r.groups = append(r.groups, turned{})
	}
	g := &r.groups[n]
	g.members = append(g.members, x)
	value := r.tree.Total(x.context, r.metric, r.inclusive)
	g.value = Plus(g.value, max(value, -value))
}

func largest(a, b *waiting) bool { return a.value > b.value || a.value == b.value && a.node < b.node }

// Callees returns the tree of the functions that of chooses: below the root these functions, and below each of them its callees, with all of its calls
// added up. A call within another call of a chosen function stays where it is.
func (t *Tree) Callees(of func(code uint32) bool) Derived {
	m := t.another()
	to, kept := t.none()
	for v := int32(1); int(v) < t.Nodes(); v++ {
		code, up := t.Code[v], to[t.Parent[v]]
		if up < 0 {
			if !of(code) {
				continue
			}
			up = Root
		}
		to[v] = m.Call(up, code)
		kept[v] = true
		t.give(m, v, to[v], false)
	}
	return m.derived(to, kept)
}

// none returns a mapping to no node.
func (t *Tree) none() (to []int32, kept []bool) {
	to, kept = make([]int32, t.Nodes()), make([]bool, t.Nodes())
	for v := range to {
		to[v] = -1
	}
	return to, kept
}

// spends reports whether a process has an exclusive value at a node.
func (t *Tree) spends(node int32) bool {
	for _, values := range t.Exclusive {
		for _, x := range values[t.Start[node]:t.Start[node+1]] {
			if x != 0 {
				return true
			}
		}
	}
	return false
}
