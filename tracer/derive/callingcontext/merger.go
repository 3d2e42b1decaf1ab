package callingcontext

import (
	"slices"

	"whorl/internal/hashtable"
)

// A Merger collects the values of processes in their contexts, in any order, and makes a Tree of them.
type Merger struct {
	processes []Process
	metrics   []Metric
	dropped   int64
	own       bool // the tree has no inclusive values below the root

	code     []uint32 // by node, in the order of Call
	parent   []int32
	first    []int32         // by node: its first child, 0 for none
	next     []int32         // by node: the next child of the same node, 0 for none
	children hashtable.Table // by child: nodes behind the first ones of their parent
	folded   hashtable.Table // results of Fold that took long, by child

	cells  hashtable.Table
	node   []int32 // of each cell
	owner  []int32
	values [][]int64 // by metric, then cell; from -Most to Most; shorter if the last cells have no value
}

// child identifies a node by its parent and its code.
func child(parent int32, code uint32) uint64 { return uint64(parent)<<32 | uint64(code) }

// Root is the node of the program.
const Root = int32(0)

// NewMerger returns an empty Merger.
func NewMerger() *Merger {
	return &Merger{code: []uint32{0}, parent: []int32{-1}, first: []int32{0}, next: []int32{0}}
}

// Process returns the number of a new process.
func (m *Merger) Process(p Process) int32 {
	m.processes = append(m.processes, p)
	return int32(len(m.processes) - 1)
}

// Metric returns the number of a metric for Add, a new one if the Merger has no equal metric. The Tree merges metrics that differ only in their
// scales (see unified).
func (m *Merger) Metric(x Metric) int {
	if i := slices.Index(m.metrics, x); i >= 0 {
		return i
	}
	m.metrics = append(m.metrics, x)
	m.values = append(m.values, nil)
	return len(m.metrics) - 1
}

// Call returns the node of code called from node parent.
func (m *Merger) Call(parent int32, code uint32) int32 {
	last, n := int32(0), m.first[parent]
	for steps := 0; n != 0; last, n = n, m.next[n] {
		if m.code[n] == code {
			return n
		}
		if steps++; steps == fewChildren {
			return m.callMany(parent, code)
		}
	}
	if n = m.made(parent, code); last == 0 {
		m.first[parent] = n
	} else {
		m.next[last] = n
	}
	return n
}

// fewChildren is the number of children of a node that are in a list. Most nodes have one or two, and a list takes a third of the memory of a table.
const fewChildren = 8

// callMany is Call for a node whose list of children is full: the others are in a table.
func (m *Merger) callMany(parent int32, code uint32) int32 {
	n, added := m.children.Add(child(parent, code), uint32(len(m.code)))
	if added {
		m.made(parent, code)
	}
	return int32(n)
}

// reserve makes room for nodes, so that the arrays of millions of them are not copied while they grow.
func (m *Merger) reserve(nodes int) {
	m.code, m.parent = slices.Grow(m.code, nodes), slices.Grow(m.parent, nodes)
	m.first, m.next = slices.Grow(m.first, nodes), slices.Grow(m.next, nodes)
}

// made makes a node.
func (m *Merger) made(parent int32, code uint32) int32 {
	m.code, m.parent = append(m.code, code), append(m.parent, parent)
	m.first, m.next = append(m.first, 0), append(m.next, 0)
	return int32(len(m.code) - 1)
}

// Fold is like Call, but returns the node of code on the path from the program to parent if there is one, so that recursion does not make
// the tree deep.
func (m *Merger) Fold(parent int32, code uint32) int32 {
	key := child(parent, code)
	if n, ok := m.folded.Get(key); ok {
		return int32(n)
	}
	n, steps := parent, 0
	for ; n > Root && m.code[n] != code; n = m.parent[n] {
		steps++
	}
	if n <= Root {
		n = m.Call(parent, code)
	}
	if steps > farUp {
		m.folded.Add(key, uint32(n))
	}
	return n
}

// farUp is the number of steps from which on Fold keeps its result.
const farUp = 64

// Add adds to the exclusive value of a process at a node.
func (m *Merger) Add(process, node int32, metric int, value int64) {
	if value != 0 {
		m.add(m.cell(process, node), metric, value)
	}
}

