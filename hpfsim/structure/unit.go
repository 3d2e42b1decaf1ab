package structure

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// rewrite replaces the derived types of a unit and of the procedures in it.
func (f *flattener) rewrite(u *syntax.Unit) {
	for _, c := range u.Contains {
		f.rewrite(c)
	}
	f.scope, f.added, f.temporary, f.locals, f.early = f.scopes[u], nil, 0, nil, nil
	var leading []syntax.Stmt // default values
	u.Params = f.dummies(u.Params)
	if d := f.result.result; f.pointer {
		if u.Type != nil {
			u.Type = d.handle(u.Pos)
		}
	} else if d != nil {
		u.Kind, u.Type = syntax.Subroutine, nil
		for _, n := range d.names(valueName) {
			u.Params = append(u.Params, syntax.Name{Text: n, Pos: u.Pos})
		}
		if d.pool != "" {
			f.added = append(f.added, d.declared(valueName, u.Pos, syntax.AttrValue, "IN"))
		} else {
			f.added = append(f.added, declarations(valueName, u.Pos, d, &syntax.Declare{Pos: u.Pos, Type: &syntax.Type{}, Intent: "OUT"}, nil)...)
		}
		leading = f.defaults(f.at(&object{derived: d, name: valueName}, nil, u.Pos), nil)
	}
	var specs []syntax.Spec
	for _, s := range u.Specs {
		f.moved = "in a declaration"
		specs = append(specs, f.spec(s, &leading)...)
		f.moved = ""
	}
	body := f.statements(u.Body)
	u.Specs, u.Body = append(specs, f.added...), f.bounded(u, append(leading, body...))
}

// dummies replaces names of variables of derived types by those of their components.
func (f *flattener) dummies(names []syntax.Name) []syntax.Name {
	out := names[:0:0]
	for _, n := range names {
		if o := f.objects[n.Text]; o != nil {
			for _, name := range o.derived.names(o.name) {
				out = append(out, syntax.Name{Text: name, Pos: n.Pos})
			}
		} else {
			out = append(out, n)
		}
	}
	return out
}

// spec replaces a specification.
func (f *flattener) spec(s syntax.Spec, leading *[]syntax.Stmt) []syntax.Spec {
	switch s := s.(type) {
	case *syntax.TypeDef:
		return nil
	case *syntax.Use:
		f.used(s)
	case *syntax.Access:
		if s.Names != nil {
			if s.Names = f.accessed(s.Names); len(s.Names) == 0 {
				return nil
			}
		}
	case *syntax.Declare:
		return f.declare(s, leading)
	case *syntax.Interface:
		f.apart(func() {
			for _, u := range s.Units {
				f.rewrite(u)
			}
		})
		return f.generic(s)
	case *syntax.Common:
		for _, e := range s.Entities {
			if o := f.objects[e.Text]; o != nil {
				f.fail(e.Pos, "a module", "%s has a derived type and is in COMMON: legal, but not in the subset", e.Text)
			}
		}
	case *syntax.Abstract:
		around := f.scope
		f.apart(func() {
			for _, u := range s.Units {
				f.declared(u, around)
				f.rewrite(u)
			}
		})
	case *syntax.Equivalence:
		for _, set := range s.Sets {
			for k, x := range set {
				if f.structured(x) {
					f.fail(x.Position(), "variables of intrinsic types", "EQUIVALENCE of a variable of a derived type: legal, but not in the subset")
				} else {
					set[k] = f.expr(x)
				}
			}
		}
	case *syntax.Distribute:
		return f.distribute(s)
	case *syntax.Align:
		return f.align(s)
	case *syntax.Dynamic:
		s.Names = f.allDummies(s.Names)
	case *syntax.Namelist:
		for _, n := range s.Vars {
			if o := f.object(n.Text); o != nil && o.rank > 0 {
				f.fail(n.Pos, "its elements, one by one", "an array of the derived type %s in a group of NAMELIST: legal, but not in the subset", o.derived.name)
			}
		}
		s.Vars = f.allDummies(s.Vars)
	case *syntax.Parameters:
		for k := range s.Values {
			s.Values[k] = f.expr(s.Values[k])
		}
	case *syntax.Data:
		for k := range s.Sets {
			for i := range s.Sets[k].Targets {
				s.Sets[k].Targets[i] = f.expr(s.Sets[k].Targets[i])
			}
		}
	}
	return []syntax.Spec{s}
}

