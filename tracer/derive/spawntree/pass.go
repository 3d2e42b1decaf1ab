package spawntree

import (
	"errors"
	"fmt"
	"math"

	"whorl/internal/hashtable"
	"whorl/tracer"
)

// A Pass reads a trace from front to back and holds only the nodes that still wait for children, as the paper's two passes do (Figures 5 and 7):
// Measure is the first pass, Condense the second, which a tree that is not too high does not need. The code table gives the number of children of a
// goal; a thread can have children until it ends. A goal that waits for a child that never reduces keeps its entry.
//
// If the child counts of a trace are missing or too small, or a record is missing, the parent of a goal has no entry. This is an error, a
// *LostParentError; KeepAll or Grow reads such a trace. Counts that are too large only cost memory.
type Pass struct {
	Task    uint64                        // root of the subtree to read; 0 reads the whole tree
	KeepAll bool                          // never drop an entry: counts are not needed, and a goal whose parent has no entry is an orphan, as in Grow
	Memory  int64                         // bytes that the result may take until it is drawn; 0 is no limit
	Detail  int64                         // nodes that are enough to keep, where Memory holds more: folding begins there; 0 keeps as many as Memory holds
	Events  int64                         // stop after this many events of the tree, for a picture of the beginning; 0 reads all
	Tick    func(done, total int64) error // gets the number of events read so far; its error ends the pass. May be nil
}

// A Shape is the result of the first pass.
type Shape struct {
	Nodes   int64
	Height  int32 // largest level, -1 for no nodes
	Roots   int64 // orphans included
	Orphans int64
	Ignored int64 // as in Tree; without KeepAll some repeated reductions of a goal are not recognised
}

// A Condensation describes a tree that was condensed while it was read.
type Condensation struct {
	Shape         // of the tree that was read
	Tally  *Tally // of its nodes
	Memory int64  // that of the pass
	Until  int64  // time of the last event that was read, in ns
	Part   bool   // the pass stopped before the end of the trace
}

// A LostParentError reports a goal or thread whose parent can have no more children according to the counts of the trace.
type LostParentError struct {
	Task, Parent uint64
	Time         int64  // ns; of the child's event
	Code         string // the child's clause or function
}

func (e *LostParentError) Error() string {
	return fmt.Sprintf("task %d (%s, at %d ns) is a child of task %d, which expected no more children: the code table needs the"+
		" child counts of its clauses, and the trace the parent's record before this one; a tree built in memory needs neither",
		e.Task, e.Code, e.Time, e.Parent)
}

// NodeBytes is the memory that a node of a condensed tree takes until it is drawn: its joint and its record while the tree is read, its
// entries in the arrays of the tree, the layout and the picture, and garbage.
const NodeBytes = 320

// Measure reads the trace for the first time (Figure 5): it finds the shape of the tree. If no level is above most, it also returns the tree with all
// levels, condensed as by Condense, so that no second pass is needed; for a higher tree it returns nil. A negative most asks for no tree.
func (p Pass) Measure(src tracer.Source, most int32) (Shape, *Tree, error) {
	w := p.walk(src)
	w.begin(most, func(level int32) (int32, bool) { return level, true })
	w.bounded = true
	t, err := w.tree(src)
	return w.shape, t, err
}

// Condense reads the trace for the second time (Figure 7) and makes the tree of the drawn levels. drawn returns the ordinal of a level and true,
// or false for a level to omit. Level 0, the level of p.Task if a subtree is read, must be drawn. The children of an omitted node become children
// of its nearest drawn ancestor, in the same order. The field Level of the result holds ordinals.
//
// If p.Memory does not hold these nodes, light subtrees are folded into chains, whose nodes stand for several nodes (Tree.Stands). height is the
// height from Measure. Condense returns a *MemoryError if folding does not suffice, because too many nodes wait for children.
func (p Pass) Condense(src tracer.Source, height int32, drawn func(level int32) (ordinal int32, drawn bool)) (*Tree, error) {
	w := p.walk(src)
	last := int32(0)
	if height > 0 {
		last, _ = drawn(height)
	}
	w.begin(last, drawn)
	return w.tree(src)
}

// begin begins a tree whose largest ordinal of a drawn level is last.
func (w *walker) begin(last int32, drawn func(int32) (int32, bool)) {
	w.drawn = drawn
	w.sk = newSkeleton(w.most, last)
	if w.Detail > 0 {
		w.sk.most = int(max(min(w.Detail, int64(w.most)), 64))
	}
}

