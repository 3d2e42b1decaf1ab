package tracer

// An idSet is a set of task ids. Ids are dense, so each takes about a bit.
type idSet struct {
	pages map[uint64]*[64]uint64
	key   uint64 // of last
	last  *[64]uint64
}

func (s *idSet) page(key uint64) *[64]uint64 {
	if s.last == nil || s.key != key {
		p := s.pages[key]
		if p == nil {
			return nil
		}
		s.key, s.last = key, p
	}
	return s.last
}

func (s *idSet) contains(id uint64) bool {
	p := s.page(id >> 12)
	return p != nil && p[id>>6&63]>>(id&63)&1 != 0
}

// add returns whether id was not in the set.
func (s *idSet) add(id uint64) bool {
	p := s.page(id >> 12)
	if p == nil {
		if s.pages == nil {
			s.pages = map[uint64]*[64]uint64{}
		}
		p = new([64]uint64)
		s.pages[id>>12] = p
		s.key, s.last = id>>12, p
	}
	w, bit := &p[id>>6&63], uint64(1)<<(id&63)
	if *w&bit != 0 {
		return false
	}
	*w |= bit
	return true
}
