package exec

import (
	"slices"

	"whorl/hpfsim/charge"
	"whorl/hpfsim/lower"
)

// callLocal calls an EXTRINSIC(HPF_LOCAL) subroutine on each processor by itself. Mapped arguments are the
// processor's own parts, with indices from 1. Other arguments are passed as usual.
func (f *frame) callLocal(s *lower.Subcall, u *lower.Unit, host *frame) {
	if f.depth++; f.depth > maxDepth {
		fail(s.Pos, "calls nest more than %d deep", maxDepth)
	}
	given := make([]*array, len(u.Params))
	for i := range u.Params {
		if i >= len(s.Args) || s.Args[i] == nil {
			continue
		}
		given[i] = f.argument(s.Args[i])
	}
	whole := slices.Clone(given)
	storage := func(t *lower.Symbol) *array { return whole[t.Dummy-1] } // only arguments and templates are mapped
	placement := func(t *lower.Symbol) *lower.Placement { return t.Outer }
	for i, p := range u.Params {
		a := given[i]
		if a == nil || p.Outer == nil || p.Outer.Kept || len(a.n) == 0 {
			continue
		}
		b := *a
		given[i] = &b
		f.layWith(p, &b, p.Outer, storage, placement)
		if a.lay != nil && !a.lay.Same(b.lay) {
			f.exchange(&b, a.lay, b.lay, 0)
		}
	}
	site := f.code.callSite(s.Pos)
	before := f.used
	for _, p := range f.who {
		leave := f.enterProcessor(p)
		g := f.frame(u, f.ranks[p:p+1], host)
		g.inherit(f, site)
		g.keep()
		var back []func()
		for _, arrays := range []bool{false, true} { // scalars first: bounds of arrays may depend on them
			for i, d := range u.Params {
				if d.Rank() > 0 != arrays {
					continue
				}
				a := given[i]
				if a != nil && len(a.n) > 0 && a.lay != nil {
					part, put := f.part(a, p)
					a = part
					if d.Intent != "IN" {
						back = append(back, put)
					}
				}
				if b := g.hand(d, a, s.Pos); b != nil {
					back = append([]func(){b}, back...)
				}
			}
		}
		g.body()
		for _, b := range back {
			b()
		}
		leave()
		f.drop(before)
	}
	f.depth--
}

// A storage holds COMMON blocks and saved variables.
type storage struct {
	common map[*lower.Block][]*array
	saved  map[*lower.Symbol]*array
}

// enterProcessor makes the COMMON blocks and saved variables that HPF_LOCAL subroutines have on a processor current, until the returned function is
// called.
func (m *Machine) enterProcessor(p int32) (leave func()) {
	own := m.owned[p]
	if own == nil {
		own = &storage{map[*lower.Block][]*array{}, map[*lower.Symbol]*array{}}
		if m.owned == nil {
			m.owned = map[int32]*storage{}
		}
		m.owned[p] = own
	}
	before := storage{m.common, m.saved}
	m.common, m.saved = own.common, own.saved
	return func() { m.common, m.saved = before.common, before.saved }
}

// callSerial calls an EXTRINSIC(HPF_SERIAL) subroutine on the first processor. Before the call this processor receives the elements of mapped arguments
// from their owners. After the call the owners receive the elements that it may have changed, and all processors the other arguments.
func (f *frame) callSerial(s *lower.Subcall) signal {
	site := f.code.callSite(s.Pos)
	root := f.ranks[:1]
	f.sendArguments(s, root[0], false, site)
	who := f.who
	f.who, f.limited = root, true
	g := f.enterUnit(f.callOf(s, s.Proc, s.Args, s.Pos))
	n := g.body()
	g.leave()
	f.who, f.limited = who, false
	f.sendArguments(s, root[0], true, site)
	if n >= 1 && n <= len(s.Labels) {
		return signal{kind: toLabel, label: s.Labels[n-1]}
	}
	return signal{}
}

// sendArguments sends the arguments of an HPF_SERIAL subroutine to a processor, or back from it.
func (f *frame) sendArguments(s *lower.Subcall, root int32, back bool, site int) {
	if len(f.ranks) == 1 || f.opts.Live {
		return
	}
	for i, x := range s.Args {
		if x == nil || i >= len(s.Proc.Proc.Params) {
			continue
		}
		intent := s.Proc.Proc.Params[i].Intent
		if back && intent == "IN" || !back && intent == "OUT" {
			continue
		}
		a, section := f.runs(x)
		switch {
		case a == nil || a.absent || a.proc != nil:
		case a.lay == nil && back:
			n := int64(1)
			for _, r := range section {
				n *= int64(r.Len())
			}
			f.clocks.Broadcast(rotated(f.ranks, root), n*int64(a.t.Bytes()), &f.context, site)
		case a.lay != nil:
			var all []charge.Message
			for _, p := range f.inGrid(a) {
				owned := a.lay.Owned(int(p), section)
				if p == root || owned == nil {
					continue
				}
				m := charge.Message{From: p, To: root, Size: elementCount(owned) * int64(a.t.Bytes())}
				if back {
					m.From, m.To = m.To, m.From
				}
				all = append(all, m)
			}
			f.clocks.SendAll(all, &f.context, site)
		}
	}
}

// part copies the elements of an array that a processor owns, and returns a function that copies them back.
func (f *frame) part(a *array, p int32) (*array, func()) {
	n := make([]int, len(a.n))
	places := make([][]int, len(a.n)) // along each dimension, from the first element
	if int(p) < a.lay.Template.Grid.Size() {
		for d, runs := range a.lay.Owned(int(p), a.whole()) {
			for _, r := range runs {
				for i := r.From; i <= r.To; i += r.Step {
					places[d] = append(places[d], (i-a.lo[d])*a.step[d])
				}
			}
			n[d] = len(places[d])
		}
	}
	out := f.newArray(a.t, a.length, ones(len(n)), n)
	view := &array{off: a.off, n: n}
	out.within = &fragment{a, p}
	each := func(visit func(k, at int)) {
		k := 0
		f.scattered(view, places, func(at int) {
			visit(k, at)
			k++
		})
	}
	each(func(k, at int) { out.set(k, a.get(at)) })
	return out, func() { each(func(k, at int) { a.set(at, out.get(k)) }) }
}
