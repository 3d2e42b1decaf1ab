package callingcontext

// Callers returns the tree turned round: below the root are the functions that spent something, and below each function its callers, with what the
// function spent in calls by them. If of is not nil, only functions that it chooses are below the root, with all that they and their callees spent; a
// call within another call of the same function counts once. To has for each context the node at the end of its path.
func (t *Tree) Callers(of func(code uint32) bool) Derived {
	m := t.another()
	to, kept := t.none()
	until := map[uint32]int32{} // by code: the end of its last outermost call
	for v := int32(1); int(v) < t.Nodes(); v++ {
		if of != nil {
			if !of(t.Code[v]) || v < until[t.Code[v]] {
				continue
			}
			until[t.Code[v]] = t.End[v]
		} else if !t.spends(v) {
			continue
		}
		to[v] = Root
		for u := v; u != Root; u = t.Parent[u] {
			to[v] = m.Call(to[v], t.Code[u])
		}
		kept[v] = true
		t.give(m, v, to[v], of != nil)
	}
	return m.derived(to, kept)
}

// Callees returns the tree of the functions that of chooses: below the root these functions, and below each of them its callees, with all of its calls
// added up. A call within another call of the same function stays where it is.
func (t *Tree) Callees(of func(code uint32) bool) Derived {
	m := t.another()
	to, kept := t.none()
	until := map[uint32]int32{} // by code: the end of its last outermost call
	for v := int32(1); int(v) < t.Nodes(); v++ {
		switch code := t.Code[v]; {
		case of(code) && v >= until[code] && to[t.Parent[v]] < 0:
			until[code] = t.End[v]
			to[v] = m.Call(Root, code)
		case to[t.Parent[v]] >= 0:
			to[v] = m.Call(to[t.Parent[v]], code)
		default:
			continue
		}
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
