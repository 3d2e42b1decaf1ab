// Package charge keeps the virtual clocks of P processors that execute instructions and send messages, samples their
// program counters, and records times and samples as a trace.
//
// The package handles units as lists of instructions with costs (Code), repetitions of them (Pattern) and messages of
// some bytes (Message). It has no expressions and no values. The trace does not depend on the order in which processors
// are charged: events are written in the order of their times and processors (pages.go).
//
// Each processor takes a sample at a regular interval of its own time. Repeated code is not stepped through: the sampled
// instruction follows from the remainder of the sample's time divided by the cost of a repetition (pattern.go). If a
// pattern takes many samples they are counted by instruction (tally.go), and whole repetitions at a time (laps.go).
package charge

import (
	"math"

	"whorl/sim"
	"whorl/tracer"
)

// Options describe the processors of a run and its recording.
type Options struct {
	Network  sim.Network
	Model    sim.Model
	Recorder tracer.Recorder // nil records nothing
	Sample   int64           // ns between two samples of a processor; 0 takes none
	Live     func() int64    // ns since a live run began; nil in virtual time, where instructions and messages advance clocks
	Apart    bool            // in tests: every sample is a separate event
	Stepwise bool            // in tests: instructions are executed and sampled one by one, as the reference for patterns
}

// Clocks are the clocks of the processors, with their recording and totals.
type Clocks struct {
	opts   Options
	procs  []Processor
	rec    *recording
	counts []int64 // of a tally, by instruction

	instructions, messages, bytes int64
}

// A Processor is the clock of a processor.
type Processor struct {
	now    int64 // ps
	next   int64 // ps: the next sample; math.MaxInt64 for none
	waited int64 // ps, for messages; the processor computes during the rest of its time
}

// New returns the clocks of a number of processors, all at 0.
func New(processors int, o Options) *Clocks {
	c := &Clocks{opts: o, procs: make([]Processor, processors)}
	c.rec = newRecording(c)
	next := int64(math.MaxInt64)
	if c.Sampling() && o.Live == nil {
		next = o.Sample * 1000
	}
	for p := range c.procs {
		c.procs[p].next = next
	}
	return c
}

// Fork returns clocks for another goroutine of a live run, with the recording of c and separate tables of contexts.
func (c *Clocks) Fork() *Clocks {
	f := *c
	f.rec = c.rec.fork(&f)
	return &f
}

// Begin records that the processors start. If they are sampled, the trace gets all units, including those without
// samples.
func (c *Clocks) Begin(units []*Code) {
	if c.Sampling() {
		for _, u := range units {
			c.rec.unit(u.unit)
		}
	}
	for p := range c.procs {
		c.rec.add(tracer.Event{Kind: tracer.Init, PE: int32(p), Peer: tracer.None})
		c.State(tracer.Busy, 0, int32(p))
	}
}

// End records that the processors stop with an exit status, and writes all events.
func (c *Clocks) End(status int64) { c.rec.end(status) }

// Stop sets all clocks of a live run to its length in ns.
func (c *Clocks) Stop(ns int64) {
	for p := range c.procs {
		c.procs[p].now = ns * 1000
	}
}

// State records that processor p computes (tracer.Busy), waits for a message (Idle) or handles one (Overhead) from a
// time in ps.
func (c *Clocks) State(kind tracer.Kind, ps int64, p int32) { c.rec.state(kind, ps, p) }

// Recording reports whether events are recorded.
func (c *Clocks) Recording() bool { return c.rec.stream != nil }

// Sampling reports whether program counters are sampled.
func (c *Clocks) Sampling() bool { return c.rec.stream != nil && c.opts.Sample > 0 }

// Now returns the time of processor p in ns.
func (c *Clocks) Now(p int32) int64 { return c.procs[p].now / 1000 }

// Latest returns the largest time of all processors, in ns.
func (c *Clocks) Latest() int64 {
	latest := int64(0)
	for p := range c.procs {
		latest = max(latest, c.procs[p].now)
	}
	return latest / 1000
}

// Busy returns the time that processor p computed and the time that it waited for messages, in ns.
func (c *Clocks) Busy(p int32) (busy, waited int64) {
	x := &c.procs[p]
	return (x.now - x.waited) / 1000, x.waited / 1000
}

// Totals are sums over the processors.
type Totals struct {
	Instructions, Messages, Bytes int64
	BusyNs, WaitNs                int64
}

// Totals returns the sums so far.
func (c *Clocks) Totals() Totals {
	t := Totals{Instructions: c.instructions, Messages: c.messages, Bytes: c.bytes}
	for p := range c.procs {
		busy, waited := c.Busy(int32(p))
		t.BusyNs += busy
		t.WaitNs += waited
	}
	if len(c.procs) == 1 && c.opts.Live == nil { // Skip does not count
		t.Instructions = (c.procs[0].now - c.procs[0].waited) / c.opts.Model.InstructionPs
	}
	return t
}
