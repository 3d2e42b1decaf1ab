package tracks

import "whorl/tracer"

// birth makes a thread a task, if it is none yet. It waits for its first slice.
func (r *Recording) birth(t *track) {
	if t.task == 0 && t.kind == Thread && !t.row {
		r.born(t, 0, t.pe)
		if !t.scheduled {
			r.runs(t)
			r.wait(t, r.codes.next, t.context)
			r.emit(tracer.Event{Kind: tracer.Idle, PE: t.pe, Code: r.codes.noWork})
		}
	}
}

// enter sets the function of a track and its calling context.
func (r *Recording) enter(t *track) {
	if t.code != 0 {
		return
	}
	parent := uint32(0)
	if p := r.processes[t.process].name; p != "" {
		parent = r.w.Name(p)
	}
	t.code = r.dict.Add(tracer.Code{Type: tracer.Function, Name: stem(t.label()), Parent: parent})
	t.context = r.dict.AddContext(tracer.Context{Code: t.code})
}

// born records the fork of a thread.
func (r *Recording) born(t *track, parent uint64, pe int32) {
	r.enter(t)
	r.tasks++
	t.task = r.tasks
	if !t.scheduled {
		r.begin(t)
	}
	r.emit(tracer.Event{Kind: tracer.Fork, Task: t.task, Ref: parent, PE: pe, Peer: t.pe, Code: t.code})
}

// goes records that an outermost slice begins.
func (r *Recording) goes(order []uint32, t *track, x *record) {
	switch {
	case t.kind == Async:
		r.operation(t, x)
		return
	case t.row:
		r.action(order[t.first-1], t, x)
		return
	case t.task == 0:
		r.born(t, 0, t.pe)
	}
	if t.scheduled {
		return
	}
	if n, ok := r.arriving(order[t.first:min(t.first+near, t.end)], x); ok {
		f := r.records.Entry(n)
		r.receive(t, f)
		f.flags |= received
	}
	why := r.codes.next
	if t.reached {
		t.reached, why = false, r.codes.message
	}
	if t.waits {
		r.wake(t, 0, t.pe, why)
	}
	if !t.started || t.state != working {
		r.runs(t)
	}
}

// runs records that a thread runs on its PE.
func (r *Recording) runs(t *track) {
	r.emit(tracer.Event{Kind: tracer.Busy, Task: t.task, PE: t.pe, Code: t.code})
	if !t.started {
		t.started = true
		r.emit(tracer.Event{Kind: tracer.Start, Task: t.task, PE: t.pe, Code: t.code, Value: 1})
	}
	t.state = working
	if t.system {
		r.system(t, true)
	}
}

// rests records that the last slice of a track has ended: the thread waits for its next one, or has ended.
func (r *Recording) rests(order []uint32, t *track) {
	switch {
	case t.kind == Async:
		r.emit(tracer.Event{Kind: tracer.Wake, Task: t.task, PE: t.pe, Code: r.codes.outside})
		r.done(t)
		return
	case t.row:
		r.done(t)
		return
	case t.scheduled, t.begins > 0 && r.continues(order, t):
		return
	case t.begins > 0:
		r.wait(t, r.codes.next, t.context)
	default:
		r.emit(tracer.Event{Kind: tracer.End, Task: t.task, PE: t.pe, Code: t.code})
	}
	t.state = away
	r.emit(tracer.Event{Kind: tracer.Idle, PE: t.pe, Code: r.codes.noWork})
}

// wait records that a thread waits.
func (r *Recording) wait(t *track, why, context uint32) {
	t.waits, t.since, t.waited, t.state = true, r.now, context, away
	r.emit(tracer.Event{Kind: tracer.Wait, Task: t.task, PE: t.pe, Ref: uint64(context), Code: why})
}

// wake records that a thread can run again.
func (r *Recording) wake(t *track, by uint64, pe int32, why uint32) {
	t.waits = false
	r.emit(tracer.Event{Kind: tracer.Wake, Task: t.task, Ref: by, PE: pe, Code: why})
	if d := r.now - t.since; d > 0 {
		r.emit(tracer.Event{Kind: tracer.Sample, Task: t.task, PE: t.pe, Ref: uint64(t.waited), Code: r.codes.waiting, Value: d})
	}
}

