package paje

import (
	"whorl/tracer"
)

// A machine is the states of one type of a container.
type machine struct {
	states *kind
	lane   lane
	stack  []frame
	since  int64 // beginning of the part
	part   []tracer.Event
	wait   wait
	kind   tracer.Kind // of the last state of the PE
	code   uint32      // its code
	began  bool
}

// A frame is a state.
type frame struct {
	v       *value
	context uint32 // of the writer
}

// A wait describes the wait in a part.
type wait struct {
	is       bool
	from, to int64
	after    int // the event of the part after which the task is woken, -1 if it follows from its time
	reason   uint32
	wakes    uint32
	by       uint64
	pe       int32
	sent     int64
	late     int64 // time from its Wake until the task goes on
}

// A task is the task of a container.
type task struct {
	id      uint64 // 0 for none
	code    uint32
	context uint32
	job     bool // of StarPU
}

// born begins the task of a container at a time.
func (r *reader) born(c *container, at int64) {
	pe := r.place(c)
	c.task = task{id: r.newTask(), code: c.kind.code}
	r.calls[0] = c.task.code
	c.task.context = r.w.Call(0, r.calls[:])
	m := r.machineOf(c, nil)
	m.since, m.began = at, true
	if c.kind.name == "User Thread" && r.origin == nil {
		r.origin = c
	}
	e := tracer.Event{Time: at, Task: c.task.id, PE: pe, Peer: pe, Code: c.task.code}
	e.Kind = tracer.Fork
	r.slot(&m.lane, e)
	e.Kind, e.Value = tracer.Start, 1
	r.slot(&m.lane, e)
}

// machineOf returns the states of a type of a container, those of the first type for nil.
func (r *reader) machineOf(c *container, k *kind) *machine {
	if len(c.machines) > 0 {
		first := c.machines[0]
		if first.states == nil {
			first.states = k
		}
		if k == nil || k == first.states {
			return first
		}
		if m := c.others[k]; m != nil {
			return m
		}
	}
	m := &machine{states: k, lane: lane{s: r.stream(c.name)}}
	if c.machines = append(c.machines, m); len(c.machines) > 1 {
		if c.others == nil {
			c.others = map[*kind]*machine{}
		}
		c.others[k] = m
	}
	return m
}

// states returns the container and the states of a record, nil if there are none.
func (r *reader) states() (*container, *machine, int64) {
	at, ok := r.recordTime()
	k, c := r.kind(ofStates), r.container(fieldContainer)
	if !ok || k == nil || c == nil {
		return nil, nil, 0
	}
	if c.done {
		r.w.Dropped.Add("states of containers that have ended", 1)
		return nil, nil, 0
	}
	m := r.machineOf(c, k)
	if at < m.since && m.began {
		r.fell++
		at = m.since
	}
	if !m.began {
		if m == c.machines[0] && !c.kind.works {
			r.born(c, at)
		}
		r.place(c)
		m.since, m.began = at, true
	}
	return c, m, at
}

func (r *reader) setState(l *layout) {
	c, m, at := r.states()
	if c == nil {
		return
	}
	r.close(c, m, at)
	m.stack = m.stack[:0]
	if c.task.job && m == c.machines[0] {
		r.jobEnds(c, m, at)
	}
	v := r.value(m.states, r.get[fieldValue])
	if v == nil {
		return
	}
	if id := r.get[fieldJob]; c.kind.works && len(id) > 0 && m == c.machines[0] {
		r.jobBegins(c, m, v, id, at)
	}
	r.enter(c, m, v)
	r.noteExtras(c, m, l, at)
}

func (r *reader) pushState(l *layout) {
	c, m, at := r.states()
	if c == nil {
		return
	}
	r.close(c, m, at)
	if len(m.stack) >= mostNested {
		r.w.Dropped.Add("states deeper than the limit", 1)
		return
	}
	v := r.value(m.states, r.get[fieldValue])
	if v == nil {
		return
	}
	r.enter(c, m, v)
	if v.activity == gather && len(m.stack) == 1 {
		r.arrive(c, v, at)
	}
	r.noteExtras(c, m, l, at)
}

