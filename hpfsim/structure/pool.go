package structure

import (
	"fmt"
	"slices"

	"whorl/hpfsim/syntax"
)

// Objects of a type to which pointers of components lead are in a pool: an array for each component, with an element, or a column, for each object. A
// handle is the number of an object, 0 for none. A variable of the type, and a pointer to it, is an integer with a handle; an array is an array of
// handles. The pools are in a module that all units use, and they are not mapped.

// poolModule is the name of the module of pools.
const poolModule = "POOLS%"

// leads are the attributes of variables that have their objects later, or from elsewhere.
const leads = syntax.AttrPointer | syntax.AttrAllocatable

// pools finds the types whose objects are in pools, and the variables whose objects exist from the beginning.
func (f *flattener) pools() {
	used := map[string]bool{}
	for _, s := range f.scopes {
		for _, o := range s.objects {
			allocatable := func(l leaf) bool { return l.held() != 0 && l.held()&syntax.AttrPointer == 0 }
			if o.attrs&syntax.AttrPointer != 0 && slices.ContainsFunc(o.derived.leaves(), allocatable) {
				o.derived.linked = true
			}
		}
	}
	for _, d := range f.all {
		if !d.linked {
			continue
		}
		d.pool = d.name
		for n := 2; used[d.pool]; n++ {
			d.pool = fmt.Sprintf("%s%d", d.name, n)
		}
		used[d.pool] = true
	}
	for _, d := range f.all {
		for _, c := range d.components {
			if c.derived != nil && !c.handles() && c.derived.pool != "" {
				f.fail(c.Pos, "a pointer to it", "the component %s of %s has the type %s, to which pointers lead: legal, but not in the subset", c.Text, d.name, c.derived.name)
			}
		}
	}
	for u, s := range f.scopes {
		for name, o := range s.objects {
			pointer := o.attrs&leads != 0
			lasting := u.Kind == syntax.Module || u.Kind != syntax.Program && (s.saved || o.attrs&syntax.AttrSave != 0)
			if o.derived.pool != "" && o.origin == nil && !pointer && lasting && !slices.Contains(s.params, name) {
				o.global = u.Name + "%%" + name
			}
		}
	}
}

// withPools adds the module of pools to a program, if it has any.
func (f *flattener) withPools(file *syntax.File) {
	m := &syntax.Unit{Kind: syntax.Module, Name: poolModule}
	array := func(n syntax.Name, t *syntax.Type, length syntax.Expr, rank int, h *syntax.Held) {
		e := syntax.Entity{Name: n, Len: length, Dims: make([]syntax.Dim, rank)}
		m.Specs = append(m.Specs, &syntax.Declare{Pos: n.Pos, Type: t, Attrs: syntax.AttrAllocatable, Holds: h, Entities: []syntax.Entity{e}})
	}
	pooled := func(do func(d *definition, name func(path string) syntax.Name)) {
		for _, d := range f.all {
			if d.pool != "" {
				do(d, func(path string) syntax.Name { return syntax.Name{Text: d.pool + "%" + path, Pos: d.pos} })
			}
		}
	}
	pooled(func(d *definition, name func(string) syntax.Name) {
		m.Pos, m.End = d.pos, d.pos
		array(name("%"), d.handle(d.pos), nil, 1, nil)
	})
	pooled(func(d *definition, name func(string) syntax.Name) {
		p := &syntax.Pool{Pos: d.pos, Live: name("%")}
		for _, l := range d.leaves() {
			e := syntax.Entity{Name: name(l.path + "%"), Len: l.Entity.Len, Dims: l.around(), Init: l.value(nil)}
			t := l.kind()
			if l.held() != 0 { // only its bounds count
				t, e.Len, e.Init = d.handle(d.pos), nil, nil
			}
			m.Specs = append(m.Specs, &syntax.Declare{Pos: d.pos, Type: t, Entities: []syntax.Entity{e}})
			array(name(l.path), l.kind(), l.Entity.Len, len(e.Dims)+1, l.holds(1))
			p.Parts = append(p.Parts, syntax.Part{Array: name(l.path), Default: e.Name})
		}
		m.Specs = append(m.Specs, p)
	})
	if m.Specs == nil {
		return
	}
	m.Specs = append(m.Specs, f.statics...)
	for _, u := range file.Units {
		if u.Kind == syntax.Program {
			u.Body = append(f.start, u.Body...)
		}
		use := &syntax.Use{Pos: u.Pos, Module: syntax.Name{Text: poolModule, Pos: u.Pos}}
		u.Specs = append([]syntax.Spec{use}, u.Specs...)
	}
	file.Units = append(file.Units, m)
}

// declared declares a variable for a handle.
func (d *definition) declared(name string, pos syntax.Pos, attrs syntax.Attr, intent string) syntax.Spec {
	return &syntax.Declare{Pos: pos, Type: d.handle(pos), Attrs: attrs, Intent: intent, Entities: []syntax.Entity{{Name: syntax.Name{Text: name, Pos: pos}}}}
}

// localTarget adds a variable with an object of its own to the unit.
func (f *flattener) localTarget(d *definition, name string, pos syntax.Pos) *place {
	f.added = append(f.added, d.declared(name, pos, 0, ""))
	p := f.at(&object{derived: d, name: name}, nil, pos)
	f.early = append(f.early, pooled(p))
	f.locals = append(f.locals, pooled(p))
	return p
}

