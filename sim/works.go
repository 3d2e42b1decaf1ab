package sim

// A waiting is a work in a queue.
type waiting struct {
	work       Work
	task       uint64 // trace id
	prev, next uint32
	from       int32 // in the central queue: the PE that spawned it
}

// works holds the entries of all queues in one array, because a million slices would take more memory than the works in them.
type works struct {
	e    []waiting // e[0] is not used
	free uint32    // list of free entries through next

	rank  func(Work) int64  // nil if all are equal
	bands map[*deque][]band // by queue, if works have ranks
}

// A deque is a queue of works, oldest at the head.
type deque struct {
	head, tail uint32
	n          int32
}

func (ws *works) push(q *deque, w Work, task uint64, from int32) {
	i := ws.free
	if i != 0 {
		ws.free = ws.e[i].next
	} else {
		if len(ws.e) == 0 {
			ws.e = append(ws.e, waiting{})
		}
		i = uint32(len(ws.e))
		ws.e = append(ws.e, waiting{})
	}
	ws.e[i] = waiting{work: w, task: task, prev: q.tail, from: from}
	if q.tail != 0 {
		ws.e[q.tail].next = i
	} else {
		q.head = i
	}
	q.tail = i
	q.n++
}

// oldest removes the work at the head; there must be one.
func (ws *works) oldest(q *deque) waiting {
	i := q.head
	x := ws.e[i]
	q.head = x.next
	if x.next != 0 {
		ws.e[x.next].prev = 0
	} else {
		q.tail = 0
	}
	q.n--
	ws.e[i].next, ws.free = ws.free, i
	return x
}

// newest removes the work at the tail; there must be one.
func (ws *works) newest(q *deque) waiting {
	i := q.tail
	x := ws.e[i]
	q.tail = x.prev
	if x.prev != 0 {
		ws.e[x.prev].next = 0
	} else {
		q.head = 0
	}
	q.n--
	ws.e[i].next, ws.free = ws.free, i
	return x
}
