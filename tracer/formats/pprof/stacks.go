package pprof

import "math/rand/v2"

// stacks maps the stacks of this file and earlier ones to their calling contexts. The processes of a program have most of their stacks in
// common. The key of a stack is a 128-bit hash with random seeds; among a billion stacks, two collide with a probability of about 10^-20.
type stacks struct {
	seed  stack
	table []found // open addressing with linear probing
	used  int
	count uint32 // of all stacks, also those that are not in the table
}

// A stack is the hash of a stack or of a part of it.
type stack struct{ a, b uint64 }

// found is the entry of a stack.
type found struct {
	stack   stack
	number  uint32 // from 1
	context uint32 // 0 if not known yet
	cell    uint32 // in the last file with the stack
}

func newStacks() stacks { return stacks{seed: stack{rand.Uint64() | 1, rand.Uint64()}} }

// and extends the hash by the number of a place, which is not 0.
func (h stack) and(place uint32) stack {
	a, b := (h.a^uint64(place))*0x9e3779b97f4a7c15, (h.b^uint64(place))*0xd1342543de82ef95
	return stack{a ^ a>>29, b ^ b>>32}
}

// unknown returns an entry for a stack that is not in the table.
func (s *stacks) unknown() *found {
	s.count++
	return &found{number: s.count}
}

// find returns the entry of a stack, without a context if it is new. The result is valid until the next call.
func (s *stacks) find(h stack) *found {
	if 4*s.used >= 3*len(s.table) {
		old := s.table
		s.table = make([]found, max(2*len(old), 1<<10))
		for i := range old {
			if old[i].stack != (stack{}) {
				*s.slot(old[i].stack) = old[i]
			}
		}
	}
	f := s.slot(h)
	if f.stack != h {
		s.count++
		f.stack, f.number = h, s.count
		s.used++
	}
	return f
}

// slot returns the entry of a stack, or the free entry where it belongs.
func (s *stacks) slot(h stack) *found {
	mask := len(s.table) - 1
	for i := int(h.a>>7) & mask; ; i = (i + 1) & mask {
		if f := &s.table[i]; f.stack == h || f.stack == (stack{}) {
			return f
		}
	}
}
