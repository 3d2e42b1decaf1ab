package structure

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// variable returns the name of the variable for an object without components of its own.
func (f *flattener) variable(o *object) string {
	switch {
	case o.global != "":
		return o.global
	case o.origin != nil && o.origin.global != "":
		return o.origin.global
	}
	return o.name
}

// at returns the place of an object, or of an element or a section of it.
func (f *flattener) at(o *object, subs []syntax.Arg, pos syntax.Pos) *place {
	p := &place{derived: o.derived, name: o.name, rank: o.rank, subs: subs, pos: pos}
	if o.derived.pool == "" {
		return p
	}
	n := syntax.Name{Text: f.variable(o), Pos: pos}
	if subs == nil {
		return f.target(o.derived, &syntax.Var{Name: n}, o.rank)
	}
	return f.target(o.derived, &syntax.Apply{Name: n, Args: subs}, p.dimensions())
}

// target returns the place of the objects of a pool that have some handles, which have a number of dimensions.
func (f *flattener) target(d *definition, handles syntax.Expr, dimensions int) *place {
	pos := handles.Position()
	live := &syntax.Apply{Name: syntax.Name{Text: d.pool + "%%", Pos: pos}, Args: []syntax.Arg{{Value: handles}}}
	return &place{derived: d, name: d.pool + "%", rank: 1, subs: []syntax.Arg{{Value: live}}, pos: pos, handles: handles, many: dimensions}
}

// numbers returns the array of the handles of a place.
func (p *place) numbers() *place {
	out := &place{derived: p.derived, rank: p.many, pos: p.pos}
	switch x := p.handles.(type) {
	case *syntax.Var:
		out.name = x.Text
	case *syntax.Apply:
		out.name, out.rank, out.subs = x.Text, len(x.Args), x.Args
	}
	return out
}

// pooled returns the handles of a place and their pool.
func pooled(p *place) syntax.Pooled {
	return syntax.Pooled{Pool: syntax.Name{Text: p.derived.pool + "%%", Pos: p.pos}, Handles: p.handles}
}

func null(pos syntax.Pos) syntax.Expr {
	return &syntax.Apply{Name: syntax.Name{Text: "NULL", Pos: pos}}
}

func isNull(x syntax.Expr) bool {
	a, ok := x.(*syntax.Apply)
	return ok && a.Text == "NULL"
}

// handle returns the handle of an object of a type, or 0 for NULL(). It reports others.
func (f *flattener) handle(x syntax.Expr, d *definition) syntax.Expr {
	if isNull(x) {
		return &syntax.Int{Pos: x.Position()}
	}
	if c, ok := x.(*syntax.Component); ok && f.typeOf(c) == nil {
		if p, _ := f.part(c); p == nil {
			return &syntax.Int{Pos: x.Position()}
		}
	}
	if f.typeOf(x) != d {
		f.fail(x.Position(), "a variable of the derived type "+d.name, "the target of a pointer to %s has another type", d.name)
		return &syntax.Int{Pos: x.Position()}
	}
	if o := f.whose(x); o != nil && o.attrs&(syntax.AttrPointer|syntax.AttrTarget) == 0 {
		f.fail(x.Position(), "TARGET or POINTER in its declaration", "%s is the target of a pointer, but is neither TARGET nor POINTER", o.name)
	}
	if p := f.value(x); p != nil && p.handles != nil {
		return p.handles
	}
	return &syntax.Int{Pos: x.Position()}
}

// whose returns the variable that contains a part: a for a(i)%b. It returns nil for other expressions, and for what a pointer component points to.
func (f *flattener) whose(x syntax.Expr) *object {
	switch e := x.(type) {
	case *syntax.Var:
		return f.object(e.Text)
	case *syntax.Apply:
		return f.object(e.Text)
	case *syntax.Component:
		if d := f.typeOf(e.X); d != nil {
			if c := d.find(e.Text); c != nil && c.Declare.Attrs&syntax.AttrPointer == 0 {
				return f.whose(e.X)
			}
		}
	}
	return nil
}

// isPointer reports whether an expression is a pointer to an object in a pool.
func (f *flattener) isPointer(x syntax.Expr) bool {
	switch e := x.(type) {
	case *syntax.Component:
		d := f.typeOf(e.X)
		return d != nil && d.find(e.Text) != nil && d.find(e.Text).handles() && !d.find(e.Text).owner() && e.Args == nil
	case *syntax.Apply:
		if f.object(e.Text) == nil {
			return f.valueOf(e).pointer
		}
		return false
	case *syntax.Paren:
		return f.isPointer(e.X)
	}
	o := f.whose(x)
	return o != nil && o.attrs&syntax.AttrPointer != 0
}

// changes reports a change of an argument that has INTENT(IN).
func (f *flattener) changes(x syntax.Expr) {
	c, ok := x.(*syntax.Component)
	if !ok {
		return
	}
	if o := f.whose(c.X); o != nil && o.derived.pool != "" && o.intent == "IN" && o.attrs&syntax.AttrPointer == 0 {
		f.fail(x.Position(), "INTENT(INOUT)", "%s is an argument with INTENT(IN) and cannot be changed", o.name)
	}
}

