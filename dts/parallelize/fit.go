package parallelize

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"whorl/dts/parallelize/effects"
)

// judge finds the effects of every function of the package, and the marked functions that can be forked.
func (r *rewriter) judge() {
	functions := effects.Functions{
		Rewritten: func(obj *types.Func) bool { return r.byObj[obj] != nil },
		InPlace:   r.inPlace, Place: r.place,
	}
	for _, f := range r.funcs {
		if f.mark != nil {
			functions.Marked = append(functions.Marked, f.ssa)
		}
	}
	r.analysis = effects.Analyse(r.prog, r.pkg.Types, r.pkg.TypesInfo, functions)
	for _, f := range r.funcs {
		if f.mark != nil {
			why := r.unfit(f)
			if f.fit = why == ""; !f.fit {
				r.left(f.decl.Name.Pos(), "%s stays sequential: it %s", f.title(), why)
			}
		}
	}
}

// unfit returns why calls of f cannot be forked, "" if they can.
func (r *rewriter) unfit(f *function) string {
	e := r.analysis.Effects[f.ssa]
	switch {
	case e.Acts != nil:
		return e.Acts.What + r.analysis.Where(e.Acts)
	case len(e.Writes) > 0:
		if why := r.astray(f); why != nil {
			return why.What + r.analysis.Where(why)
		}
		if d := r.analysis.Deferred; d.IsValid() {
			return fmt.Sprintf("works in place, and after a panic the call deferred in %s could see work that is not complete", r.place(d))
		}
		f.inPlace = true
	case f.obj.Signature().Results().Len() == 0:
		return "has no result to join and writes to no slice"
	}
	switch {
	case e.Panics != nil && r.analysis.Recover.IsValid():
		return fmt.Sprintf("may panic (it %s%s), and recover in %s could see a different panic", e.Panics.What, r.analysis.Where(e.Panics), r.place(r.analysis.Recover))
	case f.typeParams() != nil && f.decl.Recv != nil:
		return "is a method of a generic type, for which no stub can be written"
	}
	return ""
}

// astray returns a write of f other than to elements of slices that are its parameters, nil if there is none.
func (r *rewriter) astray(f *function) *effects.Cause {
	e, m := r.analysis.Effects[f.ssa], r.analysis.Summaries[f.ssa]
	for _, p := range r.pkg.Types.Imports() {
		if p.Path() == "unsafe" {
			return &effects.Cause{What: "writes in place, and the package imports unsafe"}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(e.Writes)) {
		if m == nil || !slices.ContainsFunc(m.Reaches[i], func(x *effects.Reach) bool { return x.Write }) {
			return e.Writes[i]
		}
	}
	for _, o := range m.Others {
		if o.Write {
			return &effects.Cause{Pos: o.Pos, What: o.What}
		}
	}
	return nil
}
