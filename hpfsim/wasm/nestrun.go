package wasm

import "math"

// A LoadedNest is a nest that can run.
type LoadedNest struct {
	*Nest
	code    *Code
	block   *Block
	vectors bool
	words   []int64
}

// LoadNest compiles a nest. The error says why there is no code for it.
func (m *Memory) LoadNest(n *Nest) (*LoadedNest, error) {
	module, err := n.assembled()
	if err != nil {
		return nil, err
	}
	c, err := m.load(module)
	if err != nil {
		return nil, err
	}
	l := (&LoadedNest{Nest: n, code: c, vectors: n.lanes() > 0}).Again(m)
	if l == nil {
		return nil, errNoRoom
	}
	return l, nil
}

// Again returns the same nest for another goroutine, nil if the memory has no room.
func (n *LoadedNest) Again(m *Memory) *LoadedNest {
	b := m.Alloc(n.sumWord(len(n.Steps)), wordSize)
	if b == nil {
		return nil
	}
	return &LoadedNest{Nest: n.Nest, code: n.code.again(), block: b, vectors: n.vectors, words: Slice[int64](b)}
}

// Vectors reports whether iterations are computed as vectors.
func (n *LoadedNest) Vectors() bool { return n.vectors }

// SetLoop sets the number of iterations of a loop, at least 1, and the first value and the step of its variable.
func (n *LoadedNest) SetLoop(l, count int, first, step int64) {
	w := n.varWord(l)
	n.words[l], n.words[w], n.words[w+1] = int64(count), first, step
}

// SetPointer sets the address of a pointer in the first iteration, and its steps in the loops, in elements of a size.
func (n *LoadedNest) SetPointer(p int, at uint32, steps []int, size int) {
	w := n.pointerWord(p)
	n.words[w] = int64(at)
	for l, s := range steps {
		n.words[w+1+l] = int64(s * size)
	}
}

// SetKnown sets a known value: that of an integer or logical, or the bits of a double for reals.
func (n *LoadedNest) SetKnown(k int, v int64) { n.words[n.knownWord(k)] = v }

// Private returns the value that a private scalar had in the last iteration, in the same form.
func (n *LoadedNest) Private(k int) int64 { return n.words[n.privateWord(k)] }

// SumAddress returns the address of the scalar that step k joins values with.
func (n *LoadedNest) SumAddress(k int) uint32 { return n.block.Address(n.sumWord(k)) }

// SetSum sets the scalar that step k joins values with: an integer or logical, or the bits of a double for reals.
func (n *LoadedNest) SetSum(k int, v int64) {
	if kindOf(n.Places[n.Steps[k].Place].Type) == f32 {
		v = int64(math.Float32bits(float32(math.Float64frombits(uint64(v)))))
	}
	n.words[n.sumWord(k)] = v
}

// Sum returns that scalar, in the same form.
func (n *LoadedNest) Sum(k int) int64 {
	v := n.words[n.sumWord(k)]
	switch kindOf(n.Places[n.Steps[k].Place].Type) {
	case f32:
		return int64(math.Float64bits(float64(math.Float32frombits(uint32(v)))))
	case i32:
		return int64(int32(v))
	}
	return v
}

// Run runs the nest.
func (n *LoadedNest) Run() error {
	_, err := n.code.call(n.block.Address(0))
	return err
}
