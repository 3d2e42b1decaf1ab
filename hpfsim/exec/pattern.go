package exec

import (
	"sort"
)

// A pattern is instructions that are executed some times: those from first up to last, or parts one after the other.
type pattern struct {
	first, last int
	parts       []pattern
	each        int64 // cost of one time
	times       int64
	table       []uint16 // of a tally, which is at the same offset again after a round of samples
	round       int64
}

// leaf is the pattern of instructions that follow each other.
func (c *code) leaf(first, last int, times int64) pattern {
	return pattern{first: first, last: last, each: c.sums[last] - c.sums[first], times: times}
}

// several is the pattern of parts that follow each other.
func several(times int64, parts ...pattern) pattern {
	p := pattern{times: times, parts: parts}
	for _, q := range parts {
		p.each += q.each * q.times
	}
	return p
}

// at is the instruction at an offset of the costs.
func (p *pattern) at(c *code, offset int64) int {
	offset %= p.each
	if p.parts == nil {
		base := c.sums[p.first]
		return p.first + sort.Search(p.last-p.first, func(i int) bool { return c.sums[p.first+i+1]-base > offset })
	}
	for i := range p.parts {
		q := &p.parts[i]
		if offset < q.each*q.times {
			return q.at(c, offset)
		}
		offset -= q.each * q.times
	}
	return p.last
}

// steps executes the instructions one by one, for a machine that steps.
func (p *pattern) steps(f *frame, q int32) {
	if p.parts == nil {
		f.step(f, q, p.first, p.last, p.times)
		return
	}
	for range p.times {
		for i := range p.parts {
			p.parts[i].steps(f, q)
		}
	}
}
