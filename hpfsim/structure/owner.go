package structure

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// handles reports whether the component leads to objects in a pool: it is ALLOCATABLE or a POINTER, and has a derived type.
func (c *component) handles() bool { return c.derived != nil && c.Declare.Attrs&leads != 0 }

// link reports whether the component leads to one object.
func (c *component) link() bool { return c.handles() && c.dims() == nil }

// owner reports whether the component leads to objects of its own, which an assignment copies.
func (c *component) owner() bool { return c.handles() && c.Declare.Attrs&syntax.AttrPointer == 0 }

func called(function string, x ...syntax.Expr) syntax.Expr {
	return &syntax.Apply{Name: syntax.Name{Text: function, Pos: x[0].Position()}, Args: operands(x)}
}

func binary(op syntax.Op, x, y syntax.Expr) syntax.Expr {
	return &syntax.Paren{Pos: x.Position(), X: &syntax.Binary{OpPos: x.Position(), Op: op, X: x, Y: y}}
}

func zero(pos syntax.Pos) syntax.Expr { return &syntax.Int{Pos: pos} }

// alternative returns an IF with two blocks.
func alternative(head syntax.Head, cond syntax.Expr, then, otherwise []syntax.Stmt) syntax.Stmt {
	s := &syntax.If{Head: head, End: head.To, Arms: []syntax.IfArm{{Pos: head.Pos, Cond: cond, Body: then}}}
	if otherwise != nil {
		s.Arms = append(s.Arms, syntax.IfArm{Pos: head.Pos, Body: otherwise})
	}
	return s
}

// leading returns the place of the objects to which a component leads.
func (f *flattener) leading(p *place, c *component, e *syntax.Component, subs []syntax.Arg) *place {
	many := len(c.dims())
	if subs != nil {
		many = (&place{subs: subs}).dimensions()
	}
	if c.link() {
		return f.target(c.derived, p.reference("%"+c.Text, nil, 0), 0)
	}
	if p.array() {
		f.fail(e.Pos, "the component of an element", "the component %s is ALLOCATABLE or a POINTER, and there is an array before it", e.Text)
	}
	return f.target(c.derived, p.part("%"+c.Text, 0, subs), many)
}

// freed returns the statement that frees the objects of a place, and the array of their handles.
func freed(head syntax.Head, p *place) syntax.Stmt {
	s := &syntax.Deallocate{Head: head, Quiet: true, Targets: []syntax.Pooled{pooled(p)}}
	switch x := p.handles.(type) {
	case *syntax.Var:
		if p.many > 0 {
			s.Arrays = []syntax.Name{x.Name}
		}
	case *syntax.Selected:
		if p.many > 0 {
			s.Components = []syntax.Expr{x}
		}
	}
	return s
}

// movedHandle returns the statements for MOVE_ALLOC of one object in a pool, nil for other calls.
func (f *flattener) movedHandle(s *syntax.Call) []syntax.Stmt {
	if s.Proc.Text != "MOVE_ALLOC" || len(s.Args) != 2 || !f.allocates(s.Args[0].Value) || f.typeOf(s.Args[1].Value) != f.typeOf(s.Args[0].Value) {
		return nil
	}
	from, to := f.value(s.Args[0].Value), f.value(s.Args[1].Value)
	if from == nil || to == nil || from.many > 0 || to.many > 0 {
		return nil
	}
	at := headAt(s.Pos)
	return []syntax.Stmt{freed(s.Head, to), &syntax.Assign{Head: at, Left: to.handles, Right: from.handles}, &syntax.Assign{Head: at, Left: from.handles, Right: zero(s.Pos)}}
}

// ends notes the objects that end with a variable of a procedure.
func (f *flattener) ends(s *syntax.Declare, e syntax.Entity, o *object) {
	lasting := s.Type == nil || o.attrs&(syntax.AttrSave|leads) != 0 || f.saved || !f.unit.Kind.Executable() || slices.Contains(f.params, e.Text)
	if lasting || o.rank > 0 {
		return
	}
	p := f.at(o, nil, e.Pos)
	for _, l := range o.derived.leaves() {
		if l.owner() && l.holds(0) == nil {
			f.locals = append(f.locals, pooled(f.target(l.derived, p.leaf(l), len(l.component.dims()))))
		}
	}
}