func (p Pass) walk(src tracer.Source) *walker {
	w := &walker{Pass: p, dict: src.Dict(), shape: Shape{Height: -1}}
	w.codes = w.dict.Codes()
	if p.Memory > 0 {
		w.most = int(max(min(p.Memory/NodeBytes, math.MaxInt32), 64))
	}
	for k, n := range src.Counts() {
		if kinds.Contains(tracer.Kind(k)) {
			w.events += n
		}
	}
	return w
}

// An entry is a row of the table of Figure 6: a node that may still get children.
type entry struct {
	parent uint64 // task of the parent, 0 for a root
	level  int32
	left   int32 // children still to come; unknown for a thread, which keeps its entry until it ends
	node   int32 // in a tree: record of the node, or of its nearest drawn ancestor if its level is omitted
	own    int32 // in a tree: record of the node itself, -1 for a goal whose level is omitted
	link   int32 // its joint in the skeleton
	flag   bool  // the node is in the requested subtree
}

// unknown is the left of a thread.
const unknown = -1

// A walker is a pass in progress.
type walker struct {
	Pass
	dict   *tracer.Dict
	codes  []tracer.Code
	shape  Shape
	last   int64           // time of the last event
	most   int             // nodes that the pass may hold, 0 for no limit
	events int64           // to be read
	read   int64           // events in the batches so far
	part   bool            // it has stopped before the end of the trace
	rows   hashtable.Table // of the table, by task - 1; no task is 0
	table  []entry
	unused []uint32 // rows; their entries are zero

	// The fields below are used only by a pass that makes a tree.

	sk       *skeleton // nil for none, and when the tree has turned out too high
	bounded  bool      // the tree may have no level above the height of the skeleton
	drawn    func(int32) (int32, bool)
	topLevel int32  // level of Task
	all      *Tally // of the whole trace
	shown    *Tally // of the requested subtree
}

// errEnough stops a scan after the events that a pass reads.
var errEnough = errors.New("enough events")

