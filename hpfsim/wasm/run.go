package wasm

import (
	"fmt"
	"math"

	"whorl/hpfsim/lower"
)

// A Loaded is a region that can run.
type Loaded struct {
	*Region
	code  *Code
	spare []*Frame
}

// Load compiles a region.
func (m *Memory) Load(r *Region) (*Loaded, error) {
	c, err := m.load(r.module)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", r.Do.Pos, err)
	}
	return &Loaded{Region: r, code: c}, nil
}

// A Frame is the state of a running region.
type Frame struct {
	of    *Loaded
	block *Block
	words []int64
}

// Frame returns a frame, nil if the memory has no room for it. It is free again after Release.
func (l *Loaded) Frame(m *Memory) *Frame {
	if n := len(l.spare); n > 0 {
		f := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return f
	}
	b := m.Alloc(l.notedWord()+len(l.Segments), wordSize)
	if b == nil {
		return nil
	}
	return &Frame{l, b, Slice[int64](b)}
}

// Release ends the use of a frame.
func (f *Frame) Release() { f.of.spare = append(f.of.spare, f) }

// Scalar returns the value of scalar k: that of an integer or logical, or the bits of a double for reals.
func (f *Frame) Scalar(k int) int64 { return f.words[wordScalars+k] }

// SetScalar sets the value of scalar k.
func (f *Frame) SetScalar(k int, v int64) { f.words[wordScalars+k] = v }

// SetIterations sets how many iterations are left of a loop, and its step.
func (f *Frame) SetIterations(d *lower.Do, left, step int64) {
	w := f.of.loopWord(f.of.loops[d])
	f.words[w], f.words[w+1] = left, step
}

// SetArray sets where array k is. Steps are in elements; that of the first dimension must be 1. SetArray returns false for extents and bounds of more than 32 bits.
func (f *Frame) SetArray(k int, b *Block, off int, lo, n, step []int) bool {
	w, size := f.of.arrayWord(k), sizeOf(f.of.Arrays[k].Type)
	if b.size != size {
		return false
	}
	f.words[w] = int64(b.Address(off))
	for d := range n {
		if n[d] > math.MaxInt32 || lo[d] != int(int32(lo[d])) || step[d] > math.MaxInt32 || step[d] < math.MinInt32 {
			return false
		}
		f.words[w+1+3*d], f.words[w+2+3*d], f.words[w+3+3*d] = int64(lo[d]), int64(n[d]), int64(step[d]*size)
	}
	return true
}

// SetNone makes all subscripts of array k out of bounds.
func (f *Frame) SetNone(k int) {
	w := f.of.arrayWord(k)
	clear(f.words[w : w+wordsOfArray(f.of.Arrays[k].Rank())])
}

// Run goes on at a point until the next one, which it returns; 0 is behind the loop. It executes instructions that cost up to limit, and then those until the next
// beginning of an iteration.
func (f *Frame) Run(point int, limit int64) (next int, err error) {
	f.words[wordPoint], f.words[wordSpent], f.words[wordLimit] = int64(point), 0, limit
	f.words[wordNoted] = 0
	k, err := f.of.code.call(f.block.Address(0))
	return int(k), err
}

// Index returns the index of an element in fault.
func (f *Frame) Index() int { return int(f.words[wordIndex]) }

// Spent returns the cost of all instructions of the last Run, and the segments that were executed last, beyond the limit.
func (f *Frame) Spent() (cost int64, beyond []int64) {
	n := f.words[wordNoted]
	w := int64(f.of.notedWord())
	return f.words[wordSpent], f.words[w : w+n]
}
