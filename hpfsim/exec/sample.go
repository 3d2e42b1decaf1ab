package exec

import (
	"math"

	"whorl/hpfsim/lower"
	"whorl/tracer"
)

// A subsetKey names the processors of a set that stand at a coordinate of an arrangement.
type subsetKey struct {
	of    *int32
	count int
	grid  *lower.Grid
	axis  int
	at    int
}

// at returns the processors of a set that stand at a coordinate along an axis of an arrangement.
func (m *Machine) at(who []int32, g *lower.Grid, axis, coordinate int) []int32 {
	if len(who) == 0 {
		return nil
	}
	key := subsetKey{&who[0], len(who), g, axis, coordinate}
	if s, ok := m.subset[key]; ok {
		return s
	}
	var out []int32
	size := g.Size()
	for _, p := range who {
		if int(p) < size && g.Coordinate(int(p), axis) == coordinate {
			out = append(out, p)
		}
	}
	m.subset[key] = out
	return out
}

// run has the processors of the frame execute the instructions from first up to last, times times in a row.
func (f *frame) run(first, last int, times int64) {
	if times <= 0 || first >= last {
		return
	}
	f.charge(f.who, first, last, times)
}

// charge has processors execute the instructions from first up to last, times times in a row.
func (f *frame) charge(who []int32, first, last int, times int64) {
	p := f.code.leaf(first, last, times)
	f.spend(who, &p)
}

// spend has processors execute a pattern.
func (f *frame) spend(who []int32, p *pattern) {
	m := f.Machine
	if p.each == 0 || p.times <= 0 || m.opts.Live {
		return
	}
	all := p.each * p.times
	took := all * m.opts.Model.InstructionPs
	if all/p.times != p.each || took/all != m.opts.Model.InstructionPs {
		panic(&limitReached{"time"})
	}
	m.count += all * int64(len(who))
	for _, q := range who {
		c := &m.procs[q]
		if m.step != nil {
			p.steps(f, q)
			continue
		}
		if c.clock+took >= c.next {
			f.samples(q, p, took)
		}
		c.clock += took
	}
}

// samples takes the samples of a processor in a pattern that takes so many ps: the instruction that runs at time t is the one at offset
// t - clock - 1.
func (f *frame) samples(q int32, p *pattern, took int64) {
	m := f.Machine
	c := &m.procs[q]
	gap := m.opts.Sample * 1000
	if n := (c.clock+took-c.next)/gap + 1; n >= fewSamples && !m.opts.apart {
		f.tally(q, p, c.next-c.clock-1, n)
		return
	}
	for c.next <= c.clock+took {
		offset := (c.next - c.clock - 1) / m.opts.Model.InstructionPs
		m.rec.sample(c.next, q, f.site(p.at(f.code, offset)), 1)
		c.next += gap
	}
}

// waiting samples a processor that waits at an instruction until a time, and brings its clock there.
func (f *frame) waiting(p int32, instruction int, until int64) {
	c := &f.procs[p]
	if until <= c.clock {
		return
	}
	gap, most := f.opts.Sample*1000, int64(1)
	if !f.opts.apart && gap > 0 {
		most = max(tallyLength*f.opts.Model.InstructionPs/gap, 1)
	}
	for c.next <= until {
		n := min((until-c.next)/gap+1, most)
		c.next += n * gap
		f.rec.sample(c.next-gap, p, f.site(instruction), n)
	}
	c.wait += until - c.clock
	c.clock = until
}

// site is the calling context of an instruction.
func (f *frame) site(instruction int) uint32 {
	if f.rec.stream == nil {
		return 0
	}
	if f.sites == nil {
		key := siteKey{f.code, f.context}
		if f.sites = f.rec.sites[key]; f.sites == nil {
			f.sites = make([]uint32, len(f.unit.Code))
			f.rec.sites[key] = f.sites
		}
	}
	if f.sites[instruction] == 0 {
		f.sites[instruction] = f.rec.dict.AddContext(tracer.Context{Parent: f.context, Code: f.rec.instruction(f.code, instruction)})
	}
	return f.sites[instruction]
}

// A recording writes the trace. Events of all processors lie in one stream, in the order of their times: they are held until every
// processor is past them.
type recording struct {
	m        *Machine
	stream   *tracer.Stream
	dict     *tracer.Dict
	metric   uint32
	message  uint32 // the reason of waiting and of overhead
	held     []tracer.Event
	other    []tracer.Event // with which held is merged
	pages    []page         // of events that were held, each in order
	spare    [][]tracer.Event
	sealed   int // pages so far
	waiting  int // events of pages
	left     int // of these, when they were written last
	sites    map[siteKey][]uint32
	lines    map[lineKey]uint32
	messages uint64
}

