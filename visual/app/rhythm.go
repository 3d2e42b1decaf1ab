package app

import (
	"cmp"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// A rhythm finds the nodes of a spawn tree by their times. They lie in buckets of the same length of time.
type rhythm struct {
	tree  *spawntree.Tree
	first int64   // the time of the earliest node, in ns
	width uint64  // of a bucket, in ns
	start []int32 // by bucket: the index of its first node; one more at the end
	nodes []int32
}

// heardKind describes the traces whose reductions or forks can be heard.
var heardKind = &view.Kind{
	Name: "sound", Title: "Sound",
	Needs: []tracer.KindSet{tracer.Kinds(tracer.Reduce), tracer.Kinds(tracer.Fork)},
}

var rhythmStage = flow.Derive("rhythm", "the nodes of the spawn tree by time",
	flow.In(view.SpawnTree), nil,
	func(c *flow.Call[*rhythm]) (*rhythm, error) {
		return newRhythm(view.SpawnTree.In(c), c.Tick)
	})

// buckets is the largest number of buckets.
const buckets = 1 << 16

func newRhythm(tree *spawntree.Tree, tick flow.Tick) (*rhythm, error) {
	n := tree.Len()
	if n == 0 {
		return &rhythm{tree: tree, width: 1, start: make([]int32, 2)}, nil
	}
	first, last := slices.Min(tree.Time), slices.Max(tree.Time)
	r := &rhythm{tree: tree, first: first, width: (uint64(last)-uint64(first))/buckets + 1, nodes: make([]int32, n)}
	r.start = make([]int32, r.bucket(last)+2)
	const piece = 1 << 16
	each := func(done int, f func(node int)) error {
		for i := range n {
			if i%piece == 0 {
				if err := tick(int64(done+i), int64(2*n)); err != nil {
					return err
				}
			}
			f(i)
		}
		return nil
	}
	if err := each(0, func(node int) { r.start[r.bucket(tree.Time[node])+1]++ }); err != nil {
		return nil, err
	}
	for b := 1; b < len(r.start); b++ {
		r.start[b] += r.start[b-1]
	}
	next := slices.Clone(r.start)
	err := each(n, func(node int) {
		b := r.bucket(tree.Time[node])
		r.nodes[next[b]] = int32(node)
		next[b]++
	})
	return r, err
}

func (r *rhythm) bucket(time int64) int { return int((uint64(time) - uint64(r.first)) / r.width) }

// between returns the nodes with times after one time and until another, in the order of time. If there are more than most, it divides
// the time into that many parts and returns the earliest node of each.
func (r *rhythm) between(after, until int64, most int) []int32 {
	if until <= after || until < r.first || len(r.nodes) == 0 {
		return nil
	}
	lo := r.bucket(max(after, r.first))
	hi := min(r.bucket(until), len(r.start)-2)
	earlier := func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.tree.Time[a], r.tree.Time[b]), cmp.Compare(a, b))
	}
	count := 0
	var all []int32
	parts := make([]int32, most)
	for i := range parts {
		parts[i] = -1
	}
	for b := lo; b <= hi; b++ {
		for _, node := range r.nodes[r.start[b]:r.start[b+1]] {
			at := r.tree.Time[node]
			if at <= after || at > until {
				continue
			}
			if count++; count <= most {
				all = append(all, node)
			}
			part := min(int(share(at-1, after, until)*float64(most)), most-1)
			if p := parts[part]; p < 0 || earlier(node, p) < 0 {
				parts[part] = node
			}
		}
	}
	if count <= most {
		slices.SortFunc(all, earlier)
		return all
	}
	return slices.DeleteFunc(parts, func(node int32) bool { return node < 0 })
}

// share returns the part of a span that has passed at a time, from 0 to 1.
func share(at, from, to int64) float64 {
	return (float64(at) - float64(from)) / (float64(to) - float64(from))
}