// cell returns the number of the cell of a process at a node.
func (m *Merger) cell(process, node int32) uint32 {
	cell, added := m.cells.Add(uint64(node)<<32|uint64(uint32(process)), uint32(len(m.node)))
	if added {
		m.node, m.owner = append(m.node, node), append(m.owner, process)
	}
	return cell
}

func (m *Merger) add(cell uint32, metric int, value int64) {
	v := m.values[metric]
	if n := int(cell) + 1 - len(v); n > 0 {
		v = append(v, make([]int64, n)...)
		m.values[metric] = v
	}
	v[cell] = Plus(v[cell], value)
}

// Tree returns the tree of all values so far. Children are in the order of their first Call.
func (m *Merger) Tree() *Tree {
	t, _ := m.placed()
	return t
}

// placed is like Tree. It also returns the node in the tree of each node of the Merger.
func (m *Merger) placed() (t *Tree, place []int32) {
	t = blank(len(m.code))
	t.Processes, t.Dropped = slices.Clone(m.processes), m.dropped
	place = m.preorder(t)
	s := &spender{tree: t, place: place, node: m.node, own: m.own}
	t.Metrics, s.values = m.unified()
	var begins []int
	s.cells, begins = m.byProcess(place, s.used(len(m.node)))
	s.run(begins)
	if m.own {
		for i, all := range t.Inclusive {
			t.Inclusive[i] = slices.Clone(all[:t.Start[1]])
		}
	}
	return t, place
}

// blank returns a tree with room for n nodes.
func blank(n int) *Tree {
	return &Tree{Code: make([]uint32, n), Parent: make([]int32, n), End: make([]int32, n)}
}

// preorder fills the arrays of nodes and returns the preorder number of each node.
func (m *Merger) preorder(t *Tree) []int32 {
	n := len(m.code)
	size := make([]int32, n)
	for v := n - 1; v >= 0; v-- { // children have larger numbers than their parents
		size[v]++
		if p := m.parent[v]; p >= 0 {
			size[p] += size[v]
		}
	}
	place := make([]int32, n)
	next := make([]int32, n) // by node: the place of its next child
	for v := range n {
		at := int32(0)
		t.Parent[0] = -1
		if p := m.parent[v]; p >= 0 {
			at = next[p]
			next[p] += size[v]
			t.Parent[at] = place[p]
		}
		place[v], next[v] = at, at+1
		t.Code[at], t.End[at] = m.code[v], at+size[v]
	}
	return place
}

// byProcess sorts cells by process and preorder number, and returns where each process begins.
func (m *Merger) byProcess(place []int32, used []uint32) (cells []uint32, begins []int) {
	n := len(used)
	byNode := make([]uint32, n)
	counting(byNode, len(place), func(k int) int { return int(place[m.node[used[k]]]) }, func(k int) uint32 { return used[k] })
	cells = make([]uint32, n)
	begins = counting(cells, len(m.processes), func(k int) int { return int(m.owner[byNode[k]]) }, func(k int) uint32 { return byNode[k] })
	return cells, begins
}

// counting fills out with 0, 1, ... sorted by their keys, which are below keys, and returns where each key begins. It is a counting sort.
func counting(out []uint32, keys int, key func(k int) int, value func(k int) uint32) []int {
	begins := make([]int, keys+1)
	for k := range out {
		begins[key(k)+1]++
	}
	for i := range keys {
		begins[i+1] += begins[i]
	}
	next := slices.Clone(begins)
	for k := range out {
		i := key(k)
		out[next[i]] = value(k)
		next[i]++
	}
	return begins
}

// A spender computes inclusive values, process by process.
type spender struct {
	tree   *Tree
	values [][]int64
	cells  []uint32 // by process
	place  []int32
	node   []int32
	own    bool // only the root has entries for the values below it

	open []entry // the path from the program to the present node
	out  entries
}

type entry struct {
	node  int32
	index int // index in out
}

// entries returns the entries of the tree, process by process.
type entries struct {
	node, process []int32
	exclusive     [][]int64
	inclusive     [][]int64
}

// used returns the cells that have a value.
func (s *spender) used(cells int) []uint32 {
	has := make([]bool, cells)
	for _, values := range s.values {
		for cell, v := range values {
			has[cell] = has[cell] || v != 0
		}
	}
	used := make([]uint32, 0, cells)
	for cell, is := range has {
		if is {
			used = append(used, uint32(cell))
		}
	}
	return used
}

