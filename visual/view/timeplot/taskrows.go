package timeplot

import (
	"cmp"
	"slices"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/activity"
	"whorl/tracer/derive/tasklanes"
	"whorl/tracer/derive/waits"
	"whorl/visual/flow"
	"whorl/visual/view"
)

// The values of Rows.
const (
	RowsByPE    = "pe"
	RowsByTask  = "task"
	RowsByGroup = "group"
)

// Rows is the parameter of views whose rows are PEs, tasks or groups of tasks. The views of a trace share it.
var Rows = view.Param{
	Name: "rows", Label: "Rows", Doc: "a row for each PE; in a run of threads also for each task (goroutine, thread or rank), or for each group of tasks with the same function", Default: RowsByPE,
	Choices: []string{RowsByPE, RowsByTask, RowsByGroup}, Common: true,
}

// TaskRows are the rows of a picture by task: the tasks of each function together, each in the order of their births. The function whose tasks run,
// or wait for a PE, longest is first. In a picture by group, each function is a row.
type TaskRows struct {
	Tasks   []uint64
	Groups  []RowGroup
	Grouped bool  // a row is a group
	Left    int64 // tasks without a row
	source  *tasklanes.Source
}

// A RowGroup is the tasks of a function, up to the first of the next group.
type RowGroup struct {
	Code  uint32
	First int // in Tasks
}

// TaskRowsStage orders the tasks. It is nil if rows are PEs, and for traces of goals, which run but once.
var TaskRowsStage = flow.Derive("taskrows", "the tasks in the order of their rows",
	flow.In(view.Trace), flow.Params{Rows.Name},
	func(c *flow.Call[*TaskRows]) (*TaskRows, error) {
		src := view.Trace.In(c)
		if c.Params.Text(Rows.Name) == RowsByPE || src.Counts()[tracer.Reduce] > 0 {
			return (*TaskRows)(nil), nil
		}
		w, err := waits.Build(src, c.Tick)
		if err != nil {
			return nil, err
		}
		return newTaskRows(src, w, c.Params.Text(Rows.Name) == RowsByGroup), nil
	})

// ByTask lets the rows of a picture be tasks or groups of tasks, as the parameter Rows says.
var ByTask = flow.Instead(ActivityStage, flow.Derive("taskstates", "states of each PE over time, or of each task or group",
	flow.In(statesStage, TaskRowsStage), nil,
	func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
		if r := TaskRowsStage.In(c); r != nil {
			return activity.Build(r.source, nil, c.Tick)
		}
		return statesStage.In(c), nil
	}))

// ByQueue is ByTask for pictures of all tasks together: each task has a row, and overhead is the time that it waits for a PE.
var ByQueue = flow.Instead(ActivityStage, flow.Derive("queues", "states of each PE over time, or of each task with its time in the queue",
	flow.In(statesStage, view.Trace, TaskRowsStage), nil,
	func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
		if r := TaskRowsStage.In(c); r != nil {
			return activity.Build(tasklanes.Queues(view.Trace.In(c), r.Tasks), nil, c.Tick)
		}
		return statesStage.In(c), nil
	}))

func newTaskRows(src tracer.Source, w *waits.Waits, grouped bool) *TaskRows {
	first := map[uint32]int{} // by function: of its next row
	counts := map[uint32]int{}
	for i := range w.Tasks {
		counts[w.Tasks[i].Code]++
	}
	r := &TaskRows{Tasks: make([]uint64, len(w.Tasks)), Grouped: grouped, Left: w.All.Tasks - int64(len(w.Tasks))}
	n := 0
	ordered := slices.Clone(w.Groups)
	slices.SortStableFunc(ordered, func(a, b waits.Group) int {
		return cmp.Compare(b.Sum()-b.Times[waits.Blocked], a.Sum()-a.Times[waits.Blocked])
	})
	for _, g := range ordered {
		if counts[g.Code] > 0 {
			r.Groups = append(r.Groups, RowGroup{g.Code, n})
			first[g.Code] = n
			n += counts[g.Code]
		}
	}
	for i := range w.Tasks {
		t := &w.Tasks[i]
		r.Tasks[first[t.Code]] = t.ID
		first[t.Code]++
	}
	if grouped {
		r.source = tasklanes.Groups(src, r.Tasks, len(r.Groups), r.groupOf)
	} else {
		r.source = tasklanes.New(src, r.Tasks)
	}
	return r
}

