package lower

import "fmt"

// home returns the reference whose owner executes an iteration, and its subscript with the loop's variable: that of ON, or the first
// mapped reference that is written and has one, of those whose dimension is distributed if there are any.
func (f *facts) home() (*Element, int) {
	var home *Element
	index := 0
	order := f.order
	if f.on != nil {
		order = []*Element{f.on}
	}
	for _, e := range order {
		if e.Sym.Place == nil {
			continue
		}
		for d := range e.Subs {
			if _, ok := f.subscript(e, d); !ok {
				continue
			}
			if e.Sym.spread(d) {
				return e, d
			}
			if home == nil {
				home, index = e, d
			}
		}
	}
	return home, index
}

// homeless returns why no reference determines the owner of an iteration.
func (f *facts) homeless(d *Do) *Reason {
	for _, e := range f.order {
		if e.Sym.Place != nil {
			return &Reason{e.Pos, fmt.Sprintf("no subscript of %s is a sum with %s", text(e), lowerName(f.variable)), ". The owner of the element executes each assignment, and every processor the rest"}
		}
	}
	return &Reason{d.Pos, "it writes no element of a mapped array", ". Every processor executes all iterations"}
}

// spread reports whether a dimension of a mapped array is distributed, as far as is known before the run.
func (s *Symbol) spread(d int) bool {
	m, err := s.Static()
	if m == nil || err != nil || s.Moves() {
		return true
	}
	follow := m.Follow[d]
	return follow.Dim >= 0 && m.Template.Axis[follow.Dim] >= 0
}
