package parallelize

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A summary describes the memory that a function uses, for its callers.
type summary struct {
	survey  *survey
	entry   *zone            // bounds of the given variables when the function is called
	reaches map[int][]*reach // by parameter
	others  []access         // other memory
	results *zone            // of the given variables and, after them, results that are ints
	rounds  int
}

// surveyAll surveys all functions until their summaries do not change.
func (r *rewriter) surveyAll(all []*ssa.Function) {
	open := r.openFunctions(all)
	for _, f := range all {
		s := newSurvey(r, f)
		if s == nil {
			continue
		}
		ints := 0
		for v := range f.Signature.Results().Variables() {
			if isInt(v.Type()) {
				ints++
			}
		}
		none := newZone(s.given + ints)
		none.empty = true
		r.summaries[f] = &summary{survey: s, reaches: map[int][]*reach{}, results: none, entry: newZone(s.given)}
		m := r.summaries[f]
		m.entry.empty = !open[f]
		if r.equal[f] {
			m.entry.empty = false
			for _, v := range m.lengths() {
				for _, w := range m.lengths() {
					m.entry.assume(term{v, 0}, term{w, 0})
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range all {
			if m := r.summaries[f]; m != nil && m.update() {
				changed = true
			}
		}
	}
}

// update surveys the function again. It reports whether its summary changed.
func (m *summary) update() (changed bool) {
	s := m.survey
	m.rounds++
	widen := m.rounds > 5
	if m.entry.empty {
		return false
	}
	s.run(m.entry)
	for _, b := range s.fn.Blocks {
		if s.in[b.Index] == nil {
			continue
		}
		z := s.in[b.Index].clone()
		for _, in := range b.Instrs {
			if z.empty {
				break
			}
			for _, a := range s.accesses(z, in) {
				changed = m.add(z, a, widen) || changed
			}
			if call, ok := in.(*ssa.Call); ok {
				changed = s.pass(z, call) || changed
			}
			if ret, ok := in.(*ssa.Return); ok {
				changed = m.results.join(m.returned(z, ret), widen) || changed
			}
			s.step(z, in)
		}
	}
	return changed
}

// returned returns the bounds of the results of a return.
func (m *summary) returned(z *zone, ret *ssa.Return) *zone {
	s := m.survey
	out := newZone(m.results.n)
	vars := make([]term, 0, m.results.n)
	for v := range s.given {
		vars = append(vars, term{v, 0})
	}
	for _, v := range ret.Results {
		if !isInt(v.Type()) {
			continue
		}
		t, ok := s.term(v)
		if !ok {
			t.v = -1
		}
		vars = append(vars, t)
	}
	for i, a := range vars {
		for j, b := range vars {
			if i != j && a.v >= 0 && b.v >= 0 {
				out.most[i*out.n+j] = z.above(a, b)
			}
		}
	}
	return out
}

// add extends the summary by an access. It reports whether a reach grew.
func (m *summary) add(z *zone, a access, widen bool) bool {
	p := -1
	for i, x := range m.survey.fn.Params {
		if a.base == x && a.base != nil {
			p = i
		}
	}
	if p < 0 {
		l := scanner{r: m.survey.r, fn: m.survey.fn, anywhere: true}
		if a.base != nil {
			if at := l.root(a.base); !at.other && len(at.params) == 0 {
				return false // its own memory
			}
		}
		if slices.ContainsFunc(m.others, func(o access) bool {
			return o.write == a.write && (o.elem == a.elem || o.elem != nil && a.elem != nil && types.Identical(o.elem, a.elem))
		}) {
			return false
		}
		a.base, a.low, a.high = nil, nil, nil
		m.others = append(m.others, a)
		return true
	}
	low, high := map[int]int64{}, map[int]int64{}
	for v := range m.survey.given {
		for _, t := range a.low {
			if d := z.above(term{v, 0}, t); d < unbounded {
				low[v] = max(-d, orElse(low, v, -d))
			}
		}
		for _, t := range a.high {
			if d := z.above(t, term{v, 0}); d < unbounded {
				high[v] = min(d, orElse(high, v, d))
			}
		}
	}
	k := slices.IndexFunc(m.reaches[p], func(x *reach) bool { return x.in == a.in })
	if k < 0 {
		m.reaches[p] = append(m.reaches[p], &reach{a.in, a.write, a.elem, a.what, low, high})
		return true
	}
	old := m.reaches[p][k]
	changed := a.write && !old.write
	if changed {
		old.write, old.what = true, a.what
	}
	loosen := func(bounds, now map[int]int64, looser func(a, b int64) bool) {
		for v, c := range maps.Clone(bounds) {
			n, ok := now[v]
			switch {
			case ok && !looser(n, c):
				continue
			case !ok || widen:
				delete(bounds, v)
			default:
				bounds[v] = n
			}
			changed = true
		}
	}
	loosen(old.low, low, func(a, b int64) bool { return a < b })
	loosen(old.high, high, func(a, b int64) bool { return a > b })
	return changed
}

func orElse(m map[int]int64, k int, otherwise int64) int64 {
	if x, ok := m[k]; ok {
		return x
	}
	return otherwise
}

// results applies what the summary of a function says about the results of a call that are ints. The results of a call
// without summary are unknown.
func (s *survey) results(z *zone, in *ssa.Call) {
	callee := in.Call.StaticCallee()
	if callee == nil {
		return
	}
	if o := callee.Origin(); o != nil {
		callee = o
	}
	m := s.r.summaries[callee]
	if m == nil || callee.Parent() != nil {
		return
	}
	if m.results.empty { // no return is known yet
		z.empty = true
		return
	}
	var vars []term
	known := make([]bool, m.results.n)
	for k := range m.survey.given {
		t, ok := s.argumentOf(z, in, m, k)
		vars, known[k] = append(vars, t), ok
	}
	k := m.survey.given
	for i := range callee.Signature.Results().Len() {
		if !isInt(callee.Signature.Results().At(i).Type()) {
			continue
		}
		var t term
		if callee.Signature.Results().Len() == 1 {
			t.v, known[k] = s.number[in], true
		} else if e := extract(in, i); e != nil {
			t.v, known[k] = s.number[e], true
		}
		vars = append(vars, t)
		k++
	}
	for i := range vars {
		for j := range vars {
			if d := m.results.above(term{i, 0}, term{j, 0}); known[i] && known[j] && i != j && d < unbounded && (i >= m.survey.given || j >= m.survey.given) {
				z.assume(vars[i], vars[j].plus(d))
			}
		}
	}
}

// extract returns the instruction that takes result i of a call, nil if there is none.
func extract(c *ssa.Call, i int) ssa.Value {
	for _, ref := range *c.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == i {
			return e
		}
	}
	return nil
}
