package exec

import (
	"fmt"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// on has some processors execute the body of an ON. Then all others receive the scalars that it has assigned.
func (f *frame) on(s *lower.On) signal {
	f.enter(&s.Stat)
	who, was := f.who, f.limited
	if some := f.homes(s); len(some) > 0 && len(some) < len(f.ranks) {
		f.who, f.limited = some, true
	}
	sig := f.block(s.Body)
	doers := f.who
	f.who, f.limited = who, was
	if len(s.Sent) > 0 && len(doers) < len(who) && !f.opts.Live {
		f.clocks.Broadcast(rotated(who, doers[0]), int64(len(s.Sent))*scalarBytes, &f.context, s.First)
	}
	return sig
}

// scalarBytes is the size of a scalar in a message.
const scalarBytes = 8

// homes returns the processors of an ON.
func (f *frame) homes(s *lower.On) []int32 {
	var a *array
	if s.Grid == nil {
		if a = f.laid(s.Home.Sym); a == nil || a.lay == nil {
			return nil
		}
	} else {
		a = &array{lo: ones(len(s.Grid.Shape)), n: s.Grid.Shape}
		if s.Grid.First != nil {
			a.lo = s.Grid.First
		}
	}
	section := f.sectionOf(a, s.Home)
	var out []int32
	for _, p := range f.ranks {
		if s.Grid == nil {
			if int(p) < a.lay.Template.Grid.Size() && a.lay.Owned(int(p), section) != nil {
				out = append(out, p)
			}
			continue
		}
		in := int(p) < s.Grid.Size()
		for d, r := range section {
			if in {
				at := s.Grid.Coordinate(int(p), d) + a.lo[d]
				in = at >= r.From && at <= r.To && (at-r.From)%r.Step == 0
			}
		}
		if in {
			out = append(out, p)
		}
	}
	return f.interned(out)
}

// interned returns the same slice for the same processors, since subsets are known by their memory.
func (m *Machine) interned(who []int32) []int32 {
	if n := len(who); n == 0 || int(who[n-1]-who[0]) == n-1 {
		return m.ranks[first(who):][:n]
	}
	key := fmt.Sprint(who)
	if m.sets == nil {
		m.sets = map[string][]int32{}
	}
	if m.sets[key] == nil {
		m.sets[key] = who
	}
	return m.sets[key]
}

func first(who []int32) int32 {
	if len(who) == 0 {
		return 0
	}
	return who[0]
}

// sectionOf returns the indices of a reference by dimension, in ascending order. One outside of the bounds is an error.
func (f *frame) sectionOf(a *array, e *lower.Element) []mapping.Run {
	out := make([]mapping.Run, len(e.Subs))
	for d, s := range e.Subs {
		if s.Section {
			lo, n, step := f.sectionAlong(e, a, d)
			if out[d] = (mapping.Run{From: lo, To: lo + (n-1)*step, Step: step}); step < 0 {
				out[d] = mapping.Run{From: out[d].To, To: lo, Step: -step}
			}
			continue
		}
		i := f.integer(s.Index)
		if i < a.lo[d] || i > a.hi(d) {
			fail(e.Pos, "index %d of dimension %d of %s is outside of its bounds %d:%d", i, d+1, e.Sym.Name, a.lo[d], a.hi(d))
		}
		out[d] = mapping.Run{From: i, To: i, Step: 1}
	}
	return out
}

// laid returns an array, or the index space of a template, with its mapping.
func (f *frame) laid(s *lower.Symbol) *array {
	if s.Class != lower.TemplateName {
		return f.variable(s)
	}
	p := f.placement(s)
	if p == nil {
		return nil
	}
	lo, n := f.bounds(s.Bounds, s.Pos)
	a := &array{lo: lo, n: n}
	f.layAs(s, a, p)
	return a
}
