package spans

import (
	"strconv"

	"whorl/tracer"
)

// mostLanes bounds the lanes of an instance.
const mostLanes = 1 << 12

// Finish records the trace. The caller then may only read r.Dropped.
func (r *Recording) Finish() error {
	r.group()
	r.skewed()
	r.contradictions()
	r.arrange()
	r.chain()
	r.homonyms()
	var begun []uint32 // processes by their first spans
	r.each(true, func(a *action) { begun = r.place(a, begun) })
	if err := r.number(begun); err != nil {
		return err
	}
	m := &r.w.Meta
	m.Program, m.Substrate, m.Mode, m.Clock = r.entrance(), "spans", tracer.Live, tracer.Aligned
	if len(r.sorted) > 0 {
		r.epoch = r.begins[r.sorted[0]]
		r.w.Recorded(r.epoch)
	}
	r.s = r.w.Rec.Stream(tracer.StreamInfo{Name: "spans"})
	r.each(false, r.emit)
	r.s.Sync()
	r.w.Finish()
	return nil
}

// entrance returns the service with the most requests, as the name of the program.
func (r *Recording) entrance() (name string) {
	counts := map[string]int{}
	for _, t := range r.sorted {
		for _, n := range r.roots(t) {
			s := r.processes[r.spans.Entry(n).process].service
			if counts[s]++; counts[s] > counts[name] {
				name = s
			}
		}
	}
	return name
}

// place gives tasks their numbers and spans their lanes.
func (r *Recording) place(a *action, begun []uint32) []uint32 {
	s := r.spans.Entry(a.a)
	switch a.what {
	case forks:
		r.tasks++
		s.task = r.tasks
	case starts:
		p := &r.processes[s.process]
		if !p.began {
			p.began = true
			begun = append(begun, s.process)
		}
		s.set(running, true)
		if by := r.caller(s); by != nil && by.is(running) {
			s.lane = by.lane
			break
		}
		lane, ok := p.lanes.Acquire(mostLanes)
		if !ok {
			r.Dropped.Add("spans beyond the limit of lanes, which share one", 1)
		}
		s.lane = int32(lane)
	case ends:
		s.set(running, false)
		if r.borrows(s) {
			break
		}
		r.processes[s.process].lanes.Release(int(s.lane))
	}
	return begun
}

// caller returns the parent of the same instance that waits for a span, nil for none.
func (r *Recording) caller(s *span) *span {
	if s.parent == 0 || !s.is(chained) {
		return nil
	}
	if p := r.spans.Entry(s.parent - 1); p.process == s.process && p.start <= s.start {
		return p
	}
	return nil
}

// borrows reports whether a span runs on the lane of its parent.
func (r *Recording) borrows(s *span) bool {
	p := r.caller(s)
	return p != nil && p.lane == s.lane
}

// number makes the lanes PEs.
func (r *Recording) number(begun []uint32) error {
	for _, n := range begun {
		p := &r.processes[n]
		for lane := range p.lanes.Len() {
			pe, err := r.w.Processor(tracer.PE{Host: p.host, Process: p.name, Thread: "lane " + strconv.Itoa(lane+1)})
			if err != nil {
				return err
			}
			p.pes = append(p.pes, pe)
		}
	}
	return nil
}

func (r *Recording) pe(s *span) int32 { return r.processes[s.process].pes[s.lane] }

// The numbers of messages lie above those of tasks.
func (r *Recording) request(s *span) uint64    { return uint64(r.tasks) + 2*uint64(s.task) }
func (r *Recording) answer(s *span) uint64     { return r.request(s) + 1 }
func (r *Recording) linked(link uint32) uint64 { return 3*uint64(r.tasks) + 2 + uint64(link) }

// mostNested bounds the depth of calling contexts.
const mostNested = 1 << 9

// context sets the calling context of a span.
func (r *Recording) context(s *span) {
	from := uint32(0)
	if s.parent != 0 {
		p := r.spans.Entry(s.parent - 1)
		from = p.context
		if s.depth = min(p.depth+1, mostNested); s.depth == mostNested {
			s.context = from
			return
		}
	}
	s.context = r.w.Call(from, []uint32{r.function(s)})
}

// event returns an event of a span on its PE.
func (r *Recording) event(k tracer.Kind, s *span, code uint32) tracer.Event {
	return tracer.Event{Time: r.now, Kind: k, Task: uint64(s.task), PE: r.pe(s), Peer: tracer.None, Code: code}
}

// put records an event.
func (r *Recording) put(e tracer.Event) {
	r.w.Begin(r.s, e.PE, r.now)
	*r.s.Slot() = e
}

