package wasm

// A LoadedNest is a nest that can run.
type LoadedNest struct {
	*Nest
	code  *Code
	block *Block
	words []int64
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
	b := m.Alloc(n.sumWord(len(n.Steps)))
	if b == nil {
		return nil, errNoRoom
	}
	return &LoadedNest{n, c, b, Slice[int64](b)}, nil
}

// SetLoop sets the number of iterations of a loop, at least 1, and the first value and the step of its variable.
func (n *LoadedNest) SetLoop(l, count int, first, step int64) {
	w := n.varWord(l)
	n.words[l], n.words[w], n.words[w+1] = int64(count), first, step
}

// SetPointer sets the address of a pointer in the first iteration, and its steps in the loops, in elements.
func (n *LoadedNest) SetPointer(p int, at uint32, steps []int) {
	w := n.pointerWord(p)
	n.words[w] = int64(at)
	for l, s := range steps {
		n.words[w+1+l] = int64(s * elementSize)
	}
}

// SetKnown sets a known value: that of an integer or logical, or the bits of a double for reals.
func (n *LoadedNest) SetKnown(k int, v int64) { n.words[n.knownWord(k)] = v }

// Private returns the value that a private scalar had in the last iteration, in the same form.
func (n *LoadedNest) Private(k int) int64 { return n.words[n.privateWord(k)] }

// Sum returns the word and the address of a scalar that step k joins values with.
func (n *LoadedNest) Sum(k int) (word *int64, at uint32) {
	return &n.words[n.sumWord(k)], n.block.Address(n.sumWord(k))
}

// Run runs the nest.
func (n *LoadedNest) Run() error {
	_, err := n.code.call(n.block.Address(0))
	return err
}
