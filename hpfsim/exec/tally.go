package exec

import "sort"

const (
	fewSamples   = 16      // of a pattern, that are recorded one by one
	tallyLength  = 1 << 19 // instructions in which samples of the same instruction are one event
	tableEntries = 1 << 12 // costs of the longest pattern that has a table
)

// A tally counts the samples that a processor meets in a pattern that takes many. Those of one instruction, within tallyLength instructions, are one
// event with their number and with the time of the last of the tally, so that samples that are close to each other cost little.
type tally struct {
	f         *frame
	q         int32
	first     int     // instruction of counts[0]
	counts    []int64 // by instruction
	left      int64   // samples until the tally is recorded
	size      int64   // samples of a tally
	next, gap int64   // ps: the next sample, and from one to the next
	unit, by  int64   // of offsets: how many an instruction takes, and how many lie between samples
}

// tally counts n samples of a processor in a pattern, the first of them at an offset from its begin, in ps.
func (f *frame) tally(q int32, p *pattern, offset, n int64) {
	gap := f.opts.Sample * 1000
	first, last := p.span()
	m := f.Machine
	if len(m.counts) < last-first {
		m.counts = make([]int64, last-first)
	}
	size := max(tallyLength*m.opts.Model.InstructionPs/gap, 1)
	t := &tally{f: f, q: q, first: first, counts: m.counts[:last-first], left: size, size: size, next: m.procs[q].next, gap: gap, unit: m.opts.Model.InstructionPs, by: gap}
	if gap%t.unit == 0 { // offsets of whole instructions
		offset, t.by, t.unit = offset/t.unit, gap/t.unit, 1
	}
	t.pattern(p, offset, n)
	t.record()
	m.procs[q].next = t.next
}

// span is the instructions of a pattern.
func (p *pattern) span() (first, last int) {
	if p.parts == nil {
		return p.first, p.last
	}
	for i := range p.parts {
		a, b := p.parts[i].span()
		if i == 0 {
			first, last = a, b
		}
		first, last = min(first, a), max(last, b)
	}
	return first, last
}

// pattern counts n samples, which all are in a pattern; the first is at an offset.
func (t *tally) pattern(p *pattern, offset, n int64) {
	if p.parts == nil {
		t.leaf(p, offset, n)
		return
	}
	each := p.each * t.unit
	l := t.laps(p)
	for n > 0 {
		if l != nil {
			if n, offset = t.repeat(l, p, offset, n); n == 0 {
				return
			}
		}
		if offset >= each {
			offset %= each
		}
		some := min((each-offset+t.by-1)/t.by, n)
		t.parts(p, offset, some)
		n, offset = n-some, offset+some*t.by-each
	}
}

// parts counts n samples in one repetition of a pattern, the first of them at an offset from its begin.
func (t *tally) parts(p *pattern, offset, n int64) {
	for i := range p.parts {
		q := &p.parts[i]
		long := q.each * q.times * t.unit
		if offset < long {
			k := min((long-offset+t.by-1)/t.by, n)
			t.pattern(q, offset, k)
			offset += k * t.by
			if n -= k; n == 0 {
				return
			}
		}
		offset -= long
	}
}

// leaf counts n samples in instructions that are repeated.
func (t *tally) leaf(p *pattern, offset, n int64) {
	each := p.each * t.unit
	table := t.f.code.table(p)
	sums := t.f.code.sums[p.first : p.last+1]
	counts := t.counts[p.first-t.first:]
	offset %= each
	by := t.by % each
	for n > 0 {
		some := min(n, t.left)
		if table != nil && t.unit == 1 { // offsets come again after a round of them
			if p.round == 0 {
				p.round = each / divisor(each, by)
			}
			times, more := some/p.round, some%p.round
			for k := range min(some, p.round) {
				if counts[table[offset]] += times; k < more {
					counts[table[offset]]++
				}
				if offset += by; offset >= each {
					offset -= each
				}
			}
			if times > 0 {
				offset = (offset + more*by) % each
			}
		} else {
			for range some {
				at := offset / t.unit
				counts[sort.Search(len(sums)-1, func(i int) bool { return sums[i+1]-sums[0] > at })]++
				if offset += by; offset >= each {
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

// divisor is the greatest that two numbers have in common.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// record makes events of what was counted.
func (t *tally) record() {
	for i, n := range t.counts {
		if n > 0 {
			t.f.rec.sample(t.next-t.gap, t.q, t.f.site(t.first+i), n)
			t.counts[i] = 0
		}
	}
	t.left = t.size
}

// table is the instructions of a pattern, from its first, by the offset of the costs; nil for one that takes long.
func (c *code) table(p *pattern) []uint16 {
	if p.table != nil || p.each > tableEntries {
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
