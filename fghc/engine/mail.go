package engine

import (
	"whorl/fghc/term"
	"whorl/sim"
)

// Classes of messages between PEs.
const (
	fetch = iota // the sender wants the value of a term of the receiver
	value        // the answer
	tell         // the receiver is to unify one of its variables with a term
	numClasses
)

var classNames = [numClasses]string{"fetch", "value", "tell"}

// A mail is a message in flight. Its terms already belong to the receiver.
type mail struct {
	class int
	cell  int       // fetch, value: the import to fill on the asking PE; 0 once it is bound
	term  term.Word // tell: the receiver's term; value: the content for the cell
	value term.Word // tell: the term to unify it with
	site  int32     // tell: site of the unification
	used  bool

	fetched bool // value: it was there when it was asked for, so no task has bound it for the one that asked
}

// An outgoing message is sent at the end of the step.
type outgoing struct {
	to    int32
	mail  uint32
	bytes int64
	task  uint64
}

// A notice is a binding to report to the owner of the variable.
type notice struct {
	owner       int32
	term, value term.Word
	site        int32
}

// write creates the messages of the step of a task. fetched tells that the step has received a value which was there when the task asked for it.
func (e *Engine) write(task uint64, fetched bool) {
	for len(e.replies) > 0 {
		cell := e.replies[0]
		e.replies = e.replies[1:]
		e.answerFor(cell, task, fetched)
	}
	for _, v := range e.asked {
		rec := e.heap.m[v.Index()]
		if rec.Tag() != term.Var || rec&imported == 0 {
			continue // bound meanwhile
		}
		r := rec.Index()
		e.send(e.owner(r), mail{class: fetch, cell: v.Index()}, wordBytes, task)
	}
	for _, t := range e.tells {
		v, words := e.export(t.value, t.owner)
		e.work += int64(words) * e.costs.Word
		e.send(t.owner, mail{class: tell, term: t.term, value: v, site: t.site}, int64(2+words)*wordBytes, task)
	}
	e.asked, e.tells, e.replies = e.asked[:0], e.tells[:0], e.replies[:0]
}

func (e *Engine) send(to int32, m mail, bytes int64, task uint64) {
	m.used = true
	i := uint32(len(e.mail))
	if n := len(e.noMail); n > 0 {
		i, e.noMail = e.noMail[n-1], e.noMail[:n-1]
		e.mail[i] = m
	} else {
		e.mail = append(e.mail, m)
	}
	e.work += e.costs.Message
	e.outbox = append(e.outbox, outgoing{to, i, headerBytes + bytes, task})
}

// post hands the messages to the machine.
func (e *Engine) post(p *sim.PE) {
	for _, o := range e.outbox {
		p.Send(o.to, sim.Message{Class: e.classCode[e.mail[o.mail].class], Task: o.task, Data: uint64(o.mail), Bytes: o.bytes})
	}
	e.outbox = e.outbox[:0]
}

// answerFor answers the PE that has fetched the import at cell: with the value, or with another variable to which it
// has been bound, so that the goals that wait there are tried again. If it is still unbound the answer follows when it
// is bound.
func (e *Engine) answerFor(cell int, task uint64, fetched bool) {
	h := &e.heap
	content := h.m[cell]
	if cell == 0 || content.Tag() != term.Var || content&imported == 0 {
		return // bound there meanwhile
	}
	rec := content.Index()
	asker := int32(h.m[rec+3].Value())
	target := h.m[rec+1]
	w := h.deref(target)
	held := term.Var
	if w.Tag() == term.Ref {
		held = h.m[w.Index()]
	}
	switch {
	case w.Tag() != term.Ref:
		v, words := e.export(w, asker)
		e.work += int64(words) * e.costs.Word
		e.send(asker, mail{class: value, cell: cell, term: v, fetched: fetched}, int64(1+words)*wordBytes, task)
	case w != target || held&imported != 0:
		e.send(asker, mail{class: value, cell: cell, term: e.importOf(w, e.pe, asker), fetched: fetched}, 2*wordBytes, task)
	default:
		k := h.alloc(3)
		h.m[k] = hookOf(remoteHook, 0)
		h.m[k+1] = term.MakeInt(int64(held.Index()))
		h.m[k+2] = term.MakeInt(int64(cell))
		h.m[w.Index()] = term.Word(k)<<term.TagBits | term.Var
	}
}

// Deliver processes a message.
func (e *Engine) Deliver(p *sim.PE, msg sim.Message) sim.Time {
	if e.err != nil {
		return 0
	}
	e.pe, e.work = p.ID(), e.costs.Message
	m := e.mail[msg.Data]
	e.mail[msg.Data] = mail{}
	e.noMail = append(e.noMail, uint32(msg.Data))
	switch m.class {
	case fetch:
		e.answerFor(m.cell, msg.Task, true)
	case value:
		if content := e.heap.m[m.cell]; m.cell != 0 && content.Tag() == term.Var && content&imported != 0 {
			first := int(e.heap.m[content.Index()].Value())
			e.heap.m[m.cell] = m.term
			if first != 0 {
				e.wakeHooks(first)
			}
		}
	case tell:
		e.site = m.site
		if !e.unify(m.term, m.value) {
			e.err = e.unifyError(m.term, m.value, int(m.site))
			p.Stop(e.err)
		}
	}
	e.write(msg.Task, m.fetched)
	cost := p.Cost(e.work)
	binder := msg.Task
	if m.fetched {
		binder = itself
	}
	e.wake(p, binder)
	e.post(p)
	return cost
}
