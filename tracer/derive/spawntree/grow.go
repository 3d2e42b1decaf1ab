package spawntree

import (
	"cmp"
	"slices"

	"whorl/internal/parallel"
	"whorl/tracer"
	"whorl/tracer/store"
)

// Grow derives the tree of a trace in memory: one scan, then a few passes over arrays. For a run of goals it takes about 35 bytes a node at its peak, and
// the tree takes 24. prev, which may be nil, is the tree of an earlier part of the same trace: Grow then reads only the later events and splices their
// nodes into a copy of prev. The result does not depend on prev, and prev does not change. tick, which may be nil, gets the number of events read so far
// and the number to read; its error ends the work. Grow returns errors of the scan, and an error if the trace has more nodes than an int32 can count.
func Grow(src tracer.Source, prev *Tree, tick func(done, total int64) error) (*Tree, error) {
	b, rest := &builder{}, src
	if prev != nil {
		if more, ok := store.Since(src, prev.end); ok {
			b.goOn(prev)
			rest = more
		}
	}
	counts := rest.Counts()
	var done, total int64
	for k, n := range counts {
		if kinds.Contains(tracer.Kind(k)) {
			total += n
		}
	}
	err := rest.Scan(kinds, func(es []tracer.Event) error {
		for i := range es {
			if err := b.event(&es[i]); err != nil {
				return err
			}
		}
		if done += int64(len(es)); tick != nil {
			return tick(done, total)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	pause := func() error {
		if tick == nil {
			return nil
		}
		return tick(total, total)
	}
	var t *Tree
	if b.old != nil {
		t, err = b.splice(pause)
	} else {
		t, err = b.tree(pause)
	}
	if err != nil {
		return nil, err
	}
	t.codes = len(src.Dict().Codes())
	if t.end = store.End(src); t.end == (store.Mark{}) { // the trace cannot grow
		t.state = nil
	}
	return t, nil
}

func (b *builder) goOn(old *Tree) {
	b.old, b.nodes, b.lifted = old, old.Index(), map[int32]*record{}
	b.index.Expect(old.Len())
	b.last, b.threads, b.orphans, b.ignored = old.last, old.state != nil, old.Orphans, old.Ignored
}

// lift copies the record of a thread out of the old tree for changes. It returns nil for a goal.
func (b *builder) lift(node int32) *record {
	t := b.old
	if t.state == nil || t.state[node]&goal != 0 {
		return nil
	}
	r := b.lifted[node]
	if r == nil {
		r = &record{
			task: t.Task.At(int(node)), time: t.Time.At(int(node)), cost: t.Cost.At(int(node)), pe: t.PE.At(int(node)), from: t.From.At(int(node)), code: t.Code.At(int(node)),
			level: t.Level.At(int(node)), parent: -1, state: t.state[node],
		}
		if p := t.Parent[node]; p >= 0 {
			r.parent = inOld(p)
		}
		if r.state&running != 0 {
			r.cost -= t.last
		}
		b.lifted[node] = r
	}
	return r
}

// A graft is a new subtree below a node of the old tree, or a new root. It is inserted before the old node next.
type graft struct {
	next, parent, level int32
	root                int32 // record of its root
	task                uint64
}

// splice inserts the records between the nodes of the old tree. It copies stretches of the old tree without new nodes as they are.
func (b *builder) splice(tick func() error) (*Tree, error) {
	old, n := b.old, b.old.Len()
	b.pack()
	parent := b.parents()
	size, place := make([]int32, b.n), make([]int32, b.n)
	if err := sizes(size, parent, piece, tick); err != nil {
		return nil, err
	}
	if err := b.offsets(place, parent, size, make([]int32, b.n), tick); err != nil {
		return nil, err
	}
	grafts := b.grafts(parent)
	b.extend()
	t := b.newTree(n + int(b.n))
	t.make(&b.ranges)

	// Find the place of each stretch and each graft.
	type stretch struct{ from, to, offset int }
	stretches := make([]stretch, 0, len(grafts)+1)
	from, at := 0, 0
	for _, g := range grafts {
		if to := int(g.next); to > from {
			stretches = append(stretches, stretch{from, to, at})
			from, at = to, at+to-from
		}
		place[g.root] = int32(at)
		at += int(size[g.root])
	}
	stretches = append(stretches, stretch{from, n, at})
	if err := addUp(place, parent, piece, tick); err != nil {
		return nil, err
	}

	parallel.Both(func() {
		for _, s := range stretches {
			t.Task.Copy(s.offset, old.Task.Slice(s.from, s.to))
			t.Time.Copy(s.offset, old.Time.Slice(s.from, s.to))
			t.Cost.Copy(s.offset, old.Cost.Slice(s.from, s.to))
		}
	}, func() {
		for _, s := range stretches {
			t.Level.Copy(s.offset, old.Level.Slice(s.from, s.to))
			t.PE.Copy(s.offset, old.PE.Slice(s.from, s.to))
			t.From.Copy(s.offset, old.From.Slice(s.from, s.to))
			t.Code.Copy(s.offset, old.Code.Slice(s.from, s.to))
			if b.threads && old.state != nil {
				copy(t.state[s.offset:], old.state[s.from:s.to])
			}
		}
	})
	if b.threads {
		for _, s := range stretches {
			for i := s.offset; i < s.offset+s.to-s.from; i++ {
				if old.state == nil {
					t.state[i] = goal
				} else if t.state[i]&running != 0 {
					t.Cost.Set(i, t.Cost.At(i)+t.last-old.last)
				}
			}
		}
	}
	if err := b.fill(t, place, tick); err != nil {
		return nil, err
	}
	for node, r := range b.lifted {
		k, _ := slices.BinarySearchFunc(stretches, int(node), func(s stretch, node int) int {
			switch {
			case s.to <= node:
				return -1
			case s.from > node:
				return 1
			}
			return 0
		})
		t.set(stretches[k].offset+int(node)-stretches[k].from, r)
	}
	t.link()
	return t, nil
}

// extend extends the ranges of the new records to those of the old tree, as changed by new events.
func (b *builder) extend() {
	r, old := b.ranges, b.old
	b.ranges = old.ranges
	b.ranges.join(&r)
	for i, s := range old.state {
		if s&running != 0 {
			b.ranges.cost.Add(old.Cost.At(i) + b.last - old.last)
		}
	}
	for _, r := range b.lifted {
		b.ranges.add(r, b.last)
	}
}

// grafts returns the grafts in the order of their places in the tree. parent holds the parents of the records.
func (b *builder) grafts(parent []int32) []graft {
	old := b.old
	var grafts []graft
	for i, p := range parent {
		if p < 0 {
			r := int32(i)
			grafts = append(grafts, graft{parent: p, level: b.level(r), root: r, task: b.task(r)})
		}
	}
	// Merge the grafts of a parent with its old children, both ordered by task.
	slices.SortFunc(grafts, func(a, b graft) int { return cmp.Or(cmp.Compare(a.parent, b.parent), cmp.Compare(a.task, b.task)) })
	for i := 0; i < len(grafts); {
		p := grafts[i].parent
		child, end := int32(0), int32(old.Len())
		if p != -1 {
			up := inOld(p)
			child, end = up+1, up+old.Size[up]
		}
		for ; i < len(grafts) && grafts[i].parent == p; i++ {
			for child < end && old.Task.At(int(child)) < grafts[i].task {
				child += old.Size[child]
			}
			grafts[i].next = child
		}
	}
	// At the same position deeper grafts come first, because they belong to subtrees that end there.
	slices.SortFunc(grafts, func(a, b graft) int {
		return cmp.Or(cmp.Compare(a.next, b.next), cmp.Compare(b.level, a.level), cmp.Compare(a.task, b.task))
	})
	return grafts
}

// link computes parents, sizes and the height from the levels of a preorder.
func (t *Tree) link() {
	t.Height = -1
	if t.Len() > 0 {
		t.Height = t.ranges.level.Most
	}
	parallel.Both(func() {
		path := make([]int32, t.Height+2) // path[l+1] is the last node of level l
		path[0] = -1
		for i, l := range t.Level.All() {
			t.Parent[i] = path[l]
			path[l+1] = int32(i)
		}
	}, func() {
		sums := make([]int32, t.Height+3) // sizes of the children so far, for each level of the path
		for i := t.Len() - 1; i >= 0; i-- {
			l := t.Level.At(i)
			size := sums[l+1] + 1
			t.Size[i], sums[l+1] = size, 0
			sums[l] += size
		}
	})
}