// A siteKey is a unit that is called in a context.
type siteKey struct {
	code    *code
	context uint32
}

type lineKey struct {
	unit *lower.Unit
	file string
	line int32
}

func newRecording(m *Machine) *recording {
	r := &recording{m: m, lines: map[lineKey]uint32{}, sites: map[siteKey][]uint32{}}
	for i := range m.procs {
		m.procs[i].next = math.MaxInt64
	}
	if m.opts.Recorder == nil {
		return r
	}
	r.dict = m.opts.Recorder.Dict()
	name := "sim"
	if m.opts.Live {
		name = "run"
	}
	r.stream = m.opts.Recorder.Stream(tracer.StreamInfo{Name: name})
	r.metric = r.dict.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	r.message = r.dict.Add(tracer.Code{Type: tracer.Reason, Name: "message"})
	if m.opts.Sample > 0 && !m.opts.Live {
		for i := range m.procs {
			m.procs[i].next = m.opts.Sample * 1000
		}
	}
	return r
}

// begin tells of the processors, and, where program counters are sampled, of the units and which lines they take.
func (r *recording) begin() {
	if r.stream != nil && r.m.opts.Sample > 0 {
		for _, u := range r.m.prog.Units {
			r.unit(u)
		}
	}
	for p := range r.m.procs {
		r.add(tracer.Event{Kind: tracer.Init, PE: int32(p), Peer: tracer.None})
		r.state(tracer.Busy, 0, int32(p))
	}
}

// state tells what a processor does from a time on: it computes, waits for a message, or sends or takes one in.
func (r *recording) state(kind tracer.Kind, ps int64, p int32) {
	reason := r.message
	if kind == tracer.Busy {
		reason = 0
	}
	r.add(tracer.Event{Kind: kind, Time: ps / 1000, PE: p, Peer: tracer.None, Code: reason})
}

// end writes what is held, and that the processors stop.
func (r *recording) end(status int64) {
	if r.stream == nil {
		return
	}
	for p := range r.m.procs {
		r.add(tracer.Event{Kind: tracer.Exit, PE: int32(p), Peer: tracer.None, Time: r.m.procs[p].clock / 1000, Value: status})
	}
	r.flush(math.MaxInt64)
}

func (r *recording) sample(ps int64, p int32, context uint32, n int64) {
	r.add(tracer.Event{Kind: tracer.Sample, Time: ps / 1000, PE: p, Peer: tracer.None, Ref: uint64(context), Code: r.metric, Value: n})
}

// add holds an event.
func (r *recording) add(e tracer.Event) {
	if r.stream == nil {
		return
	}
	if r.m.opts.Live { // events come in the order of their times
		*r.stream.Slot() = e
		return
	}
	if r.held = append(r.held, e); len(r.held) < mostHeld {
		return
	}
	r.seal()
	if r.waiting >= 2*r.left {
		least := int64(math.MaxInt64)
		for i := range r.m.procs {
			least = min(least, r.m.procs[i].clock/1000)
		}
		r.flush(least)
	}
}

// instruction is the entry of an instruction in the code table, whose parent is its line, whose parent is its unit. With the first one of a
// unit come the others, so that the trace shows where no sample fell, too.
func (r *recording) instruction(c *code, i int) uint32 {
	if c.codes == nil {
		c.codes = make([]uint32, len(c.unit.Code))
		for k, ins := range c.unit.Code {
			c.codes[k] = r.dict.Add(tracer.Code{Type: tracer.Instruction, Name: ins.String(), Line: int32(k), Parent: r.line(c.unit, ins.At.File, ins.At.Line)})
		}
	}
	return c.codes[i]
}

func (r *recording) unit(u *lower.Unit) uint32 {
	return r.dict.Add(tracer.Code{Type: tracer.Function, Name: lowered(u.Name), File: u.At.File, Line: u.At.Line, Children: max(u.End.Line-u.At.Line+1, 0)})
}

func (r *recording) line(u *lower.Unit, file string, line int32) uint32 {
	key := lineKey{u, file, line}
	if id, ok := r.lines[key]; ok {
		return id
	}
	id := r.dict.Add(tracer.Code{Type: tracer.Line, File: file, Line: line, Parent: r.unit(u)})
	r.lines[key] = id
	return id
}
