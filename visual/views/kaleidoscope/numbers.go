package kaleidoscope

import (
	"cmp"
	"slices"
	"sync"

	"whorl/tracer/derive/spawntree"
	"whorl/visual/view"
)

// numbers finds the nodes of a tree by their tasks.
type numbers struct {
	tree  *spawntree.Tree
	least uint64
	dense []int32 // by task - least: the node and 1, 0 for none
	order []int32 // nodes by task, where the numbers are too far apart for that
}

func newSubtree(tree, whole *spawntree.Tree, root uint64) *subtree {
	return &subtree{tree: tree, whole: whole, root: root, numbers: sync.OnceValue(func() *numbers { return number(tree) })}
}

func number(t *spawntree.Tree) *numbers {
	n := &numbers{tree: t}
	if t.Len() == 0 {
		return n
	}
	n.least = slices.Min(t.Task)
	if span := slices.Max(t.Task) - n.least; span < 4*uint64(t.Len())+1024 {
		n.dense = make([]int32, span+1)
		for i, task := range t.Task {
			n.dense[task-n.least] = int32(i) + 1
		}
		return n
	}
	n.order = make([]int32, t.Len())
	for i := range n.order {
		n.order[i] = int32(i)
	}
	slices.SortFunc(n.order, func(a, b int32) int { return cmp.Compare(t.Task[a], t.Task[b]) })
	return n
}

// node is the node of a task, -1 for none.
func (n *numbers) node(task uint64) int32 {
	if n.dense != nil {
		if k := task - n.least; k < uint64(len(n.dense)) { // of a smaller task it is huge
			return n.dense[k] - 1
		}
		return -1
	}
	k, found := n.search(task)
	if !found {
		return -1
	}
	return n.order[k]
}

func (n *numbers) search(task uint64) (int, bool) {
	return slices.BinarySearchFunc(n.order, task, func(i int32, task uint64) int { return cmp.Compare(n.tree.Task[i], task) })
}

// each calls f for the nodes of the tasks from first to last.
func (n *numbers) each(first, last uint64, f func(node int32)) {
	if n.dense == nil {
		for k, _ := n.search(first); k < len(n.order) && n.tree.Task[n.order[k]] <= last; k++ {
			f(n.order[k])
		}
		return
	}
	if last < n.least {
		return
	}
	for k := max(first, n.least) - n.least; k < uint64(len(n.dense)) && k <= last-n.least; k++ {
		if n.dense[k] > 0 {
			f(n.dense[k] - 1)
		}
	}
}

// nameOf is the procedure of a task anywhere in the trace.
func nameOf(run *view.Run, t *spawntree.Tree, task uint64) string {
	if i := slices.Index(t.Task, task); i >= 0 {
		return run.Name(t.Code[i])
	}
	return "unknown"
}
