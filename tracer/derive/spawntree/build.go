package spawntree

import (
	"slices"

	"whorl/internal/parallel"
	"whorl/tracer"
	"whorl/tracer/taskindex"
)

// A builder collects records in the order of the trace, in which a parent precedes its children.
type builder struct {
	index   taskindex.Index // of the records
	pages   [][]record
	n       int32
	last    int64 // time of the last event
	threads bool  // the trace has threads

	old    *Tree             // the tree to extend, nil for none
	nodes  *Index            // of old
	lifted map[int32]*record // nodes of old with new events

	orphans, ignored int
}

const (
	pageBits = 14
	pageLen  = 1 << pageBits
)

func (b *builder) record(i int32) *record { return &b.pages[i>>pageBits][i&(pageLen-1)] }

// find returns the number of a task's record, or inOld of its node in the old tree.
func (b *builder) find(task uint64) (at int32, known bool) {
	if at, known = b.index.Get(task); known || b.old == nil {
		return at, known
	}
	node := b.nodes.Node(task)
	return inOld(node), node >= 0
}

// inOld turns a node of the old tree into a record number of -2 or less, and back; -1 means none.
func inOld(i int32) int32 { return -2 - i }

func (b *builder) level(at int32) int32 {
	if at < 0 {
		return b.old.Level[inOld(at)]
	}
	return b.record(at).level
}

// add adds the record of a new node whose parent is ref.
func (b *builder) add(r record, ref uint64) error {
	if int(b.n)+b.old.Len() >= maxNodes {
		return errTooMany
	}
	if b.n&(pageLen-1) == 0 {
		b.pages = append(b.pages, make([]record, pageLen))
	}
	r.parent = -1
	if p, ok := b.find(ref); ok && ref != 0 {
		r.parent, r.level = p, b.level(p)+1
	} else if ref != 0 {
		b.orphans++
	}
	*b.record(b.n) = r
	b.index.Put(r.task, b.n)
	b.n++
	return nil
}

func (b *builder) event(e *tracer.Event) error {
	if e.Task == 0 {
		b.ignored++
		return nil
	}
	b.last = e.Time
	at, known := b.find(e.Task)
	switch {
	case e.Kind == tracer.Reduce && !known:
		return b.add(reduction(e), e.Ref)
	case e.Kind == tracer.Fork && !known:
		b.threads = true
		return b.add(fork(e), e.Ref)
	case e.Kind == tracer.Start && !known:
		b.threads = true
		if err := b.add(mainThread(e), 0); err != nil {
			return err
		}
		at, known = b.n-1, true
	case e.Kind == tracer.Reduce || e.Kind == tracer.Fork:
		b.ignored++
		return nil
	}
	if known { // an unknown task is a builtin that waited, or its record is lost
		if r := b.running(at); r != nil {
			b.thread(e, r)
		}
	}
	return nil
}

// running returns the record of a thread, nil for a goal, whose record does not change.
func (b *builder) running(at int32) *record {
	if at >= 0 {
		if r := b.record(at); r.state&goal == 0 {
			return r
		}
		return nil
	}
	return b.lift(inOld(at))
}

// thread records when a thread begins and stops running.
func (b *builder) thread(e *tracer.Event, r *record) {
	switch e.Kind {
	case tracer.Start:
		r.start(e)
	case tracer.JoinEnd:
		r.run(e.Time)
	case tracer.JoinBegin:
		r.rest(e.Time)
	case tracer.End:
		r.end(e.Time)
	}
	joiner, known := r.parent, r.parent != -1
	if e.Ref != 0 {
		joiner, known = b.find(e.Ref)
	}
	if e.Peer == tracer.Inline && known { // the joiner waits for a thread that runs on its stack
		up := b.running(joiner)
		switch {
		case up == nil:
		case e.Kind == tracer.Start:
			up.rest(e.Time)
		case e.Kind == tracer.End:
			up.run(e.Time)
		}
	}
}

// tree puts the records in preorder.
func (b *builder) tree() *Tree {
	parent := b.parents()
	size := sizes(parent)
	place := b.offsets(parent, size)
	addUp(place, parent)
	t := b.newTree(int(b.n))
	b.fill(t, size, place)
	return t
}

// newTree returns a tree of n nodes to be filled.
func (b *builder) newTree(n int) *Tree {
	t := newTree(n)
	t.Orphans, t.Ignored, t.last = b.orphans, b.ignored, b.last
	if b.threads {
		t.state = make([]state, n)
	}
	return t
}

// parents returns the parents by record.
func (b *builder) parents() []int32 {
	parent := make([]int32, b.n)
	for i := range b.n {
		parent[i] = b.record(i).parent
	}
	return parent
}

// sizes returns the sizes of the subtrees, by record.
func sizes(parent []int32) []int32 {
	size := make([]int32, len(parent))
	for i := len(size) - 1; i >= 0; i-- {
		size[i]++
		if p := parent[i]; p >= 0 {
			size[p] += size[i]
		}
	}
	return size
}

// offsets returns the preorder distance of each record from its parent: 1 plus the sizes of the siblings before it, in the order of tasks. A record
// without a parent among the records has its distance from the first record.
func (b *builder) offsets(parent, size []int32) []int32 {
	place := make([]int32, b.n)
	given := make([]int32, b.n) // by parent: sizes of the children so far
	roots := int32(0)
	b.byTask(func(i int32) {
		if p := parent[i]; p >= 0 {
			place[i] = given[p] + 1
			given[p] += size[i]
		} else {
			place[i] = roots
			roots += size[i]
		}
	})
	return place
}

// addUp turns offsets into preorder numbers. Parents precede their children in the order of the trace.
func addUp(place, parent []int32) {
	for i, p := range parent {
		if p >= 0 {
			place[i] += place[p]
		}
	}
}

// byTask calls f for each record in the order of tasks.
func (b *builder) byTask(f func(i int32)) {
	if b.index.Each(f) {
		return
	}
	type keyed struct {
		task uint64
		i    int32
	}
	all := make([]keyed, b.n)
	for i := range b.n {
		all[i] = keyed{b.record(i).task, i}
	}
	slices.SortFunc(all, func(x, y keyed) int {
		if x.task < y.task {
			return -1
		}
		return 1 // tasks are unique
	})
	for _, k := range all {
		f(k.i)
	}
}

// fill writes the tree's arrays from front to back, two halves in parallel, because reading the records, which are in the order of the trace, takes
// most of the time.
func (b *builder) fill(t *Tree, size, place []int32) {
	at := make([]int32, b.n) // the record of each preorder number
	for i, p := range place {
		at[p] = int32(i)
	}
	const parts = 2
	heights := [parts]int32{-1, -1}
	parallel.Range(int(b.n), (int(b.n)+parts-1)/parts, parts, func(worker, first, end int) {
		h := heights[worker]
		for k := first; k < end; k++ {
			i := at[k]
			r := b.record(i)
			t.set(k, r)
			t.Size[k] = size[i]
			t.Parent[k] = -1
			if r.parent >= 0 {
				t.Parent[k] = place[r.parent]
			}
			h = max(h, r.level)
		}
		heights[worker] = h
	})
	t.Height = max(heights[0], heights[1])
}
