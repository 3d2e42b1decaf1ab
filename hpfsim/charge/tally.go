package charge

import (
	"sort"

	"whorl/internal/integer"
)

const (
	fewSamples   = 16      // largest number of samples of a pattern that are recorded one by one
	tallyLength  = 1 << 19 // instructions of a tally: samples of one instruction within it are one event
	tableEntries = 1 << 12 // cost of the longest pattern with a table
)

// A tally counts the many samples of a processor in a pattern. The samples of one instruction within tallyLength
// instructions are one event, with their number and the time of the tally's last sample.
type tally struct {
	clocks      *Clocks
	q           int32
	call        *Call
	first       int     // instruction of counts[0]
	counts      []int64 // by instruction
	left        int64   // samples until the tally is recorded
	size        int64   // samples of a full tally
	next, gap   int64   // ps: the time of the next sample, and the time between two
	unit, steps int64   // offsets that an instruction takes, and offsets between two samples
}

// tally counts n samples of a processor in a pattern, the first at an offset in ps from its begin.
func (c *Clocks) tally(q int32, call *Call, p *Pattern, offset, n int64) {
	gap, unit := c.opts.Sample*1000, c.opts.Model.InstructionPs
	first, last := p.Span()
	if len(c.counts) < last-first {
		c.counts = make([]int64, last-first)
	}
	size := max(tallyLength*unit/gap, 1)
	t := &tally{
		clocks: c, q: q, call: call, first: first, counts: c.counts[:last-first], left: size, size: size,
		next: c.procs[q].next, gap: gap, unit: unit, steps: gap,
	}
	if gap%unit == 0 { // offsets of whole instructions
		offset, t.steps, t.unit = offset/unit, gap/unit, 1
	}
	t.pattern(p, offset, n)
	t.record()
	c.procs[q].next = t.next
}

// pattern counts n samples, all of them within a pattern, the first at an offset.
func (t *tally) pattern(p *Pattern, offset, n int64) {
	if p.parts == nil {
		t.repeat(p, offset, n)
		return
	}
	each := p.size * t.unit
	l := t.laps(p)
	for n > 0 {
		if l != nil {
			if n, offset = t.whole(l, p, offset, n); n == 0 {
				return
			}
		}
		if offset >= each {
			offset %= each
		}
		some := min((each-offset+t.steps-1)/t.steps, n)
		t.parts(p, offset, some)
		n, offset = n-some, offset+some*t.steps-each
	}
}

// parts counts n samples in one repetition of a pattern, the first at an offset from its begin.
func (t *tally) parts(p *Pattern, offset, n int64) {
	for i := range p.parts {
		q := &p.parts[i]
		long := q.size * q.times * t.unit
		if offset < long {
			k := min((long-offset+t.steps-1)/t.steps, n)
			t.pattern(q, offset, k)
			offset += k * t.steps
			if n -= k; n == 0 {
				return
			}
		}
		offset -= long
	}
}

// repeat counts n samples in repeated instructions.
func (t *tally) repeat(p *Pattern, offset, n int64) {
	code := t.call.Code
	each := p.size * t.unit
	table := code.table(p)
	sums := code.sums[p.first : p.last+1]
	counts := t.counts[p.first-t.first:]
	offset %= each
	steps := t.steps % each
	for n > 0 {
		some := min(n, t.left)
		if table != nil && t.unit == 1 { // offsets recur after a round
			if p.round == 0 {
				p.round = each / integer.GCD(each, steps)
			}
			times, more := some/p.round, some%p.round
			for k := range min(some, p.round) {
				if counts[table[offset]] += times; k < more {
					counts[table[offset]]++
				}
				if offset += steps; offset >= each {
					offset -= each
				}
			}
			if times > 0 {
				offset = (offset + more*steps) % each
			}
		} else {
			for range some {
				cost := offset / t.unit
				counts[sort.Search(len(sums)-1, func(i int) bool { return sums[i+1]-sums[0] > cost })]++
				if offset += steps; offset >= each {
					offset -= each
				}
			}
		}
		n, t.left, t.next = n-some, t.left-some, t.next+some*t.gap
		if t.left == 0 {
			t.record()
		}
	}
}

// record makes events of the counts and begins a new tally.
func (t *tally) record() {
	for i, n := range t.counts {
		if n > 0 {
			t.clocks.rec.sample(t.next-t.gap, t.q, t.clocks.Site(t.call, t.first+i), n)
			t.counts[i] = 0
		}
	}
	t.left = t.size
}

// table returns the instructions of a pattern, counted from its first, by the offset of the costs. It returns nil for a
// long pattern.
func (c *Code) table(p *Pattern) []uint16 {
	if p.table != nil || p.size > tableEntries {
		return p.table
	}
	key := [2]int{p.first, p.last}
	t := c.tables[key]
	if t == nil {
		for i := range p.last - p.first {
			for range c.sums[p.first+i+1] - c.sums[p.first+i] {
				t = append(t, uint16(i))
			}
		}
		if c.tables == nil {
			c.tables = map[[2]int][]uint16{}
		}
		c.tables[key] = t
	}
	p.table = t
	return t
}
