package account

import (
	"cmp"
	"math"
	"slices"

	"whorl/tracer/taskindex"
)

// MostTasks is the largest number of tasks that an account lists.
const MostTasks = 100

// A ByTask divides the work among tasks. It leaves out work of unknown tasks, such as the work of sampled programs.
type ByTask struct {
	Most  []Task // the tasks with the most work, most first
	Count int64  // of all tasks that worked
	All   Spent  // by all tasks
}

// A Task is a task with its sums.
type Task struct {
	ID   uint64
	Code uint32 // of its last work
	Spent
}

// Spent holds the work and the waits of a task, in ns, and its messages. A task waits from a try that ends in suspension until it is resumed, and
// in joins.
type Spent struct {
	Work, Waiting int64
	Messages      int64 // sent by the task, or carrying it to another PE
}

// Others returns the number of the tasks beyond the first n, and their sums.
func (b *ByTask) Others(n int) (count int64, s Spent) {
	n = min(n, len(b.Most))
	s = b.All
	for i := range b.Most[:n] {
		t := &b.Most[i]
		s.Work, s.Waiting, s.Messages = s.Work-t.Work, s.Waiting-t.Waiting, s.Messages-t.Messages
	}
	return b.Count - int64(n), s
}

// tasks adds up by task. A nil *tasks adds up nothing. It holds 16 bytes for each task, and a note for some tasks.
type tasks struct {
	ByTask                            // Most is in no order and without waits and messages
	sums    *taskindex.Table[taskSum] // a copy only reads it
	closing map[uint64]*taskSum       // of a copy: its own sums, which replace those in sums; nil otherwise
	notes   []note
	spare   uint32 // first of the list of unused notes, + 1
	least   int    // index in Most
}

// A taskSum holds the times of a task.
type taskSum struct {
	work    int64 // ns; or the index of the task's note, as a negative number
	waiting int64
}

// A note holds the state of a task that waits, has sent messages or is in Most.
type note struct {
	work     int64
	since    int64 // it waits since then, if blocked
	messages uint32
	next     uint32 // of an unused note: the next one, + 1; 0 for the last
	rank     uint8  // index in Most, + 1; 0 for none
	blocked  bool
}

func newTasks() *tasks { return &tasks{sums: new(taskindex.Table[taskSum])} }

// finish returns a copy of x. Changes of the copy leave x as it is.
func (x *tasks) finish() *tasks {
	if x == nil {
		return nil
	}
	y := *x
	y.Most, y.closing, y.notes = slices.Clone(x.Most), map[uint64]*taskSum{}, slices.Clone(x.notes)
	return &y
}

// sum returns the sum of a task. The caller must change a new sum to another value than zero.
func (x *tasks) sum(task uint64) *taskSum {
	if x.closing == nil {
		return x.sums.Place(task)
	}
	s := x.closing[task]
	if s == nil {
		s = new(taskSum)
		*s = x.sums.Get(task)
		x.closing[task] = s
	}
	return s
}

// note returns the note of a task, nil for none.
func (x *tasks) note(s *taskSum) *note {
	if s.work < 0 {
		return &x.notes[^s.work]
	}
	return nil
}

// keep returns the note of a task, which may be new.
func (x *tasks) keep(s *taskSum) *note {
	if n := x.note(s); n != nil {
		return n
	}
	i := int(x.spare) - 1
	if i < 0 {
		i = len(x.notes)
		x.notes = append(x.notes, note{})
	}
	n := &x.notes[i]
	x.spare = n.next
	*n = note{work: s.work}
	s.work = ^int64(i)
	return n
}

// drop removes a note that says no more than a sum.
func (x *tasks) drop(s *taskSum, n *note) {
	if n.blocked || n.messages > 0 || n.rank > 0 || n.work == 0 && s.waiting == 0 {
		return
	}
	i := ^s.work
	s.work = n.work
	*n = note{next: x.spare}
	x.spare = uint32(i) + 1
}

// list returns the work by task, nil for a nil *tasks.
func (x *tasks) list() *ByTask {
	if x == nil {
		return nil
	}
	b := x.ByTask
	for i := range b.Most {
		s := x.sum(b.Most[i].ID)
		b.Most[i].Waiting, b.Most[i].Messages = s.waiting, int64(x.note(s).messages)
	}
	slices.SortFunc(b.Most, compareTasks)
	return &b
}

// compareTasks orders tasks by work, the most first.
func compareTasks(a, b Task) int {
	return cmp.Or(cmp.Compare(b.Work, a.Work), cmp.Compare(a.ID, b.ID))
}

// work adds work of a task in a code.
func (x *tasks) work(task uint64, code uint32, ns int64) {
	if x == nil || task == 0 || ns <= 0 {
		return
	}
	x.All.Work += ns
	s := x.sum(task)
	n := x.note(s)
	sum := &s.work
	if n != nil {
		sum = &n.work
	}
	if *sum == 0 {
		x.Count++
	}
	*sum = max(*sum, *sum+ns) // a damaged trace can have times that do not add up to an int64
	now := Task{ID: task, Code: code, Spent: Spent{Work: *sum}}
	switch {
	case n != nil && n.rank > 0:
		i := int(n.rank) - 1
		if code == 0 {
			now.Code = x.Most[i].Code
		}
		if x.Most[i] = now; i != x.least {
			return
		}
	case len(x.Most) < MostTasks:
		x.Most = append(x.Most, now)
		x.keep(s).rank = uint8(len(x.Most))
	case compareTasks(now, x.Most[x.least]) < 0:
		x.keep(s).rank = uint8(x.least) + 1
		out := x.sum(x.Most[x.least].ID)
		left := x.note(out)
		left.rank = 0
		x.drop(out, left)
		x.Most[x.least] = now
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
		n := x.keep(x.sum(task))
		n.since, n.blocked = t, true
	}
}

// resume ends the wait of a task.
func (x *tasks) resume(task uint64, t int64) {
	if x == nil || task == 0 {
		return
	}
	s := x.sums.Find(task)
	if s == nil {
		return
	}
	n := x.note(s)
	if n == nil || !n.blocked {
		return
	}
	n.blocked = false
	if d := t - n.since; d > 0 {
		s.waiting += d
		x.All.Waiting += d
	}
	x.drop(s, n)
}

// send counts a message of a task.
func (x *tasks) send(task uint64) {
	if x == nil || task == 0 {
		return
	}
	if n := x.keep(x.sum(task)); n.messages < math.MaxUint32 {
		n.messages++
		x.All.Messages++
	}
}

// reduced returns when the reduction of a goal ends if it is the last step of a lane, and math.MinInt64 otherwise.
func (l *lane) reduced(goal uint64) int64 {
	if goal == 0 || !l.seen || l.step.Task != goal {
		return math.MinInt64
	}
	return l.end
}
