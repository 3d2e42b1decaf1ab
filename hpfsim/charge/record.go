package charge

import (
	"math"

	"whorl/tracer"
)

// A recording writes the trace. The events of all processors are in one stream in the order of their times. They are
// held until every processor has passed them (pages.go).
type recording struct {
	clocks  *Clocks
	stream  *tracer.Stream // nil without recording
	dict    *tracer.Dict
	ticks   uint32 // the metric of samples
	message uint32 // the reason of waits and overhead
	sites   map[siteKey][]uint32
	lines   map[lineKey]uint32

	held    []tracer.Event
	other   []tracer.Event // scratch for merging held
	pages   []page         // a heap by next event
	spare   [][]tracer.Event
	sealed  int // pages so far
	waiting int // events in pages
	left    int // events in pages after the last flush
}

// A siteKey is a unit called in a context.
type siteKey struct {
	code    *Code
	context uint32
}

type lineKey struct {
	code *Code
	file string
	line int32
}

func newRecording(c *Clocks) *recording {
	r := &recording{clocks: c, lines: map[lineKey]uint32{}, sites: map[siteKey][]uint32{}}
	if c.opts.Recorder == nil {
		return r
	}
	r.dict = c.opts.Recorder.Dict()
	name := "sim"
	if c.opts.Live != nil {
		name = "run"
	}
	r.stream = c.opts.Recorder.Stream(tracer.StreamInfo{Name: name})
	r.ticks = r.dict.Add(tracer.Code{Type: tracer.Metric, Name: "ticks", Unit: "ticks", Scale: 1})
	r.message = r.dict.Add(tracer.Code{Type: tracer.Reason, Name: "message"})
	return r
}

// fork returns a recording into the same stream with separate tables.
func (r *recording) fork(c *Clocks) *recording {
	return &recording{
		clocks: c, stream: r.stream, dict: r.dict, ticks: r.ticks, message: r.message,
		sites: map[siteKey][]uint32{}, lines: map[lineKey]uint32{},
	}
}

// state records the state of a processor from a time in ps.
func (r *recording) state(kind tracer.Kind, ps int64, p int32) {
	reason := r.message
	if kind == tracer.Busy {
		reason = 0
	}
	r.add(tracer.Event{Kind: kind, Time: ps / 1000, PE: p, Peer: tracer.None, Code: reason})
}

// sample records n samples at a time in ps.
func (r *recording) sample(ps int64, p int32, context uint32, n int64) {
	r.add(tracer.Event{Kind: tracer.Sample, Time: ps / 1000, PE: p, Peer: tracer.None, Ref: uint64(context), Code: r.ticks, Value: n})
}

// end records that the processors stop, and writes all held events.
func (r *recording) end(status int64) {
	if r.stream == nil {
		return
	}
	for p := range r.clocks.procs {
		now := r.clocks.Now(int32(p))
		if live := r.clocks.opts.Live; live != nil { // the clocks of processors stand still until the run has stopped
			now = live()
		}
		r.add(tracer.Event{Kind: tracer.Exit, PE: int32(p), Peer: tracer.None, Time: now, Value: status})
	}
	r.flush(math.MaxInt64)
}

// add holds an event. In a live run events come in the order of their times.
func (r *recording) add(e tracer.Event) {
	if r.stream == nil {
		return
	}
	if r.clocks.opts.Live != nil {
		*r.stream.Slot() = e
		return
	}
	if r.held = append(r.held, e); len(r.held) < pageLength {
		return
	}
	r.seal()
	if r.waiting >= 2*r.left {
		least := int64(math.MaxInt64)
		for p := range r.clocks.procs {
			least = min(least, r.clocks.Now(int32(p)))
		}
		r.flush(least)
	}
}

// instruction returns the entry of an instruction in the code table. Its parent is its line, and the parent of the line
// is the unit. The first call enters all instructions of the unit, so that the trace shows those without samples too.
func (r *recording) instruction(c *Code, i int) uint32 {
	if c.codes == nil {
		c.codes = make([]uint32, len(c.instructions))
		for k, x := range c.instructions {
			c.codes[k] = r.dict.Add(tracer.Code{Type: tracer.Instruction, Name: c.text(k), Line: int32(k), Parent: r.line(c, x.File, x.Line)})
		}
	}
	return c.codes[i]
}

// place returns the entry of an instruction's line.
func (r *recording) place(call *Call, instruction int) uint32 {
	if r.stream == nil {
		return 0
	}
	x := &call.Code.instructions[instruction]
	return r.line(call.Code, x.File, x.Line)
}

func (r *recording) unit(u Unit) uint32 {
	return r.dict.Add(tracer.Code{Type: tracer.Function, Name: u.Name, File: u.File, Line: u.Line, Children: u.Lines})
}

func (r *recording) line(c *Code, file string, line int32) uint32 {
	key := lineKey{c, file, line}
	if id, ok := r.lines[key]; ok {
		return id
	}
	id := r.dict.Add(tracer.Code{Type: tracer.Line, File: file, Line: line, Parent: r.unit(c.unit)})
	r.lines[key] = id
	return id
}
