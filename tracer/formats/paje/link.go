package paje

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"

	"whorl/tracer"
)

// links are the links with one known end.
type links struct {
	open     map[linkKey]*parcel
	early    map[linkKey]early // ends before their beginnings
	pairs    map[string][]*parcel
	messages uint64
	unmet    int64
	lost     int64
}

type linkKey struct {
	kind *kind
	key  string
}

// A parcel is a link that has begun.
type parcel struct {
	key     linkKey
	event   tracer.Event
	matched bool
}

// An early link has ended before its beginning, in the order of the file.
type early struct {
	message uint64
	pe      int32
}

// startLink reads the beginning of a link.
func (r *reader) startLink() {
	at, ok := r.recordTime()
	k, c := r.kind(ofLinks), r.container(fieldStart)
	if !ok || k == nil || c == nil {
		return
	}
	p := &parcel{key: linkKey{k, string(r.get[fieldKey])}, event: tracer.Event{
		Kind: tracer.Send, Time: at, Task: c.task.id, PE: r.place(c), Peer: tracer.None, Code: k.code, Value: r.size(),
	}}
	l := &r.links
	if e, ok := l.early[p.key]; ok {
		delete(l.early, p.key)
		p.event.Ref, p.event.Peer, p.matched = e.message, e.pe, true
	} else {
		l.messages++
		p.event.Ref = l.messages
		switch {
		case l.open[p.key] != nil:
			l.unmet++
		case len(l.open) >= mostOpen:
			r.w.Dropped.Add("links beyond the limit", 1)
			return
		}
		l.open[p.key] = p
		if pair, _, ok := tagged(p.key.key); ok {
			l.pairs[pair] = append(l.pairs[pair], p)
		}
	}
	c.queue = append(c.queue, p)
	r.deliver(c, false)
}

// anyTag is the tag in the keys of SimGrid of messages that are received with any tag.
const anyTag = "-444"

// tagged splits a key of SimGrid: sender_receiver_tag_number.
func tagged(key string) (pair, tag string, ok bool) {
	a := strings.LastIndexByte(key, '_')
	if a < 0 {
		return "", "", false
	}
	b := strings.LastIndexByte(key[:a], '_')
	if b < 0 {
		return "", "", false
	}
	return key[:b], key[b+1 : a], true
}

// match returns the link that ends with a key, nil for none.
func (r *reader) match(key linkKey) *parcel {
	l := &r.links
	p := l.open[key]
	pair, tag, ok := tagged(key.key)
	if !ok {
		return p
	}
	queue := l.pairs[pair]
	for len(queue) > 0 && queue[0].matched {
		queue = queue[1:]
	}
	if p == nil && tag == anyTag && len(queue) > 0 {
		p, queue = queue[0], queue[1:]
	}
	if l.pairs[pair] = queue; len(queue) == 0 {
		delete(l.pairs, pair)
	}
	return p
}

// mostQueued bounds the links from a container that wait for the end of an earlier one.
const mostQueued = 1 << 10

// deliver records the links from a container whose ends are known, in the order of their times; all of them if the trace ends.
func (r *reader) deliver(c *container, all bool) {
	n := 0
	for _, p := range c.queue {
		if !p.matched && !all && len(c.queue)-n <= mostQueued {
			break
		}
		n++
		p.matched = true // a later end has the message of the link, and this event no receiver
		r.slot(r.lane(&c.sends, c.name), p.event)
	}
	if n > 0 {
		c.queue = c.queue[:copy(c.queue, c.queue[n:])]
	}
}

// size returns the bytes of a link.
func (r *reader) size() int64 {
	b := r.get[fieldSize]
	if len(b) == 0 && r.starpu {
		b = r.get[fieldValue]
	}
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(x > 0 && x < mostTime) {
		return 0
	}
	return int64(x)
}

// endLink reads the end of a link.
func (r *reader) endLink() {
	at, ok := r.recordTime()
	k, c := r.kind(ofLinks), r.container(fieldEnd)
	if !ok || k == nil || c == nil {
		return
	}
	l := &r.links
	key := linkKey{k, string(r.get[fieldKey])}
	pe := r.place(c)
	e := tracer.Event{Kind: tracer.Recv, Time: at, Task: c.task.id, PE: pe, Peer: tracer.None, Code: k.code, Value: r.size()}
	sent := at
	if p := r.match(key); p != nil {
		delete(l.open, p.key)
		e.Ref, e.Peer, e.Value = p.event.Ref, p.event.PE, max(p.event.Value, e.Value)
		sent = p.event.Time
		if !p.matched {
			p.event.Peer, p.matched = pe, true
			if from := r.sender(p); from != nil {
				r.deliver(from, false)
			}
		}
	} else {
		l.messages++
		e.Ref = l.messages
		if l.lost++; len(l.early) < mostOpen {
			l.early[key] = early{e.Ref, pe}
		}
	}
	if len(c.machines) == 0 || c.done || c.task.id == 0 {
		r.slot(r.lane(&c.events, c.name), e)
		return
	}
	m := c.machines[0]
	m.add(e)
	if d, _ := r.activity(c, m); len(m.stack) == 0 || d != talk && d != nothing || m.top().activity == poll {
		r.bound(c, m, at)
		return
	}
	if w := &m.wait; !w.is || w.after >= 0 && sent >= w.sent {
		*w = wait{is: true, from: m.since, to: max(at, m.since), after: len(m.part) - 1, reason: r.codes.message, wakes: r.codes.message, pe: pe, sent: sent}
	}
	r.bound(c, m, at)
}

