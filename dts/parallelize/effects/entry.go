package effects

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// openFunctions returns the functions that may be called with any arguments: others may call them, their versions for
// workers, or a value that refers to them.
func (a *Analysis) openFunctions(all []*ssa.Function) map[*ssa.Function]bool {
	open := map[*ssa.Function]bool{}
	for _, f := range a.functions.Marked {
		open[f] = true
	}
	callers := map[*ssa.Function][]*ssa.Function{}
	for _, f := range all {
		if f.Signature.Recv() != nil || f.Parent() != nil || token.IsExported(f.Name()) || f.Name() == "main" || f.Name() == "init" {
			open[f] = true
		}
		tooLarge := newSurvey(a, f) == nil
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if _, ok := in.(*ssa.DebugRef); ok {
					continue
				}
				call, _ := in.(*ssa.Call)
				for i, x := range in.Operands(nil) {
					g, ok := (*x).(*ssa.Function)
					if !ok {
						continue
					}
					if o := g.Origin(); o != nil {
						g = o
					}
					if callers[g] = append(callers[g], f); call == nil || i > 0 || tooLarge {
						open[g] = true
					}
				}
			}
		}
	}
	for work := slices.Collect(maps.Keys(open)); len(work) > 0; { // callers of marked functions get versions for workers
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if obj, ok := g.Object().(*types.Func); !ok || !a.functions.Rewritten(obj) {
			continue
		}
		for _, f := range callers[g] {
			if !open[f] {
				open[f] = true
				work = append(work, f)
			}
		}
	}
	maps.DeleteFunc(open, func(f *ssa.Function, _ bool) bool { return a.related[f] })
	return open
}

// pass extends the entry of a called function to the arguments of a call. It reports whether the entry grew.
func (s *Survey) pass(z *Zone, in *ssa.Call) bool {
	callee := Callee(in.Common())
	if callee == nil {
		return false
	}
	m := s.a.Summaries[callee]
	if m == nil {
		return false
	}
	entry := newZone(m.Survey.inputs)
	for i := range entry.n {
		a, ok1 := s.argumentOf(z, in, m, i)
		for j := range entry.n {
			if b, ok2 := s.argumentOf(z, in, m, j); ok1 && ok2 && i != j {
				entry.most[i*entry.n+j] = z.above(a, b)
			}
		}
	}
	for i, v := range m.lengths() {
		for j, w := range m.lengths() {
			if d, ok := s.longer(z, in.Call.Args[i], in.Call.Args[j]); ok && i != j {
				entry.most[v*entry.n+w] = d
			}
		}
	}
	if s.a.related[callee] { // calls of others are checked where their effects are used
		if callee != s.fn {
			return false
		}
		entry = m.lengthsOf(entry)
	}
	return m.entry.join(entry, m.rounds > 5)
}

// longer returns the most by which slice x is longer than slice y.
func (s *Survey) longer(z *Zone, x, y ssa.Value) (int64, bool) {
	_, ok1 := s.number[x]
	_, ok2 := s.number[y]
	if !ok1 || !ok2 || !z.Holds(s.begin(y), s.begin(x)) {
		return 0, false
	}
	d := z.above(s.end(x), s.end(y))
	return d, d < unbounded
}

// related reports whether the lengths of the slices that a call passes are as the called function assumes.
func (s *Survey) related(z *Zone, in *ssa.Call, m *Summary) bool {
	lengths := m.lengths()
	for i, v := range lengths {
		for j, w := range lengths {
			d, ok := s.longer(z, in.Call.Args[i], in.Call.Args[j])
			if i != j && m.entry.Holds(Term{v, 0}, Term{w, 0}) && (!ok || d > 0) {
				return false
			}
		}
	}
	return true
}

// lengths returns the variables of the lengths of the parameters that are slices, by parameter.
func (m *Summary) lengths() map[int]int {
	vars := map[int]int{}
	for i, p := range m.Survey.fn.Params {
		if IsSlice(p.Type()) {
			vars[i] = m.Survey.number[p] + 1
		}
	}
	return vars
}

// lengthsOf returns the part of an entry that says which slices are not longer than which others.
func (m *Summary) lengthsOf(entry *Zone) *Zone {
	out := newZone(entry.n)
	for _, v := range m.lengths() {
		for _, w := range m.lengths() {
			if entry.Holds(Term{v, 0}, Term{w, 0}) {
				out.assume(Term{v, 0}, Term{w, 0})
			}
		}
	}
	return out
}

// assume finds functions that would work in place on parts of several slices if these were equally long, such as a sort
// with scratch memory. Their calls must keep such a relation, and their versions for workers check it. It reports whether
// it found any.
func (a *Analysis) assume() (found bool) {
	for _, f := range a.functions.Marked {
		m := a.Summaries[f]
		if m == nil || len(m.lengths()) < 2 {
			continue
		}
		for p, v := range m.lengths() {
			if slices.ContainsFunc(m.Reaches[p], func(x *Reach) bool {
				c, bounded := x.high[v]
				call, ok := x.in.(*ssa.Call)
				return ok && call.Call.StaticCallee() == f && (!bounded || c > 0)
			}) {
				a.related[f], found = true, true
			}
		}
	}
	return found
}

// Required returns the condition on the lengths of its slices under which f may fork, "" for none.
func (a *Analysis) Required(f *ssa.Function) string {
	m := a.Summaries[f]
	if !a.related[f] || m == nil || m.entry.empty {
		return ""
	}
	var all []string
	lengths := m.lengths()
	for _, i := range slices.Sorted(maps.Keys(lengths)) {
		for _, j := range slices.Sorted(maps.Keys(lengths)) {
			if i != j && m.entry.Holds(Term{lengths[i], 0}, Term{lengths[j], 0}) {
				all = append(all, fmt.Sprintf("len(%s) <= len(%s)", m.Survey.fn.Params[i].Name(), m.Survey.fn.Params[j].Name()))
			}
		}
	}
	return strings.Join(all, " && ")
}

// argumentOf returns the value that a call passes for a variable given to its function: an int, or the length of a slice.
func (s *Survey) argumentOf(z *Zone, in *ssa.Call, m *Summary, k int) (Term, bool) {
	if k == 0 {
		return Term{0, 0}, true
	}
	for i, p := range m.Survey.fn.Params {
		v := in.Call.Args[i]
		switch n, ok := m.Survey.number[p]; {
		case !ok:
		case isInt(p.Type()) && n == k:
			return s.term(v)
		case IsSlice(p.Type()) && n+1 == k:
			_, known := s.number[v]
			return s.end(v), known && z.Holds(s.begin(v), Term{0, 0})
		}
	}
	return Term{}, false
}
