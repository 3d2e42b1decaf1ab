package projections

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"whorl/internal/hashtable"
	"whorl/internal/lines"
	"whorl/tracer/formats/gzipped"
)

// pairs are the messages, and the tasks that execute them.
type pairs struct {
	byCreation hashtable.Table // number of a message by creation
	messages   []message
	tasks      []task // task n+1 of the trace is entry n
}

// A message is a creation of messages with its executions.
type message struct {
	time  int64 // µs; unsent if the creation is in no log
	entry int32
	pe    int32  // of the creation
	class uint32 // of messages
	bytes int64
	first uint32 // of its tasks, + 1
	from  uint32 // the broadcast that it passes on, + 1
	outer bool   // it was created outside of all executions
	zero  bool   // creation 0 of PE 0: messages that are not traced have these numbers too
}

const unsent = -1

// A task is an execution of a message: one, or the parts of the execution of a method that is suspended and goes on.
type task struct {
	message uint32 // + 1; 0 for none
	next    uint32 // of the same message, + 1
	element uint32 // distinguishes the elements of an array, 0 if they cannot be distinguished
	pe      int32
	entry   int32
	parts   uint32 // number of parts still to come
	begun   bool
	arrived bool  // its message has been received
	begin   int64 // time in µs of its first part
	idle    int64 // time in µs until which the PE had nothing to do before the execution, neverIdle if it had something to do
}

// creationKey identifies a creation. It returns false for numbers that no creation has.
func creationKey(pe, event int64) (uint64, bool) {
	if pe < 0 || event < 0 || pe >= 1<<31 || event >= 1<<32-1 {
		return 0, false
	}
	return uint64(pe)<<32 | uint64(event), true
}

// message returns the number of the message of a creation, a new one if need be.
func (p *pairs) message(key uint64) uint32 {
	n, added := p.byCreation.Add(key, uint32(len(p.messages)))
	if added {
		p.messages = append(p.messages, message{time: unsent, pe: int32(key >> 32), zero: key == 0})
	}
	return n
}

// executed returns the message that a task executes, nil if its creation is in no log.
func (p *pairs) executed(t *task) *message {
	if t.message == 0 {
		return nil
	}
	m := &p.messages[t.message-1]
	if m.time == unsent || m.zero && m.entry != t.entry {
		return nil
	}
	return m
}

// waited reports whether the PE of a task had nothing to do until its message came.
func (r *reader) waited(t *task) bool {
	m := r.pairs.executed(t)
	return m != nil && t.idle != neverIdle && r.ns(t.pe, t.idle) >= r.ns(m.pe, m.time)
}

// pair goes over a log and notes its creations and its executions.
func (r *reader) pair(l *log) {
	idle, depth := int64(neverIdle), 0
	r.each(l, true, func(p *parser) {
		rec := &p.rec
		if !l.seen {
			l.seen, l.first, l.last = true, rec.time, rec.time
		}
		l.first, l.last = min(l.first, rec.time), max(l.last, rec.time)
		switch rec.kind {
		case endIdle:
			idle = rec.time
		case beginIdle:
			idle = neverIdle
		case endProcessing:
			idle, depth = neverIdle, max(depth-1, 0)
		case creation, creationBcast, creationMulti:
			if key, ok := creationKey(int64(l.pe), rec.event); ok {
				m := &r.pairs.messages[r.pairs.message(key)]
				if m.time == unsent {
					m.time, m.entry, m.bytes, m.class, m.outer = rec.time, rec.id, rec.size, r.class(rec.kind), depth == 0
				}
			}
		case beginProcessing:
			l.begins = append(l.begins, r.execution(l, rec, idle))
			idle, depth = neverIdle, depth+1
		}
	})
}