// sample records an amount of a metric in the calling context of a span.
func (r *Recording) sample(s *span, metric uint32, amount int64) {
	e := r.event(tracer.Sample, s, metric)
	e.Ref, e.Value = r.calling(s), amount
	r.put(e)
}

func (r *Recording) calling(s *span) uint64 { return uint64(s.context) }

// idle records that the PE of a span has nothing to do.
func (r *Recording) idle(s *span, reason uint32) {
	e := r.event(tracer.Idle, s, reason)
	e.Task = 0
	r.put(e)
}

// emit records the events of an action.
func (r *Recording) emit(a *action) {
	s := r.spans.Entry(a.a)
	r.now = a.time - r.epoch
	switch a.what {
	case forks:
		r.context(s)
		e := r.event(tracer.Fork, s, r.function(s))
		e.Peer = e.PE
		if a.b != 0 {
			p := r.spans.Entry(a.b - 1)
			r.sample(p, r.codes.forks, 1)
			e.PE, e.Ref = r.pe(p), uint64(p.task)
		}
		r.put(e)
	case starts:
		r.put(r.event(tracer.Busy, s, r.function(s)))
		e := r.event(tracer.Start, s, r.function(s))
		e.Value = 1
		r.put(e)
		from, to := r.attributesOf(a.a)
		for i := from; i < to; i++ {
			r.instant(s, *r.attrs.Entry(i))
		}
	case marks:
		r.instant(s, r.events.Entry(a.b).name)
	case ends:
		e := r.event(tracer.End, s, r.function(s))
		if s.is(failed) {
			e.Value = 1
		}
		r.put(e)
		if !r.borrows(s) {
			r.idle(s, r.codes.noWork)
		}
	case worked:
		r.sample(s, r.codes.own, a.value)
	case linkSends, linkGets, linkWakes:
		r.emitLink(a, s)
	default:
		r.emitPair(a, s, r.spans.Entry(a.b))
	}
}

// instant records a mark.
func (r *Recording) instant(s *span, mark uint32) {
	e := r.event(tracer.Mark, s, r.mark(mark))
	e.Value = -1
	r.put(e)
}

// emitPair records the events between a parent and its child.
func (r *Recording) emitPair(a *action, s, other *span) {
	switch a.what {
	case joins, joined:
		e := r.event(tracer.JoinBegin, s, 0)
		e.Ref, e.Peer = uint64(other.task), r.pe(other)
		if a.what == joined {
			e.Kind = tracer.JoinEnd
			r.put(e)
			r.put(r.event(tracer.Busy, s, r.function(s)))
			return
		}
		r.put(e)
		if !r.borrows(other) {
			r.idle(s, r.codes.join)
		}
	case expects, suspends:
		e := r.event(tracer.Wait, s, r.codes.message)
		e.Ref = r.calling(s)
		r.put(e)
		if a.what == suspends {
			r.idle(s, r.codes.message)
		}
	case wakes:
		r.woken(s, other, a.value)
	case resumes:
		r.woken(s, other, a.value)
		r.put(r.event(tracer.Busy, s, r.function(s)))
	case sends, receives:
		p, child, kind := s, other, tracer.Send
		if a.what == receives {
			p, child, kind = other, s, tracer.Recv
		}
		class := r.codes.request
		if alone(p, child) {
			class = r.codes.queue
		}
		r.message(kind, s, other, r.request(child), class)
	case answers:
		r.message(tracer.Send, s, other, r.answer(s), r.codes.answer)
	case gets:
		r.message(tracer.Recv, s, other, r.answer(other), r.codes.answer)
	}
}

// message records that a span sends a message to another one or has one from it.
func (r *Recording) message(k tracer.Kind, s, other *span, id uint64, class uint32) {
	e := r.event(k, s, class)
	e.Ref, e.Peer = id, r.pe(other)
	r.put(e)
}

// woken records that a task has the message that it waited for.
func (r *Recording) woken(s, by *span, waited int64) {
	e := r.event(tracer.Wake, s, r.codes.message)
	e.PE, e.Ref = r.pe(by), uint64(by.task)
	r.put(e)
	r.sample(s, r.codes.waiting, waited)
}

// emitLink records a link as a message.
func (r *Recording) emitLink(a *action, s *span) {
	l := r.links.Entry(a.b)
	switch a.what {
	case linkSends:
		r.message(tracer.Send, s, r.spans.Entry(l.from), r.linked(a.b), r.codes.linked)
	case linkGets:
		r.message(tracer.Recv, s, r.spans.Entry(l.to-1), r.linked(a.b), r.codes.linked)
	default:
		r.woken(s, r.spans.Entry(l.to-1), a.value)
	}
}
