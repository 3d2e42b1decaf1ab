package timeplot

import (
	"cmp"
	"slices"
	"sort"

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
	RowsAll     = "all"
)

// Rows is the parameter of views whose rows are PEs, tasks or groups of tasks. The views of a trace share it.
var Rows = view.Param{
	Name: "rows", Label: "Rows", Doc: "a row for each PE; in a run of threads also for each task (goroutine, thread or rank), or for each group of tasks with the same function. " +
		"Of more than 128 tasks only those that run longest have rows of their own, unless all are asked for", Default: RowsByPE,
	Choices: []string{RowsByPE, RowsByTask, RowsByGroup, RowsAll}, Common: true,
}

// If a run has more than mostApart tasks, RowsByTask folds them. Then the mostLongest tasks that run longest, and longer than the mean, have rows of their own.
const (
	mostApart   = 128
	mostLongest = 48
)

// TaskRows are the rows of a picture by task: the tasks of each function together, each in the order of their births. The function whose tasks run,
// or wait for a PE, longest is first. In a picture by group, each function is a row. If tasks are too many, those that run longest
// come first among those of their functions; each of them is a group and a row, and so are all others of a function.
type TaskRows struct {
	By     string // value of Rows
	Tasks  []uint64
	Groups []RowGroup
	Left   int64 // tasks without a row
	folded bool  // a row is a group
	source *tasklanes.Source
}

// A RowGroup is tasks of a function, up to the first of the next group.
type RowGroup struct {
	Code  uint32
	First int // in Tasks
}

// TaskRowsStage orders the tasks. It is nil if rows are PEs, and for traces of goals, which run but once.
var TaskRowsStage = flow.Derive("taskrows", "the tasks in the order of their rows",
	flow.In(view.Trace, LivesStage), flow.Params{Rows.Name},
	func(c *flow.Call[*TaskRows]) (*TaskRows, error) {
		src := view.Trace.In(c)
		if c.Params.Text(Rows.Name) == RowsByPE || src.Counts()[tracer.Reduce] > 0 {
			return (*TaskRows)(nil), nil
		}
		w, err := LivesStage.In(c).Waits(c.Tick)
		if err != nil {
			return nil, err
		}
		return newTaskRows(src, w, c.Params.Text(Rows.Name)), nil
	})

// ByTask lets the rows of a picture be tasks or groups of tasks, as the parameter Rows says.
var ByTask = flow.Instead(ActivityStage, flow.Derive("taskstates", "states of each PE over time, or of each task or group",
	flow.In(sampledStage, TaskRowsStage), nil,
	func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
		if r := TaskRowsStage.In(c); r != nil {
			return activity.Build(r.source, nil, c.Tick)
		}
		return sampledStage.In(c), nil
	}))

// ByQueue is ByTask for pictures of all tasks together: each task has a row, and overhead is the time that it waits for a PE.
var ByQueue = flow.Instead(ActivityStage, flow.Derive("queues", "states of each PE over time, or of each task with its time in the queue",
	flow.In(sampledStage, view.Trace, TaskRowsStage), nil,
	func(c *flow.Call[*activity.Activity]) (*activity.Activity, error) {
		if r := TaskRowsStage.In(c); r != nil {
			return activity.Build(tasklanes.Queues(view.Trace.In(c), r.Tasks), nil, c.Tick)
		}
		return sampledStage.In(c), nil
	}))

func newTaskRows(src tracer.Source, w *waits.Waits, by string) *TaskRows {
	r := &TaskRows{
		By: by, Tasks: make([]uint64, 0, len(w.Tasks)), Left: w.All.Tasks - int64(len(w.Tasks)),
		folded: by == RowsByGroup || by == RowsByTask && len(w.Tasks) > mostApart,
	}
	apart := map[uint64]bool{}
	if r.folded && by == RowsByTask {
		var order []*waits.Task
		for i := range w.Tasks {
			if t := &w.Tasks[i]; runs(&t.Times) >= runs(&w.All.Times)/w.All.Tasks {
				order = append(order, t)
			}
		}
		slices.SortStableFunc(order, func(a, b *waits.Task) int { return cmp.Compare(runs(&b.Times), runs(&a.Times)) })
		for _, t := range order[:min(mostLongest, len(order))] {
			apart[t.ID] = true
		}
	}
	tasks := map[uint32][]uint64{} // by function, those apart first
	for _, want := range [...]bool{true, false} {
		for i := range w.Tasks {
			if t := &w.Tasks[i]; apart[t.ID] == want {
				tasks[t.Code] = append(tasks[t.Code], t.ID)
			}
		}
	}
	functions := slices.Clone(w.Groups)
	slices.SortStableFunc(functions, func(a, b waits.Group) int { return cmp.Compare(unblocked(&b.Times), unblocked(&a.Times)) })
	for _, f := range functions {
		for i, task := range tasks[f.Code] {
			if i == 0 || apart[tasks[f.Code][i-1]] {
				r.Groups = append(r.Groups, RowGroup{f.Code, len(r.Tasks)})
			}
			r.Tasks = append(r.Tasks, task)
		}
	}
	if r.folded {
		r.source = tasklanes.Groups(src, r.Tasks, len(r.Groups), r.groupOf)
	} else {
		r.source = tasklanes.New(src, r.Tasks)
	}
	return r
}

