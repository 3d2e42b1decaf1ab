package spawntree

import (
	"cmp"
	"slices"
)

// An Index finds the nodes of a tree by their tasks.
type Index struct {
	tree  *Tree
	least uint64
	dense []int32 // by task - least: node + 1, 0 for none
	order []int32 // nodes ordered by task, if tasks are too sparse for dense
}

// Index returns the index of the tree's nodes by task. The first call makes it. It is an array if task numbers are dense, as in most runs.
func (t *Tree) Index() *Index {
	t.number.Do(func() { t.numbers = newIndex(t) })
	return t.numbers
}

func newIndex(t *Tree) *Index {
	n := &Index{tree: t}
	if t.Len() == 0 {
		return n
	}
	tasks := t.Task.Range()
	n.least = tasks.Least
	if span := tasks.Most - n.least; span < 4*uint64(t.Len())+1024 {
		n.dense = make([]int32, span+1)
		for i, task := range t.Task.All() {
			n.dense[task-n.least] = int32(i) + 1
		}
		return n
	}
	n.order = make([]int32, t.Len())
	for i := range n.order {
		n.order[i] = int32(i)
	}
	slices.SortFunc(n.order, func(a, b int32) int { return cmp.Compare(t.Task.At(int(a)), t.Task.At(int(b))) })
	return n
}

// Node returns the node of a task, -1 for none.
func (n *Index) Node(task uint64) int32 {
	if n.dense != nil {
		if k := task - n.least; k < uint64(len(n.dense)) { // huge if the task is less than least
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

func (n *Index) search(task uint64) (int, bool) {
	return slices.BinarySearchFunc(n.order, task, func(i int32, task uint64) int { return cmp.Compare(n.tree.Task.At(int(i)), task) })
}

// Each calls f for the nodes of the tasks from first to last, in the order of tasks.
func (n *Index) Each(first, last uint64, f func(node int32)) {
	if n.dense == nil {
		for k, _ := n.search(first); k < len(n.order) && n.tree.Task.At(int(n.order[k])) <= last; k++ {
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

// Rank returns the number of siblings before a node.
func (t *Tree) Rank(node int32) int {
	n := 0
	first := t.Parent[node] + 1 // for a root, the first node of the tree
	for i := first; i < node; i += t.Size[i] {
		n++
	}
	return n
}
