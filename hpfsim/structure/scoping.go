package structure

import (
	"fmt"
	"maps"

	"whorl/hpfsim/syntax"
)

// blockConstruct replaces the derived types of a BLOCK, whose declarations are a scope within that of the unit.
func (f *flattener) blockConstruct(s *syntax.Scope) {
	around := f.scope
	f.scope = around.inner()
	defer func() { f.scope = around }()
	for _, spec := range s.Specs {
		switch spec := spec.(type) {
		case *syntax.Declare:
			f.objectsOf(f.scope, spec)
		case *syntax.TypeDef:
			f.fail(spec.Pos, "the type in the declarations of the unit", "a derived type that is defined in a BLOCK: legal Fortran, but not in the subset")
		}
	}
	for _, c := range s.Copies {
		if o := around.object(c.Text); o != nil {
			f.fail(c.Pos, "a variable of a BLOCK in the loop", "%s in LOCAL has the derived type %s: legal Fortran, but not in the subset", c.Text, o.derived.name)
		}
	}
	var leading []syntax.Stmt
	var specs []syntax.Spec
	for _, spec := range s.Specs {
		f.moved = "in a declaration"
		specs = append(specs, f.spec(spec, &leading)...)
		f.moved = ""
	}
	s.Specs, s.Body = specs, append(leading, f.statements(s.Body)...)
}

// inner returns a scope within another of the same unit.
func (s *scope) inner() *scope {
	return &scope{
		unit: s.unit, host: s, types: map[string]*definition{}, objects: map[string]*object{}, own: map[string]bool{}, values: map[string]result{},
		generics: map[string][]*syntax.Unit{}, params: s.params, result: s.result,
	}
}

// association replaces the names of variables of derived types in an ASSOCIATE by the variables. Their subscripts are computed
// where the construct begins.
func (f *flattener) association(s *syntax.Association) []syntax.Stmt {
	around := f.scope
	f.scope = around.inner()
	defer func() { f.scope = around }()
	var names []syntax.Name
	var values []syntax.Expr
	bound := map[string]*object{}
	for k, n := range s.Names {
		if x := s.Values[k]; !f.structured(x) {
			f.kept(x)
			names, values = append(names, n), append(values, f.expr(x))
		} else if f.typeOf(x).pool != "" {
			if o := f.selected(n, x); o != nil {
				bound[n.Text] = o
			}
		} else if p := f.value(f.fixedSubscripts(x)); p != nil {
			bound[n.Text] = &object{derived: p.derived, name: n.Text, rank: p.dimensions(), alias: p}
		}
	}
	for _, n := range names {
		f.own[n.Text] = true
	}
	maps.Copy(f.objects, bound)
	s.Names, s.Values, s.Body = names, values, f.statements(s.Body)
	if len(names) > 0 {
		return []syntax.Stmt{s}
	}
	return append([]syntax.Stmt{&syntax.Continue{Head: s.Head}}, s.Body...)
}

// selected returns the object for a name of an ASSOCIATE that stands for an object in a pool, or an array of them.
func (f *flattener) selected(n syntax.Name, x syntax.Expr) *object {
	p := f.value(x)
	if p == nil || p.handles == nil {
		return nil
	}
	o := &object{derived: p.derived, name: n.Text, attrs: syntax.AttrTarget}
	if v, ok := p.handles.(*syntax.Var); ok && p.many > 0 {
		o.name, o.rank = v.Text, p.many
		return o
	} else if p.many > 0 {
		f.fail(x.Position(), "the array itself", "a section of an array of the derived type %s, to which pointers lead, in ASSOCIATE: legal Fortran, but not in the subset", p.derived.name)
		return nil
	}
	f.temporary++
	o.name = fmt.Sprintf("%s%%%d", n.Text, f.temporary)
	f.added = append(f.added, o.derived.declared(o.name, n.Pos, 0, ""))
	f.first(&syntax.Assign{Head: headAt(n.Pos), Left: &syntax.Var{Name: syntax.Name{Text: o.name, Pos: n.Pos}}, Right: p.handles}, n.Pos)
	return o
}

// element returns an element or a section of the variable that a name of an ASSOCIATE stands for.
func (f *flattener) element(o *object, e *syntax.Apply) *place {
	p := *o.alias
	p.pos = e.Pos
	args := f.args(e.Args)
	if p.subs == nil {
		p.subs = args
		return &p
	}
	p.subs = append([]syntax.Arg(nil), p.subs...)
	for k, a := range p.subs {
		s, ok := a.Value.(*syntax.Section)
		if !ok {
			continue
		}
		if s.Lo != nil || s.Hi != nil || s.Step != nil {
			f.fail(e.Pos, "the array itself", "an element of a section of an array of a derived type in ASSOCIATE: legal Fortran, but not in the subset")
			return &p
		}
		p.subs[k], args = args[0], args[1:]
	}
	return &p
}

// fixedSubscripts returns a variable whose subscripts keep the values that they have now.
func (f *flattener) fixedSubscripts(x syntax.Expr) syntax.Expr {
	fix := func(args []syntax.Arg) []syntax.Arg {
		out := append([]syntax.Arg(nil), args...)
		for k, a := range out {
			switch a.Value.(type) {
			case *syntax.Int, *syntax.Section:
				continue
			}
			f.temporary++
			i := syntax.Name{Text: fmt.Sprintf("INDEX%%%d", f.temporary), Pos: a.Value.Position()}
			f.added = append(f.added, &syntax.Declare{Pos: i.Pos, Type: &syntax.Type{Pos: i.Pos, Base: syntax.IntegerType}, Entities: []syntax.Entity{{Name: i}}})
			f.first(&syntax.Assign{Head: syntax.Head{Pos: i.Pos, To: i.Pos}, Left: &syntax.Var{Name: i}, Right: f.expr(a.Value)}, i.Pos)
			out[k].Value = &syntax.Var{Name: i}
		}
		return out
	}
	switch e := x.(type) {
	case *syntax.Apply:
		if f.object(e.Text) != nil {
			return &syntax.Apply{Name: e.Name, Args: fix(e.Args)}
		}
	case *syntax.Component:
		return &syntax.Component{X: f.fixedSubscripts(e.X), Name: e.Name, Args: fix(e.Args)}
	}
	return x
}