// send records that a flow leaves a track. The first flow to a thread forks it.
func (r *Recording) send(n uint32, t *track, x *record) {
	if x.value == 0 {
		return
	}
	r.birth(t)
	to := &r.tracks[r.records.Entry(uint32(x.value-1)).track]
	switch f := r.forks[n]; {
	case x.flags&forks == 0:
	case f != nil:
		r.spawns(t)
		r.tasks++
		f.task = r.tasks
		r.emit(tracer.Event{Kind: tracer.Fork, Task: f.task, Ref: t.task, PE: t.pe, Peer: to.pe, Code: r.function(r.records.Entry(f.slice).name)})
	case to.task == 0:
		r.spawns(t)
		r.born(to, t.task, t.pe)
	}
	r.emit(tracer.Event{Kind: tracer.Send, Task: t.task, Ref: uint64(n) + 1, PE: t.pe, Peer: to.pe, Code: r.class(x.name)})
}

// spawns counts a fork at the calling context of a thread.
func (r *Recording) spawns(t *track) {
	if context := r.context(t); context != 0 {
		r.emit(tracer.Event{Kind: tracer.Sample, Task: t.task, PE: t.pe, Ref: uint64(context), Code: r.codes.forks, Value: 1})
	}
}

// begin records the first event of a PE.
func (r *Recording) begin(t *track) {
	if !t.seen {
		t.seen = true
		r.emit(tracer.Event{Kind: tracer.Init, PE: t.pe})
	}
}

// action records that an action begins: an outermost slice of a row of actions.
func (r *Recording) action(n uint32, t *track, x *record) {
	r.begin(t)
	t.code = r.function(x.name)
	if f := r.forked[n]; f != nil && f.task != 0 {
		t.task = f.task
	} else {
		r.tasks++
		t.task = r.tasks
		r.emit(tracer.Event{Kind: tracer.Fork, Task: t.task, PE: t.pe, Peer: t.pe, Code: t.code})
	}
	t.started = false
	r.runs(t)
}

// receive records that a flow comes to a track.
func (r *Recording) receive(t *track, x *record) {
	from := r.source(x)
	if from == nil || x.flags&received != 0 {
		return
	}
	r.birth(t)
	t.reached = len(t.stack) == 0 && from.track != x.track // a message of its own has waited with it
	r.emit(tracer.Event{Kind: tracer.Recv, Task: t.task, Ref: uint64(x.clock), PE: t.pe, Peer: r.tracks[from.track].pe, Code: r.class(from.name)})
}

// context returns the calling context of a track now.
func (r *Recording) context(t *track) uint32 {
	if n := len(t.stack); n > 0 {
		return t.stack[n-1].context
	}
	return t.context
}

// operation records that an asynchronous operation begins: a task that waits, on the PE of the operations of its process.
func (r *Recording) operation(t *track, x *record) {
	p := &r.processes[t.process]
	if r.codes.asynchronous == 0 {
		r.codes.asynchronous, r.codes.lasting = r.w.Reason(tracer.ReasonAsynchronous), r.w.Metric("asynchronous", "ns")
	}
	if !p.operates {
		p.operates, p.pe = true, r.newPE(t.process, "asynchronous")
		r.emit(tracer.Event{Kind: tracer.Init, PE: p.pe})
	}
	t.pe = p.pe
	if t.name == "" {
		t.code = r.function(x.name)
	} else {
		state := &r.texts.all[x.name]
		t.code = r.dict.Add(tracer.Code{Type: tracer.Function, Name: t.name + ": " + r.spell(state), Parent: r.category(state)})
	}
	r.tasks++
	t.task = r.tasks
	e := tracer.Event{Kind: tracer.Fork, Task: t.task, PE: t.pe, Peer: t.pe, Code: t.code}
	if by := &r.tracks[x.other]; x.other != 0 {
		r.birth(by)
		e.PE, e.Ref = by.pe, by.task
		r.spawns(by)
	}
	r.emit(e)
	r.emit(tracer.Event{Kind: tracer.Start, Task: t.task, PE: t.pe, Code: t.code, Value: 1})
	r.emit(tracer.Event{Kind: tracer.Wait, Task: t.task, PE: t.pe, Code: r.codes.asynchronous})
	if p.operations++; p.operations == 1 {
		r.emit(tracer.Event{Kind: tracer.Idle, PE: t.pe, Code: r.codes.asynchronous})
	}
}

// done records that an operation or an action has ended.
func (r *Recording) done(t *track) {
	r.emit(tracer.Event{Kind: tracer.End, Task: t.task, PE: t.pe, Code: t.code})
	t.task = 0
	if p := &r.processes[t.process]; t.kind == Async {
		if p.operations--; p.operations > 0 {
			return
		}
	}
	r.emit(tracer.Event{Kind: tracer.Idle, PE: t.pe, Code: r.codes.noWork})
}
