// Package filter makes the part of a trace that an expression selects. The part is a whole trace with the same PEs, codes and tasks, which all views can
// show (package cut); expressions are those of selections (package selector).
package filter

import (
	"cmp"
	"fmt"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/spawntree"
	"whorl/tracer/query"
	"whorl/visual/network/cut"
	"whorl/visual/view"
	"whorl/visual/view/selector"
)

// Part returns the part of a trace that an expression selects. tick may be nil; its error ends the work.
func Part(src tracer.Source, where string, tick cut.Tick) (tracer.StreamSource, error) {
	var tree *spawntree.Tree
	grow := func() (t *spawntree.Tree, err error) {
		if tree == nil {
			tree, err = spawntree.Grow(src, nil, tick)
		}
		return tree, err
	}
	s, err := selector.New("", src, grow).Select(where)
	if err != nil {
		return nil, err
	}
	if s.Unknown() {
		return nil, view.NotNow("a filter keeps procedures, not single calling contexts: select a procedure")
	}
	k := keeper{pes: view.Joined(s.PEs), codes: codesIn(src.Dict().Codes(), &s), tasks: len(s.Tasks) > 0}
	if s.Time != nil {
		part, err := cut.Time(src, s.Time.First, s.Time.Last, tick)
		if err != nil || k.pes == nil && k.codes == nil && !k.tasks {
			return part, err
		}
		src = part
	}
	if k.own, k.below, err = tasksIn(s.Tasks, grow); err != nil {
		return nil, err
	}
	states := k.codes == nil && !k.tasks // the test is about PEs alone
	return cut.Select(src, cut.Selection{What: where, Keep: k.keeps, States: states, Threads: !states}, tick)
}

// And returns the expression that holds where both hold, the one that is not empty if there is only one.
func And(a, b string) string {
	if a == "" || b == "" || a == b {
		return cmp.Or(a, b)
	}
	both := "(" + a + ") and (" + b + ")"
	if e, err := query.Parse(both); err == nil {
		return e.String()
	}
	return both
}

// A keeper decides which events a filter keeps.
type keeper struct {
	pes   view.Spans
	codes []bool // by code; nil for all
	tasks bool   // only own and below
	own   []view.Tasks
	below map[uint64]bool // the descendants of selected tasks
}

func (k *keeper) keeps(e *tracer.Event, code uint32) bool {
	if k.pes != nil && !k.pes.Contains(int64(e.PE)) || k.codes != nil && (int(code) >= len(k.codes) || !k.codes[code]) {
		return false
	}
	if !k.tasks {
		return true
	}
	_, found := slices.BinarySearchFunc(k.own, e.Task, func(t view.Tasks, task uint64) int {
		switch {
		case t.Last < task:
			return -1
		case t.First > task:
			return 1
		}
		return 0
	})
	return found || k.below[e.Task]
}

// codesIn returns the codes that a selection names, by their procedures or their lines; nil if it names none.
func codesIn(codes []tracer.Code, s *view.Selection) []bool {
	if len(s.Codes) == 0 && len(s.Lines) == 0 {
		return nil
	}
	in := make([]bool, len(codes))
	for c := range codes {
		named, placed := len(s.Codes) == 0, len(s.Lines) == 0
		for at := uint32(c); int(at) < len(codes) && at != 0; at = codes[at].Parent {
			k := &codes[at]
			named = named || slices.Contains(s.Codes, at)
			placed = placed || slices.ContainsFunc(s.Lines, func(l view.Lines) bool {
				return l.First <= k.Line && k.Line <= l.End() && view.SameFile(l.File, k.File)
			})
		}
		in[c] = named && placed
	}
	return in
}

// tasksIn returns ascending ranges of the selected tasks, and the descendants of those that are selected with their subtrees.
func tasksIn(tasks []view.Tasks, grow func() (*spawntree.Tree, error)) (own []view.Tasks, below map[uint64]bool, err error) {
	below = map[uint64]bool{}
	for _, t := range tasks {
		if !t.Subtree {
			t.Last = max(t.First, t.Last)
			own = append(own, t)
			continue
		}
		own = append(own, view.Tasks{First: t.First, Last: t.First})
		tree, err := grow()
		if err != nil {
			return nil, nil, err
		}
		root := tree.Index().Node(t.First)
		if root < 0 {
			return nil, nil, fmt.Errorf("task %d is not a node of the tree", t.First)
		}
		for i := int(root); i < int(root)+int(tree.Size[root]); i++ {
			below[tree.Task.At(i)] = true
		}
	}
	return view.JoinedTasks(own), below, nil
}