func (s *spender) run(begins []int) {
	n := s.count(begins)
	s.out = entries{make([]int32, 0, n), make([]int32, 0, n), make([][]int64, len(s.values)), make([][]int64, len(s.values))}
	for m := range s.values {
		s.out.exclusive[m], s.out.inclusive[m] = make([]int64, 0, n), make([]int64, 0, n)
	}
	for p := range len(begins) - 1 {
		for _, cell := range s.cells[begins[p]:begins[p+1]] {
			at := s.enter(s.place[s.node[cell]], int32(p))
			for m, v := range s.values {
				if int(cell) < len(v) {
					s.out.exclusive[m][at] = v[cell]
					s.out.inclusive[m][at] = Plus(s.out.inclusive[m][at], v[cell])
				}
			}
		}
		for len(s.open) > 0 {
			s.leave()
		}
	}
	s.transpose()
}

// count returns the number of entries: each process has one for each node with a value and for each node above it.
func (s *spender) count(begins []int) (n int) {
	last := make([]int32, len(s.tree.Code)) // by node: the last process that has an entry, plus 1
	for p := range len(begins) - 1 {
		for _, cell := range s.cells[begins[p]:begins[p+1]] {
			for v := s.place[s.node[cell]]; v >= 0 && last[v] != int32(p)+1; v = s.above(v) {
				last[v] = int32(p) + 1
				n++
			}
		}
	}
	return n
}

// enter goes to a node, which follows all earlier ones in preorder, and makes entries on the path to it.
func (s *spender) enter(node, process int32) int {
	for n := len(s.open) - 1; n >= 0 && (s.tree.End[s.open[n].node] <= node || s.own && n > 0); n-- {
		s.leave()
	}
	last := int32(-1)
	if len(s.open) > 0 {
		last = s.open[len(s.open)-1].node
	}
	from := len(s.open)
	for v := node; v != last; v = s.above(v) {
		s.open = append(s.open, entry{node: v})
	}
	slices.Reverse(s.open[from:])
	for i := from; i < len(s.open); i++ {
		s.open[i].index = len(s.out.node)
		s.out.node, s.out.process = append(s.out.node, s.open[i].node), append(s.out.process, process)
		for m := range s.values {
			s.out.exclusive[m], s.out.inclusive[m] = append(s.out.exclusive[m], 0), append(s.out.inclusive[m], 0)
		}
	}
	return s.open[len(s.open)-1].index
}

// above returns the node above another on the path.
func (s *spender) above(v int32) int32 {
	if s.own && v != Root {
		return Root
	}
	return s.tree.Parent[v]
}

// leave goes one node up and adds the inclusive values of the node left.
func (s *spender) leave() {
	e := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if len(s.open) == 0 {
		return
	}
	up := s.open[len(s.open)-1].index
	for m := range s.values {
		s.out.inclusive[m][up] = Plus(s.out.inclusive[m][up], s.out.inclusive[m][e.index])
	}
}

// transpose sorts the entries by node.
func (s *spender) transpose() {
	t, n := s.tree, len(s.out.node)
	if slices.IsSorted(s.out.node) { // there is one process
		t.Start = make([]int, len(t.Code)+1)
		for _, v := range s.out.node {
			t.Start[v+1]++
		}
		for v := range t.Code {
			t.Start[v+1] += t.Start[v]
		}
		t.Process, t.Exclusive, t.Inclusive = s.out.process, s.out.exclusive, s.out.inclusive
		return
	}
	order := make([]uint32, n)
	t.Start = counting(order, len(t.Code), func(k int) int { return int(s.out.node[k]) }, func(k int) uint32 { return uint32(k) })
	t.Process = make([]int32, n)
	for i, k := range order {
		t.Process[i] = s.out.process[k]
	}
	pick := func(from []int64) []int64 {
		to := make([]int64, n)
		for i, k := range order {
			to[i] = from[k]
		}
		return to
	}
	for m := range s.values {
		t.Exclusive, t.Inclusive = append(t.Exclusive, pick(s.out.exclusive[m])), append(t.Inclusive, pick(s.out.inclusive[m]))
		s.out.exclusive[m], s.out.inclusive[m] = nil, nil
	}
}
