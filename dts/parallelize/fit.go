package parallelize

import (
	"fmt"
	"maps"
	"slices"
)

// unfit returns why calls of f cannot be forked, "" if they can.
func (r *rewriter) unfit(f *function) string {
	e := r.effects[f.ssa]
	switch {
	case e.acts != nil:
		return e.acts.what + r.where(e.acts)
	case len(e.writes) > 0:
		if why := r.astray(f); why != nil {
			return why.what + r.where(why)
		}
		f.inPlace = true
	case f.obj.Signature().Results().Len() == 0:
		return "has no result to join and writes to no slice"
	}
	switch {
	case e.panics != nil && r.recover.IsValid():
		return fmt.Sprintf("may panic (it %s%s), and recover in %s could see a different panic", e.panics.what, r.where(e.panics), r.place(r.recover))
	case f.typeParams() != nil && f.decl.Recv != nil:
		return "is a method of a generic type, for which no stub can be written"
	}
	return ""
}

// astray returns a write of f other than to elements of slices that are its parameters, nil if there is none.
func (r *rewriter) astray(f *function) *cause {
	e, m := r.effects[f.ssa], r.summaries[f.ssa]
	for _, p := range r.pkg.Types.Imports() {
		if p.Path() == "unsafe" {
			return &cause{what: "writes in place, and the package imports unsafe"}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(e.writes)) {
		if m == nil || !slices.ContainsFunc(m.reaches[i], func(x *reach) bool { return x.write }) {
			return e.writes[i]
		}
	}
	for _, o := range m.others {
		if o.write {
			return &cause{o.pos, o.what}
		}
	}
	return nil
}

// where returns the place of a cause as the end of a sentence.
func (r *rewriter) where(c *cause) string {
	if !c.pos.IsValid() {
		return ""
	}
	return " in " + r.place(c.pos)
}
