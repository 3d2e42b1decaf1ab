package spawntree

import (
	"fmt"

	"whorl/tracer"
)

// A Pass reads a trace from front to back and holds only the nodes of which children are still to come, as the paper's two passes do
// (Figures 5 and 7): Height is the first, Condensed or Subtree the second. How many children a goal has is what the code table says of
// its clause; a thread can have children until it ends. A goal that waits for a child that never reduces keeps its entry.
//
// Where the child counts of a trace are missing or too small, or a record is, a goal turns up whose parent has no entry. That is an
// error, a *LostParentError; KeepAll, or Build, reads such a trace. Counts that are too large only cost memory.
type Pass struct {
	Table   Table // empty at the start; nil for a Hash
	KeepAll bool  // never drop an entry: no counts are needed, and a goal whose parent has no entry is an orphan, as in Build
}

// A Shape is what the first pass finds out.
type Shape struct {
	Nodes   int64
	Height  int32 // largest level, -1 for no nodes
	Roots   int64 // orphans included
	Orphans int64
	Ignored int64 // as in Tree; without KeepAll a goal's second reduction is not always seen as one
}

// A LostParentError says that a goal or thread was created by one that, by what the trace says, has no more children.
type LostParentError struct {
	Task, Parent uint64
	Time         int64  // ns; of the child's event
	Code         string // the child's clause or function
}

func (e *LostParentError) Error() string {
	return fmt.Sprintf("spawntree: task %d (%s, at %d ns) is a child of task %d, of which no more children were expected: want child"+
		" counts of the clauses in the code table, and the parent's record before this one; a tree built in memory needs neither counts",
		e.Task, e.Code, e.Time, e.Parent)
}

// Height reads the trace for the first time (Figure 5): it returns the height of the tree without making one.
func (p Pass) Height(src tracer.Source) (Shape, error) {
	w := p.walk(src)
	err := w.scan(src)
	return w.shape, err
}

// Condensed reads the trace for the second time (Figure 7) and makes the tree of the levels that are drawn, which are numbered by drawn:
// it returns a level's number and true, or false for a level to be left out. Level 0 must be drawn. What hung from a node left out hangs
// from its nearest ancestor left, in the order it had. The result's Level has the numbers of drawn.
func (p Pass) Condensed(src tracer.Source, drawn func(level int32) (ordinal int32, drawn bool)) (*Tree, error) {
	w := p.walk(src)
	w.sk, w.drawn = &skeleton{}, drawn
	return w.tree(src)
}

// Subtree reads the trace for the second time and makes the tree below a task, with nothing left out: the task's entry has a flag, which
// its descendants inherit. The task has level 0 in it. The tree is empty where the trace has no such node.
func (p Pass) Subtree(src tracer.Source, task uint64) (*Tree, error) {
	w := p.walk(src)
	w.sk, w.top = &skeleton{}, task
	w.drawn = func(level int32) (int32, bool) { return level, true }
	return w.tree(src)
}

func (p Pass) walk(src tracer.Source) *walker {
	w := &walker{Pass: p, dict: src.Dict(), shape: Shape{Height: -1}}
	if w.Table == nil {
		w.Table = &Hash{}
	}
	return w
}

// A walker is a pass under way.
type walker struct {
	Pass
	dict  *tracer.Dict
	codes []tracer.Code
	shape Shape
	last  int64 // time of the last event

	// Of a second pass.
	sk       *skeleton
	drawn    func(int32) (int32, bool)
	top      uint64 // root of the subtree that was asked for, 0 for the whole tree
	topLevel int32
}

