package account

import (
	"slices"

	"whorl/tracer"
)

// reasons holds the classes of the reasons of a trace, by code.
type reasons struct {
	dict    *tracer.Dict
	classes [][2]Class // of Idle and of Overhead
	types   []tracer.CodeType
}

// Plain reports whether kinds alone tell the account of a trace when its PEs work, have overhead and are idle: it has no threads and no messages, and
// states with the given reasons, of Overhead and of Idle, count as overhead and as idle.
func Plain(src tracer.Source, over, idle []uint32) bool {
	counts := src.Counts()
	if basisOf(src) != States || counts[tracer.Send]+counts[tracer.Start] > 0 {
		return false
	}
	r := reasons{dict: src.Dict()}
	for _, code := range over {
		if !r.class(tracer.Overhead, code).Overhead() {
			return false
		}
	}
	for _, code := range idle {
		if c := r.class(tracer.Idle, code); c == Work || c.Overhead() {
			return false
		}
	}
	return true
}

// function reports whether a Busy state has the function of its thread in place of a reason.
func (r *reasons) function(code uint32) bool { return r.types[r.entry(code)] == tracer.Function }

// entry returns a code, 0 for one that the trace does not have.
func (r *reasons) entry(code uint32) uint32 {
	if int(code) >= len(r.classes) {
		codes := r.dict.Codes()
		for _, c := range codes[min(len(r.classes), len(codes)):] {
			r.classes, r.types = append(r.classes, classesOf(c.Name)), append(r.types, c.Type)
		}
		if int(code) >= len(r.classes) {
			code = 0
		}
	}
	return code
}

// class returns the class of an Idle or Overhead state with a reason.
func (r *reasons) class(kind tracer.Kind, code uint32) Class {
	code = r.entry(code)
	if kind == tracer.Idle {
		return r.classes[code][0]
	}
	return r.classes[code][1]
}

// classesOf returns the classes of Idle and Overhead with a reason of a name.
func classesOf(name string) [2]Class {
	switch name {
	case tracer.ReasonSteal:
		return [2]Class{Stealing, Stealing}
	case tracer.ReasonGC, tracer.ReasonStopped:
		return [2]Class{Collector, Collector}
	case tracer.ReasonOffCPU, tracer.ReasonSystemCall:
		return [2]Class{System, System}
	case tracer.ReasonPreempted:
		return [2]Class{Scheduling, Scheduling}
	case tracer.ReasonExit:
		return [2]Class{undecided, System}
	case tracer.ReasonMessage:
		return [2]Class{undecided, Communication}
	case tracer.ReasonNotRunning, tracer.ReasonNotRecorded, tracer.ReasonAsynchronous:
		return [2]Class{Nothing, System}
	}
	return [2]Class{undecided, Scheduling}
}

// OverheadFor returns the class of the time of a PE that has overhead for a reason of that name.
func OverheadFor(reason string) Class { return classesOf(reason)[1] }

// IdleOverhead reports whether a PE that is idle for a reason of that name has overhead.
func IdleOverhead(reason string) bool { return classesOf(reason)[0].Overhead() }

// An idle is time without a task whose class is not decided yet.
type idle struct {
	open     bool
	from, to int64
	why      uint32 // the reason of the trace

	arrived bool // a message arrived after it
	peer    int32
	message uint32 // code of the message
	sent    int64  // when it was sent
}

// A wake is the first Resume of a goal on a PE that has no task.
type wake struct {
	known bool
	time  int64
	pe    int32 // of the binder
	code  uint32
}

// noWork reports whether the reason of the trace names nothing to wait for.
func (p *pass) noWork(why uint32) bool {
	c := p.reasons.dict.Code(why)
	return c.Type != tracer.Reason || c.Name == "" || c.Name == tracer.ReasonNoWork
}

// received notes a message that may have ended the undecided time of a PE.
func (p *pass) received(l *lane, t int64, e *tracer.Event) {
	m, known := p.sent[e.Ref]
	delete(p.sent, e.Ref)
	if l.class == undecided {
		p.advance(l, t)
	}
	if i := &l.idle; i.open {
		i.arrived, i.peer, i.message, i.sent = true, e.Peer, p.known(e.Code), i.to
		if known {
			i.sent = m.time
		}
		if l.class != undecided && !p.noWork(i.why) {
			p.decide(l, e)
		}
	}
}