// runs returns the time in which tasks run, or the system works for them.
func runs(t *waits.Times) int64 { return unblocked(t) - t[waits.Ready] }

// unblocked returns the time in which tasks run, or could run.
func unblocked(t *waits.Times) int64 { return t.Sum() - t[waits.Blocked] }

// Len returns the number of rows.
func (r *TaskRows) Len() int {
	if r.folded {
		return len(r.Groups)
	}
	return len(r.Tasks)
}

// groupOf returns the index of the group of Tasks[i].
func (r *TaskRows) groupOf(i int) int {
	return max(sort.Search(len(r.Groups), func(k int) bool { return r.Groups[k].First > i })-1, 0)
}

// Group returns the index of the group of a row.
func (r *TaskRows) Group(row int) int {
	if r.folded {
		return max(min(row, len(r.Groups)-1), 0)
	}
	return r.groupOf(row)
}

// Row returns the row of a task, false if it has none.
func (r *TaskRows) Row(task uint64) (int, bool) { return r.source.Lane(task) }

// Rows returns the first row of a group and the one after its last.
func (r *TaskRows) Rows(group int) (first, end int) {
	if r.folded {
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

// GroupName returns the name of a group: its function, and how many tasks it has, or which one.
func (r *TaskRows) GroupName(run *view.Run, group int) string {
	first, end := r.tasks(group)
	code := r.Groups[group].Code
	switch n := end - first; {
	case n > 1:
		return figures.Count(int64(n)) + " " + run.Name(code)
	case r.folded && r.By == RowsByTask:
		return run.TaskName(r.Tasks[first], code)
	}
	return run.Name(code)
}

// Name returns the name of a row: its function and its task, or that of its group.
func (r *TaskRows) Name(run *view.Run, row int) string {
	switch {
	case row < 0 || row >= r.Len():
		return ""
	case r.folded:
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
	first, last = r.span(first, last)
	s := figures.Counted(int64(last-first+1), "task")
	functions := 1
	for k := a + 1; k <= b; k++ {
		if r.Groups[k].Code != r.Groups[k-1].Code {
			functions++
		}
	}
	if functions == 1 {
		return s + " of " + run.Name(r.Groups[a].Code)
	}
	return s + " of " + figures.Count(int64(functions)) + " functions"
}

// span returns the indices in Tasks of the first and the last task of rows.
func (r *TaskRows) span(first, last int) (int, int) {
	if r.folded {
		first, _ = r.tasks(r.Group(first))
		_, last = r.tasks(r.Group(last))
		last--
	}
	return first, last
}

// mostSelected is the largest number of tasks that a row selects one by one.
const mostSelected = 1024

// Selection selects the rows from first to last: their tasks one by one, or the functions of groups and of more than mostSelected tasks.
func (r *TaskRows) Selection(trace string, first, last int) view.Selection {
	s := view.Selection{Trace: trace}
	a, b := r.span(first, last)
	if r.By == RowsByGroup || b-a >= mostSelected {
		for k := r.Group(first); k <= r.Group(last); k++ {
			if code := r.Groups[k].Code; code != 0 {
				s.Codes = append(s.Codes, code)
			}
		}
		s.Codes = slices.Compact(s.Codes) // the groups of a function are together
		return s
	}
	for _, task := range r.Tasks[max(a, 0):min(b+1, len(r.Tasks))] {
		if k := len(s.Tasks) - 1; k >= 0 && max(s.Tasks[k].First, s.Tasks[k].Last)+1 == task {
			s.Tasks[k].Last = task
			continue
		}
		s.Tasks = append(s.Tasks, view.Tasks{First: task})
	}
	return s
}

// Members returns the tasks of a row.
func (r *TaskRows) Members(row int) []uint64 {
	a, b := r.span(row, row)
	return r.Tasks[a : b+1]
}

// Notes explains the rows.
func (r *TaskRows) Notes() []string {
	notes := []string{"The tasks of a function are together, in the order of their births."}
	if r.folded {
		notes[0] = "A row of several tasks is busy while any of them runs, and has overhead while none runs and any has overhead."
		if r.By == RowsByTask {
			notes = append(notes, "Up to "+figures.Count(mostLongest)+" tasks that run longer than the mean have rows of their own; the others of a function share one.")
		}
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

// Noun returns the name for n rows of a picture: PEs, tasks, functions, or rows where some are tasks and others several tasks.
func (r *TaskRows) Noun(n int64) string {
	s := "PE"
	switch {
	case r == nil:
	case r.By == RowsByGroup:
		s = "function"
	case r.folded && n != 1:
		s = "row"
	default:
		s = "task"
	}
	if n != 1 {
		s += "s"
	}
	return s
}
