package charge

import (
	"math"
	"sort"
)

// A Pattern is a repetition of the instructions from first up to last, or of a sequence of patterns.
type Pattern struct {
	first, last int
	parts       []Pattern
	size        int64 // cost of one repetition
	times       int64
	table       []uint16 // instruction by offset of the cost, for a tally
	round       int64    // samples after which the offsets of a tally recur
}

// Repeat returns the pattern of the instructions from first up to last, executed times times.
func (c *Code) Repeat(first, last int, times int64) Pattern {
	return Pattern{first: first, last: last, size: c.sums[last] - c.sums[first], times: times}
}

// Sequence returns the pattern of parts one after the other, the whole sequence executed times times.
func Sequence(times int64, parts ...Pattern) Pattern {
	p := Pattern{times: times, parts: parts}
	for _, q := range parts {
		p.size += q.size * q.times
	}
	return p
}

// Span returns the first instruction of a pattern, and the one after the last.
func (p *Pattern) Span() (first, last int) {
	if p.parts == nil {
		return p.first, p.last
	}
	for i := range p.parts {
		a, b := p.parts[i].Span()
		if i == 0 {
			first, last = a, b
		}
		first, last = min(first, a), max(last, b)
	}
	return first, last
}

// instruction returns the instruction at an offset of the costs.
func (p *Pattern) instruction(c *Code, offset int64) int {
	offset %= p.size
	if p.parts == nil {
		base := c.sums[p.first]
		return p.first + sort.Search(p.last-p.first, func(i int) bool { return c.sums[p.first+i+1]-base > offset })
	}
	for i := range p.parts {
		q := &p.parts[i]
		if offset < q.size*q.times {
			return q.instruction(c, offset)
		}
		offset -= q.size * q.times
	}
	return p.last
}

// Skip advances the clock by ps for instructions and returns true. It returns false and does nothing if a sample is due
// within that time. It is small enough to be inlined.
func (p *Processor) Skip(ps int64) bool {
	if p.now+ps >= p.next {
		return false
	}
	p.now += ps
	return true
}

// Solo returns the processor of a run with a single one, for Skip. If instructions have to be executed by Spend, it
// returns a processor whose Skip always returns false.
func (c *Clocks) Solo() *Processor {
	if len(c.procs) > 1 || c.opts.Stepwise {
		return &Processor{next: math.MinInt64}
	}
	return &c.procs[0]
}

// Spend executes a pattern of a call on some processors. It returns false if the pattern takes more than 2^63 ps.
func (c *Clocks) Spend(who []int32, call *Call, p *Pattern) bool {
	if p.size == 0 || p.times <= 0 || c.opts.Live != nil {
		return true
	}
	all := p.size * p.times
	took := all * c.opts.Model.InstructionPs
	if all/p.times != p.size || took/all != c.opts.Model.InstructionPs {
		return false
	}
	c.instructions += all * int64(len(who))
	for _, q := range who {
		x := &c.procs[q]
		if c.opts.Stepwise {
			c.step(q, call, p)
			continue
		}
		if x.now+took >= x.next {
			c.sample(q, call, p, took)
		}
		x.now += took
	}
	return true
}

// sample takes the samples of a processor in a pattern that takes took ps. The instruction at time t is at offset
// t - now - 1.
func (c *Clocks) sample(q int32, call *Call, p *Pattern, took int64) {
	x := &c.procs[q]
	gap := c.opts.Sample * 1000
	if n := (x.now+took-x.next)/gap + 1; n >= fewSamples && !c.opts.Apart {
		c.tally(q, call, p, x.next-x.now-1, n)
		return
	}
	for x.next <= x.now+took {
		offset := (x.next - x.now - 1) / c.opts.Model.InstructionPs
		c.rec.sample(x.next, q, c.Site(call, p.instruction(call.Code, offset)), 1)
		x.next += gap
	}
}

// step executes the instructions of a pattern one by one.
func (c *Clocks) step(q int32, call *Call, p *Pattern) {
	x := &c.procs[q]
	for range p.times {
		for i := range p.parts {
			c.step(q, call, &p.parts[i])
		}
		for i := p.first; i < p.last && p.parts == nil; i++ {
			x.now += int64(call.Code.instructions[i].Cost) * c.opts.Model.InstructionPs
			for x.next <= x.now {
				c.rec.sample(x.next, q, c.Site(call, i), 1)
				x.next += c.opts.Sample * 1000
			}
		}
	}
}

// wait samples a processor that waits at an instruction until a time in ps, and sets its clock to that time.
func (c *Clocks) wait(q int32, call *Call, instruction int, until int64) {
	x := &c.procs[q]
	if until <= x.now {
		return
	}
	gap, most := c.opts.Sample*1000, int64(1)
	if !c.opts.Apart && gap > 0 {
		most = max(tallyLength*c.opts.Model.InstructionPs/gap, 1)
	}
	for x.next <= until {
		n := min((until-x.next)/gap+1, most)
		x.next += n * gap
		c.rec.sample(x.next-gap, q, c.Site(call, instruction), n)
	}
	x.waited += until - x.now
	x.now = until
}

// Room returns the cost of the instructions that each of some processors can execute before its next sample.
func (c *Clocks) Room(who []int32) int64 {
	room := int64(math.MaxInt64)
	for _, q := range who {
		x := &c.procs[q]
		room = min(room, x.next-x.now-1)
	}
	return room / max(c.opts.Model.InstructionPs, 1)
}

// Pass charges processors instructions of a cost within their Room. It returns false if they take more than 2^63 ps.
func (c *Clocks) Pass(who []int32, cost int64) bool {
	took := cost * c.opts.Model.InstructionPs
	for _, q := range who {
		x := &c.procs[q]
		if x.now += took; x.now < 0 {
			return false
		}
	}
	c.instructions += cost * int64(len(who))
	return true
}