// resumed notes a goal that is ready on a PE that may have waited for it.
func (p *pass) resumed(binder *lane, t int64, e *tracer.Event) {
	if uint32(e.Peer) >= uint32(len(p.lanes)) {
		return
	}
	l := &p.lanes[e.Peer]
	from := max(l.since, l.stepEnd) // when it lost its last task
	if l.idle.open {
		from = l.idle.from
	} else if l.class != undecided {
		return
	}
	if t < from || l.wake.known && l.wake.time >= from {
		return
	}
	if l == binder && l.class != undecided && !l.idle.arrived && e.Task != e.Ref { // its own first step after the idle time
		return
	}
	l.wake = wake{true, t, e.PE, binder.step.Code}
}

// decide gives the open undecided time of a PE its classes, at the event that ended it.
func (p *pass) decide(l *lane, e *tracer.Event) {
	i, w := &l.idle, &l.wake
	if !i.open {
		return
	}
	i.open = false
	named := !p.noWork(i.why)
	k, waited := key{why: i.why, pe: tracer.None}, named
	if !named {
		k.why = 0
	}
	switch e.Kind {
	case tracer.JoinEnd:
		waited, k.kind, k.pe = true, ForJoin, e.Peer
		if uint32(e.Peer) < uint32(len(p.lanes)) {
			if r := p.lanes[e.Peer].ended; r.task == e.Ref {
				k.code = r.code
			}
		}
	case tracer.Reduce, tracer.Suspend, tracer.Fail, tracer.End:
		if w.known && w.time >= i.from && p.basis != Instants {
			waited, k.kind, k.pe, k.code = true, ForBinding, w.pe, w.code
		}
	}
	if named {
		k.kind = ForReason
	}
	if w, ok := p.woken[e.Task]; ok && (e.Kind == tracer.Busy || e.Kind == tracer.Start) {
		if w.time >= i.from {
			waited, k = true, key{kind: ForWake, pe: w.pe, code: w.code}
			if w.pe == tracer.None {
				k = key{kind: ForReason, why: w.code, pe: tracer.None}
			}
		}
	}
	sent := i.to
	if i.arrived {
		sent = min(max(i.sent, i.from), i.to)
		switch {
		case k.kind == ForBinding && uint32(i.peer) < uint32(len(p.lanes)):
			k.pe, k.code = i.peer, p.lanes[i.peer].step.Code
		case k.kind == ForReason && waited:
			k.pe, k.code = i.peer, i.message
		}
	}
	class := Nothing
	if waited {
		if class = Waiting; sent > i.from {
			p.waits.add(k, sent-i.from)
			p.pause(l, Pause{i.from, sent, k.kind, k.why, k.pe, k.code})
		}
	}
	p.spend(l, Piece{i.from, class, i.why}, sent)
	p.spend(l, Piece{sent, Communication, i.why}, i.to)
	for _, piece := range l.late {
		p.begin(l, piece)
	}
	l.late = l.late[:0]
}

// A key identifies waits that are summed.
type key struct {
	kind PauseKind
	why  uint32
	pe   int32
	code uint32
}

type sum struct{ time, count int64 }

type waits map[key]sum

func (w waits) add(k key, ns int64) {
	s := w[k]
	w[k] = sum{s.time + ns, s.count + 1}
}

// list returns the waits by reason with their causes, longest first.
func (w waits) list(codes []tracer.Code) []Wait {
	index := map[string]int{}
	var all []Wait
	for k, s := range w {
		name := k.kind.reason(k.why, codes)
		i, ok := index[name]
		if !ok {
			i = len(all)
			index[name] = i
			all = append(all, Wait{For: name})
		}
		x := &all[i]
		x.Time, x.Count = x.Time+s.time, x.Count+s.count
		x.By = append(x.By, Cause{k.pe, k.code, s.time, s.count})
	}
	for i := range all {
		slices.SortFunc(all[i].By, compareCauses)
	}
	slices.SortFunc(all, compareWaits)
	return all
}