// apart calls do, which rewrites other units.
func (f *flattener) apart(do func()) {
	scope, added, temporary, locals, early := f.scope, f.added, f.temporary, f.locals, f.early
	do()
	f.scope, f.added, f.temporary, f.locals, f.early = scope, added, temporary, locals, early
}

// generic gives each procedure of a generic name that has derived types a name of its own.
func (f *flattener) generic(s *syntax.Interface) []syntax.Spec {
	if s.Generic.Text == "" {
		return []syntax.Spec{s}
	}
	var out []syntax.Spec
	rest := *s
	rest.Units, rest.Procedures = nil, nil
	own := func(u *syntax.Unit) *syntax.Interface {
		i := &syntax.Interface{Pos: s.Pos, Generic: syntax.Name{Text: f.patterned(s.Generic.Text, u), Pos: s.Generic.Pos}}
		out = append(out, i)
		return i
	}
	for _, u := range s.Units {
		if f.involved(u) {
			i := own(u)
			i.Units = []*syntax.Unit{u}
		} else {
			rest.Units = append(rest.Units, u)
		}
	}
	for _, n := range s.Procedures {
		if u := f.procedure(f.scope, n.Text); u != nil && f.involved(u) {
			i := own(u)
			i.Procedures = []syntax.Name{n}
		} else {
			rest.Procedures = append(rest.Procedures, n)
		}
	}
	if len(rest.Units)+len(rest.Procedures) > 0 || len(out) == 0 {
		out = append(out, &rest)
	}
	return out
}

// accessed replaces names of variables, and removes names of types.
func (f *flattener) accessed(names []syntax.Name) []syntax.Name {
	var out []syntax.Name
	for _, n := range names {
		if f.objects[n.Text] != nil {
			out = append(out, f.dummies([]syntax.Name{n})...)
			continue
		}
		with, others := f.split(n.Text)
		for _, u := range with {
			out = append(out, syntax.Name{Text: f.patterned(n.Text, u), Pos: n.Pos})
		}
		if f.types[n.Text] == nil && (with == nil || others) {
			out = append(out, n)
		}
	}
	return out
}

// used replaces the names of a USE.
func (f *flattener) used(s *syntax.Use) {
	var out []syntax.Rename
	for _, r := range s.Names {
		add := func(local, name string) {
			out = append(out, syntax.Rename{Local: syntax.Name{Text: local, Pos: r.Local.Pos}, Name: syntax.Name{Text: name, Pos: r.Name.Pos}})
		}
		if o := f.objects[r.Local.Text]; o != nil {
			if o.origin == nil || o.origin.global == "" {
				to := o.derived.names(r.Name.Text)
				for k, n := range o.derived.names(r.Local.Text) {
					add(n, to[k])
				}
			}
			continue
		}
		with, others := f.split(r.Local.Text)
		for _, u := range with {
			add(f.patterned(r.Local.Text, u), f.patterned(r.Name.Text, u))
		}
		if f.types[r.Local.Text] == nil && (with == nil || others) {
			out = append(out, r)
		}
	}
	s.Names = out
}

// declare replaces a declaration.
func (f *flattener) declare(s *syntax.Declare, leading *[]syntax.Stmt) []syntax.Spec {
	if s.Type != nil && s.Type.Base != syntax.StructureType {
		s.Type.Kind, s.Type.Len = f.expr(s.Type.Kind), f.expr(s.Type.Len)
		for k := range s.Entities {
			e := &s.Entities[k]
			e.Init, e.Len = f.expr(e.Init), f.expr(e.Len)
			f.dims(e.Dims)
		}
		f.dims(s.Dims)
		return []syntax.Spec{s}
	}
	var out []syntax.Spec
	plain := *s
	plain.Entities = nil
	for _, e := range s.Entities {
		o := f.objects[e.Text]
		if o == nil {
			plain.Entities = append(plain.Entities, e)
			continue
		}
		if s.Type == nil && e.Dims != nil {
			f.fail(e.Pos, "them in the declaration of its type", "%s has a derived type and gets its dimensions here: legal, but not in the subset", e.Text)
			continue
		}
		if o.name == valueName {
			continue
		}
		if o.derived.pool != "" {
			out = append(out, f.declareHandles(s, e, o, leading)...)
			continue
		}
		dims := dimsOf(s, e)
		f.dims(dims)
		all := declarations(e.Text, e.Pos, o.derived, s, dims)
		f.initials(s, e, o, all, leading)
		f.ends(s, e, o)
		out = append(out, all...)
	}
	if s.Type == nil && (len(plain.Entities) > 0 || len(s.Entities) == 0) {
		out = append(out, &plain)
	}
	return out
}

