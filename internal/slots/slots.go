// Package slots gives out numbered slots: whoever takes one gets the free slot with the lowest number. Readers of traces use them as processing elements
// for tasks whose trace does not say what they run on.
package slots

// Slots are free or taken. The zero Slots has none; it grows as slots are taken.
type Slots struct {
	holders []int32 // by slot
	free    int     // no slot below is free
}

// Len returns the number of slots that have been taken at one time.
func (s *Slots) Len() int { return len(s.holders) }

// Acquire takes the free slot with the lowest number, from 0. If most slots, at least 1, are taken, it returns the last of them, which has one more
// holder, and false.
func (s *Slots) Acquire(most int) (slot int, ok bool) {
	for s.free < len(s.holders) && s.holders[s.free] > 0 {
		s.free++
	}
	slot, ok = s.free, true
	if slot == len(s.holders) {
		if slot >= most {
			slot, ok = most-1, false
		} else {
			s.holders = append(s.holders, 0)
		}
	}
	s.holders[slot]++
	return slot, ok
}

// Release gives back a slot that was taken. It is free when all its holders have done so.
func (s *Slots) Release(slot int) {
	if s.holders[slot]--; s.holders[slot] == 0 {
		s.free = min(s.free, slot)
	}
}
