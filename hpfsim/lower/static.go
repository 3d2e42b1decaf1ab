package lower

import "whorl/hpfsim/mapping"

// constBounds returns the bounds of a symbol, and false if they are not constant.
func constBounds(s *Symbol) (lo, hi []int, ok bool) {
	for _, b := range s.Bounds {
		l, ok1 := b.Lo.(*Const)
		h, ok2 := b.Hi.(*Const)
		if !ok1 || !ok2 {
			return nil, nil, false
		}
		lo, hi = append(lo, int(l.I)), append(hi, int(h.I))
	}
	return lo, hi, true
}

// Static returns the mapping of an array if it is known before the program runs, and else nil.
func (s *Symbol) Static() (*mapping.Array, error) {
	if s.Place == nil {
		return nil, nil
	}
	lo, hi, ok := constBounds(s)
	if !ok {
		return nil, nil
	}
	known := s.Place.Maps == nil && !s.Place.Kept
	for p := s.Place; known && p.With != nil && p.With.Place != nil; p = p.With.Place {
		_, _, ok := constBounds(p.With)
		known = ok && p.With.Place.Maps == nil && !p.With.Place.Kept
	}
	if !known {
		return nil, nil
	}
	return s.Place.Lay(s.Name, lo, hi, func(t *Symbol) Target {
		lo, hi, _ := constBounds(t)
		return Target{Lo: lo, Hi: hi, Place: t.Place}
	})
}

// provable reports a wrong mapping that is known before the program runs.
func (l *lowerer) provable(s *Symbol) {
	if _, err := s.Static(); err != nil {
		l.fail(s.Place.Pos, "", "%v", err)
		s.Place = nil
	}
}
