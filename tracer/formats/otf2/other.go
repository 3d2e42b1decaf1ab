package otf2

import (
	"math"
	"strconv"

	"whorl/tracer"
)

// A metric is a member of a class of metrics.
type metric struct {
	code uint32
	pe   int32 // to which it belongs, tracer.None for the location that records it
}

// thousandths is the number of units of a metric of the type double that make one of its own.
const thousandths = 1e3

// metricsOf returns the members of a class or of an instance of a class.
func (r *reader) metricsOf(id uint32) []metric {
	all, ok := r.metrics[id]
	if ok {
		return all
	}
	class, pe := id, tracer.None
	if i, ok := r.d.instances[id]; ok {
		class = i.class
		switch l := r.places[i.subject]; {
		case i.scope == 0 && l != nil:
			pe = l.pe
		case i.scope == 1:
			pe = r.peOf(uint32(i.subject))
		}
	}
	for _, m := range r.d.classes[class] {
		d := r.d.members[m]
		base := 10.0
		if d.binary {
			base = 2
		}
		scale := math.Pow(base, float64(max(min(d.exponent, 300), -300)))
		if d.kind == typeDouble {
			scale /= thousandths
		}
		name := r.d.name(d.name)
		if name == "" {
			name = "metric " + strconv.Itoa(int(m))
		}
		all = append(all, metric{r.w.Scaled(name, r.d.name(d.unit), scale), pe})
	}
	r.metrics[id] = all
	return all
}

// Types of values.
const (
	typeUint64 = 4
	typeDouble = 10
)

// metric records the values of metrics.
func (r *reader) metric(l *location) {
	c := &l.body
	all := r.metricsOf(uint32(l.maps[mapMetric].global(uint64(c.ref()))))
	n := int(c.u8())
	for i := 0; i < n && !c.bad; i++ {
		kind, bits := c.u8(), c.number()
		value := int64(bits)
		switch kind {
		case typeDouble:
			x := math.Float64frombits(bits) * thousandths
			if value = 0; x == x {
				value = int64(max(min(math.RoundToEven(x), farthest), -farthest))
			}
		case typeUint64:
			value = int64(min(bits, 1<<63-1))
		}
		if i >= len(all) {
			r.w.Dropped.Add("values of metrics without a definition", 1)
			continue
		}
		e := l.event(tracer.Counter)
		e.Task, e.Code, e.Value = 0, all[i].code, value
		if all[i].pe != tracer.None {
			e.PE = all[i].pe
		}
		l.add(e)
	}
}

// Marks have one of these values, or that of a parameter.
const (
	ends    = 0
	begins  = 1
	instant = -1
)

func (l *location) mark(code uint32, value int64) {
	e := l.event(tracer.Mark)
	e.Code, e.Value = code, value
	l.add(e)
}

// other applies the rarer records.
func (r *reader) other(l *location) {
	c := &l.body
	switch l.kind {
	case bufferFlush:
		r.flush(l, c.full(8))
	case measurement:
		if c.u8() == 1 {
			l.mark(r.w.Name("measurement"), begins)
		} else {
			l.mark(r.w.Name("measurement"), ends)
		}
	case parameterString:
		name, value := r.parameter(l), uint32(l.maps[mapString].global(uint64(c.ref())))
		l.mark(r.w.Name(name+": "+r.d.name(value)), instant)
	case parameterInt, parameterUnsigned:
		name := r.parameter(l)
		l.mark(r.w.Name(name), int64(c.number()))
	case rmaPut, rmaGet, rmaAtomic, rmaCompleteBlocking, rmaComplete, rmaCompleteRemote:
		r.oneSided(l)
	case contextEnter, contextLeave, contextSample:
		r.contexts(l)
	case ioOperationComplete:
		r.transferred(l)
	case programBegin:
		r.w.Meta.Program = r.d.name(uint32(l.maps[mapString].global(uint64(c.ref()))))
		r.w.Meta.Args = nil
		for n := c.number(); n > 0 && !c.bad; n-- {
			r.w.Meta.Args = append(r.w.Meta.Args, r.d.name(uint32(l.maps[mapString].global(uint64(c.ref())))))
		}
	case programEnd:
		l.mark(r.w.Name("exit status"), int64(c.number()))
	default:
		switch {
		case r.thread(l):
		case l.kind < firstEvent || l.kind > newestEvent:
			r.w.Dropped.Add("records of unknown types", 1)
		default:
			r.skipped[l.kind]++
		}
	}
	if c.bad {
		r.w.Dropped.Add("records shorter than their type", 1)
	}
}

func (r *reader) parameter(l *location) string {
	return r.d.name(r.d.parameters[uint32(l.maps[mapParameter].global(uint64(l.body.ref())))])
}

// flush records that the measurement wrote its events from now on until a time.
func (r *reader) flush(l *location, until uint64) {
	e := l.event(tracer.Overhead)
	e.Code = r.codes.tracing
	l.add(e)
	to := l.timer.ns(until)
	e = l.event(tracer.Busy)
	e.Code = l.task.code
	e.Time = max(to, l.time)
	l.time = e.Time
	l.add(e)
}