func dimsOf(d *syntax.Declare, e syntax.Entity) []syntax.Dim {
	if e.Dims != nil {
		return e.Dims
	}
	return d.Dims
}

// defaults returns assignments of the default values of components, for a variable with dimensions.
func (f *flattener) defaults(p *place, dims []syntax.Dim) []syntax.Stmt {
	var out []syntax.Stmt
	for _, l := range p.derived.leaves() {
		if v := l.value(dims); v != nil {
			out = append(out, &syntax.Assign{Head: syntax.Head{Pos: p.pos, To: p.pos}, Left: p.leaf(l), Right: v})
		}
	}
	return out
}

func (f *flattener) dims(dims []syntax.Dim) {
	for k, d := range dims {
		dims[k] = syntax.Dim{Lo: f.expr(d.Lo), Hi: f.expr(d.Hi)}
	}
}

// declarations declares the components of a variable like the variable.
func declarations(name string, pos syntax.Pos, d *definition, like *syntax.Declare, dims []syntax.Dim) []syntax.Spec {
	deferred := slices.ContainsFunc(dims, func(d syntax.Dim) bool { return d.Hi == nil })
	var out []syntax.Spec
	for _, l := range d.leaves() {
		x := &syntax.Declare{Pos: like.Pos, Type: l.kind(), Attrs: like.Attrs, Intent: like.Intent}
		own := l.dims
		if x.Holds = l.holds(len(dims)); x.Holds != nil {
			own = l.around()
		} else if !l.link() {
			x.Attrs |= l.Declare.Attrs & (leads | syntax.AttrTarget)
		}
		if like.Type == nil && (like.Attrs != 0 || like.Intent != "") {
			x.Type = nil // a statement that gives an attribute
		}
		e := syntax.Entity{Name: syntax.Name{Text: name + l.path, Pos: pos}, Len: l.Entity.Len}
		for _, d := range own {
			if deferred {
				d = syntax.Dim{}
			}
			e.Dims = append(e.Dims, d)
		}
		e.Dims = append(e.Dims, dims...)
		if x.Type == nil {
			e.Dims, e.Len = nil, nil
		}
		x.Entities = []syntax.Entity{e}
		out = append(out, x)
	}
	return out
}

// initials gives the components of a variable their initial values: those of its declaration, or the default ones.
func (f *flattener) initials(s *syntax.Declare, e syntax.Entity, o *object, all []syntax.Spec, leading *[]syntax.Stmt) {
	if s.Type == nil {
		return
	}
	values := map[string]syntax.Expr{}
	if e.Init != nil {
		if f.typeOf(e.Init) != o.derived {
			f.fail(e.Init.Position(), "a constructor, "+o.derived.name+"(...)", "the value of %s is not one of its derived type", e.Text)
			return
		}
		for path, v := range f.parts(e.Init) {
			values[e.Text+path] = v
		}
	} else {
		for _, l := range o.derived.leaves() {
			values[e.Text+l.path] = l.value(dimsOf(s, e))
		}
	}
	dummy := slices.Contains(f.params, e.Text)
	if e.Init == nil && (dummy && s.Intent != "OUT" || s.Attrs&syntax.AttrAllocatable != 0) {
		return
	}
	once := e.Init != nil || f.unit.Kind == syntax.Program || f.unit.Kind == syntax.Module || s.Attrs&syntax.AttrSave != 0
	for _, x := range all {
		to := &x.(*syntax.Declare).Entities[0]
		switch value := values[to.Text]; {
		case value == nil:
		case once:
			to.Init = value
		default:
			*leading = append(*leading, &syntax.Assign{Head: syntax.Head{Pos: e.Pos, To: e.Pos}, Left: &syntax.Var{Name: to.Name}, Right: value})
		}
	}
}
