package structure

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// A component that is ALLOCATABLE or a POINTER is a variable of its own in a variable that is no array. In an array, and in an object in a pool, it is
// an array of arrays: each element holds the component of one object.

// held returns the attributes of a component that is ALLOCATABLE or a POINTER, 0 for others.
func (c *component) held() syntax.Attr {
	if c.link() {
		return 0
	}
	return c.Declare.Attrs & leads
}

// around returns the dimensions of the arrays around a leaf that is ALLOCATABLE or a POINTER, and all dimensions of others.
func (l leaf) around() []syntax.Dim {
	if l.held() == 0 {
		return l.dims
	}
	return l.dims[len(l.component.dims()):]
}

// holds returns what an array of arrays holds for a leaf of objects with a number of dimensions, nil for leaves that are no arrays of arrays.
func (l leaf) holds(rank int) *syntax.Held {
	if l.held() == 0 || len(l.around())+rank == 0 {
		return nil
	}
	return &syntax.Held{Attrs: l.held(), Rank: len(l.component.dims())}
}

// part returns a component that is ALLOCATABLE or a POINTER, with subscripts. For several objects it is an array of arrays.
func (p *place) part(path string, around int, subs []syntax.Arg) syntax.Expr {
	n := syntax.Name{Text: p.name + path, Pos: p.pos}
	all := p.joined(nil, around)
	switch {
	case around+p.rank == 0 && subs != nil:
		return &syntax.Apply{Name: n, Args: subs}
	case all == nil:
		return &syntax.Var{Name: n}
	case p.many > 0 || slices.ContainsFunc(all, func(a syntax.Arg) bool { _, ok := a.Value.(*syntax.Section); return ok }):
		return &syntax.Apply{Name: n, Args: all}
	}
	return &syntax.Selected{Name: n, Holder: &syntax.Apply{Name: n, Args: all}, Args: subs}
}

// heldPart returns a component that is ALLOCATABLE or a POINTER, or an element or a section of it.
func (f *flattener) heldPart(p *place, c *component, e *syntax.Component, subs []syntax.Arg) syntax.Expr {
	if p.array() {
		f.fail(e.Pos, "the component of an element", "the component %s is ALLOCATABLE or a POINTER, and there is an array before it", e.Text)
		return &syntax.Int{Pos: e.Pos}
	}
	n := len(c.dims())
	if len(subs) == 1 && n == 0 && c.Type.Base == syntax.CharacterType {
		if s, ok := subs[0].Value.(*syntax.Section); ok {
			return &syntax.Substring{X: p.part("%"+c.Text, 0, nil), Lo: s.Lo, Hi: s.Hi}
		}
	}
	if subs != nil && len(subs) != n {
		f.fail(e.Pos, "as many as it has dimensions", "the component %s has %d dimensions, but %d subscripts are given", e.Text, n, len(subs))
		return &syntax.Int{Pos: e.Pos}
	}
	return p.part("%"+c.Text, 0, subs)
}

// leafOf returns the leaf of a place that a variable is, nil for none.
func (p *place) leafOf(x syntax.Expr) *leaf {
	v, ok := x.(*syntax.Var)
	if !ok {
		return nil
	}
	for _, l := range p.derived.leaves() {
		if p.name+l.path == v.Text {
			return &l
		}
	}
	return nil
}

// several reports whether a leaf of the place is an array of arrays.
func (p *place) several(l leaf) bool {
	if l.holds(p.rank) == nil {
		return false
	}
	_, one := p.leaf(l).(*syntax.Selected)
	return !one
}

// assignHeld returns the statements that assign a value to a leaf that is ALLOCATABLE or a POINTER. Object tells that the value is the leaf of another object.
func (f *flattener) assignHeld(head syntax.Head, to *place, l leaf, value syntax.Expr, object bool) []syntax.Stmt {
	left := to.leaf(l)
	if to.several(l) {
		if !object {
			f.fail(head.Pos, "an element of the array", "each element of an array of the derived type %s gets one value, whose component %s is ALLOCATABLE or a POINTER: legal, but not in the subset", to.derived.name, l.Text)
			return nil
		}
		return []syntax.Stmt{&syntax.Assign{Head: head, Left: left, Right: value}}
	}
	free := &syntax.Deallocate{Head: head, Quiet: true}
	if v, ok := left.(*syntax.Var); ok {
		free.Arrays = []syntax.Name{v.Name}
	} else {
		free.Components = []syntax.Expr{left}
	}
	switch pointer := l.held()&syntax.AttrPointer != 0; {
	case pointer && isNull(value):
		return []syntax.Stmt{&syntax.Nullify{Head: head, Pointers: []syntax.Expr{left}}}
	case pointer:
		return []syntax.Stmt{&syntax.PointerAssign{Head: head, Left: left, Right: value}}
	case isNull(value):
		return []syntax.Stmt{free}
	case !object:
		return []syntax.Stmt{&syntax.Assign{Head: head, Left: left, Right: value}}
	}
	there := &syntax.Apply{Name: syntax.Name{Text: "ALLOCATED", Pos: head.Pos}, Args: []syntax.Arg{{Value: value}}}
	return []syntax.Stmt{&syntax.If{Head: head, End: head.To, Arms: []syntax.IfArm{
		{Pos: head.Pos, Cond: there, Body: []syntax.Stmt{&syntax.Assign{Head: headAt(head.Pos), Left: left, Right: value}}},
		{Pos: head.Pos, Body: []syntax.Stmt{free}},
	}}}
}