// execution returns the number of the task of an execution.
func (r *reader) execution(l *log, rec *record, idle int64) uint32 {
	p := &r.pairs
	n := uint32(len(p.tasks))
	t := task{pe: l.pe, entry: rec.id, parts: 1, begin: rec.time, idle: idle, element: rec.element}
	if key, ok := creationKey(rec.pe, rec.event); ok && !r.method(rec.id).thread {
		t.message = p.message(key) + 1
		m := &p.messages[t.message-1]
		i := m.first
		for looked := 0; i != 0 && looked < mostLooked && t.element != 0; looked++ {
			if other := &p.tasks[i-1]; other.pe == l.pe && other.element == t.element {
				other.parts++
				return i - 1
			}
			i = p.tasks[i-1].next
		}
		t.next, m.first = m.first, n+1
	}
	p.tasks = append(p.tasks, t)
	return n
}

// forward finds the messages that pass on a broadcast. The runtime system delivers some broadcasts by a message that each PE creates for itself, outside of
// executions. If a PE has as many of these to an entry method as there are broadcasts to it without an execution, and each is later than its broadcast,
// its executions are those of the broadcast.
func (r *reader) forward() {
	p := &r.pairs
	type delivery struct{ pe, entry int32 }
	broadcasts, passed := map[int32][]uint32{}, map[delivery][]uint32{}
	for i := range p.messages {
		m := &p.messages[i]
		switch {
		case m.time == unsent || m.zero:
		case m.class != r.codes.single && m.first == 0:
			broadcasts[m.entry] = append(broadcasts[m.entry], uint32(i))
		case m.class == r.codes.single && m.first != 0 && m.outer:
			key := delivery{m.pe, m.entry}
			passed[key] = append(passed[key], uint32(i))
		}
	}
	byTime := func(a, b uint32) int {
		return cmp.Or(cmp.Compare(p.messages[a].time, p.messages[b].time), cmp.Compare(a, b))
	}
	for _, of := range broadcasts {
		slices.SortFunc(of, byTime)
	}
	for _, l := range r.logs {
		for entry, of := range broadcasts { // each changes its own messages: the order does not matter
			own := passed[delivery{l.pe, entry}]
			slices.SortFunc(own, byTime)
			if len(own) != len(of) || !r.follow(own, of) {
				continue
			}
			for k, i := range own {
				p.pass(i, of[k])
			}
		}
	}
}

// follow reports whether each message of one list is later than that of another.
func (r *reader) follow(own, of []uint32) bool {
	for k, i := range own {
		if m, b := &r.pairs.messages[i], &r.pairs.messages[of[k]]; r.ns(m.pe, m.time) < r.ns(b.pe, b.time) {
			return false
		}
	}
	return true
}

// pass moves the executions of a message to a broadcast.
func (p *pairs) pass(from, to uint32) {
	m, b := &p.messages[from], &p.messages[to]
	last := m.first
	for i := m.first; i != 0; i = p.tasks[i-1].next {
		t := &p.tasks[i-1]
		t.idle, t.message, last = m.time, to+1, i
	}
	p.tasks[last-1].next, b.first = b.first, m.first
	m.from, m.first = to+1, 0
}

// each calls f with each record of a log, or with those that the first pass needs.
func (r *reader) each(l *log, pairs bool, f func(p *parser)) {
	cut := func(err error) {
		r.w.Dropped.Once("what follows in " + l.name + ": " + strings.TrimPrefix(err.Error(), "gzip: "))
	}
	file, err := r.folder.Open(l.name)
	if err != nil {
		cut(err)
		return
	}
	defer file.Close()
	unpacked, err := gzipped.Reader(file)
	if err != nil {
		cut(err)
		return
	}
	in := lines.New(unpacked, longestLine)
	p := &parser{r: r, pairs: pairs, count: make([]int64, len(r.counters))}
	for {
		line, _, err := in.Next() // a list of PEs or a text is needed only up to the limit
		whole := err == nil
		switch {
		case !whole && len(line) > 0: // each line of a log that is whole has an end
			r.lost.cut++
		case whole && p.parse(line):
			f(p)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				cut(err)
			}
			return
		}
	}
}
