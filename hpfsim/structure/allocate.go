package structure

import "whorl/hpfsim/syntax"

// allocate replaces arrays of derived types by their components, each with the bounds of the component too, and pointers to objects of pools by their
// handles. It returns the assignments of values after the statement.
func (f *flattener) allocate(s *syntax.Allocate) (after []syntax.Stmt) {
	var out []syntax.Entity
	var made []syntax.Expr // whole objects
	for _, e := range s.Arrays {
		f.dims(e.Dims)
		o := f.object(e.Text)
		if o == nil {
			out = append(out, e)
			continue
		}
		f.typed(s, o.derived)
		made = append(made, &syntax.Var{Name: e.Name})
		p := f.at(o, nil, e.Pos)
		switch {
		case p.handles == nil:
		case o.attrs&leads == 0:
			f.fail(e.Pos, "a variable that is declared ALLOCATABLE", "%s is not allocatable", e.Text)
			continue
		case o.rank > 0:
			out = append(out, syntax.Entity{Name: syntax.Name{Text: f.variable(o), Pos: e.Pos}, Dims: e.Dims})
			s.Targets = append(s.Targets, pooled(p))
			continue
		default:
			s.Targets = append(s.Targets, pooled(p))
			continue
		}
		after = append(after, f.defaults(p, e.Dims)...)
		for _, l := range o.derived.leaves() {
			if l.held() != 0 && l.holds(o.rank) == nil {
				continue // a variable of its own
			}
			x := syntax.Entity{Name: syntax.Name{Text: o.name + l.path, Pos: e.Pos}}
			x.Dims = append(append(x.Dims, l.around()...), e.Dims...)
			out = append(out, x)
		}
	}
	var parts []syntax.Allocation
	for _, c := range s.Components {
		f.dims(c.Dims)
		object := c.Object.(*syntax.Component)
		switch x := f.allocated(object).(type) {
		case nil:
			f.typed(s, f.typeOf(object))
			made = append(made, object)
			p := f.value(object)
			if p == nil {
				continue
			}
			s.Targets = append(s.Targets, pooled(p))
			switch x := p.handles.(type) {
			case *syntax.Var:
				if p.many > 0 {
					out = append(out, syntax.Entity{Name: x.Name, Dims: c.Dims})
				}
			case *syntax.Selected:
				if p.many > 0 {
					parts = append(parts, syntax.Allocation{Object: x, Dims: c.Dims})
				}
			}
		case *syntax.Var:
			out = append(out, syntax.Entity{Name: x.Name, Dims: c.Dims})
		case *syntax.Selected:
			parts = append(parts, syntax.Allocation{Object: x, Dims: c.Dims})
		}
	}
	for _, x := range []*syntax.Expr{&s.Source, &s.Mold} {
		if *x == nil || !f.structured(*x) {
			continue
		}
		if x == &s.Mold || len(made) != len(s.Arrays)+len(s.Components) || len(out) > 0 {
			f.fail((*x).Position(), "an assignment after it", "SOURCE= or MOLD= of a derived type, for arrays: legal, but not in the subset")
		} else {
			for _, to := range made {
				after = append(after, f.assign(&syntax.Assign{Head: s.Head, Left: to, Right: *x})...)
			}
		}
		*x = nil
	}
	s.Arrays, s.Components = out, parts
	s.Stat, s.Message, s.Source, s.Mold = f.expr(s.Stat), f.expr(s.Message), f.expr(s.Source), f.expr(s.Mold)
	return after
}

// typed accepts the type of an ALLOCATE, if it is that of an object.
func (f *flattener) typed(s *syntax.Allocate, d *definition) {
	if s.Type != nil && s.Type.Base == syntax.StructureType && d != nil {
		if f.definition(s.Type.Of.Text) != d {
			f.fail(s.Type.Pos, d.name, "the object has the derived type %s, and is allocated as %s", d.name, s.Type.Of.Text)
		}
		s.Type = nil
	}
}

// allocated returns the variable for a component of an intrinsic type, nil for a pointer to an object in a pool. It reports others and returns a constant.
func (f *flattener) allocated(c *syntax.Component) syntax.Expr {
	if d := f.typeOf(c); d != nil && (f.isPointer(c) || f.allocates(c)) {
		return nil
	} else if d == nil {
		switch x := f.expr(c).(type) {
		case *syntax.Var, *syntax.Selected:
			return x
		}
	}
	f.fail(c.Pos, "a component that is ALLOCATABLE or a POINTER", "the component %s cannot be allocated here", c.Text)
	return &syntax.Int{Pos: c.Pos}
}

// deallocate replaces variables of derived types by their components, and pointers to objects of pools by their handles.
func (f *flattener) deallocate(s *syntax.Deallocate) {
	var out []syntax.Name
	for _, n := range s.Arrays {
		o := f.object(n.Text)
		if o == nil || o.derived.pool == "" {
			out = append(out, f.allDummies([]syntax.Name{n})...)
			continue
		}
		if o.attrs&leads == 0 {
			f.fail(n.Pos, "a variable that is declared ALLOCATABLE", "%s is not allocatable", n.Text)
			continue
		}
		s.Targets = append(s.Targets, pooled(f.at(o, nil, n.Pos)))
		if o.rank > 0 {
			out = append(out, syntax.Name{Text: f.variable(o), Pos: n.Pos})
		}
	}
	var parts []syntax.Expr
	for _, c := range s.Components {
		c := c.(*syntax.Component)
		switch x := f.allocated(c).(type) {
		case nil:
			if p := f.value(c); p != nil {
				all := freed(s.Head, p).(*syntax.Deallocate)
				s.Targets, out, parts = append(s.Targets, all.Targets...), append(out, all.Arrays...), append(parts, all.Components...)
			}
		case *syntax.Var:
			out = append(out, x.Name)
		case *syntax.Selected:
			parts = append(parts, x)
		}
	}
	s.Arrays, s.Components = out, parts
	s.Stat, s.Message = f.expr(s.Stat), f.expr(s.Message)
}
