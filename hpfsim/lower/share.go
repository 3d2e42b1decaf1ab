package lower

import "whorl/hpfsim/mapping"

// iterations returns how many iterations of a loop each processor executes, nil if that is known at run time only.
func (r *reporter) iterations(d *Do) []int64 {
	home := d.Parallel.Home
	m, err := home.Sym.Static()
	values, ok := constRun(d.Lo, d.Hi, d.Step)
	if m == nil || err != nil || home.Sym.Moves() || !ok {
		return nil
	}
	sum, _ := affineOf(home.Subs[d.Parallel.Index].Index)
	if len(sum.factors) != 1 {
		return nil
	}
	follow := m.Follow[d.Parallel.Index]
	stride, offset := follow.Stride*int(sum.factors[d.Var]), follow.Stride*int(sum.offset)+follow.Offset
	axis := m.Template.Axis[follow.Dim]
	out := make([]int64, r.processors)
	for p := range min(m.Template.Grid.Size(), r.processors) {
		for _, x := range m.Template.Spread[follow.Dim].Followed(m.Template.Grid.Coordinate(p, axis), stride, offset, values, nil) {
			out[p] += int64(x.Len())
		}
	}
	return out
}

// elements returns how many elements of a reference each processor has, for all indices of a FORALL if there is one.
// It returns nil if that is known at run time only.
func (r *reporter) elements(e *Element, in *Forall) []int64 {
	m, err := e.Sym.Static()
	lo, hi, known := constBounds(e.Sym)
	if m == nil || err != nil || e.Sym.Moves() || !known {
		return nil
	}
	section := make([]mapping.Run, len(e.Subs))
	seen := map[*Symbol]bool{}
	for d, s := range e.Subs {
		var ok bool
		switch {
		case s.Section:
			section[d], ok = sectionRun(s, lo[d], hi[d])
		case s.Index.Rank() > 0:
			return nil
		default:
			section[d], ok = forallRun(s.Index, in, seen)
		}
		if !ok {
			return nil
		}
	}
	out := make([]int64, r.processors)
	for p := range min(m.Template.Grid.Size(), r.processors) {
		owned := m.Owned(p, section)
		if owned == nil {
			continue
		}
		out[p] = 1
		for _, runs := range owned {
			n := 0
			for _, x := range runs {
				n += x.Len()
			}
			out[p] *= int64(n)
		}
	}
	return out
}

// sectionRun returns the indices of a section with constant limits, within the bounds of the dimension.
func sectionRun(s Sub, lo, hi int) (mapping.Run, bool) {
	from, to := Expr(constant(lo)), Expr(constant(hi))
	if s.Lo != nil {
		from = s.Lo
	}
	if s.Hi != nil {
		to = s.Hi
	}
	return constRun(from, to, s.Step)
}

func constant(n int) *Const { return &Const{Value: Value{I: int64(n)}} }

// forallRun returns the values of a subscript for all values of the index that it contains. It returns false if an
// index occurs twice, and if the values are not constant.
func forallRun(x Expr, in *Forall, seen map[*Symbol]bool) (mapping.Run, bool) {
	sum, ok := affineOf(x)
	if !ok || len(sum.factors) > 1 {
		return mapping.Run{}, false
	}
	at := int(sum.offset)
	for v, k := range sum.factors {
		if in == nil || seen[v] {
			return mapping.Run{}, false
		}
		seen[v] = true
		for i, w := range in.Vars {
			if v != w {
				continue
			}
			r, ok := constRun(in.Los[i], in.His[i], in.Step[i])
			from, to, step := int(k)*r.From+at, int(k)*r.To+at, int(k)*r.Step
			if step < 0 {
				from, to, step = to, from, -step
			}
			return mapping.Run{From: from, To: to, Step: step}, ok
		}
		return mapping.Run{}, false
	}
	return mapping.Run{From: at, To: at, Step: 1}, true
}

// constRun returns constant values from lo to hi by a step that may be nil, in ascending order.
func constRun(lo, hi, step Expr) (mapping.Run, bool) {
	l, ok1 := lo.(*Const)
	h, ok2 := hi.(*Const)
	by := int64(1)
	if step != nil {
		s, ok := step.(*Const)
		if !ok || s.I == 0 {
			return mapping.Run{}, false
		}
		by = s.I
	}
	if !ok1 || !ok2 {
		return mapping.Run{}, false
	}
	n := max((h.I-l.I+by)/by, 0)
	from, to := int(l.I), int(l.I+(n-1)*by)
	if by < 0 {
		from, to, by = to, from, -by
	}
	return mapping.Run{From: from, To: to, Step: int(by)}, true
}
