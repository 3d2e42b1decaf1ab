package callingcontext

import (
	"cmp"
	"math"
	"slices"
)

// A Difference compares the values of two groups of processes in each context. It compares means over the processes, so groups may have
// different sizes. Exchanging the groups changes the sign of all differences.
type Difference struct {
	A, B []float64 // by node: the mean of each group, in the metric's unit before its scale
	Base float64   // the mean of the two groups' means for the whole program
}

// Difference compares two groups of processes. A group lists each process once. The values of an empty group are 0.
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
		d.A[v], d.B[v] = mean(t.values(metric, inclusive), v)
	}
	if len(d.A) > 0 {
		x, y := mean(t.Inclusive[metric], 0)
		d.Base = (math.Abs(x) + math.Abs(y)) / 2
	}
	return d
}

// Rest returns the processes that are not in a group.
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

// Share returns the difference at a node (the mean of A minus that of B) as a fraction of Base.
func (d *Difference) Share(node int32) float64 {
	if d.Base == 0 {
		return 0
	}
	return (d.A[node] - d.B[node]) / d.Base
}

// Most returns at most n nodes at which the groups differ, largest absolute difference first.
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

// Join merges the trees of several runs into one. Contexts are equal if the names on their paths are equal. name returns the name of a code of a
// tree; a code of the joined tree is an index into the returned names, 0 for an unnamed code. The processes of the first tree come first, then
// the processes of the second, and so on. Metrics are equal if their names and units are.
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
