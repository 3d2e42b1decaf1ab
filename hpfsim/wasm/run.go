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
		return nil, fmt.Errorf("generated code: %w", err)
	}
	return &Loaded{Region: r, code: c}, nil
}

// A Frame is the state of a running region, with the frames of its calls behind it.
type Frame struct {
	loaded *Loaded
	block  *Block
	words  []int64
	notes  []int32
	noted  *Block // the notes
}

const (
	noteSize  = 4
	mostStack = 1 << 24 // bytes of the frames of calls
)

// Frame returns a frame in which so many calls may nest, nil if the memory has no room for it. It is free again after Release.
func (l *Loaded) Frame(m *Memory, depth int) *Frame {
	var f *Frame
	if n := len(l.spare); n > 0 {
		f = l.spare[n-1]
		l.spare = l.spare[:n-1]
	} else {
		if l.stack() > mostStack/wordSize {
			return nil
		}
		b, noted := m.Alloc(l.stack(), wordSize), m.Alloc(len(l.Segments)+4, noteSize)
		if b == nil || noted == nil {
			return nil
		}
		f = &Frame{l, b, Slice[int64](b), Slice[int32](noted), noted}
		f.words[wordNotes] = int64(noted.Address(0))
	}
	f.words[wordDepth] = int64(depth)
	return f
}

// MostDepth is the number of calls that may nest.
const MostDepth = 5000

// stack returns the words of a frame with those of the calls that may nest.
func (r *Region) stack() int {
	most := 0
	for _, x := range r.routines {
		most = max(most, x.size)
	}
	return r.size + most*min(r.nesting(), MostDepth)
}

// nesting returns the number of calls that may nest, which is without bound if procedures call each other.
func (r *Region) nesting() int {
	depths := map[*routine]int{}
	var depth func(x *routine) int
	depth = func(x *routine) int {
		if d, ok := depths[x]; ok {
			return d
		}
		depths[x] = MostDepth // if it is reached again
		d := 0
		for _, p := range r.Points {
			if p.Kind == Call && p.caller == x {
				d = max(d, 1+depth(p.to))
			}
		}
		depths[x] = d
		return d
	}
	return depth(r.routine)
}

// Release ends the use of a frame.
func (f *Frame) Release() { f.loaded.spare = append(f.loaded.spare, f) }

// Scalar returns the value of scalar k: that of an integer or logical, or the bits of a double for reals.
func (f *Frame) Scalar(k int) int64 { return f.words[f.loaded.scalarWord(k)] }

// SetScalar sets the value of scalar k.
func (f *Frame) SetScalar(k int, v int64) { f.words[f.loaded.scalarWord(k)] = v }

// SetIterations sets the number of iterations of a loop that are left, and its step.
func (f *Frame) SetIterations(d *lower.Do, left, step int64) {
	w := f.loaded.loopWord(f.loaded.loops[d])
	f.words[w], f.words[w+1] = left, step
}

// SetArray sets the place of array k. Steps are in elements; that of the first dimension must be 1. SetArray returns false for extents and bounds of
// more than 32 bits.
func (f *Frame) SetArray(k int, b *Block, off int, lo, n, step []int) bool {
	w, size := f.loaded.arrayWord(k), sizeOf(f.loaded.Arrays[k].Type)
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
	w := f.loaded.arrayWord(k)
	clear(f.words[w : w+wordsOfArray(f.loaded.Arrays[k].Rank())])
}

// Run continues at a point until the next one, which it returns; 0 is the end of the region. If a procedure has stopped, Run returns the point of its
// call (Calls). Run executes instructions that cost up to limit, and then those until the next beginning of an iteration or of a procedure.
func (f *Frame) Run(point int, limit int64) (next int, err error) {
	f.words[wordPoint], f.words[wordSpent], f.words[wordLimit] = int64(point), 0, limit
	f.words[wordNoted] = 0
	k, err := f.loaded.code.call(f.block.Address(0))
	return int(k), err
}

// Calls appends the points of the calls that have not returned, the outermost first, after Run has returned a point. It also returns the point where the innermost
// procedure has stopped.
func (f *Frame) Calls(point int, to []int) (calls []int, at int) {
	r, w := f.loaded.routine, 0
	for point > 0 && f.loaded.Points[point-1].Kind == Call {
		to = append(to, point)
		w += r.size
		r = f.loaded.Points[point-1].to
		point = int(int32(f.words[w+wordPoint]))
	}
	return to, point
}

// Bounds returns the lower bounds and the extents of an array of the innermost of some calls.
func (f *Frame) Bounds(a *lower.Symbol, calls []int) (lo, n []int) {
	r, w := f.loaded.routine, 0
	for _, at := range calls {
		w += r.size
		r = f.loaded.Points[at-1].to
	}
	for k, x := range r.Arrays {
		if x != a {
			continue
		}
		for d := range a.Rank() {
			at := w + r.arrayWord(k) + 1 + 3*d
			lo, n = append(lo, int(int32(f.words[at]))), append(n, int(int32(f.words[at+1])))
		}
	}
	return lo, n
}

// Index returns the index of an element in fault, or the number of elements that an argument in fault has to have.
func (f *Frame) Index() int { return int(f.words[wordIndex]) }

// Given returns the number of elements that an argument in fault has.
func (f *Frame) Given() int { return int(f.words[wordGiven]) }

// Spent returns the cost of all instructions of the last Run, and the notes of the actions beyond the limit (Called, Returned).
func (f *Frame) Spent() (cost int64, notes []int32) {
	return f.words[wordSpent], f.notes[:int32(f.words[wordNoted])]
}
