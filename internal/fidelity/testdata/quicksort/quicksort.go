// Package quicksort has the example of the paper on VISTA: its trace, its tree with the paper's names of nodes, and its hash table.
package quicksort

import (
	"os"
	"slices"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/formats/vista"
)

// A Run is the run of the quick sort.
type Run struct {
	Records []tracer.Event
	Tree    *spawntree.Tree
	Names   map[uint64]string // of tasks: A, B, C and so on, level by level; A, C, D, E, J, M and N are those of the paper
}

// Read reads the run from testdata/traces below the folder of the module.
func Read(t testing.TB, root string) *Run {
	t.Helper()
	file := must.Get(os.Open(root + "/testdata/traces/quicksort.vista"))(t)
	defer file.Close()
	trace := tracer.NewMemory()
	must.Do(t, vista.Read(file, trace, nil))
	must.Do(t, trace.Close())
	r := &Run{Names: map[uint64]string{}}
	must.Do(t, trace.Scan(tracer.Kinds(tracer.Reduce), func(es []tracer.Event) error {
		r.Records = append(r.Records, es...)
		return nil
	}))
	r.Tree = must.Get(spawntree.Grow(trace, nil, nil))(t)
	for _, v := range r.ByLevel() {
		r.Names[r.Tree.Task.At(int(v))] = string(rune('A' + len(r.Names)))
	}
	return r
}

// ByLevel returns the nodes of the tree level by level, from left to right.
func (r *Run) ByLevel() []int32 {
	all := make([]int32, r.Tree.Len())
	for i := range all {
		all[i] = int32(i)
	}
	slices.SortStableFunc(all, func(a, b int32) int { return int(r.Tree.Level.At(int(a)) - r.Tree.Level.At(int(b))) })
	return all
}

// Node returns the node with a name.
func (r *Run) Node(name string) int32 {
	return int32(slices.IndexFunc(r.Tree.Task.Numbers(), func(task uint64) bool { return r.Names[task] == name }))
}

// An Entry is an entry of VISTA's hash table (section 3.1).
type Entry struct {
	Index            int // of the entry: 10 times the PE and the number there, as in Figure 6
	PE, Number       int
	Level            int
	Children, Parent int    // children that have not come yet, and the index of the parent's entry, 0 for none
	Node             uint64 // task of the node of the condensed tree
}

// Table returns VISTA's hash table after the first records of the second pass, with level condensing 2:1 and without reuse of entries, in the order
// of the indices (the paper's Figures 5 and 7). The entry of a task on a condensed level has the node of its parent's entry.
func (r *Run) Table(records int) (table []Entry) {
	number, children := map[int32]int{}, map[uint64]int{}
	for _, e := range r.Records {
		children[e.Ref]++
	}
	entries := map[uint64]*Entry{}
	for _, e := range r.Records[:records] {
		number[e.PE]++
		n := &Entry{Index: 10*int(e.PE) + number[e.PE], PE: int(e.PE), Number: number[e.PE], Children: children[e.Task], Node: e.Task}
		if p := entries[e.Ref]; p != nil {
			p.Children--
			n.Level, n.Parent = p.Level+1, p.Index
			if n.Level%2 != 0 {
				n.Node = p.Node
			}
		}
		if n.Children > 0 {
			entries[e.Task] = n
		}
	}
	for _, n := range entries {
		table = append(table, *n)
	}
	slices.SortFunc(table, func(a, b Entry) int { return a.Index - b.Index })
	return table
}
