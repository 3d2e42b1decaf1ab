package callingcontext

import (
	"cmp"
	"math"
	"slices"
)

// A Difference is how much more the processes of one group spend than those of another, context by context: in means over the processes, so
// that groups of different sizes can be compared. With the groups exchanged all differences have the other sign.
type Difference struct {
	A, B []float64 // by node: the mean of each group, in the metric's unit before its scale
	Base float64   // what a process of either group spends in all: the mean of the two means
}

// Difference compares two groups of processes, each of which is named once. A group without processes spends nothing.
func (t *Tree) Difference(metric int, inclusive bool, a, b []int32) *Difference {
	in := func(group []int32) []bool {
		is := make([]bool, len(t.Processes))
		for _, p := range group {
			is[p] = true
		}
		return is
	}
	ofA, ofB := in(a), in(b)
	mean := func(values []int64, v int) (x, y float64) {
		var sumA, sumB float64
		for i := t.Start[v]; i < t.Start[v+1]; i++ {
			if ofA[t.Process[i]] {
				sumA += float64(values[i])
			}
			if ofB[t.Process[i]] {
				sumB += float64(values[i])
			}
		}
		return sumA / float64(max(len(a), 1)), sumB / float64(max(len(b), 1))
	}
	d := &Difference{A: make([]float64, t.Nodes()), B: make([]float64, t.Nodes())}
	for v := range d.A {
		d.A[v], d.B[v] = mean(t.of(metric, inclusive), v)
	}
	if len(d.A) > 0 {
		x, y := mean(t.Inclusive[metric], 0)
		d.Base = (math.Abs(x) + math.Abs(y)) / 2
	}
	return d
}

// Rest are the processes that are not in a group.
func (t *Tree) Rest(group []int32) []int32 {
	in := make([]bool, len(t.Processes))
	for _, p := range group {
		in[p] = true
	}
	rest := []int32{}
	for p := range in {
		if !in[p] {
			rest = append(rest, int32(p))
		}
	}
	return rest
}

// Share is by how much the first group spends more at a node, as a part of what a process spends in all; less than 0 where it spends less.
func (d *Difference) Share(node int32) float64 {
	if d.Base == 0 {
		return 0
	}
	return (d.A[node] - d.B[node]) / d.Base
}

// Ratio is the difference at a node as a part of the larger mean, from -1, where only the second group spends something, to 1.
func (d *Difference) Ratio(node int32) float64 {
	most := max(math.Abs(d.A[node]), math.Abs(d.B[node]))
	if most == 0 {
		return 0
	}
	return max(-1, min(1, (d.A[node]-d.B[node])/most))
}

// Most are the nodes at which the groups differ, those with the largest difference first, either way; at most n.
func (d *Difference) Most(n int) []int32 {
	var nodes []int32
	for v := range d.A {
		if d.A[v] != d.B[v] {
			nodes = append(nodes, int32(v))
		}
	}
	slices.SortStableFunc(nodes, func(x, y int32) int { return cmp.Compare(math.Abs(d.A[y]-d.B[y]), math.Abs(d.A[x]-d.B[x])) })
	return nodes[:min(n, len(nodes))]
}

// Join makes one tree of those of several runs. Contexts are the same where the names on the way to them are: name says what a code of a
// tree is called, and a code of the joined tree is a place in the names that are returned, where 0 is that of what has none. The processes are
// those of the first tree, then those of the second, and so on. Metrics are the same where name and unit are.
func Join(trees []*Tree, name func(tree int, code uint32) string) (*Tree, []string) {
	m := NewMerger()
	names, codes := []string{""}, map[string]uint32{"": 0}
	var metrics [][]int
	for _, t := range trees {
		var own []int
		for _, x := range t.Metrics {
			own = append(own, m.Metric(x))
		}
		metrics = append(metrics, own)
	}
	for k, t := range trees {
		first := int32(len(m.processes))
		for _, p := range t.Processes {
			m.Process(p)
		}
		called := map[uint32]uint32{0: 0}
		place := make([]int32, t.Nodes())
		for v := 1; v < t.Nodes(); v++ {
			code, ok := called[t.Code[v]]
			if !ok {
				s := name(k, t.Code[v])
				if code, ok = codes[s]; !ok {
					code = uint32(len(names))
					codes[s], names = code, append(names, s)
				}
				called[t.Code[v]] = code
			}
			place[v] = m.Call(place[t.Parent[v]], code)
		}
		for v := range place {
			for i := t.Start[v]; i < t.Start[v+1]; i++ {
				for x, own := range metrics[k] {
					m.Add(first+t.Process[i], place[v], own, t.Exclusive[x][i])
				}
			}
		}
		m.dropped += t.Dropped
	}
	return m.Tree(), names
}
