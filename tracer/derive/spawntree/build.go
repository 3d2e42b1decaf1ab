package spawntree

import (
	"slices"

	"whorl/tracer"
	"whorl/tracer/taskindex"
)

// A builder collects records in the order of the trace. A parent precedes its children.
type builder struct {
	index   taskindex.Index // of the records
	pages   []page
	n       int32
	ranges  ranges // of the packed records
	last    int64  // time of the last event
	threads bool   // the trace has threads

	old    *Tree             // the tree to extend, nil for none
	nodes  *Index            // of old
	lifted map[int32]*record // nodes of old with new events

	orphans, ignored int
}

const (
	pageBits = 14
	pageLen  = 1 << pageBits
)

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
		return b.old.Level.At(int(inOld(at)))
	}
	p, k := &b.pages[at>>pageBits], at&(pageLen-1)
	if p.rows == nil {
		return p.level.At(int(k))
	}
	return p.rows.level[k]
}

// add adds the record of a new node whose parent is ref.
func (b *builder) add(r record, ref uint64) error {
	if int(b.n)+b.old.Len() >= maxNodes {
		return errTooMany
	}
	if b.n&(pageLen-1) == 0 {
		b.turn()
	}
	r.parent = -1
	if p, ok := b.find(ref); ok && ref != 0 {
		r.parent, r.level = p, b.level(p)+1
	} else if ref != 0 {
		b.orphans++
	}
	b.pages[b.n>>pageBits].rows.set(b.n&(pageLen-1), &r)
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
		b.thread(e, at)
	}
	return nil
}

// change calls f for the record of a thread. It returns the parent of the thread, and false for a goal, which does not change.
func (b *builder) change(at int32, f func(*record)) (parent int32, thread bool) {
	if at < 0 {
		r := b.lift(inOld(at))
		if r == nil {
			return -1, false
		}
		f(r)
		return r.parent, true
	}
	w, k := b.pages[at>>pageBits].rows, at&(pageLen-1)
	if w == nil || w.state[k]&goal != 0 {
		return -1, false
	}
	r := w.record(k)
	f(&r)
	w.set(k, &r)
	return r.parent, true
}

// thread records when a thread begins and stops running.
func (b *builder) thread(e *tracer.Event, at int32) {
	joiner, thread := b.change(at, func(r *record) {
		switch e.Kind {
		case tracer.Start:
			r.start(e)
		case tracer.JoinEnd, tracer.Wake:
			r.run(e.Time)
		case tracer.JoinBegin, tracer.Wait:
			r.rest(e.Time)
		case tracer.End:
			r.end(e.Time)
		}
	})
	known := joiner != -1
	if e.Ref != 0 {
		joiner, known = b.find(e.Ref)
	}
	if thread && known && e.Peer == tracer.Inline { // the joiner waits for a thread that runs on its stack
		b.change(joiner, func(up *record) {
			switch e.Kind {
			case tracer.Start:
				up.rest(e.Time)
			case tracer.End:
				up.run(e.Time)
			}
		})
	}
}

// tree puts the records in preorder. It calls tick between its steps, and ends with its error.
func (b *builder) tree(tick func() error) (*Tree, error) {
	b.pack()
	t := b.newTree(int(b.n))
	place, err := b.places(t, tick)
	if err != nil {
		return nil, err
	}
	if err := b.fill(t, place, tick); err != nil {
		return nil, err
	}
	t.link()
	return t, tick()
}

// places returns the preorder numbers of the records in t, whose sizes and parents it overwrites. tick is as for tree.
func (b *builder) places(t *Tree, tick func() error) ([]int32, error) {
	parent := b.parents()
	if err := sizes(t.Size, parent, piece, tick); err != nil {
		return nil, err
	}
	place := make([]int32, b.n)
	if err := b.offsets(place, parent, t.Size, t.Parent, tick); err != nil {
		return nil, err
	}
	b.index = taskindex.Index{}
	return place, addUp(place, parent, piece, tick)
}

// newTree returns a tree of n nodes to be filled.
func (b *builder) newTree(n int) *Tree {
	t := newTree(n)
	t.ranges = b.ranges
	t.Orphans, t.Ignored, t.last = b.orphans, b.ignored, b.last
	if b.threads {
		t.state = make([]state, n)
	}
	return t
}

// parents returns the parents by record.
func (b *builder) parents() []int32 {
	parent := make([]int32, 0, b.n)
	for i := range b.pages {
		parent = append(parent, b.pages[i].parent...)
		b.pages[i].parent = nil
	}
	return parent
}

// piece is the number of records between two ticks.
const piece = 1 << 20

// sizes sets the sizes of the subtrees, which are 0, by record. It calls tick after each piece of the records, and ends with its error.
func sizes(size, parent []int32, piece int, tick func() error) error {
	for end := len(size); end > 0; end -= piece {
		for i := end - 1; i >= max(end-piece, 0); i-- {
			size[i]++
			if p := parent[i]; p >= 0 {
				size[p] += size[i]
			}
		}
		if err := tick(); err != nil {
			return err
		}
	}
	return nil
}

// offsets sets the preorder distance of each record from its parent: 1 plus the sizes of the siblings before it, in the order of tasks. A record
// without a parent among the records has its distance from the first record. given is the sum of the sizes of the children so far by parent, 0 at
// the beginning. tick is as for tree.
func (b *builder) offsets(place, parent, size, given []int32, tick func() error) (err error) {
	roots, n := int32(0), 0
	b.byTask(func(i int32) {
		if n++; n%piece == 0 && err == nil {
			err = tick()
		}
		if p := parent[i]; p >= 0 {
			place[i] = given[p] + 1
			given[p] += size[i]
		} else {
			place[i] = roots
			roots += size[i]
		}
	})
	return err
}

// addUp turns offsets into preorder numbers. Parents precede their children in the order of the trace. It calls tick after each piece of
// the records, and ends with its error.
func addUp(place, parent []int32, piece int, tick func() error) error {
	for first := 0; first < len(parent); first += piece {
		for i, p := range parent[first:min(first+piece, len(parent))] {
			if p >= 0 {
				place[first+i] += place[p]
			}
		}
		if err := tick(); err != nil {
			return err
		}
	}
	return nil
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
		all[i] = keyed{b.task(i), i}
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

// task returns the task of a packed record.
func (b *builder) task(i int32) uint64 { return b.pages[i>>pageBits].task.At(int(i & (pageLen - 1))) }
