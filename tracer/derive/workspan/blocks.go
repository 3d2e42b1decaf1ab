package workspan

import (
	"cmp"
	"slices"

	"whorl/internal/hashtable"
)

// A Block is the time that the tasks of one code were blocked by those of another: goals until a goal bound a variable, threads until a thread ended.
type Block struct {
	Blocked
	Time  int64 // ns
	Count int64
}

// A Blocked names the tasks that are blocked and the tasks that end it.
type Blocked struct {
	Code    uint32 // of the tasks that were blocked
	By      uint32 // of the goals that bound variables or of the threads that ended; 0 if unknown
	Fetched bool   // goals waited for a value from another PE, or for input
}

// FetchedValues names the cause of blocks that are Fetched.
const FetchedValues = "fetched values"

// blocks holds the sums of Blocks with the same Blocked.
type blocks struct {
	numbers [2]hashtable.Table // indexes in sums, by Code and By; the second table is for fetched values
	sums    []Block
}

// sum returns the sum of the Blocks with a Blocked, which may be new.
func (b *blocks) sum(x Blocked) *Block {
	numbers := &b.numbers[0]
	if x.Fetched {
		numbers = &b.numbers[1]
	}
	i, added := numbers.Add(uint64(x.Code)<<32|uint64(x.By), uint32(len(b.sums)))
	if added {
		b.sums = append(b.sums, Block{Blocked: x})
	}
	return &b.sums[i]
}

func (b *blocks) add(x Block) {
	s := b.sum(x.Blocked)
	s.Time, s.Count = add(s.Time, x.Time), s.Count+x.Count
}

// remove takes back an add.
func (b *blocks) remove(x Block) {
	s := b.sum(x.Blocked)
	s.Time, s.Count = s.Time-x.Time, s.Count-x.Count
}

// list returns the sums, longest first.
func (b *blocks) list() []Block {
	var all []Block
	for _, s := range b.sums {
		if s.Count > 0 {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, compareBlocks)
	return all
}

func compareBlocks(a, b Block) int {
	last := 0
	switch {
	case a.Fetched && !b.Fetched:
		last = 1
	case b.Fetched && !a.Fetched:
		last = -1
	}
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Code, b.Code), cmp.Compare(a.By, b.By), last)
}

// ByOwner adds up blocks whose codes have the same owners, longest first.
func ByOwner(all []Block, owner func(code uint32) uint32) []Block {
	var sum blocks
	for _, b := range all {
		b.Code, b.By = owner(b.Code), owner(b.By)
		sum.add(b)
	}
	return sum.list()
}
