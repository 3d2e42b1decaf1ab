package projections

import "whorl/tracer"

// creator returns the task that creates a message: the one that runs, or for which the runtime system goes on after its end.
func (p *player) creator() uint64 {
	if len(p.stack) == 0 && p.starts == 0 {
		return p.after
	}
	return p.current()
}

// create records the messages of a creation, and forks the tasks that execute them.
func (p *player) create(rec *record) {
	r := p.r
	e := tracer.Event{Kind: tracer.Send, Task: p.creator(), Code: r.class(rec.kind), Value: rec.size}
	p.tasks = p.tasks[:0]
	key, ok := creationKey(int64(p.log.pe), rec.event)
	if n, known := r.pairs.byCreation.Get(key); ok && known && r.pairs.messages[n].time == rec.time && r.pairs.messages[n].entry == rec.id {
		if r.pairs.messages[n].from != 0 { // the next execution is that of a broadcast
			p.arrive(rec.time)
			return
		}
		for i := r.pairs.messages[n].first; i != 0; i = r.pairs.tasks[i-1].next {
			if r.pairs.executed(&r.pairs.tasks[i-1]) != nil {
				p.tasks = append(p.tasks, i-1)
			}
		}
	}
	for i := len(p.tasks) - 1; i >= 0; i-- {
		n := p.tasks[i]
		t := &r.pairs.tasks[n]
		p.fork(n, e.Task, rec.size)
		e.Ref, e.Peer = uint64(n)+1, t.pe
		p.put(e)
		if r.waited(t) {
			p.put(tracer.Event{Kind: tracer.Wait, Task: uint64(n) + 1, Ref: r.contextOf(t), Code: r.codes.message})
		}
	}
	if len(p.tasks) == 0 {
		r.lost.unexecuted++
		r.messages++
		e.Ref, e.Peer = uint64(len(r.pairs.tasks))+r.messages, tracer.None
		p.put(e)
	}
}

// fork records the creation of a task.
func (p *player) fork(n uint32, parent uint64, bytes int64) {
	t := &p.r.pairs.tasks[n]
	if parent != 0 {
		p.put(tracer.Event{Kind: tracer.Sample, Task: parent, Ref: p.context(), Code: p.r.codes.forks, Value: 1})
	}
	p.put(tracer.Event{Kind: tracer.Fork, Task: uint64(n) + 1, Ref: parent, Peer: t.pe, Code: p.r.method(t.entry).code, Value: bytes})
}

// arrive receives the message of the next execution if the PE waited for it.
func (p *player) arrive(at int64) {
	if p.count >= len(p.log.begins) {
		return
	}
	n := p.log.begins[p.count]
	t := &p.r.pairs.tasks[n]
	if t.idle != at || t.begun || t.arrived || !p.r.waited(t) {
		return
	}
	p.receive(n)
	m := p.r.pairs.executed(t)
	sent := p.r.ns(m.pe, m.time)
	p.put(tracer.Event{Kind: tracer.Wake, Task: uint64(n) + 1, Code: p.r.codes.message})
	p.put(tracer.Event{Kind: tracer.Sample, Task: uint64(n) + 1, Ref: p.r.contextOf(t), Code: p.r.codes.waiting, Value: p.now - sent})
}

// receive records the receipt of the message of a task.
func (p *player) receive(n uint32) {
	t := &p.r.pairs.tasks[n]
	t.arrived = true
	m := p.r.pairs.executed(t)
	p.put(tracer.Event{Kind: tracer.Recv, Task: uint64(n) + 1, Ref: uint64(n) + 1, Peer: m.pe, Code: m.class, Value: m.bytes})
}
