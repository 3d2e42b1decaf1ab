package account

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"whorl/tracer/taskindex"
)

// MostTasks is the largest number of tasks that an account lists.
const MostTasks = 100

// A ByTask divides the work of tasks. Work that no task is known for, such as that of sampled programs, is not in it.
type ByTask struct {
	Most  []Task // the tasks with the most work, most first
	Count int64  // of all tasks that worked
	All   Spent  // by all tasks
}

// A Task is what a task spent.
type Task struct {
	ID   uint64
	Code uint32 // of its last work
	Spent
}

// Spent holds the work and the waits of a task, in ns, and its messages. A task waits from a try that ends in suspension until it is resumed, and
// in joins.
type Spent struct {
	Work, Waiting int64
	Messages      int64 // that it sent, or that carried it to another PE
}

// Others returns what the tasks beyond the first n spent, and their number.
func (b *ByTask) Others(n int) (count int64, s Spent) {
	n = min(n, len(b.Most))
	s = b.All
	for i := range b.Most[:n] {
		t := &b.Most[i]
		s.Work, s.Waiting, s.Messages = s.Work-t.Work, s.Waiting-t.Waiting, s.Messages-t.Messages
	}
	return b.Count - int64(n), s
}

// tasks adds up by task. A nil *tasks adds up nothing. It holds 24 bytes for each task.
type tasks struct {
	ByTask                            // Most is in no order and without waits and messages
	sums    *taskindex.Table[taskSum] // a copy only reads it
	closing map[uint64]taskSum        // of a copy: the sums that differ from those in sums; nil otherwise
	blocked map[uint64]int64          // tasks that wait, and since when
	least   int                       // index in Most
}

// A taskSum is what a task spent.
type taskSum struct {
	work, waiting int64
	messages      uint32
	rank          uint32 // index in Most, + 1; 0 for none
}

func newTasks() *tasks {
	return &tasks{sums: new(taskindex.Table[taskSum]), blocked: map[uint64]int64{}}
}

// finish returns a copy of x. Changes of the copy leave x as it is.
func (x *tasks) finish() *tasks {
	if x == nil {
		return nil
	}
	y := *x
	y.Most, y.closing, y.blocked = slices.Clone(x.Most), map[uint64]taskSum{}, maps.Clone(x.blocked)
	return &y
}

// list returns the work by task, nil for a nil *tasks.
func (x *tasks) list() *ByTask {
	if x == nil {
		return nil
	}
	b := x.ByTask
	for i := range b.Most {
		s := x.sum(b.Most[i].ID)
		b.Most[i].Waiting, b.Most[i].Messages = s.waiting, int64(s.messages)
	}
	slices.SortFunc(b.Most, compareTasks)
	return &b
}

// compareTasks orders tasks by work, the most first.
func compareTasks(a, b Task) int {
	return cmp.Or(cmp.Compare(b.Work, a.Work), cmp.Compare(a.ID, b.ID))
}

// sum returns what a task has spent.
func (x *tasks) sum(task uint64) taskSum {
	if s, ok := x.closing[task]; ok {
		return s
	}
	return x.sums.Get(task)
}

// set sets what a task has spent, which is not nothing.
func (x *tasks) set(task uint64, s taskSum) {
	if x.closing != nil {
		x.closing[task] = s
		return
	}
	x.sums.Put(task, s)
}

// work adds work of a task in a code.
func (x *tasks) work(task uint64, code uint32, ns int64) {
	if x == nil || task == 0 || ns <= 0 {
		return
	}
	s := x.sum(task)
	if s.work == 0 {
		x.Count++
	}
	s.work += ns
	x.All.Work += ns
	x.rate(task, code, &s)
	x.set(task, s)
}

// rate puts a task among those with the most work if it belongs there.
func (x *tasks) rate(task uint64, code uint32, s *taskSum) {
	now := Task{ID: task, Code: code, Spent: Spent{Work: s.work}}
	switch i := int(s.rank) - 1; {
	case i >= 0:
		if code == 0 {
			now.Code = x.Most[i].Code
		}
		if x.Most[i] = now; i != x.least {
			return
		}
	case len(x.Most) < MostTasks:
		x.Most = append(x.Most, now)
		s.rank = uint32(len(x.Most))
	case compareTasks(now, x.Most[x.least]) < 0:
		out := x.sum(x.Most[x.least].ID)
		out.rank = 0
		x.set(x.Most[x.least].ID, out)
		x.Most[x.least] = now
		s.rank = uint32(x.least) + 1
	default:
		return
	}
	x.least = 0
	for i := range x.Most {
		if compareTasks(x.Most[i], x.Most[x.least]) > 0 {
			x.least = i
		}
	}
}

// suspend notes that a task waits from a time on.
func (x *tasks) suspend(task uint64, t int64) {
	if x != nil && task != 0 {
		x.blocked[task] = t
	}
}

// resume ends the wait of a task.
func (x *tasks) resume(task uint64, t int64) {
	if x == nil {
		return
	}
	since, ok := x.blocked[task]
	if !ok {
		return
	}
	delete(x.blocked, task)
	if d := t - since; d > 0 {
		s := x.sum(task)
		s.waiting += d
		x.All.Waiting += d
		x.set(task, s)
	}
}

// send counts a message of a task.
func (x *tasks) send(task uint64) {
	if x == nil || task == 0 {
		return
	}
	if s := x.sum(task); s.messages < math.MaxUint32 {
		s.messages++
		x.All.Messages++
		x.set(task, s)
	}
}

// reduced returns when the reduction of a goal ends if it is the last step of a lane, and math.MinInt64 otherwise.
func (l *lane) reduced(goal uint64) int64 {
	if goal == 0 || !l.seen || l.step.Task != goal {
		return math.MinInt64
	}
	return l.end
}
