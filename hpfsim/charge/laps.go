package charge

import "encoding/binary"

// Laps are the samples of one repetition of a pattern, by the offset of the first sample. The samples of a row of a grid whose rows have equal costs
// are then counted by adding a few numbers.
type laps struct {
	laps []lap // by offset, below the offsets between two samples; nil until the pattern comes again
}

// A lap is the samples of one repetition.
type lap struct {
	counts []int64 // by instruction, from the first of the pattern; nil until they are counted
	n      int64   // samples
	next   int64   // offset of the first sample of the next repetition
}

const (
	leastLaps   = 16      // least number of repetitions
	mostOffsets = 1 << 10 // between two samples
	mostLaps    = 64      // cached patterns: one with changing bounds does not recur
	lapsInTally = 8       // shorter tallies hold hardly any whole repetition
)

// laps returns the laps of a pattern. It returns nil if most repetitions have no sample, or if they are few or long.
func (t *tally) laps(p *Pattern) *laps {
	if p.times < leastLaps || t.unit != 1 || t.steps > mostOffsets || p.size < t.steps || p.size*lapsInTally > t.size*t.steps {
		return nil
	}
	c := t.call.Code
	var key []byte
	for i := range p.parts {
		key = p.parts[i].key(key)
	}
	l := c.laps[string(key)]
	if l == nil {
		if c.laps == nil || len(c.laps) >= mostLaps {
			c.laps = map[string]*laps{}
		}
		l = &laps{}
		c.laps[string(key)] = l
		if p.times < 2*t.steps { // the offset may not recur
			return nil
		}
	}
	if l.laps == nil {
		l.laps = make([]lap, t.steps)
	}
	return l
}

// key appends an encoding of a pattern that differs from those of all others of its unit.
func (p *Pattern) key(to []byte) []byte {
	to = binary.AppendVarint(to, p.times)
	to = binary.AppendUvarint(to, uint64(len(p.parts)))
	if p.parts == nil {
		return binary.AppendUvarint(binary.AppendUvarint(to, uint64(p.first)), uint64(p.last))
	}
	for i := range p.parts {
		to = p.parts[i].key(to)
	}
	return to
}

// whole counts the samples of whole repetitions among n samples, the first at an offset, as long as the tally has room.
// It returns the number of remaining samples and the offset of the first of them.
func (t *tally) whole(l *laps, p *Pattern, offset, n int64) (left, next int64) {
	first, last := p.Span()
	counts := t.counts[first-t.first : last-t.first]
	for n > 0 {
		x := &l.laps[offset]
		if x.counts == nil {
			*x = t.lap(p, offset, last-first)
		}
		if x.n > min(n, t.left) {
			break
		}
		for i, k := range x.counts[:len(counts)] {
			counts[i] += k
		}
		n, t.left, t.next, offset = n-x.n, t.left-x.n, t.next+x.n*t.gap, x.next
		if t.left == 0 {
			t.record()
		}
	}
	return n, offset
}

// lap counts the samples of one repetition.
func (t *tally) lap(p *Pattern, offset int64, instructions int) lap {
	n := (p.size - offset + t.steps - 1) / t.steps
	first, _ := p.Span()
	x := tally{
		clocks: t.clocks, q: t.q, call: t.call, first: first, counts: make([]int64, instructions), left: n + 1, size: n + 1,
		gap: t.gap, unit: t.unit, steps: t.steps,
	}
	x.parts(p, offset, n)
	return lap{x.counts, n, offset + n*t.steps - p.size}
}