// enter pushes a state.
func (r *reader) enter(c *container, m *machine, v *value) {
	from := uint32(0)
	if n := len(m.stack); n > 0 {
		from = m.stack[n-1].context
	} else if !c.task.job || m != c.machines[0] {
		from = c.task.context
	}
	r.calls[0] = v.code
	m.stack = append(m.stack, frame{v, r.w.Call(from, r.calls[:])})
}

// popState ends the innermost state, or all.
func (r *reader) popState(all bool) {
	c, m, at := r.states()
	if c == nil {
		return
	}
	n := len(m.stack)
	if n == 0 && !all {
		r.w.Dropped.Add("ends of states without a beginning", 1)
		return
	}
	if n == 1 && m.stack[0].v.activity == gather {
		r.depart(c, m, at)
	}
	r.close(c, m, at)
	if all {
		m.stack = m.stack[:0]
	} else {
		m.stack = m.stack[:n-1]
	}
	if c.task.job && m == c.machines[0] && len(m.stack) == 0 {
		r.jobEnds(c, m, at)
	}
}

// top returns the innermost state, nil for none.
func (m *machine) top() *value {
	if n := len(m.stack); n > 0 {
		return m.stack[n-1].v
	}
	return nil
}

// activity returns the activity of a container in a part of its first states, and the reason.
func (r *reader) activity(c *container, m *machine) (activity, uint32) {
	v := m.top()
	switch {
	case v == nil && c.kind.computes:
		return work, 0
	case v == nil:
		return nothing, r.codes.noState
	case c.task.job:
		return work, 0
	case c.task.id != 0 && v.activity == overhead: // of a thread that is no worker
		return work, 0
	case v.activity == gather || v.activity == poll:
		return talk, v.reason
	}
	return v.activity, v.reason
}

// add adds an event to the part.
func (m *machine) add(e tracer.Event) {
	e.Time = max(e.Time, m.since)
	if n := len(m.part); n > 0 {
		e.Time = max(e.Time, m.part[n-1].Time)
	}
	m.part = append(m.part, e)
}

// close ends the part of the states of a container at a time and records its events.
func (r *reader) close(c *container, m *machine, at int64) {
	if at == m.since && len(m.part) == 0 {
		return
	}
	context := uint64(0)
	if n := len(m.stack); n > 0 {
		context = uint64(m.stack[n-1].context)
	} else if c.kind.computes {
		context = uint64(c.task.context)
	}
	if m != c.machines[0] {
		r.spend(c, m, context, at)
		m.since = at
		return
	}
	d, why := r.activity(c, m)
	w := &m.wait
	r.settle(c, m, d, why, at)
	if !(w.is && w.from == m.since) {
		r.turn(c, m, d, why, m.since)
	}
	r.spend(c, m, context, at)
	rest := m.part
	if w.is {
		rest = r.pause(c, m, context)
		m.kind = 0
		if w.late == 0 {
			r.turn(c, m, work, 0, w.to)
		}
		if d == talk && at > w.to {
			r.turn(c, m, d, why, w.to)
		}
		w.is = false
	}
	for _, e := range rest {
		r.slot(&m.lane, e)
	}
	m.part, m.since = m.part[:0], at
}

// spend records the time of a part in its calling context.
func (r *reader) spend(c *container, m *machine, context uint64, at int64) {
	if context == 0 || at <= m.since || m.states == nil {
		return
	}
	code := m.states.code
	if m == c.machines[0] {
		code = r.codes.region
	}
	r.w.Sampled++
	r.slot(&m.lane, tracer.Event{Kind: tracer.Sample, Time: m.since, Task: c.task.id, Ref: context, PE: c.pe, Peer: tracer.None, Code: code, Value: at - m.since})
}