func (w *walker) scan(src tracer.Source) error {
	err := src.Scan(kinds, func(es []tracer.Event) error {
		if left := w.Events - w.read; w.Events > 0 && int64(len(es)) > left {
			es, w.part = es[:left], true
		}
		w.read += int64(len(es))
		for i := range es {
			if err := w.event(&es[i]); err != nil {
				return err
			}
		}
		if w.part {
			return errEnough
		}
		return w.pause()
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// pause calls the pass's Tick.
func (w *walker) pause() error {
	if w.Tick == nil {
		return nil
	}
	total := w.events
	if w.Events > 0 {
		total = min(total, w.Events)
	}
	return w.Tick(min(w.read, total), total)
}

func (w *walker) tree(src tracer.Source) (*Tree, error) {
	w.all = newTally(len(w.codes))
	if w.shown = w.all; w.Task != 0 {
		w.shown = newTally(len(w.codes))
	}
	if err := w.scan(src); err != nil || w.sk == nil {
		return nil, err
	}
	for i := range w.table {
		if e := &w.table[i]; e.left == unknown {
			w.sk.record(e.own).rest(w.last) // a running thread runs until the last event
			w.count(w.sk.record(e.own), e.flag)
			w.discard(e)
		}
	}
	w.all.finish()
	w.shown.finish()
	t := w.sk.tree()
	t.tally, t.Condensed = w.all, &Condensation{w.shape, w.shown, w.Memory, w.last, w.part}
	if t.Ignored = int(w.shape.Ignored); w.Task == 0 {
		t.Orphans = int(w.shape.Orphans)
	}
	return t, nil
}

// count adds a node whose record is final to the tallies.
func (w *walker) count(r *record, shown bool) {
	w.all.add(r.pe, r.code, r.time, r.cost)
	if shown && w.shown != w.all {
		w.shown.add(r.pe, r.code, r.time, r.cost)
	}
}

// discard frees the record of a thread that is not drawn.
func (w *walker) discard(e *entry) {
	if e.own >= 0 && e.own != e.node {
		w.sk.spare = append(w.sk.spare, e.own)
	}
}

func (w *walker) code(id uint32) *tracer.Code {
	if int(id) >= len(w.codes) {
		w.codes = w.dict.Codes() // the dictionary may have grown
		if int(id) >= len(w.codes) {
			return &tracer.Code{}
		}
	}
	return &w.codes[id]
}

func (w *walker) event(e *tracer.Event) error {
	if e.Task == 0 {
		w.shape.Ignored++
		return nil
	}
	w.last = e.Time
	own := w.get(e.Task)
	switch {
	case e.Kind == tracer.Reduce && own == nil:
		return w.node(reduction(e), e.Ref, max(w.code(e.Code).Children, 0))
	case e.Kind == tracer.Fork && own == nil:
		return w.node(fork(e), e.Ref, unknown)
	case e.Kind == tracer.Start && own == nil:
		if err := w.node(mainThread(e), 0, unknown); err != nil {
			return err
		}
		own = w.get(e.Task)
	case e.Kind == tracer.Reduce || e.Kind == tracer.Fork:
		w.shape.Ignored++
		return nil
	}
	if own != nil && own.left == unknown {
		w.thread(e, own)
	}
	return nil
}

// get returns the entry of a task, nil if it has none or is 0. The entry is valid until the next put or drop.
func (w *walker) get(task uint64) *entry {
	if i, ok := w.rows.Get(task - 1); ok {
		return &w.table[i]
	}
	return nil
}

// put enters a task that has no entry.
func (w *walker) put(task uint64, e entry) {
	if n := len(w.unused); n > 0 {
		w.rows.Add(task-1, w.unused[n-1])
		w.table[w.unused[n-1]] = e
		w.unused = w.unused[:n-1]
		return
	}
	w.rows.Add(task-1, uint32(len(w.table)))
	w.table = append(w.table, e)
}

// drop removes the entry of a task that waits for no more children.
func (w *walker) drop(task uint64, e *entry) {
	if e.link >= 0 && w.sk != nil {
		w.sk.close(e.link)
	}
	*e = entry{}
	row, _ := w.rows.Remove(task - 1)
	w.unused = append(w.unused, row)
}

// node enters a new node (hash-consumer and hash-producer in one).
func (w *walker) node(r record, ref uint64, left int32) error {
	own := entry{parent: ref, left: left, node: -1, own: -1, link: -1, flag: w.Task == 0}
	above := w.get(ref)
	switch {
	case above != nil:
		own.level, own.flag, own.node, own.link = above.level+1, above.flag, above.node, above.link
	case ref != 0 && !w.KeepAll:
		return &LostParentError{Task: r.task, Parent: ref, Time: r.time, Code: w.code(r.code).Name}
	default:
		own.parent = 0
		if ref != 0 && w.Task == 0 {
			w.shape.Orphans++
		}
	}
	if r.task == w.Task && !own.flag {
		own.flag, own.node, own.link, w.topLevel = true, -1, -1, own.level
	}
	if own.flag {
		w.shape.Nodes++
		w.shape.Height = max(w.shape.Height, own.level-w.topLevel)
		if own.level == w.topLevel {
			w.shape.Roots++
		}
	}
	if w.bounded && w.sk != nil && w.shape.Height > w.sk.height {
		w.sk = nil
	}
	if w.sk != nil {
		if err := w.grow(r, &own); err != nil {
			return err
		}
	}
	if above != nil && above.left > 0 && !w.KeepAll {
		if above.left--; above.left == 0 {
			w.drop(ref, above)
		}
	}
	if left != 0 || w.KeepAll {
		w.put(r.task, own)
	}
	return w.room()
}

// grow adds the node to the tree of the pass, or a link for its descendants if its level is omitted.
func (w *walker) grow(r record, own *entry) error {
	thread := own.left == unknown
	if !thread {
		w.count(&r, own.flag)
	}
	leaf := own.left == 0 && !w.KeepAll
	level, drawn := int32(0), false
	if own.flag {
		level, drawn = w.drawn(own.level - w.topLevel)
	}
	rec := int32(linkRec)
	if drawn || thread {
		r.level = level
		var err error
		if rec, err = w.sk.keep(r); err != nil {
			return err
		}
		own.own = rec
	}
	if drawn {
		own.node = rec
	} else {
		rec = linkRec
	}
	if drawn || own.flag && !leaf {
		own.link = w.sk.add(own.link, r.task, rec, leaf)
	}
	return nil
}
