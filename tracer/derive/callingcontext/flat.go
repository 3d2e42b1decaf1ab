package callingcontext

import (
	"cmp"
	"slices"

	"whorl/internal/numbering"
)

// A Function is a function of the flat profile, with all its nodes.
type Function struct {
	Code      uint32
	Nodes     []int32 // in preorder
	Outermost []int32 // the nodes without an ancestor of the same function, so that recursive calls are counted once
	Exclusive int64
	Inclusive int64
}

// Flat returns the flat profile of the subtree of a root: the functions by exclusive value, largest first. total returns the value of a node.
func (t *Tree) Flat(root int32, total func(node int32, inclusive bool) int64) []Function {
	var codes numbering.List[uint32]
	var all []Function          // by number of the code
	until := map[uint32]int32{} // by code: end of the subtree of its last outermost node
	for v := max(root, 1); v < t.End[root]; v++ {
		code := t.Code[v]
		k := int(codes.Number(code))
		if k == len(all) {
			all = append(all, Function{Code: code})
		}
		f := &all[k]
		f.Nodes = append(f.Nodes, v)
		f.Exclusive = Plus(f.Exclusive, total(v, false))
		if v >= until[code] {
			until[code] = t.End[v]
			f.Outermost = append(f.Outermost, v)
			f.Inclusive = Plus(f.Inclusive, total(v, true))
		}
	}
	slices.SortStableFunc(all, func(a, b Function) int {
		return cmp.Or(cmp.Compare(b.Exclusive, a.Exclusive), cmp.Compare(b.Inclusive, a.Inclusive))
	})
	return all
}

// FlatValues appends the values of a function to out, by process, zeros included.
func (t *Tree) FlatValues(f *Function, metric int, inclusive bool, out []int64) []int64 {
	from := len(out)
	out = append(out, make([]int64, len(t.Processes))...)
	nodes := f.Nodes
	if inclusive {
		nodes = f.Outermost
	}
	all := t.values(metric, inclusive)
	for _, v := range nodes {
		for i := t.Start[v]; i < t.Start[v+1]; i++ {
			x := &out[from+int(t.Process[i])]
			*x = Plus(*x, all[i])
		}
	}
	return out
}