// A transfer is an operation on the memory of another location that is not complete.
type transfer struct {
	code     uint32
	other    int32
	out, in  uint64 // bytes
	messages [2]uint64
}

// oneSided records operations on the memory of another location as messages to it, from it, or both.
func (r *reader) oneSided(l *location) {
	c := &l.body
	win := uint32(l.maps[mapWindow].global(uint64(c.ref())))
	if l.kind == rmaCompleteBlocking || l.kind == rmaComplete || l.kind == rmaCompleteRemote {
		r.complete(l, c.number())
		return
	}
	other := r.communicator(r.d.windows[win]).peer(l, c.ref())
	t := transfer{code: r.codes.oneSided}
	switch l.kind {
	case rmaPut:
		t.out = c.number()
	case rmaGet:
		t.in = c.number()
	case rmaAtomic:
		c.u8() // operation
		t.out, t.in = c.number(), c.number()
	}
	id := c.number()
	if other == nil {
		r.w.Dropped.Add("one-sided operations on unknown ranks", 1)
		return
	}
	t.other = other.pe
	e := l.event(tracer.Send)
	e.Code = t.code
	if t.out > 0 || t.in == 0 {
		r.messages++
		t.messages[0] = r.messages
		e.Ref, e.Peer, e.Value = r.messages, t.other, int64(min(t.out, farthest))
		l.add(e)
	}
	if t.in > 0 {
		r.messages++
		t.messages[1] = r.messages
		e.Ref, e.PE, e.Peer, e.Task, e.Value = r.messages, t.other, l.pe, 0, int64(min(t.in, farthest))
		l.add(e)
	}
	if l.transfer == nil {
		l.transfer = map[uint64]transfer{}
	}
	if len(l.transfer) < mostRequests {
		l.transfer[id] = t
	}
}

// complete records that such an operation is complete.
func (r *reader) complete(l *location, id uint64) {
	t, ok := l.transfer[id]
	if !ok {
		if l.kind != rmaCompleteRemote { // it can follow the local completion
			r.w.Dropped.Add("ends of one-sided operations without a beginning", 1)
		}
		return
	}
	delete(l.transfer, id)
	e := l.event(tracer.Recv)
	e.Code = t.code
	if t.messages[1] != 0 {
		e.Ref, e.Peer, e.Value = t.messages[1], t.other, int64(min(t.in, farthest))
		l.add(e)
	}
	if t.messages[0] != 0 {
		e.Ref, e.PE, e.Peer, e.Task, e.Value = t.messages[0], t.other, l.pe, 0, int64(min(t.out, farthest))
		l.add(e)
	}
}

// transferred records the bytes of an operation on a file in the calling context.
func (r *reader) transferred(l *location) {
	c := &l.body
	c.ref() // handle
	bytes := c.number()
	e := l.event(tracer.Sample)
	e.Ref, e.Code, e.Value = uint64(l.task.context()), r.codes.files, int64(min(bytes, farthest))
	if bytes > 0 && bytes < farthest {
		l.add(e)
	}
}

// contexts applies the records that name a calling context.
func (r *reader) contexts(l *location) {
	c := &l.body
	id := uint32(l.maps[mapContext].global(uint64(c.ref())))
	switch l.kind {
	case contextEnter:
		r.enterRegion(l, r.region(r.d.contexts[id].region))
	case contextLeave:
		r.leaveRegion(l, r.region(r.d.contexts[id].region))
	default:
		c.ref() // distance of unwinding
		g := r.d.generators[uint32(l.maps[mapGenerator].global(uint64(c.ref())))]
		base := 10.0
		if g.binary {
			base = 2
		}
		period := float64(g.period) * math.Pow(base, float64(max(min(g.exponent, 300), -300)))
		name, unit := r.d.name(g.name), "events"
		if !g.count {
			period, unit = period*1e9, "ns"
		}
		e := l.event(tracer.Sample)
		e.Ref, e.Code, e.Value = uint64(r.chain(id)), r.w.Metric("samples of "+name, unit), int64(max(min(math.Round(period), farthest), 1))
		l.add(e)
	}
}

// mostChain bounds the depth of calling contexts in definitions.
const mostChain = 1 << 12

// chain returns the calling context of a definition.
func (r *reader) chain(id uint32) uint32 {
	var codes []uint32
	for range mostChain {
		d, ok := r.d.contexts[id]
		if !ok {
			break
		}
		code := r.region(d.region).code
		if s, ok := r.d.sources[d.source]; ok && s.line != 0 && s.line < 1<<30 {
			codes = append(codes, r.dict.Add(tracer.Code{Type: tracer.Line, File: r.d.name(s.file), Line: int32(s.line), Parent: code}))
		} else {
			codes = append(codes, code)
		}
		id = d.parent
	}
	at := uint32(0)
	for i := len(codes) - 1; i >= 0; i-- {
		r.calls[0] = codes[i]
		at = r.w.Call(at, r.calls[:])
	}
	return at
}
