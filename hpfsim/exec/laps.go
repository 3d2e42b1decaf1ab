package exec

import "encoding/binary"

// Laps are what the samples of one repetition of a pattern count, by the offset of its first: a row of a grid of which every row costs the
// same is counted by adding up a few numbers.
type laps struct {
	all []lap // by offset, below what lies between samples; nil until the pattern comes again
}

// A lap is the samples of one repetition, which are n; nil counts are not known yet.
type lap struct {
	counts []int64 // by instruction, from the first of the pattern
	n      int64
	next   int64 // offset of the first sample of the repetition that follows
}

const (
	leastLaps   = 16      // repetitions that are worth it
	mostOffsets = 1 << 10 // between samples
	mostLaps    = 64      // patterns that are kept: of bounds that change, none comes again
	lapsInTally = 8       // in shorter tallies hardly any repetition would be whole
)

// laps are those of a pattern, nil where most of its repetitions have no sample, or they are few or long.
func (t *tally) laps(p *pattern) *laps {
	if p.times < leastLaps || t.unit != 1 || t.by > mostOffsets || p.each < t.by || p.each*lapsInTally > t.size*t.by {
		return nil
	}
	c := t.f.code
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
		if p.times < 2*t.by { // it may not come again
			return nil
		}
	}
	if l.all == nil {
		l.all = make([]lap, t.by)
	}
	return l
}

// key appends what tells a pattern from others of its unit.
func (p *pattern) key(to []byte) []byte {
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

// repeat counts n samples, the first of them at an offset, as far as they are those of whole repetitions that a tally has room for, and returns
// how many are left and where the first of these is.
func (t *tally) repeat(l *laps, p *pattern, offset, n int64) (left, at int64) {
	first, last := p.span()
	counts := t.counts[first-t.first : last-t.first]
	for n > 0 {
		x := &l.all[offset]
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
func (t *tally) lap(p *pattern, offset int64, instructions int) lap {
	n := (p.each - offset + t.by - 1) / t.by
	first, _ := p.span()
	x := tally{f: t.f, q: t.q, first: first, counts: make([]int64, instructions), left: n + 1, size: n + 1, gap: t.gap, unit: t.unit, by: t.by}
	x.parts(p, offset, n)
	return lap{x.counts, n, offset + n*t.by - p.each}
}
