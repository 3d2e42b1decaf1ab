package effects

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Summary describes the memory that a function uses, for its callers.
type Summary struct {
	Survey  *Survey
	entry   *Zone            // bounds of the given variables when the function is called
	Reaches map[int][]*Reach // by parameter
	Others  []Access         // other memory
	results *Zone            // of the given variables and, after them, results that are ints
	rounds  int
}

// surveyAll surveys all functions until their summaries do not change.
func (a *Analysis) surveyAll(all []*ssa.Function) {
	open := a.openFunctions(all)
	for _, f := range all {
		s := newSurvey(a, f)
		if s == nil {
			continue
		}
		ints := 0
		for v := range f.Signature.Results().Variables() {
			if isInt(v.Type()) {
				ints++
			}
		}
		none := newZone(s.inputs + ints)
		none.empty = true
		a.Summaries[f] = &Summary{Survey: s, Reaches: map[int][]*Reach{}, results: none, entry: newZone(s.inputs)}
		m := a.Summaries[f]
		m.entry.empty = !open[f]
		if a.related[f] {
			m.entry.empty = false
			for _, v := range m.lengths() {
				for _, w := range m.lengths() {
					m.entry.assume(Term{v, 0}, Term{w, 0})
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range all {
			if m := a.Summaries[f]; m != nil && m.update() {
				changed = true
			}
		}
	}
}

// update surveys the function again. It reports whether its summary changed.
func (m *Summary) update() (changed bool) {
	s := m.Survey
	m.rounds++
	widen := m.rounds > 5
	if m.entry.empty {
		return false
	}
	s.run(m.entry)
	for _, b := range s.fn.Blocks {
		if s.In[b.Index] == nil {
			continue
		}
		z := s.In[b.Index].Clone()
		for _, in := range b.Instrs {
			if z.empty {
				break
			}
			for _, a := range s.Accesses(z, in) {
				changed = m.add(z, a, widen) || changed
			}
			if call, ok := in.(*ssa.Call); ok {
				changed = s.pass(z, call) || changed
			}
			if ret, ok := in.(*ssa.Return); ok {
				changed = m.results.join(m.returned(z, ret), widen) || changed
			}
			s.Step(z, in)
		}
	}
	return changed
}

// returned returns the bounds of the results of a return.
func (m *Summary) returned(z *Zone, ret *ssa.Return) *Zone {
	s := m.Survey
	out := newZone(m.results.n)
	vars := make([]Term, 0, m.results.n)
	for v := range s.inputs {
		vars = append(vars, Term{v, 0})
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
func (m *Summary) add(z *Zone, a Access, widen bool) bool {
	p := -1
	for i, x := range m.Survey.fn.Params {
		if a.Base == x && a.Base != nil {
			p = i
		}
	}
	if p < 0 {
		l := Scanner{a: m.Survey.a, fn: m.Survey.fn, anywhere: true}
		if a.Base != nil {
			if !l.root(a.Base).shared() {
				return false // its own memory
			}
		}
		if slices.ContainsFunc(m.Others, func(o Access) bool {
			return o.Write == a.Write && (o.Elem == a.Elem || o.Elem != nil && a.Elem != nil && types.Identical(o.Elem, a.Elem))
		}) {
			return false
		}
		a.Base, a.Low, a.High = nil, nil, nil
		m.Others = append(m.Others, a)
		return true
	}
	low, high := map[int]int64{}, map[int]int64{}
	for v := range m.Survey.inputs {
		for _, t := range a.Low {
			if d := z.above(Term{v, 0}, t); d < unbounded {
				low[v] = max(-d, orElse(low, v, -d))
			}
		}
		for _, t := range a.High {
			if d := z.above(t, Term{v, 0}); d < unbounded {
				high[v] = min(d, orElse(high, v, d))
			}
		}
	}
	k := slices.IndexFunc(m.Reaches[p], func(x *Reach) bool { return x.in == a.In })
	if k < 0 {
		m.Reaches[p] = append(m.Reaches[p], &Reach{a.In, a.Write, a.Elem, a.What, low, high})
		return true
	}
	old := m.Reaches[p][k]
	changed := a.Write && !old.Write
	if changed {
		old.Write, old.what = true, a.What
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
func (s *Survey) results(z *Zone, in *ssa.Call) {
	callee := Callee(in.Common())
	if callee == nil {
		return
	}
	m := s.a.Summaries[callee]
	if m == nil || callee.Parent() != nil {
		return
	}
	if m.results.empty { // no return is known yet
		z.empty = true
		return
	}
	var vars []Term
	known := make([]bool, m.results.n)
	for k := range m.Survey.inputs {
		t, ok := s.argumentOf(z, in, m, k)
		vars, known[k] = append(vars, t), ok
	}
	k := m.Survey.inputs
	for i := range callee.Signature.Results().Len() {
		if !isInt(callee.Signature.Results().At(i).Type()) {
			continue
		}
		var t Term
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
			if d := m.results.above(Term{i, 0}, Term{j, 0}); known[i] && known[j] && i != j && d < unbounded && (i >= m.Survey.inputs || j >= m.Survey.inputs) {
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
