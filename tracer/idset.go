package tracer

// An idSet is a set of task ids. Ids are dense and most tasks have their event at last, so the set is a hash table of words of 64 ids, and a word with
// all its ids moves to a smaller set, as one id. What remains are words that wait for an id, and those with ids that were never used.
type idSet struct {
	slots []idWord // a power of two with linear probing; nil for an empty set
	shift uint     // 64 minus the binary logarithm of the number of slots
	count int      // words in slots
	whole *idSet   // numbers of the words with all their ids; nil for none
}

// An idWord holds the ids from 64*number to 64*number + 63, as bits. A free slot has no bits.
type idWord struct{ number, bits uint64 }

const fullWord = ^uint64(0)

// home returns the slot where the search for a word begins.
func (s *idSet) home(number uint64) int { return int(number * 0x9e3779b97f4a7c15 >> (s.shift & 63)) }

// slot returns the slot of a word, or the free slot where it belongs.
func (s *idSet) slot(number uint64) int {
	i, mask := s.home(number), len(s.slots)-1
	for s.slots[i].bits != 0 && s.slots[i].number != number {
		i = (i + 1) & mask
	}
	return i
}

func (s *idSet) contains(id uint64) bool {
	for ; s != nil && s.slots != nil; s = s.whole {
		if w := s.slots[s.slot(id>>6)].bits; w != 0 {
			return w>>(id&63)&1 != 0
		}
		id >>= 6
	}
	return false
}

// add returns whether id was not in the set.
func (s *idSet) add(id uint64) bool {
	if s.slots == nil {
		s.slots, s.shift = make([]idWord, 64), 64-6
	}
	number, bit := id>>6, uint64(1)<<(id&63)
	i := s.slot(number)
	w := &s.slots[i]
	switch {
	case w.bits&bit != 0 || w.bits == 0 && s.whole.contains(number):
		return false
	case w.bits|bit == fullWord:
		s.remove(i)
		if s.whole == nil {
			s.whole = &idSet{}
		}
		return s.whole.add(number)
	case w.bits == 0:
		s.count++
	}
	*w = idWord{number, w.bits | bit}
	if 4*s.count > 3*len(s.slots) {
		s.grow()
	}
	return true
}

// remove frees a slot and moves the words that it displaced.
func (s *idSet) remove(i int) {
	mask := len(s.slots) - 1
	for j := (i + 1) & mask; s.slots[j].bits != 0; j = (j + 1) & mask {
		if (j-s.home(s.slots[j].number))&mask >= (j-i)&mask { // i lies between its home and j
			s.slots[i] = s.slots[j]
			i = j
		}
	}
	s.slots[i] = idWord{}
	s.count--
}

func (s *idSet) grow() {
	old := s.slots
	s.slots = make([]idWord, 2*len(old))
	s.shift--
	for _, w := range old {
		if w.bits != 0 {
			s.slots[s.slot(w.number)] = w
		}
	}
}
