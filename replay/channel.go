package replay

import "whorl/sim"

// A group counts tasks, as a sync.WaitGroup does.
type group struct {
	count int64
	queue queue
}

// A passage is the state of a channel.
type passage struct {
	elements  []uint32 // that have been sent and not received, the oldest first
	receivers queue    // tasks that wait for an element or for the end
	senders   queue    // tasks that wait until their element is in the buffer or received
	drainers  queue    // tasks that wait for the end and take no element
	closed    bool
}

// communicate performs an operation on a group or a channel, and reports whether the task goes on.
func (r *Replay) communicate(p *sim.PE, n uint32, o op, resumed bool) bool {
	operand := o.operand()
	switch o.kind() {
	case opAdd:
		which, change := o.addition()
		g := &r.groups[which]
		if g.count += change; g.count <= 0 {
			r.resumeAll(p, &g.queue, n)
		}
	case opGroup:
		if g := &r.groups[operand]; g.count > 0 && !resumed {
			g.queue.push(n, false)
			r.suspend(p, n, r.reasons.group, 0)
			return false
		}
	case opPut:
		return resumed || r.put(p, n, uint32(operand))
	case opTake:
		return r.receive(p, n, r.graph.elements[operand].channel, resumed)
	case opDrain:
		if r.graph.channels[operand].pool {
			return r.receive(p, n, uint32(operand), resumed)
		}
		return r.drain(p, n, &r.chans[operand])
	case opClose:
		c := &r.chans[operand]
		c.closed = true
		r.resumeAll(p, &c.receivers, n)
		r.drained(p, n, c)
	}
	return true
}

// resumeAll wakes the tasks of a queue on behalf of task by.
func (r *Replay) resumeAll(p *sim.PE, q *queue, by uint32) {
	for !q.empty() {
		r.resume(p, q.pop(), by, 0)
	}
}

// drain reports whether a channel is closed and empty. Otherwise the task waits for that.
func (r *Replay) drain(p *sim.PE, n uint32, c *passage) bool {
	if c.closed && len(c.elements) == 0 {
		return true
	}
	c.drainers.push(n, false)
	r.suspend(p, n, r.reasons.receive, 0)
	return false
}

// drained wakes the tasks that wait for the end of a channel if that has come.
func (r *Replay) drained(p *sim.PE, by uint32, c *passage) {
	if c.closed && len(c.elements) == 0 {
		r.resumeAll(p, &c.drainers, by)
	}
}

// put sends an element, and reports whether the task goes on: there is room in the buffer, or a task takes the element.
func (r *Replay) put(p *sim.PE, n, e uint32) bool {
	which := r.graph.elements[e].channel
	c := &r.chans[which]
	c.elements = append(c.elements, e)
	if r.hand(p, n, c) || len(c.elements) <= int(r.graph.channels[which].capacity) {
		return true
	}
	c.senders.push(n, false)
	r.suspend(p, n, r.reasons.send, 0)
	return false
}

// hand wakes the task that waits longest for an element, and reports whether there is one. It takes the element when it
// runs.
func (r *Replay) hand(p *sim.PE, n uint32, c *passage) bool {
	if c.receivers.empty() {
		return false
	}
	r.resume(p, c.receivers.pop(), n, 0)
	return true
}

// receive takes an element from a channel, and reports whether the task goes on. The task waits if there is no element. In a pool, it
// continues with the recorded operations that follow the receipt of that element. When the channel is closed and empty, it
// continues with its own operations.
func (r *Replay) receive(p *sim.PE, n, which uint32, resumed bool) bool {
	c, graph := &r.chans[which], &r.graph.channels[which]
	if len(c.elements) == 0 && !c.closed {
		c.receivers.push(n, resumed)
		r.suspend(p, n, r.reasons.receive, 0)
		return false
	}
	if len(c.elements) == 0 {
		if next, ok := graph.drained[n]; ok {
			r.tasks[n].pc = next - 1 // Step goes on with the next one
		}
		return true
	}
	got := c.elements[0]
	c.elements = c.elements[1:]
	r.drained(p, n, c)
	if !c.senders.empty() && len(c.elements) <= int(graph.capacity) {
		r.resume(p, c.senders.pop(), n, 0)
	}
	if next := r.graph.elements[got].next; graph.pool && next > 0 {
		r.tasks[n].pc = next - 1
	}
	return true
}