// Len returns the number of rows.
func (r *TaskRows) Len() int {
	if r.Grouped {
		return len(r.Groups)
	}
	return len(r.Tasks)
}

// groupOf returns the index of the group of Tasks[i].
func (r *TaskRows) groupOf(i int) int {
	lo, hi := 0, len(r.Groups)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; r.Groups[mid].First <= i {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Group returns the index of the group of a row.
func (r *TaskRows) Group(row int) int {
	if r.Grouped {
		return max(min(row, len(r.Groups)-1), 0)
	}
	return r.groupOf(row)
}

// Row returns the row of a task, false if it has none.
func (r *TaskRows) Row(task uint64) (int, bool) { return r.source.Lane(task) }

// Rows returns the first row of a group and the one after its last.
func (r *TaskRows) Rows(group int) (first, end int) {
	if r.Grouped {
		return group, group + 1
	}
	return r.tasks(group)
}

// tasks returns the indices in Tasks of the first task of a group and of the one after its last.
func (r *TaskRows) tasks(group int) (first, end int) {
	if group+1 < len(r.Groups) {
		return r.Groups[group].First, r.Groups[group+1].First
	}
	return r.Groups[group].First, len(r.Tasks)
}

// GroupName returns the name of a group: its function, and how many tasks it has.
func (r *TaskRows) GroupName(run *view.Run, group int) string {
	first, end := r.tasks(group)
	name := run.Name(r.Groups[group].Code)
	if n := end - first; n > 1 {
		name = figures.Count(int64(n)) + " " + name
	}
	return name
}

// Name returns the name of a row: its function and its task, or that of its group.
func (r *TaskRows) Name(run *view.Run, row int) string {
	switch {
	case row < 0 || row >= r.Len():
		return ""
	case r.Grouped:
		return r.GroupName(run, row)
	}
	return run.TaskName(r.Tasks[row], r.Groups[r.Group(row)].Code)
}

// Names returns the name of rows from first to last.
func (r *TaskRows) Names(run *view.Run, first, last int) string {
	if first == last {
		return r.Name(run, first)
	}
	a, b := r.Group(first), r.Group(last)
	if r.Grouped {
		first, _ = r.tasks(a)
		_, last = r.tasks(b)
		last--
	}
	s := figures.Counted(int64(last-first+1), "task")
	if a == b {
		return s + " of " + run.Name(r.Groups[a].Code)
	}
	return s + " of " + figures.Count(int64(b-a+1)) + " functions"
}

// mostSelected is the largest number of tasks that a row selects one by one.
const mostSelected = 1024

// Selection selects the rows from first to last: their tasks one by one, or the functions of groups and of more than mostSelected tasks.
func (r *TaskRows) Selection(trace string, first, last int) view.Selection {
	s := view.Selection{Trace: trace}
	if r.Grouped || last-first >= mostSelected {
		for k := r.Group(first); k <= r.Group(last); k++ {
			if code := r.Groups[k].Code; code != 0 {
				s.Codes = append(s.Codes, code)
			}
		}
		return s
	}
	for _, task := range r.Tasks[max(first, 0):min(last+1, len(r.Tasks))] {
		if k := len(s.Tasks) - 1; k >= 0 && max(s.Tasks[k].First, s.Tasks[k].Last)+1 == task {
			s.Tasks[k].Last = task
			continue
		}
		s.Tasks = append(s.Tasks, view.Tasks{First: task})
	}
	return s
}

// Notes explains the rows.
func (r *TaskRows) Notes() []string {
	notes := []string{"The tasks of a function are together, in the order of their births."}
	if r.Grouped {
		notes[0] = "A function is busy while any of its tasks runs, and has overhead while none runs and any has overhead."
	}
	return append(notes, r.LeftOut()...)
}

// LeftOut says how many tasks are not shown.
func (r *TaskRows) LeftOut() []string {
	if r.Left == 0 {
		return nil
	}
	return []string{figures.Count(r.Left) + " tasks are left out."}
}

// Noun returns the name for n rows of a picture: PE, task or function.
func (r *TaskRows) Noun(n int64) string {
	s := "PE"
	switch {
	case r == nil:
	case r.Grouped:
		s = "function"
	default:
		s = "task"
	}
	if n != 1 {
		s += "s"
	}
	return s
}
