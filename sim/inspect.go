package sim

// A Standing is the state of a PE between two slices of a run.
type Standing struct {
	Clock   Time   // ahead of the machine's time while the cost of its last action is being spent
	Doing   string // busy, overhead, idle, or "" before its first action
	Current Held   // the work that it continues with; Work 0 for none
	Queue   []Held // the first works in its queue, next first
	Waiting int    // number of works in the queue
}

// A Held is a work in a queue with its trace id, 0 if only the program knows the id.
type Held struct {
	Work Work
	Task uint64
}

var doing = [...]string{unborn: "", idle: "idle", busy: "busy", overhead: "overhead"}

// Standing returns the state of a PE with up to most works of its queue. For Central it returns the central queue.
func (m *Machine) Standing(pe, most int) Standing {
	if pe == Central {
		return Standing{Clock: m.now, Queue: m.held(&m.central, false, most), Waiting: int(m.central.n)}
	}
	p := &m.pes[pe]
	queue := m.held(&p.ready, m.traits.LIFO, most)
	return Standing{
		Clock: p.clock, Doing: doing[p.phase], Current: Held{Work: p.cur},
		Queue: append(queue, m.held(&p.last, false, most-len(queue))...), Waiting: int(p.ready.n + p.last.n),
	}
}

// held lists up to most works of a queue, the next one first.
func (m *Machine) held(q *deque, newest bool, most int) []Held {
	out := make([]Held, 0, min(most, int(q.n)))
	for _, i := range m.works.inOrder(q, newest, most) {
		out = append(out, Held{m.works.e[i].work, m.works.e[i].task})
	}
	return out
}

// InFlight returns the number of works on their way to each PE and, last, to the central queue.
func (m *Machine) InFlight() []int {
	out := make([]int, len(m.pes)+1)
	idle := make([]bool, len(m.post.e)+1)
	for i := m.post.free; i != 0; i = m.post.e[i].next {
		idle[i] = true
	}
	for i := 1; i < len(m.post.e); i++ {
		e := &m.post.e[i]
		switch {
		case idle[i]:
		case e.kind == placed || e.kind == woken:
			out[e.to]++
		case e.kind == central:
			out[len(m.pes)]++
		case e.kind == given:
			for j := uint32(e.Data); j != 0; j = m.works.e[j].next {
				out[e.to]++
			}
		}
	}
	return out
}