// fit returns the statements that give a place as many objects as another has, unless it has them.
func (f *flattener) fit(head syntax.Head, to, from *place) []syntax.Stmt {
	pos := head.Pos
	s := &syntax.Allocate{Head: head, Targets: []syntax.Pooled{pooled(to)}}
	if to.many == 0 {
		return []syntax.Stmt{alternative(head, binary(syntax.EQ, to.handles, zero(pos)), []syntax.Stmt{s}, nil)}
	}
	var dims []syntax.Dim
	same := syntax.Expr(&syntax.Logical{Pos: pos, Value: true})
	for k := range to.many {
		dim := &syntax.Int{Pos: pos, Value: int64(k + 1)}
		dims = append(dims, syntax.Dim{Lo: called("LBOUND", from.handles, dim), Hi: called("UBOUND", from.handles, dim)})
		same = binary(syntax.And, same, binary(syntax.EQ, called("SIZE", to.handles, dim), called("SIZE", from.handles, dim)))
	}
	switch x := to.handles.(type) {
	case *syntax.Var:
		s.Arrays = []syntax.Entity{{Name: x.Name, Dims: dims}}
	case *syntax.Selected:
		s.Components = []syntax.Allocation{{Object: x, Dims: dims}}
	default:
		return nil
	}
	differs := &syntax.Unary{Pos: pos, Op: syntax.Not, X: binary(syntax.And, called("ALLOCATED", to.handles), same)}
	return []syntax.Stmt{alternative(head, differs, []syntax.Stmt{freed(headAt(pos), to), s}, nil)}
}

// allocates reports whether an expression is a whole variable or component that is ALLOCATABLE and whose objects are in a pool.
func (f *flattener) allocates(x syntax.Expr) bool {
	if d := f.typeOf(x); d == nil || d.pool == "" {
		return false
	}
	switch e := x.(type) {
	case *syntax.Var:
		o := f.object(e.Text)
		return o != nil && o.attrs&leads == syntax.AttrAllocatable
	case *syntax.Component:
		d := f.typeOf(e.X)
		return d != nil && d.find(e.Text) != nil && d.find(e.Text).owner() && e.Args == nil
	}
	return false
}

// copied returns the statements that assign the components of an object, or of an array of objects, to those of another.
func (f *flattener) copied(head syntax.Head, to, from *place) []syntax.Stmt {
	var out []syntax.Stmt
	for _, l := range to.derived.leaves() {
		v := from.leaf(l)
		switch {
		case l.owner():
			out = append(out, f.assignOwned(head, to, from, l)...)
		case l.held() != 0:
			out = append(out, f.assignHeld(head, to, l, v, from.array() || !to.array())...)
		case from.array():
			out = append(out, &syntax.Assign{Head: head, Left: to.leaf(l), Right: v})
		default:
			out = append(out, &syntax.Assign{Head: head, Left: to.leaf(l), Right: to.repeated(l, v)})
		}
	}
	return out
}

// assignOwned returns the statements that assign a component with objects of its own.
func (f *flattener) assignOwned(head syntax.Head, to, from *place, l leaf) []syntax.Stmt {
	n := len(l.component.dims())
	switch {
	case slices.Contains(f.copying, l.derived):
		f.fail(head.Pos, "a pointer, and a procedure that copies", "an assignment copies %s, which contains objects of its own type %s: legal, but not in the subset", l.Text, l.derived.name)
		return nil
	case to.array() || n > 1:
		f.fail(head.Pos, "an assignment for each element", "an assignment copies arrays of objects with the component %s, which is ALLOCATABLE and has a derived type: legal, but not in the subset", l.Text)
		return nil
	}
	left, right := f.target(l.derived, to.leaf(l), n), f.target(l.derived, from.leaf(l), n)
	there := called("ALLOCATED", right.handles)
	if n == 0 {
		there = binary(syntax.NE, right.handles, zero(head.Pos))
	}
	f.copying = append(f.copying, l.derived)
	at := headAt(head.Pos)
	then := append(f.fit(at, left, right), f.copied(at, left, right)...)
	f.copying = f.copying[:len(f.copying)-1]
	return []syntax.Stmt{alternative(head, there, then, []syntax.Stmt{freed(at, left)})}
}