// kept reports a component of an object in a pool that would have to keep its place in memory.
func (f *flattener) kept(x syntax.Expr) {
	for {
		c, ok := x.(*syntax.Component)
		if !ok {
			return
		}
		d := f.typeOf(c.X)
		if d != nil && d.find(c.Text) != nil && d.find(c.Text).held() != 0 {
			return
		}
		if d != nil && d.pool != "" && f.typeOf(c) == nil {
			f.fail(x.Position(), "a pointer to the object", "the target of a pointer is a component of an object of the type %s, to which pointers lead: legal, but not in the subset", d.name)
			return
		}
		x = c.X
	}
}

// shown reports an object with pointers in a list of input or output.
func (f *flattener) shown(p *place) {
	for _, l := range p.derived.leaves() {
		if l.link() || l.holds(p.rank) != nil {
			f.fail(p.pos, "its components, one by one", "the derived type %s has a component, %s, that is a pointer or ALLOCATABLE, and cannot be read or written as a whole", p.derived.name, l.Text)
			return
		}
	}
}

// associateHandles gives a pointer the handle of its target.
func (f *flattener) associateHandles(s *syntax.PointerAssign) []syntax.Stmt {
	d := f.typeOf(s.Left)
	if !f.isPointer(s.Left) {
		f.fail(s.Left.Position(), "a variable that is declared POINTER", "this is not a pointer")
		return nil
	}
	f.changes(s.Left)
	to := f.value(s.Left)
	switch {
	case to == nil:
		return nil
	case to.many == 0:
		return []syntax.Stmt{&syntax.Assign{Head: s.Head, Left: to.handles, Right: f.handle(s.Right, d)}}
	case isNull(s.Right):
		return []syntax.Stmt{&syntax.Nullify{Head: s.Head, Pointers: []syntax.Expr{to.handles}}}
	}
	return []syntax.Stmt{&syntax.PointerAssign{Head: s.Head, Left: to.handles, Right: f.handle(s.Right, d)}}
}

// nullify gives pointers to objects in pools the handle 0, and leaves the others to NULLIFY.
func (f *flattener) nullify(s *syntax.Nullify) []syntax.Stmt {
	var out []syntax.Stmt
	var all []syntax.Expr
	for _, x := range s.Pointers {
		if d := f.typeOf(x); d != nil && d.pool != "" {
			out = append(out, f.associateHandles(&syntax.PointerAssign{Head: s.Head, Left: x, Right: null(x.Position())})...)
		} else {
			all = append(all, f.wholes(x)...)
		}
	}
	if s.Pointers = all; len(all) > 0 {
		out = append(out, s)
	}
	return out
}

// inquiry returns a call of an inquiry about objects in a pool.
func (f *flattener) inquiry(e *syntax.Apply) syntax.Expr {
	p := f.value(e.Args[0].Value)
	zero := &syntax.Int{Pos: e.Pos}
	if p == nil || p.handles == nil {
		return zero
	}
	out := &syntax.Apply{Name: e.Name, Args: slices.Clone(e.Args)}
	for k, a := range e.Args {
		if f.structured(a.Value) {
			if q := f.value(a.Value); q != nil && q.handles != nil {
				out.Args[k].Value = q.handles
			}
		} else {
			out.Args[k].Value = f.expr(a.Value)
		}
	}
	if e.Text != "ASSOCIATED" && e.Text != "ALLOCATED" || p.many > 0 {
		return out
	}
	differ := func(x syntax.Expr) syntax.Expr { return &syntax.Binary{OpPos: e.Pos, Op: syntax.NE, X: x, Y: zero} }
	switch {
	case e.Text == "ASSOCIATED" && !f.isPointer(e.Args[0].Value):
		f.fail(e.Pos, "a variable that is declared POINTER", "ASSOCIATED of something that is not a pointer")
		return &syntax.Logical{Pos: e.Pos}
	case len(e.Args) < 2:
		return &syntax.Paren{Pos: e.Pos, X: differ(p.handles)}
	case f.typeOf(e.Args[1].Value) != p.derived:
		f.fail(e.Pos, "a variable of the derived type "+p.derived.name, "the target in ASSOCIATED has another type")
		return &syntax.Logical{Pos: e.Pos}
	}
	same := &syntax.Binary{OpPos: e.Pos, Op: syntax.EQ, X: p.handles, Y: out.Args[1].Value}
	one := p.handles // the operand that is tested too
	if _, ok := out.Args[1].Value.(*syntax.Var); ok {
		one = out.Args[1].Value
	}
	return &syntax.Paren{Pos: e.Pos, X: &syntax.Binary{OpPos: e.Pos, Op: syntax.And, X: same, Y: differ(one)}}
}

// withNulls replaces NULL() among the arguments of a procedure by the handle 0, where the procedure expects a pointer to an object in a pool.
func (f *flattener) withNulls(name string, args []syntax.Arg) []syntax.Arg {
	if !slices.ContainsFunc(args, func(a syntax.Arg) bool { return isNull(a.Value) }) {
		return args
	}
	u := f.specific(name, args)
	if u == nil {
		u = f.procedure(f.scope, name)
	}
	of := f.scopes[u]
	if of == nil {
		return args
	}
	args = slices.Clone(args)
	for k, a := range args {
		dummy := a.Keyword
		if dummy == "" && k < len(of.params) {
			dummy = of.params[k]
		}
		if o := of.objects[dummy]; isNull(a.Value) && o != nil && o.derived.pool != "" {
			args[k].Value = &syntax.Int{Pos: a.Value.Position()}
		}
	}
	return args
}
