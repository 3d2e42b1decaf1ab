package replay

import (
	"slices"
	"strings"

	"whorl/tracer/observed"
)

// An object is a lock, a wait group or a channel that package observe has named, or an element of a channel.
type object struct {
	kind   objectKind
	id     uint32
	number uint32 // of an element of the channel id
}

type objectKind uint8

const (
	aLock objectKind = iota
	aGroup
	aChannel
	anElement
)

// number returns the number of an object. fresh is the number for a new object.
func (r *reader) number(x object, fresh int) (n uint32, isNew bool) {
	n, known := r.objects[x]
	if !known {
		n = uint32(fresh)
		r.objects[x] = n
	}
	return n, !known
}

func (r *reader) channel(id uint32) uint32 {
	c, isNew := r.number(object{kind: aChannel, id: id}, len(r.g.channels))
	if isNew {
		r.g.channels = append(r.g.channels, channel{drained: map[uint32]uint64{}})
	}
	return c
}

// observe adds an operation that package observe has written. It removes the wait that belongs to the operation, because the replay determines which
// tasks wait.
func (r *reader) observe(n uint32, op observed.Op, value int64) {
	id, number := observed.FromValue(value)
	if id == 0 {
		return
	}
	r.left.Observed++
	t := r.lives.life(n)
	t.sending = op == observed.Send
	switch op {
	case observed.Lock, observed.Unlock, observed.RLock, observed.RUnlock:
		l, isNew := r.number(object{kind: aLock, id: id}, len(r.g.locks))
		if isNew {
			r.g.locks = append(r.g.locks, id)
		}
		operand := uint64(l) << 1
		if op == observed.RLock || op == observed.RUnlock {
			operand |= 1
		}
		if op == observed.Unlock || op == observed.RUnlock {
			r.g.add(n, opRelease, operand)
			t.holds--
			r.join(n)
			break
		}
		r.unwait(n, "lock", "mutex")
		r.g.add(n, opAcquire, operand)
		t.holds++
	case observed.Add, observed.Done, observed.Waited:
		g, isNew := r.number(object{kind: aGroup, id: id}, int(r.g.groups))
		if isNew {
			r.g.groups++
		}
		if op == observed.Waited {
			r.unwait(n, waitGroup)
			r.g.add(n, opGroup, uint64(g))
			break
		}
		change := int32(min(number, maxChange))
		if op == observed.Done {
			change = -change
		}
		r.g.add(n, opAdd, addition(g, change))
	case observed.Make:
		r.g.channels[r.channel(id)].capacity = number
	case observed.Send:
		c := r.channel(id)
		e, isNew := r.number(object{anElement, id, number}, len(r.g.elements))
		if isNew {
			r.g.elements = append(r.g.elements, element{channel: c})
			r.g.add(n, opPut, uint64(e))
		}
	case observed.Receive:
		c := r.channel(id)
		e, known := r.objects[object{anElement, id, number}]
		r.unwait(n, "channel", "select")
		if !known || r.g.elements[e].next != 0 {
			break
		}
		r.g.add(n, opTake, uint64(e))
		r.g.elements[e].next = uint64(len(r.g.ops))
		r.takes(&r.g.channels[c], n)
	case observed.Close:
		r.g.add(n, opClose, uint64(r.channel(id)))
	case observed.Drained:
		c := r.channel(id)
		r.unwait(n, "channel", "select")
		r.g.add(n, opDrain, uint64(c))
		r.g.channels[c].drained[n] = uint64(len(r.g.ops))
	}
	t.waited = [len(t.waited)]uint64{}
}

// waits notes that the operation before the given index is a wait of the task.
func (t *life) waits(index int) {
	copy(t.waited[1:], t.waited[:])
	t.waited[0] = uint64(index)
}

// unwait removes the last waits of a task from the graph if they are for one of the given reasons. There can be several, because a woken task waits
// again if another one was faster.
func (r *reader) unwait(n uint32, reasons ...string) {
	for _, index := range r.lives.life(n).waited {
		if index > 0 {
			r.remove(&r.g.ops[index-1], reasons)
		}
	}
}

// remove removes a wait from the graph if it is for one of the given reasons.
func (r *reader) remove(o *op, reasons []string) {
	q := &r.g.pauses[o.operand()]
	name := r.name(q.reason)
	if !slices.ContainsFunc(reasons, func(s string) bool { return strings.Contains(name, s) }) {
		return
	}
	if o.kind() == opMeet {
		*o = opSignal | op(q.gate)<<kindBits
		return
	}
	*o = opCompute
}

// takes notes that a task takes an element of a channel.
func (r *reader) takes(c *channel, n uint32) {
	if c.taker == 0 {
		c.taker = n + 1
	}
	c.several = c.several || c.taker != n+1
	c.mixed = c.mixed || r.g.tasks[n].function != r.g.tasks[c.taker-1].function
}

// pools finds the channels whose elements several tasks of one function take.
func (r *reader) pools() {
	for i := range r.g.channels {
		c := &r.g.channels[i]
		c.pool = c.several && !c.mixed
	}
}