// declareHandles declares a variable whose objects are in a pool.
func (f *flattener) declareHandles(s *syntax.Declare, e syntax.Entity, o *object, leading *[]syntax.Stmt) []syntax.Spec {
	dims := slices.Clone(dimsOf(s, e))
	f.dims(dims)
	x := &syntax.Declare{Pos: s.Pos, Attrs: s.Attrs, Intent: s.Intent, Entities: []syntax.Entity{{Name: e.Name, Dims: dims}}}
	if s.Type != nil {
		x.Type = o.derived.handle(s.Type.Pos)
	} else {
		x.Entities[0].Dims = nil
	}

	pointer, dummy := o.attrs&leads != 0, slices.Contains(f.params, e.Text)
	if o.rank == 0 {
		x.Attrs &^= leads | syntax.AttrTarget
	}
	switch {
	case s.Attrs&syntax.AttrParameter != 0:
		f.fail(e.Pos, "a variable", "a constant of the derived type %s, to which pointers lead: legal, but not in the subset", o.derived.name)
		return nil
	case pointer:
	case dummy:
		x.Intent = ""
		if s.Type != nil {
			x.Intent = "IN"
		}
		if o.rank == 0 && s.Type != nil {
			x.Attrs |= syntax.AttrValue // the procedure may change the pointer that is the actual argument
		}
		if s.Intent == "OUT" {
			*leading = append(*leading, f.defaults(f.at(o, nil, e.Pos), dims)...)
		}
	case s.Type == nil:
	default:
		return f.owned(s, e, o, x, leading)
	}
	if x.Type == nil && x.Attrs == 0 && x.Intent == "" {
		return nil
	}
	return []syntax.Spec{x}
}

// owned declares a variable that is no pointer. Its objects exist from the beginning of the program, of a call or of a BLOCK on.
func (f *flattener) owned(s *syntax.Declare, e syntax.Entity, o *object, x *syntax.Declare, leading *[]syntax.Stmt) []syntax.Spec {
	x.Attrs &= syntax.AttrTarget
	constants := map[string]syntax.Expr{}
	place := f.at(o, nil, e.Pos)
	stmts := leading
	var out []syntax.Spec
	switch {
	case o.global != "":
		constants, stmts = f.constants(f.unit), &f.start
		to := &x.Entities[0]
		to.Text = o.global
		for k, d := range to.Dims {
			to.Dims[k] = syntax.Dim{Lo: settled(d.Lo, constants), Hi: settled(d.Hi, constants)}
		}
		f.statics = append(f.statics, x)
		f.start = append(f.start, &syntax.Allocate{Head: headAt(e.Pos), Targets: []syntax.Pooled{pooled(place)}})
	case f.scope != f.scopes[f.unit]: // of a BLOCK
		if o.rank > 0 {
			f.fail(e.Pos, "a variable of the unit", "an array of the derived type %s, to which pointers lead, in a BLOCK: legal, but not in the subset", o.derived.name)
			return nil
		}
		f.temporary++
		o.name = fmt.Sprintf("%s%%%d", e.Text, f.temporary)
		place = f.at(o, nil, e.Pos)
		f.added = append(f.added, o.derived.declared(o.name, e.Pos, 0, ""))
		f.locals = append(f.locals, pooled(place))
		*leading = append(*leading, &syntax.Deallocate{Head: headAt(e.Pos), Targets: []syntax.Pooled{pooled(place)}, Quiet: true},
			&syntax.Allocate{Head: headAt(e.Pos), Targets: []syntax.Pooled{pooled(place)}})
	default:
		f.early, f.locals = append(f.early, pooled(place)), append(f.locals, pooled(place))
		out = []syntax.Spec{x}
	}
	if e.Init == nil {
		return out
	}
	if f.typeOf(e.Init) != o.derived {
		f.fail(e.Init.Position(), "a constructor, "+o.derived.name+"(...)", "the value of %s is not one of its derived type", e.Text)
		return out
	}
	values := f.parts(e.Init)
	for _, l := range o.derived.leaves() {
		*stmts = append(*stmts, &syntax.Assign{Head: headAt(e.Pos), Left: place.leaf(l), Right: settled(values[l.path], constants)})
	}
	return out
}

func headAt(pos syntax.Pos) syntax.Head { return syntax.Head{Pos: pos, To: pos} }

// bounded returns the statements of a unit with those that make and free the objects of its variables.
func (f *flattener) bounded(u *syntax.Unit, body []syntax.Stmt) []syntax.Stmt {
	if len(f.early) > 0 {
		body = append([]syntax.Stmt{&syntax.Allocate{Head: headAt(u.Pos), Targets: f.early}}, body...)
	}
	if len(f.locals) == 0 || u.Kind == syntax.Program {
		return body
	}
	end := func(pos syntax.Pos) syntax.Stmt {
		return &syntax.Deallocate{Head: headAt(pos), Targets: f.locals, Quiet: true}
	}
	return append(beforeReturns(body, end), end(u.End))
}

// beforeReturns adds a statement before each RETURN.
func beforeReturns(body []syntax.Stmt, end func(syntax.Pos) syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *syntax.Return:
			first := end(s.Pos).(*syntax.Deallocate)
			first.Lab, s.Lab = s.Lab, 0
			out = append(out, first)
		case *syntax.If:
			for k := range s.Arms {
				s.Arms[k].Body = beforeReturns(s.Arms[k].Body, end)
			}
		case *syntax.Select:
			for k := range s.Cases {
				s.Cases[k].Body = beforeReturns(s.Cases[k].Body, end)
			}
		case *syntax.Do:
			s.Body = beforeReturns(s.Body, end)
		case *syntax.On:
			s.Body = beforeReturns(s.Body, end)
		case *syntax.Scope:
			s.Body = beforeReturns(s.Body, end)
		case *syntax.Association:
			s.Body = beforeReturns(s.Body, end)
		}
		out = append(out, s)
	}
	return out
}
