package flow

import (
	"slices"
	"time"
)

// An Info describes a stage that a reader needs, with its last value.
type Info struct {
	Name, Doc string
	In        []int         // indices of its inputs in the list of the reader's stages
	Spent     time.Duration // in its last run, 0 for a source
	Value     any           // nil if there is none yet
	Revision  uint64        // changes when Value does
	Running   bool

	stage *stage
}

// Is reports whether the Info is that of a stage.
func (i Info) Is(s Input) bool { return i.stage == s.base() }

// Stages describes the sources and the stages that the reader needs, each after its inputs. Before the first Get and after Rest there are none. Sources
// without a value and the copies that derive from them are left out.
func (r *Reader[T]) Stages() (infos []Info) {
	var listed []*node
	var list func(n *node) int
	list = func(n *node) int {
		if i := slices.Index(listed, n); i >= 0 {
			return i
		}
		var in []int
		for _, m := range n.in {
			if !m.absent() {
				in = append(in, list(m))
			}
		}
		listed = append(listed, n)
		running := r.graph.job != nil && r.graph.job.node == n
		infos = append(infos, Info{n.stage.name, n.stage.doc, in, n.spent, n.value, n.revision, running, n.stage})
		return len(infos) - 1
	}
	for _, n := range r.held {
		if !n.absent() {
			list(n)
		}
	}
	return infos
}

// absent reports whether a node is a source without a value, or a copy that derives from one.
func (n *node) absent() bool {
	switch {
	case n.stage.run == nil:
		return n.value == nil || n.value == ""
	case n.stage.copied:
		return n.value == nil
	}
	return false
}
