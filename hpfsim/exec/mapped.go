package exec

import (
	"slices"

	"whorl/hpfsim/lower"
	"whorl/hpfsim/mapping"
)

// A fragment is the part of an array on a processor, which is a local array of an HPF_LOCAL subroutine.
type fragment struct {
	whole *array
	p     int32
}

// blocks returns the blocks of consecutive indices that a processor has along a dimension, as global indices.
func (x *fragment) blocks(p int32, d int) []mapping.Run {
	a := x.whole
	owned := a.lay.Owned(int(p), a.whole())
	if owned == nil {
		return nil
	}
	var out []mapping.Run
	for _, r := range owned[d] {
		for i := r.From; i <= r.To; i += r.Step {
			if n := len(out); n > 0 && out[n-1].To == i-1 {
				out[n-1].To = i
			} else {
				out = append(out, mapping.Run{From: i, To: i, Step: 1})
			}
			if r.Step == 1 {
				out[len(out)-1].To = r.To
				break
			}
		}
	}
	return out
}

// pieceOf returns the fragment that is a local array. It fails outside of HPF_LOCAL subroutines.
func (f *frame) pieceOf(x lower.Expr, what string) *fragment {
	a := f.array(x)
	if a.within == nil {
		fail(x.Position(), "%s is for a mapped argument of a subroutine that is EXTRINSIC(HPF_LOCAL)", what)
	}
	return a.within
}

// askLocal evaluates the functions of HPF_LOCAL_LIBRARY.
func (f *frame) askLocal(e *lower.Call) *array {
	vector := func(values []int) *array {
		out := f.newArray(e.T, 0, []int{1}, []int{len(values)})
		for i, v := range values {
			out.setInt(i, int64(v))
		}
		return out
	}
	if e.Fn.Op == lower.OpMyProcessor {
		return f.scalar(e.T, lower.Value{I: int64(f.who[0])})
	}
	x := f.pieceOf(e.Args[0], e.Fn.Name)
	switch e.Fn.Op {
	case lower.OpGlobalShape:
		return vector(x.whole.n)
	case lower.OpGlobalSize:
		n := x.whole.size()
		if e.Args[1] != nil {
			n = x.whole.n[f.dimension(e, e.Args[1], len(x.whole.n))]
		}
		return f.scalar(e.T, lower.Value{I: int64(n)})
	}
	p := x.p
	if e.Args[2] != nil {
		if p = int32(f.integer(e.Args[2])); p < 0 || int(p) >= len(f.ranks) {
			fail(e.Pos, "%s of processor %d: expected 0 to %d", e.Fn.Name, p, len(f.ranks)-1)
		}
	}
	if e.Args[1] == nil {
		counts := make([]int, len(x.whole.n))
		for d := range counts {
			counts[d] = len(x.blocks(p, d))
		}
		return vector(counts)
	}
	blocks := x.blocks(p, f.dimension(e, e.Args[1], len(x.whole.n)))
	if e.Fn.Name == "LOCAL_BLKCNT" {
		return f.scalar(e.T, lower.Value{I: int64(len(blocks))})
	}
	var ends []int
	at := 0
	for _, b := range blocks {
		if e.Fn.Name == "LOCAL_LINDEX" {
			ends = append(ends, at+1)
		}
		if at += b.Len(); e.Fn.Name == "LOCAL_UINDEX" {
			ends = append(ends, at)
		}
	}
	return vector(ends)
}

// A giver stores a value of a type in an argument, if it is given.
type giver func(x lower.Expr, v lower.Value, t lower.Type)

// giveAll stores integers in the first elements of a vector.
func (f *frame) giveAll(x lower.Expr, values []int) {
	if x == nil {
		return
	}
	a := f.array(x)
	for i, v := range values {
		if i < a.size() {
			a.setInt(a.off+offset(a, i), int64(v))
		}
	}
}