func (w *walker) scan(src tracer.Source) error {
	return src.Scan(kinds, func(es []tracer.Event) error {
		for i := range es {
			if err := w.event(&es[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *walker) tree(src tracer.Source) (*Tree, error) {
	if err := w.scan(src); err != nil {
		return nil, err
	}
	t := w.sk.tree(w.last)
	if t.Ignored = int(w.shape.Ignored); w.top == 0 {
		t.Orphans = int(w.shape.Orphans)
	}
	return t, nil
}

func (w *walker) code(id uint32) *tracer.Code {
	if int(id) >= len(w.codes) {
		w.codes = w.dict.Codes() // entries may have come since
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
	own := w.Table.Get(e.Task)
	switch {
	case e.Kind == tracer.Reduce && own == nil:
		return w.node(reduction(e), e.Ref, max(w.code(e.Code).Children, 0))
	case e.Kind == tracer.Fork && own == nil:
		return w.node(fork(e), e.Ref, unknown)
	case e.Kind == tracer.Start && own == nil:
		if err := w.node(mainThread(e), 0, unknown); err != nil {
			return err
		}
		own = w.Table.Get(e.Task)
	case e.Kind == tracer.Reduce || e.Kind == tracer.Fork:
		w.shape.Ignored++
		return nil
	}
	if own != nil && own.Left == unknown {
		w.thread(e, own)
	}
	return nil
}

// get returns the entry of a task or of none.
func (w *walker) get(task uint64) *Entry {
	if task == 0 {
		return nil
	}
	return w.Table.Get(task)
}

// thread notes when a thread runs and when not, and drops its entry when it ends for good.
func (w *walker) thread(e *tracer.Event, own *Entry) {
	note := func(own *Entry, f func(*record)) {
		if own != nil && own.Own {
			f(w.sk.record(own.Node))
		}
	}
	run := func(r *record) { r.run(e.Time) }
	rest := func(r *record) { r.rest(e.Time) }
	joiner := own.Parent // of a thread that runs on its stack
	if e.Ref != 0 {
		joiner = e.Ref
	}
	switch e.Kind {
	case tracer.Start:
		note(own, func(r *record) { r.start(e) })
		if e.Peer == tracer.Inline {
			note(w.get(joiner), rest)
		}
	case tracer.JoinEnd:
		note(own, run)
	case tracer.JoinBegin:
		note(own, rest)
	case tracer.End:
		note(own, func(r *record) { r.end(e.Time) })
		if e.Value != failed && !w.KeepAll {
			w.drop(e.Task, own)
		}
		if e.Peer == tracer.Inline {
			note(w.get(joiner), run)
		}
	}
}

// failed is the value of an End after which a thread may start again.
const failed = 1

// node enters a new node (hash-consumer and hash-producer in one).
func (w *walker) node(r record, ref uint64, left int32) error {
	own := Entry{Parent: ref, Left: left, Node: -1, link: -1}
	above := w.get(ref)
	switch {
	case above != nil:
		own.Level, own.Flag, own.Node, own.link = above.Level+1, above.Flag, above.Node, above.link
	case ref != 0 && !w.KeepAll:
		return &LostParentError{Task: r.task, Parent: ref, Time: r.time, Code: w.code(r.code).Name}
	default:
		own.Parent = 0
		w.shape.Roots++
		if ref != 0 {
			w.shape.Orphans++
		}
	}
	w.shape.Nodes++
	w.shape.Height = max(w.shape.Height, own.Level)
	if w.sk != nil {
		if err := w.grow(r, &own); err != nil {
			return err
		}
	}
	if above != nil && above.Left > 0 && !w.KeepAll {
		if above.Left--; above.Left == 0 {
			w.drop(ref, above)
		}
	}
	if left != 0 || w.KeepAll {
		w.Table.Put(r.task, own)
	}
	return nil
}

// grow enters the node into the tree of the second pass, or a link to what may come below it where its level is left out.
func (w *walker) grow(r record, own *Entry) error {
	if w.top == 0 {
		own.Flag = true
	} else if r.task == w.top && !own.Flag {
		own.Flag, own.Node, own.link, w.topLevel = true, -1, -1, own.Level
	}
	if !own.Flag {
		return nil
	}
	level, drawn := w.drawn(own.Level - w.topLevel)
	if !drawn && own.Left == 0 && !w.KeepAll {
		return nil
	}
	rec := int32(linkRec)
	if drawn {
		r.level = level
		var err error
		if rec, err = w.sk.keep(r); err != nil {
			return err
		}
		own.Node, own.Own = rec, true
	}
	own.link = w.sk.add(own.link, r.task, rec)
	return nil
}

// drop lets go of an entry that waits for no more children.
func (w *walker) drop(task uint64, e *Entry) {
	if e.link >= 0 {
		w.sk.close(e.link)
	}
	w.Table.Drop(task)
}
