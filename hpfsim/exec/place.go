package exec

import (
	"whorl/hpfsim/lower"
	"whorl/hpfsim/syntax"
)

const mostElements = 1 << 40

// bounds evaluates bounds to lower bounds and extents.
func (f *frame) bounds(b []lower.Bound, pos syntax.Pos) (lo, n []int) {
	total := 1
	for _, x := range b {
		l := 1
		if x.Lo != nil {
			l = f.integer(x.Lo)
		}
		h := l - 1
		if x.Hi != nil {
			h = f.integer(x.Hi)
		}
		extent := max(h-l+1, 0)
		if extent > mostElements || extent > 0 && total > mostElements/extent {
			fail(pos, "an array of more than 2**40 elements")
		}
		total *= max(extent, 1)
		lo, n = append(lo, l), append(n, extent)
	}
	return lo, n
}

// placement returns the current mapping directive of an array or a template.
func (f *frame) placement(s *lower.Symbol) *lower.Placement {
	g := f.within(s.Unit)
	if p := g.placed[s]; p != nil {
		return p
	}
	if s.Place == nil || s.Place.Maps == nil {
		return s.Place
	}
	p := g.known(s.Place)
	g.putPlacement(s, p)
	return p
}

// known returns a directive with the present values of the arrays of its GEN_BLOCK and INDIRECT.
func (f *frame) known(p *lower.Placement) *lower.Placement {
	if p.Maps == nil {
		return p
	}
	return p.Known(func(x lower.Expr) []int {
		a := f.array(x)
		out := make([]int, 0, a.size())
		f.each(a, func(at int) { out = append(out, int(a.int(at))) })
		return out
	})
}

// putPlacement makes a directive the current one of an array or a template of the frame's unit.
func (f *frame) putPlacement(s *lower.Symbol, p *lower.Placement) {
	if f.placed == nil {
		f.placed = map[*lower.Symbol]*lower.Placement{}
	}
	f.placed[s] = p
}

// lay makes the mapping of an array.
func (f *frame) lay(s *lower.Symbol, a *array) {
	p := f.placement(s)
	if p == nil || p.Kept || a.absent {
		return
	}
	f.layAs(s, a, p)
}

func (f *frame) layAs(s *lower.Symbol, a *array, p *lower.Placement) {
	f.layWith(s, a, p, f.variable, f.placement)
}

// layWith makes the mapping of an array by a directive, whose targets have the given storage and placements.
func (f *frame) layWith(s *lower.Symbol, a *array, p *lower.Placement, storage func(*lower.Symbol) *array, placement func(*lower.Symbol) *lower.Placement) {
	hi := make([]int, len(a.n))
	for d := range hi {
		hi[d] = a.hi(d)
	}
	lay, err := p.Lay(s.Name, a.lo, hi, func(t *lower.Symbol) lower.Target {
		var h []int
		if t.Class == lower.TemplateName {
			lo, n := f.bounds(t.Bounds, p.Pos)
			for d := range n {
				h = append(h, lo[d]+n[d]-1)
			}
			return lower.Target{Lo: lo, Hi: h, Place: placement(t)}
		}
		b := storage(t)
		f.present(b, t, p.Pos)
		for d := range b.n {
			h = append(h, b.hi(d))
		}
		return lower.Target{Lo: b.lo, Hi: h, Place: placement(t), Lay: b.lay}
	})
	if err != nil {
		fail(p.Pos, "%v", err)
	}
	a.lay = lay
}

// remap remaps arrays and templates and all arrays aligned with them, and sends every element whose owner changes.
func (f *frame) remap(s *lower.Remap) {
	for k, sym := range s.Arrays {
		f.within(sym.Unit).putPlacement(sym, f.known(s.To[k]))
		if sym.Class == lower.Variable {
			f.present(f.variable(sym), sym, s.Pos)
		}
		for _, h := range f.visible() {
			for i, t := range h.unit.Symbols {
				a := h.vars[i]
				if a == nil || a.absent || t.Class != lower.Variable || !h.follows(t, sym) {
					continue
				}
				old := a.lay
				h.layAs(t, a, h.placement(t))
				f.exchange(a, old, a.lay, s.First)
			}
		}
	}
	f.run(s.First, s.Last, 1)
}

// visible returns the frame, its hosts, and the frames of all modules.
func (f *frame) visible() []*frame {
	var out []*frame
	for g := f; g != nil; g = g.host {
		if g.unit.Kind != syntax.Module {
			out = append(out, g)
		}
	}
	return append(out, f.modules...)
}

// follows reports whether an array is another one, or aligned with it directly or through others.
func (f *frame) follows(s, with *lower.Symbol) bool {
	for s != nil && s != with {
		p := f.placement(s)
		if p == nil {
			return false
		}
		s = p.With
	}
	return s == with
}