// translate executes GLOBAL_TO_LOCAL and LOCAL_TO_GLOBAL of HPF_LOCAL_LIBRARY.
func (f *frame) translate(s *lower.Subcall, arg func(int) lower.Expr, give giver) {
	x, given := f.pieceOf(arg(0), s.Native.Name), f.array(arg(1))
	a := x.whole
	if given.size() != len(a.n) {
		fail(s.Pos, "%s: %d indices of an array of %d dimensions", s.Native.Name, given.size(), len(a.n))
	}
	in, out, local := make([]int, len(a.n)), make([]int, len(a.n)), true
	for d := range in {
		in[d] = int(given.nth(d).I)
		i, before := in[d], 0
		found := false
		for _, b := range x.blocks(x.p, d) {
			n := b.Len()
			switch {
			case s.Native.Op == lower.OpLocalToGlobal && i > before && i <= before+n:
				out[d], found = b.From+i-before-1, true
			case s.Native.Op == lower.OpGlobalToLocal && i >= b.From && i <= b.To:
				out[d], found = before+i-b.From+1, true
			}
			before += n
		}
		local = local && found
	}
	if s.Native.Op == lower.OpLocalToGlobal {
		if !local {
			fail(s.Pos, "LOCAL_TO_GLOBAL: the processor has no element %v", in)
		}
		f.giveAll(arg(2), out)
		return
	}
	for d, i := range in {
		if i < a.lo[d] || i > a.hi(d) {
			fail(s.Pos, "GLOBAL_TO_LOCAL: index %d of dimension %d is outside of the bounds %d:%d", i, d+1, a.lo[d], a.hi(d))
		}
	}
	if local {
		f.giveAll(arg(2), out)
	}
	section := make([]mapping.Run, len(in))
	for d, i := range in {
		section[d] = mapping.Run{From: i, To: i, Step: 1}
	}
	var owners []int
	for p := range min(len(f.ranks), a.lay.Template.Grid.Size()) {
		if a.lay.Owned(p, section) != nil {
			owners = append(owners, p)
		}
	}
	give(arg(3), lower.Value{I: truth(local)}, lower.Logical)
	give(arg(4), lower.Value{I: int64(len(owners))}, lower.Integer)
	f.giveAll(arg(5), owners)
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// askMapping executes HPF_ALIGNMENT, HPF_TEMPLATE and HPF_DISTRIBUTION of HPF_LIBRARY.
func (f *frame) askMapping(s *lower.Subcall, arg func(int) lower.Expr, give giver) {
	a := f.array(arg(0))
	var sym *lower.Symbol
	if r, ok := arg(0).(*lower.Ref); ok {
		sym = r.Sym
	} else {
		fail(s.Pos, "%s is for an array, not for a part of it or a value", s.Native.Name)
	}
	lay := a.lay
	if lay == nil { // as if it were aligned with a template of its own that is not distributed
		hi := make([]int, len(a.n))
		for d := range hi {
			hi[d] = a.hi(d)
		}
		t, err := mapping.NewTemplate(sym.Name, a.lo, hi, make([]mapping.Format, len(a.n)), &mapping.Grid{})
		if err != nil {
			fail(s.Pos, "%v", err)
		}
		lay = mapping.Identity(t)
	}
	t := lay.Template
	texts := func(x lower.Expr, values []string) {
		if x == nil {
			return
		}
		to := f.array(x)
		for i, v := range values {
			if i < to.size() {
				to.set(to.off+offset(to, i), lower.Value{S: fit(v, to.length)})
			}
		}
	}
	dynamic := lower.Value{I: truth(sym.Moves())}
	switch s.Native.Op {
	case lower.OpHPFAlignment:
		var lb, ub, stride, axis []int
		identity := len(t.Spread) == len(a.n)
		for d, x := range lay.Follow {
			lo, hi := a.lo[d], a.hi(d)
			if x.Dim >= 0 {
				lo, hi = x.Stride*lo+x.Offset, x.Stride*hi+x.Offset
			}
			lb, ub, stride, axis = append(lb, lo), append(ub, hi), append(stride, x.Stride), append(axis, x.Dim+1)
			identity = identity && x.Dim == d && lo == t.Spread[d].Lo && hi == t.Spread[d].Hi
		}
		copies := 1
		for d, spread := range t.Spread {
			if _, everywhere, alone := lay.Alone(d); alone && everywhere {
				copies *= spread.Hi - spread.Lo + 1
			}
		}
		f.giveAll(arg(1), lb)
		f.giveAll(arg(2), ub)
		f.giveAll(arg(3), stride)
		f.giveAll(arg(4), axis)
		give(arg(5), lower.Value{I: truth(identity)}, lower.Logical)
		give(arg(6), dynamic, lower.Logical)
		give(arg(7), lower.Value{I: int64(copies)}, lower.Integer)
	case lower.OpHPFTemplate:
		var lb, ub, info []int
		var kinds []string
		for d, spread := range t.Spread {
			lb, ub = append(lb, spread.Lo), append(ub, spread.Hi)
			switch at, everywhere, alone := lay.Alone(d); {
			case !alone:
				kinds = append(kinds, "NORMAL")
				info = append(info, 1+slices.IndexFunc(lay.Follow, func(x mapping.Follow) bool { return x.Dim == d }))
			case everywhere:
				kinds, info = append(kinds, "REPLICATED"), append(info, spread.P)
			default:
				kinds, info = append(kinds, "SINGLE"), append(info, at)
			}
		}
		aligned := 0
		for _, o := range f.unit.Symbols {
			if o.Class == lower.Variable && o.Place != nil && sym.Place != nil && f.target(o) == f.target(sym) {
				aligned++
			}
		}
		give(arg(1), lower.Value{I: int64(len(lb))}, lower.Integer)
		f.giveAll(arg(2), lb)
		f.giveAll(arg(3), ub)
		texts(arg(4), kinds)
		f.giveAll(arg(5), info)
		give(arg(6), lower.Value{I: int64(max(aligned, 1))}, lower.Integer)
		give(arg(7), dynamic, lower.Logical)
	case lower.OpHPFDistribution:
		var kinds []string
		var info []int
		for d, spread := range t.Spread {
			kind := [...]string{mapping.Collapsed: "COLLAPSED", mapping.Block: "BLOCK", mapping.Cyclic: "CYCLIC", mapping.GenBlock: "GEN_BLOCK", mapping.Indirect: "INDIRECT"}[spread.Kind]
			if t.Axis[d] < 0 {
				kind = "COLLAPSED"
			}
			kinds, info = append(kinds, kind), append(info, spread.M)
		}
		texts(arg(1), kinds)
		f.giveAll(arg(2), info)
		give(arg(3), lower.Value{I: int64(len(t.Grid.Shape))}, lower.Integer)
		f.giveAll(arg(4), t.Grid.Shape)
	}
}

// target returns the last array or template that an array is aligned with, or the array.
func (f *frame) target(s *lower.Symbol) *lower.Symbol {
	for p := f.placement(s); p != nil && p.With != nil; p = f.placement(s) {
		s = p.With
	}
	return s
}
