package account

import (
	"math/bits"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
)

// sampled is the state of a PE that works without naming a task. Samples then name the code of the work: a sample in ns names the work from its
// time on, for as long as its value says; any other sample names the work since the sample before it.
type sampled struct {
	unnamed int64      // ns of work since the last sample
	parts   [][2]int64 // that work, for a Namer
	due     []tally
	lasts   int64  // a sample in ns names the work until then
	code    uint32 // of this sample
	context uint64
}

// A tally is a number of samples of a code. Those of one PE and time share the work before them.
type tally struct {
	code   uint32
	weight uint64
	task   uint64 // its context
}

const mostWeight = 1 << 32 // of a sample in a damaged trace

// sample names work. Only the metric of the first sample counts, because several metrics may be sampled at once.
func (p *pass) sample(l *lane, t int64, e *tracer.Event) {
	if !l.seen || l.class != Work || l.runs != tracer.KindInvalid || t < max(l.since, l.stepEnd) {
		return
	}
	if e.Ref >= uint64(len(p.contexts)) {
		p.contexts = p.reasons.dict.Contexts()
	}
	if e.Ref == 0 || e.Ref >= uint64(len(p.contexts)) || e.Value <= 0 {
		return
	}
	if p.metric == 0 {
		p.metric = e.Code
		c := p.reasons.dict.Code(e.Code)
		p.lasting = c.Unit == "ns" && (c.Scale == 0 || c.Scale == 1)
	}
	if e.Code != p.metric {
		return
	}
	p.advance(l, t)
	code := p.known(p.contexts[e.Ref].Code)
	if p.lasting {
		l.lasts, l.code, l.context = t+min(e.Value, bounds.Farthest), code, e.Ref
		return
	}
	l.due = append(l.due, tally{code, min(uint64(e.Value), mostWeight), e.Ref})
}

// nameless accounts for work without a task until t.
func (p *pass) nameless(l *lane, t int64) {
	p.name(l)
	from := l.since
	if to := min(t, l.lasts); to > from {
		p.rename(l.code, to-from)
		if p.namer != nil {
			p.namer.Named(l.pe, &Step{from, to, l.context, l.code, tracer.Sample})
		}
		from = to
	}
	if l.unnamed += t - from; p.namer != nil && from < t {
		l.parts = append(l.parts, [2]int64{from, t})
	}
	if p.sink != nil && from < t {
		p.sink.Unnamed(l.pe, from, t)
	}
}

// name divides the work since the last sample among the samples that are due, by their weights.
func (p *pass) name(l *lane) {
	var all, before uint64
	for _, s := range l.due {
		all += s.weight
	}
	given := int64(0)
	for _, s := range l.due {
		before += s.weight
		hi, lo := bits.Mul64(uint64(l.unnamed), before)
		part, _ := bits.Div64(hi, lo, all)
		p.rename(s.code, int64(part)-given)
		l.name(p.namer, s, int64(part)-given)
		given = int64(part)
	}
	if l.unnamed -= given; len(l.due) > 0 {
		l.parts = l.parts[:0]
	}
	l.due = l.due[:0]
}

// rename moves work of unknown code to a code.
func (p *pass) rename(code uint32, ns int64) {
	p.codes[0].Work -= ns
	p.codes[code].Work += ns
}

// name tells a Namer, which may be nil, that the first ns of the unnamed work belong to a sample.
func (l *lane) name(to Namer, s tally, ns int64) {
	for to != nil && ns > 0 && len(l.parts) > 0 {
		x := &l.parts[0]
		end := min(x[1], x[0]+ns)
		to.Named(l.pe, &Step{x[0], end, s.task, s.code, tracer.Sample})
		ns -= end - x[0]
		if x[0] = end; end == x[1] {
			l.parts = l.parts[1:]
		}
	}
}
