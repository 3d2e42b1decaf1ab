package replay

// A queue holds tasks that wait, the longest waiting first. The zero queue is empty.
type queue struct {
	again []uint32 // tasks that wait again, before all others; the last one is the first
	tasks []uint32
}

func (q *queue) empty() bool { return len(q.again)+len(q.tasks) == 0 }

// push adds a task at the end, or at the front if it waits again.
func (q *queue) push(n uint32, again bool) {
	if again {
		q.again = append(q.again, n)
	} else {
		q.tasks = append(q.tasks, n)
	}
}

// first returns the task that waits longest. The queue must not be empty.
func (q *queue) first() uint32 {
	if k := len(q.again); k > 0 {
		return q.again[k-1]
	}
	return q.tasks[0]
}

// pop removes the task that waits longest and returns it. The queue must not be empty.
func (q *queue) pop() uint32 {
	n := q.first()
	if k := len(q.again); k > 0 {
		q.again = q.again[:k-1]
	} else {
		q.tasks = q.tasks[1:]
	}
	return n
}