// bound ends a part that has too many events.
func (r *reader) bound(c *container, m *machine, at int64) {
	if len(m.part) >= mostInPart {
		r.close(c, m, max(at, m.since))
	}
}

// sender returns the container that a link comes from, nil if it has no PE of its own.
func (r *reader) sender(p *parcel) *container {
	if pe := int(p.event.PE); pe < len(r.rows) {
		return r.rows[pe]
	}
	return nil
}

// unlinked records the links without an end, and counts the ends that do not match.
func (r *reader) unlinked() {
	for _, c := range r.rows {
		if c != nil {
			r.deliver(c, true)
		}
	}
	r.w.Dropped.Add("links without an end", r.links.unmet+int64(len(r.links.open)))
	r.w.Dropped.Add("ends of links without a beginning", r.links.lost)
}

// A number is a variable of a container.
type number struct {
	code  uint32
	pe    int32
	value float64
	lane  lane
}

// millionths is the number of parts of a variable's unit in its metric.
const millionths = 1e6

// variable changes a variable. One whose value cannot be read, or would be out of range, keeps the value that it has.
func (r *reader) variable(change func(v, x float64) float64) {
	at, ok := r.recordTime()
	k, c := r.kind(ofVariables), r.container(fieldContainer)
	x, err := strconv.ParseFloat(string(r.get[fieldValue]), 64)
	if !ok || k == nil || c == nil {
		return
	}
	v := r.number(c, k)
	next := change(v.value, x)
	if bits := next * millionths; err == nil && math.Abs(bits) < 1<<62 {
		v.value = next
		r.slot(&v.lane, tracer.Event{Kind: tracer.Counter, Time: at, PE: v.pe, Peer: tracer.None, Code: v.code, Value: int64(math.Round(bits))})
		return
	}
	if errors.Is(err, strconv.ErrSyntax) {
		r.w.Dropped.Add("values of variables that are not numbers", 1)
		return
	}
	r.w.Dropped.Add("values of variables out of range", 1)
}

// number returns the variable of a type of a container.
func (r *reader) number(c *container, k *kind) *number {
	if v := c.numbers[k]; v != nil {
		return v
	}
	v := &number{}
	pe, own := r.near(c)
	name := k.name
	if !own {
		name = c.name + ": " + k.name
	}
	v.pe, v.code = pe, r.w.Scaled(name, "", 1/millionths)
	v.lane.s = r.stream(c.name)
	if c.numbers == nil {
		c.numbers = map[*kind]*number{}
	}
	c.numbers[k] = v
	return v
}

// newEvent reads an event.
func (r *reader) newEvent(l *layout) {
	at, ok := r.recordTime()
	k, c := r.kind(ofEvents), r.container(fieldContainer)
	if !ok || k == nil || c == nil {
		return
	}
	v := r.mark(k, r.get[fieldValue])
	if v == nil {
		return
	}
	pe, _ := r.near(c)
	r.note(c, tracer.Event{Kind: tracer.Mark, Time: at, Task: c.task.id, PE: pe, Peer: tracer.None, Code: v.mark, Value: -1})
	r.noteExtras(c, nil, l, at)
}

// note records an event of a container in the order of its file.
func (r *reader) note(c *container, e tracer.Event) { r.slot(r.lane(&c.events, c.name), e) }

// mark returns the value of an event. One without a name, such as a number or an address, has that of its type.
func (r *reader) mark(k *kind, name []byte) *value {
	if v, ok := k.values[string(name)]; ok {
		return v
	}
	if len(bytes.Trim(name, "0123456789abcdefx")) == 0 || len(k.values) >= mostTexts {
		if v, ok := k.values[k.name]; ok {
			return v
		}
		name = []byte(k.name)
	}
	return r.value(k, name)
}

// mostTexts and longestText bound the values of an extra field that are kept.
const (
	mostTexts   = 256
	longestText = 200
)

// An extra is a field that the format does not know, with its values.
type extra struct {
	texts map[string]uint32
}

// noteExtras records the fields of a state or an event that the format does not know.
func (r *reader) noteExtras(c *container, m *machine, l *layout, at int64) {
	for i, f := range l.fields {
		if f != fieldOther || i >= r.given {
			continue
		}
		text := r.words[i+1]
		if len(bytes.Trim(text, "0.")) == 0 || string(text) == "NA" || string(text) == "-1" { // none
			continue
		}
		label := l.labels[i]
		x := r.extras[label]
		if x == nil {
			x = &extra{texts: map[string]uint32{}}
			r.extras[label] = x
		}
		code, ok := x.texts[string(text)]
		if !ok {
			if len(x.texts) >= mostTexts {
				r.w.Dropped.Add("values of fields beyond the first 256 of each", 1)
				continue
			}
			code = r.w.Name(label + "=" + string(text[:min(len(text), longestText)]))
			x.texts[string(text)] = code
		}
		pe := c.pe
		if pe == unset {
			pe, _ = r.near(c)
		}
		e := tracer.Event{Kind: tracer.Mark, Time: at, Task: c.task.id, PE: pe, Peer: tracer.None, Code: code, Value: -1}
		if m != nil && m == c.machines[0] {
			m.add(e)
		} else {
			r.note(c, e)
		}
	}
}
