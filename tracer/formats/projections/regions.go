package projections

import (
	"cmp"
	"slices"
	"strconv"

	"whorl/tracer"
)

// A span is the time of an execution, or between two of them, with the regions in it: user events with a length and functions. Their records are
// written when they end, so their Samples are recorded when the span ends, in a stream of their own.
type span struct {
	s       *tracer.Stream
	from    int64
	regions []region
	begun   []begun
	first   record // of a pair
	paired  bool
}

// A region is a user event or a function with its times.
type region struct {
	from, to int64
	code     uint32
	context  uint32
}

// A begun region has no end yet.
type begun struct {
	key  regionKey
	code uint32
	from int64
}

type regionKey struct {
	id       int32
	nested   int64
	function bool
}

// add adds a region.
func (s *span) add(r *reader, from, to int64, code uint32) {
	if len(s.regions) >= mostRegions {
		r.lost.crowded++
		return
	}
	s.regions = append(s.regions, region{from: from, to: to, code: code})
}

// open begins a region.
func (s *span) open(r *reader, key regionKey, code uint32, at int64) {
	if len(s.begun) >= mostEntered {
		r.lost.deep++
		return
	}
	s.begun = append(s.begun, begun{key, code, at})
}

// close ends a region.
func (s *span) close(r *reader, key regionKey, at int64) {
	for i := len(s.begun) - 1; i >= 0; i-- {
		if b := s.begun[i]; b.key == key {
			s.add(r, b.from, at, b.code)
			s.begun = slices.Delete(s.begun, i, i+1)
			return
		}
	}
	r.w.Dropped.Add("ends of user events and functions without a beginning", 1)
}

// pair takes one of the two records of a user event, which come together when it ends.
func (s *span) pair(r *reader, pe int32, rec *record, at int64) {
	if !s.paired || s.first.event != rec.event || s.first.id != rec.id {
		if s.paired {
			r.w.Dropped.Add("records of user events without the second one", 1)
		}
		s.first, s.paired = *rec, true
		return
	}
	s.paired = false
	s.add(r, r.ns(pe, s.first.time), at, r.region(rec.id))
}

// part ends the span of a PE and begins the next one.
func (p *player) part(at int64) {
	r, s := p.r, &p.span
	base := uint32(0)
	if n := len(p.stack); n > 0 {
		base = p.stack[n-1].method.context
	}
	for i := range s.begun {
		s.add(r, s.begun[i].from, at, s.begun[i].code)
		s.begun[i].from = at
	}
	if len(s.regions) > 0 {
		slices.SortStableFunc(s.regions, func(a, b region) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	}
	now := s.from
	advance := func(to int64, context uint32) {
		if to > now && context != 0 {
			r.w.Sampled++
			*s.s.Slot() = tracer.Event{
				Kind: tracer.Sample, Time: now, Task: p.current(), Ref: uint64(context), PE: p.log.pe, Peer: tracer.None, Code: r.codes.region, Value: to - now,
			}
		}
		now = max(now, to)
	}
	stack := p.around[:0]
	for _, g := range s.regions {
		for len(stack) > 0 && stack[len(stack)-1].to <= g.from {
			advance(stack[len(stack)-1].to, stack[len(stack)-1].context)
			stack = stack[:len(stack)-1]
		}
		outer, until := base, at
		if n := len(stack); n > 0 {
			outer, until = stack[n-1].context, stack[n-1].to
		}
		advance(min(g.from, until), outer)
		if g.to = min(g.to, until); g.to <= now || len(stack) >= mostEntered {
			continue
		}
		p.calls[0] = g.code
		g.context = r.w.Call(outer, p.calls[:])
		stack = append(stack, g)
	}
	for n := len(stack); n > 0; n-- {
		advance(stack[n-1].to, stack[n-1].context)
	}
	advance(at, base)
	p.around, s.regions, s.from = stack[:0], s.regions[:0], at
}

// method returns an entry method.
func (r *reader) method(id int32) method {
	m, ok := r.methods[id]
	if !ok {
		e := r.symbols.entries[id]
		name := r.symbols.fullName(id, r.twice)
		m = method{code: r.w.Rec.Dict().Add(tracer.Code{Type: tracer.Function, Name: name}), thread: e.short() == threadEntry}
		m.context = r.w.Call(0, []uint32{m.code})
		if of, known := r.symbols.chares[e.chare]; known && r.symbols.version >= 7 {
			m.indices = 4
			if of.dimensions > 0 {
				m.indices = min(of.dimensions, mostIndices)
			}
		}
		if len(r.methods) < mostNames {
			r.methods[id] = m
		}
	}
	return m
}

// class returns the class of the messages of a creation.
func (r *reader) class(kind int64) uint32 {
	switch kind {
	case creationBcast:
		return r.codes.broadcast
	case creationMulti:
		return r.codes.multicast
	}
	return r.codes.single
}

// named returns the code of a number, with its name among names, or else a name made of what and the number.
func (r *reader) named(codes map[int32]uint32, id int32, names map[int32]string, what string, c tracer.Code) uint32 {
	code, ok := codes[id]
	if !ok {
		if c.Name = names[id]; c.Name == "" {
			c.Name = what + " " + strconv.Itoa(int(id))
		}
		code = r.w.Rec.Dict().Add(c)
		if len(codes) < mostNames {
			codes[id] = code
		}
	}
	return code
}

// region returns the code of a user event with a length.
func (r *reader) region(id int32) uint32 {
	return r.named(r.regions, id, r.symbols.events, "user event", tracer.Code{Type: tracer.Function})
}

// noted returns the code of a text.
func (r *reader) noted(text []byte, t tracer.CodeType) uint32 {
	key := noteKey{string(text[:min(len(text), longestNote)]), t}
	code, ok := r.notes[key]
	if !ok {
		if len(r.notes) >= mostNotes {
			r.w.Dropped.Add("texts of notes beyond the first 4,096", 1)
			key.text = "note"
		}
		code = r.w.Rec.Dict().Add(tracer.Code{Type: t, Name: key.text})
		r.notes[key] = code
	}
	return code
}

type noteKey struct {
	text string
	t    tracer.CodeType
}
