package sim

// A Standing is what a PE holds between two slices of a run.
type Standing struct {
	Clock   Time   // where it is in time; ahead of the machine's while the cost of its last action is being spent
	Doing   string // busy, overhead, idle, or "" before its first action
	Current Held   // what it goes on with; Work 0 for none
	Queue   []Held // what waits for it, in the order in which it would take it
	Waiting int    // works in the queue, those not listed included
	Coming  int    // works on their way to it
}

// A Held is a work in a queue, with its trace id, which is 0 where only the program knows it.
type Held struct {
	Work Work
	Task uint64
}

var doing = [...]string{unborn: "", idle: "idle", busy: "busy", overhead: "overhead"}

// Standing returns what a PE holds, at most so many works of its queue; of Central, what lies in the central queue.
func (m *Machine) Standing(pe, most int) Standing {
	if pe == Central {
		return Standing{Clock: m.now, Queue: m.held(&m.central, false, most), Waiting: int(m.central.n)}
	}
	p := &m.pes[pe]
	return Standing{
		Clock: p.clock, Doing: doing[p.phase], Current: Held{Work: p.cur},
		Queue: m.held(&p.ready, m.traits.LIFO, most), Waiting: int(p.ready.n), Coming: int(p.due),
	}
}

// held lists a queue from the head, or from the tail.
func (m *Machine) held(q *deque, newest bool, most int) []Held {
	at := q.head
	if newest {
		at = q.tail
	}
	out := make([]Held, 0, min(most, int(q.n)))
	for ; at != 0 && len(out) < most; at = m.next(at, newest) {
		out = append(out, Held{m.works.e[at].work, m.works.e[at].task})
	}
	return out
}

func (m *Machine) next(at uint32, newest bool) uint32 {
	if newest {
		return m.works.e[at].prev
	}
	return m.works.e[at].next
}
