package totals

import "whorl/tracer/taskindex"

// A table holds the largest value of each task.
type table struct{ values taskindex.Table[int64] } // + 1

// get returns the value of a task, 0 for none.
func (t *table) get(task uint64) int64 { return max(t.values.Get(task)-1, 0) }

// raise sets the value of a task to at least v. It returns 1 if the task is new, otherwise 0.
func (t *table) raise(task uint64, v int64) int64 {
	old, v := t.values.Get(task), max(v, 0)+1
	if v > old {
		t.values.Put(task, v)
	}
	if old == 0 {
		return 1
	}
	return 0
}
