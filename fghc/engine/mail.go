package engine

import (
	"whorl/fghc/term"
	"whorl/sim"
)

// Classes of messages between PEs.
const (
	fetch = iota // the sender wants the value of a term of the receiver
	value        // here it is
	tell         // a variable of the receiver is to be unified with this
	numClasses
)

var classNames = [numClasses]string{"fetch", "value", "tell"}

// A mail is a message in flight. Terms in it belong to the receiver already.
type mail struct {
	class int
	cell  int       // fetch, value: the import to fill, on the PE that asks; 0 once it is bound
	term  term.Word // tell: the receiver's term; value: what the cell gets
	value term.Word // tell: what the term is to be unified with
	site  int32     // tell: of the unification
	used  bool
}

// An outgoing message leaves at the end of the step.
type outgoing struct {
	to    int32
	mail  uint32
	bytes int64
	task  uint64
}

// A telling is a binding that an owner has to hear of.
type telling struct {
	owner       int32
	term, value term.Word
	site        int32
}

// write makes the messages that the step has given rise to.
func (e *Engine) write(task uint64) {
	for len(e.replies) > 0 {
		cell := e.replies[0]
		e.replies = e.replies[1:]
		e.answerFor(cell, task)
	}
	for _, v := range e.asked {
		rec := e.heap.m[v.Index()]
		if rec.Tag() != term.Var || rec&imported == 0 {
			continue // bound meanwhile
		}
		r := rec.Index()
		e.send(e.owner(r), mail{class: fetch, cell: v.Index()}, wordBytes, task)
	}
	for _, t := range e.told {
		v, words := e.export(t.value, t.owner)
		e.work += int64(words) * e.costs.Word
		e.send(t.owner, mail{class: tell, term: t.term, value: v, site: t.site}, int64(2+words)*wordBytes, task)
	}
	e.asked, e.told, e.replies = e.asked[:0], e.told[:0], e.replies[:0]
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

// answerFor tells the PE that asked what is behind its import, as far as the owner knows: the value; or another variable that it has become
// one with, here or elsewhere, so that the goals that wait for it there look again. If it is still the variable that it was, the PE will
// hear of it.
func (e *Engine) answerFor(cell int, task uint64) {
	h := &e.heap
	content := h.m[cell]
	if cell == 0 || content.Tag() != term.Var || content&imported == 0 {
		return // bound there meanwhile: nobody waits for the answer
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
		e.send(asker, mail{class: value, cell: cell, term: v}, int64(1+words)*wordBytes, task)
	case w != target || held&imported != 0:
		e.send(asker, mail{class: value, cell: cell, term: e.importOf(w, e.pe, asker)}, 2*wordBytes, task)
	default:
		k := h.alloc(3)
		h.m[k] = hookOf(remoteHook, 0)
		h.m[k+1] = term.MakeInt(int64(held.Index()))
		h.m[k+2] = term.MakeInt(int64(cell))
		h.m[w.Index()] = term.Word(k)<<term.TagBits | term.Var
	}
}

// Deliver takes in a message.
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
		e.answerFor(m.cell, msg.Task)
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
	e.write(msg.Task)
	cost := p.Cost(e.work)
	e.wake(p, msg.Task)
	e.post(p)
	return cost
}
