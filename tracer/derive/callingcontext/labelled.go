package callingcontext

import (
	"slices"

	"whorl/tracer"
)

// labelled is what a Chooser says of some labels.
type labelled struct {
	kept bool
	root int32    // the node of the labels that call the stack
	leaf []uint32 // labels that the stack calls
}

// labelsOf returns what the Chooser says of the labels of a sample.
func (r *reader) labelsOf(e *tracer.Event) *labelled {
	l, ok := r.labelled[e.Peer]
	if !ok {
		l = &labelled{root: Root}
		var root []uint32
		l.kept, root, l.leaf = r.labels.Of(r.dict.Labels(e))
		for _, code := range root {
			l.root = r.Call(l.root, code)
		}
		r.labelled[e.Peer] = l
	}
	return l
}

// under returns the node of a calling context below the node of labels.
func (r *reader) under(root int32, id uint32) int32 {
	if root == Root {
		return r.context(id)
	}
	all := r.dict.Contexts()
	node := root
	var way []uint32
	for ; id != 0; id = all[id].Parent {
		if n, ok := r.below.Get(child(root, id)); ok {
			node = int32(n)
			break
		}
		way = append(way, id)
	}
	for _, id := range slices.Backward(way) {
		node = r.Call(node, r.called(all[id].Code))
		r.below.Add(child(root, id), uint32(node))
	}
	return node
}
