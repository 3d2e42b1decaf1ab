package pprof

import "math/rand/v2"

// Stacks finds the calling contexts of stacks that were met before, in this file or in another one: processes of one program have most of their stacks
// in common. A stack is known by 128 bits of a hash with random seeds, so that of a billion no two are taken for each other in 10^20 readings.
type stacks struct {
	seed  stack
	table []found // open addressing with linear steps
	used  int
}

// A stack is the hash of one, or of a part of it.
type stack struct{ a, b uint64 }

// found is what is known of a stack.
type found struct {
	stack   stack
	context uint32 // 0 for none yet
	cell    uint32 // of the file that met it last
}

func newStacks() stacks { return stacks{seed: stack{rand.Uint64() | 1, rand.Uint64()}} }

// and goes on with the number of a place, which is not 0.
func (h stack) and(place uint32) stack {
	a, b := (h.a^uint64(place))*0x9e3779b97f4a7c15, (h.b^uint64(place))*0xd1342543de82ef95
	return stack{a ^ a>>29, b ^ b>>32}
}

// find returns what is known of a stack, empty for a new one. It is valid until the next one is looked for.
func (s *stacks) find(h stack) *found {
	if 2*s.used >= len(s.table) {
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
		f.stack = h
		s.used++
	}
	return f
}

// slot is where a stack is, or belongs.
func (s *stacks) slot(h stack) *found {
	mask := len(s.table) - 1
	for i := int(h.a>>7) & mask; ; i = (i + 1) & mask {
		if f := &s.table[i]; f.stack == h || f.stack == (stack{}) {
			return f
		}
	}
}