// settle decides whether the task of a container waits in a part: until an event of the part, or as long as it does nothing.
func (r *reader) settle(c *container, m *machine, d activity, why uint32, at int64) {
	w := &m.wait
	if w.is && w.to <= w.from || c.task.id == 0 {
		w.is = false
	}
	if d != nothing || c.task.id == 0 || w.is || at <= m.since {
		return
	}
	*w = wait{is: true, from: m.since, to: at, after: -1, reason: why, wakes: r.codes.outside, pe: c.pe}
	if j := r.latest; j != nil && c == r.origin && j.to > m.since && j.to <= at { // the thread waited for jobs
		w.to, w.wakes, w.by, w.pe, w.late = j.to, r.codes.inferred, j.id, j.pe, at-j.to
	}
}

// pause records the wait of a part and the events until its end. It returns the events after that.
func (r *reader) pause(c *container, m *machine, context uint64) (rest []tracer.Event) {
	w, i := &m.wait, 0
	for ; i < len(m.part) && m.part[i].Time <= w.from && i != w.after; i++ {
		r.slot(&m.lane, m.part[i])
	}
	r.slot(&m.lane, tracer.Event{Kind: tracer.Wait, Time: w.from, Task: c.task.id, Ref: context, PE: c.pe, Peer: tracer.None, Code: w.reason})
	r.slot(&m.lane, tracer.Event{Kind: tracer.Idle, Time: w.from, PE: c.pe, Peer: tracer.None, Code: w.reason})
	for ; i < len(m.part) && (i <= w.after || w.after < 0 && m.part[i].Time <= w.to); i++ {
		r.slot(&m.lane, m.part[i])
	}
	r.slot(&m.lane, tracer.Event{Kind: tracer.Wake, Time: w.to, Task: c.task.id, Ref: w.by, PE: w.pe, Peer: tracer.None, Code: w.wakes})
	r.slot(&m.lane, tracer.Event{Kind: tracer.Sample, Time: w.to, Task: c.task.id, Ref: context, PE: c.pe, Peer: tracer.None, Code: r.codes.waiting, Value: w.to - w.from})
	return m.part[i:]
}

// turn records the state of the PE of a container.
func (r *reader) turn(c *container, m *machine, d activity, why uint32, at int64) {
	e := tracer.Event{Kind: tracer.Busy, Time: at, Task: c.task.id, PE: c.pe, Peer: tracer.None, Code: c.task.code}
	switch {
	case d == talk:
		e.Kind, e.Code = tracer.Overhead, r.codes.message
	case d == overhead:
		e.Kind, e.Code = tracer.Overhead, why
	case d == nothing:
		e.Kind, e.Code = tracer.Idle, why
		if c.task.id == 0 {
			e.Code = r.codes.noWork
		}
		e.Task = 0
	}
	if e.Kind == m.kind && e.Code == m.code {
		return
	}
	m.kind, m.code = e.Kind, e.Code
	r.slot(&m.lane, e)
}

// end ends the tasks of a container.
func (r *reader) end(c *container, at int64) {
	if c.done {
		return
	}
	c.done = true
	for i, m := range c.machines {
		at := max(at, m.since)
		if i > 0 || len(m.stack) > 0 || c.kind.computes {
			r.close(c, m, at)
		} else {
			at = m.since
			r.close(c, m, at)
		}
		if i > 0 {
			continue
		}
		if c.task.job {
			r.jobEnds(c, m, at)
		}
		if c.task.id != 0 {
			r.slot(&m.lane, tracer.Event{Kind: tracer.End, Time: at, Task: c.task.id, PE: c.pe, Peer: tracer.None, Code: c.task.code})
		}
		r.slot(&m.lane, tracer.Event{Kind: tracer.Exit, Time: at, PE: c.pe, Peer: tracer.None})
	}
	if c.kind.computes {
		r.ranks--
	}
}
