// Package structure replaces derived types in the source of a program. Each component of a variable becomes a variable of its own, named as the
// program writes it. A component of an array of a derived type becomes an array whose first dimensions are those of the component. Later steps know
// no derived types: they map, distribute and compile these variables like all others.
//
// A dummy argument becomes an argument for each component, and so does the actual argument of a call. A function whose value has a derived type
// becomes a subroutine with the components of the value as further arguments; its calls are executed before the statement that contains them.
package structure

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// A definition is a derived type.
type definition struct {
	name       string
	components []*component
}

// A component is a component of a derived type.
type component struct {
	*syntax.Declare // of this one component
	syntax.Entity
	derived *definition // nil for an intrinsic type
}

func (c *component) dims() []syntax.Dim {
	if c.Entity.Dims != nil {
		return c.Entity.Dims
	}
	return c.Declare.Dims
}

func (d *definition) find(name string) *component {
	for _, c := range d.components {
		if c.Text == name {
			return c
		}
	}
	return nil
}

// An object is a variable of a derived type.
type object struct {
	derived *definition
	name    string
	rank    int
	alias   *place // the place that a name of ASSOCIATE stands for; nil for other names
}

// A scope holds the names of a unit that concern derived types.
type scope struct {
	unit     *syntax.Unit
	host     *scope
	types    map[string]*definition
	objects  map[string]*object
	own      map[string]bool           // names that the unit declares as something else, which hide those of the host
	values   map[string]*definition    // functions whose value has a derived type
	generics map[string][]*syntax.Unit // procedures of generic names
	params   []string                  // arguments, as they were declared
	result   *definition               // derived type of the value of a function; nil for others
}

// A flattener replaces the derived types of a program. It has a method for each form that may contain a component.
type flattener struct {
	units    map[string]*syntax.Unit
	visiting map[*syntax.Unit]bool // modules whose constants are being looked for
	scopes   map[*syntax.Unit]*scope
	errs     syntax.Errors
	*scope                               // of the current unit
	found    map[syntax.Expr]*definition // derived types of expressions

	before    []syntax.Stmt // to execute before the current statement
	moved     string        // why nothing can be executed before the current expression; "" if it can
	temporary int           // number of variables that were added to the unit
	added     []syntax.Spec // their declarations
	sequence  bool          // elements of arrays that are arguments may be the beginnings of arrays
}

// Flatten replaces the derived types of a program, once. It returns the errors in their use.
func Flatten(file *syntax.File) syntax.Errors {
	return file.Once(func() syntax.Errors {
		if !derived(file.Units) {
			return nil
		}
		f := &flattener{units: map[string]*syntax.Unit{}, scopes: map[*syntax.Unit]*scope{}, found: map[syntax.Expr]*definition{}, visiting: map[*syntax.Unit]bool{}}
		for _, u := range file.Units {
			f.units[u.Name] = u
		}
		for _, u := range file.Units {
			f.declared(u, nil)
		}
		for _, u := range file.Units {
			f.rewrite(u)
		}
		return f.errs
	})
}

// derived reports whether some unit has derived types.
func derived(units []*syntax.Unit) bool {
	return slices.ContainsFunc(units, func(u *syntax.Unit) bool {
		return derived(u.Contains) || slices.ContainsFunc(u.Specs, func(s syntax.Spec) bool {
			switch s := s.(type) {
			case *syntax.TypeDef:
				return true
			case *syntax.Declare:
				return s.Type != nil && s.Type.Base == syntax.StructureType
			}
			return false
		})
	})
}

func (f *flattener) fail(pos syntax.Pos, want, format string, args ...any) {
	f.errs = append(f.errs, &syntax.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want})
}

// declared returns the scope of a unit with the names that the unit declares.
func (f *flattener) declared(u *syntax.Unit, host *scope) *scope {
	if s := f.scopes[u]; s != nil {
		return s
	}
	s := &scope{
		unit: u, host: host, types: map[string]*definition{}, objects: map[string]*object{}, own: map[string]bool{}, values: map[string]*definition{},
		generics: map[string][]*syntax.Unit{},
	}
	f.scopes[u] = s
	for _, p := range u.Params {
		s.own[p.Text] = true
		s.params = append(s.params, p.Text)
	}
	for _, spec := range u.Specs {
		switch spec := spec.(type) {
		case *syntax.Use:
			f.use(s, spec)
		case *syntax.TypeDef:
			f.define(s, spec)
		case *syntax.Declare:
			f.objectsOf(s, spec)
		}
	}
	if u.Kind == syntax.Function {
		if u.Type != nil {
			f.objectsOf(s, &syntax.Declare{Pos: u.Pos, Type: u.Type, Entities: []syntax.Entity{{Name: syntax.Name{Text: u.Result, Pos: u.Pos}}}})
		}
		if o := s.objects[u.Result]; o != nil {
			o.name, s.result = valueName, o.derived
			if o.rank > 0 {
				f.fail(u.Pos, "a subroutine", "the value of the function %s is an array of a derived type: legal, but not in the subset", u.Name)
			}
		}
	}
	for _, c := range u.Contains {
		if d := f.declared(c, s).result; d != nil {
			s.values[c.Name] = d
		}
	}
	for _, spec := range u.Specs {
		if i, ok := spec.(*syntax.Interface); ok {
			f.genericsOf(s, i)
		}
	}
	return s
}

// use makes the derived types and the objects of a module known.
func (f *flattener) use(s *scope, use *syntax.Use) {
	unit := f.units[use.Module.Text]
	if unit == nil || unit.Kind != syntax.Module {
		return // reported later
	}
	m := f.declared(unit, nil)
	renamed := map[string]bool{}
	admit := func(local, name string) {
		if d := m.types[name]; d != nil {
			s.types[local] = d
		}
		if o := m.objects[name]; o != nil {
			s.objects[local] = &object{derived: o.derived, name: local, rank: o.rank}
		}
		name, local = strings.ToUpper(name), strings.ToUpper(local)
		if g := m.generics[name]; g != nil {
			s.generics[local] = append(s.generics[local], g...)
		}
		if d := m.values[name]; d != nil {
			s.values[local] = d
		}
	}
	for _, r := range use.Names {
		renamed[r.Name.Text] = true
		admit(r.Local.Text, r.Name.Text)
	}
	if use.Only {
		return
	}
	for _, names := range [][]string{slices.Sorted(maps.Keys(m.types)), slices.Sorted(maps.Keys(m.objects)), slices.Sorted(maps.Keys(m.generics)), slices.Sorted(maps.Keys(m.values))} {
		for _, n := range names {
			if !renamed[n] {
				admit(n, n)
			}
		}
	}
}

// define enters a derived type.
func (f *flattener) define(s *scope, t *syntax.TypeDef) {
	d := &definition{name: t.Text}
	for _, c := range t.Components {
		x := &component{Declare: c, Entity: c.Entities[0]}
		if d.find(x.Text) != nil {
			f.fail(x.Pos, "another name", "%s has two components %s", t.Text, x.Text)
			continue
		}
		if c.Type.Base == syntax.StructureType && c.Attrs&(syntax.AttrPointer|syntax.AttrAllocatable) != 0 {
			f.fail(x.Pos, "indices of an array instead, or components of intrinsic types", "the component %s of %s is a POINTER or ALLOCATABLE and has a derived type, as in linked lists: legal Fortran, but not in the subset", x.Text, t.Text)
			continue
		}
		if c.Type.Base == syntax.StructureType {
			if x.derived = f.typeNamed(s, c.Type.Of); x.derived == nil {
				continue
			}
		} else {
			x.settle(f.constants(s.unit))
		}
		d.components = append(d.components, x)
	}
	if len(t.Components) == 0 {
		f.fail(t.Pos, "a component, as in INTEGER :: K", "the derived type %s has no components", t.Text)
	}
	if s.types[t.Text] != nil {
		f.fail(t.Pos, "another name", "the derived type %s is defined already", t.Text)
	}
	s.types[t.Text] = d
}

// constants returns the values of the named constants of a unit and of the modules that it uses.
func (f *flattener) constants(u *syntax.Unit) map[string]syntax.Expr {
	constants := map[string]syntax.Expr{}
	for _, spec := range u.Specs {
		switch spec := spec.(type) {
		case *syntax.Use:
			m := f.units[spec.Module.Text]
			if m == nil || m.Kind != syntax.Module || m == u || f.visiting[m] {
				continue
			}
			f.visiting[m] = true
			all := f.constants(m)
			delete(f.visiting, m)
			for _, r := range spec.Names {
				if v := all[r.Name.Text]; v != nil {
					constants[r.Local.Text] = v
				}
			}
			if !spec.Only {
				for name, v := range all {
					constants[name] = v
				}
			}
		case *syntax.Declare:
			if spec.Attrs&syntax.AttrParameter != 0 {
				for _, e := range spec.Entities {
					constants[e.Text] = settled(e.Init, constants)
				}
			}
		case *syntax.Parameters:
			for k, n := range spec.Names {
				constants[n.Text] = settled(spec.Values[k], constants)
			}
		}
	}
	return constants
}

// settle replaces the named constants in the declaration of a component by their values, since units that use the type may not know them.
func (c *component) settle(constants map[string]syntax.Expr) {
	own, kind := *c.Declare, *c.Declare.Type
	kind.Kind, kind.Len = settled(kind.Kind, constants), settled(kind.Len, constants)
	own.Type = &kind
	c.Declare = &own
	c.Entity.Dims = slices.Clone(c.dims())
	for k, d := range c.Entity.Dims {
		c.Entity.Dims[k] = syntax.Dim{Lo: settled(d.Lo, constants), Hi: settled(d.Hi, constants)}
	}
	c.Entity.Len, c.Entity.Init = settled(c.Entity.Len, constants), settled(c.Entity.Init, constants)
}

func settled(x syntax.Expr, constants map[string]syntax.Expr) syntax.Expr {
	return mapped(x, func(x syntax.Expr) (syntax.Expr, bool) {
		if v, ok := x.(*syntax.Var); ok && constants[v.Text] != nil {
			return &syntax.Paren{Pos: v.Pos, X: constants[v.Text]}, true
		}
		return nil, false
	})
}

// typeNamed finds a derived type. It reports others and returns nil.
func (f *flattener) typeNamed(s *scope, n syntax.Name) *definition {
	var known []string
	for x := s; x != nil; x = x.host {
		if d := x.types[n.Text]; d != nil {
			return d
		}
		known = append(known, slices.Sorted(maps.Keys(x.types))...)
	}
	f.fail(n.Pos, nearest.Suggest("a derived type that is defined before", nearest.Names(n.Text, known)), "there is no derived type %s", n.Text)
	return nil
}

// objectsOf enters the variables that a declaration gives a derived type.
func (f *flattener) objectsOf(s *scope, d *syntax.Declare) {
	if d.Type == nil || d.Type.Base != syntax.StructureType {
		for _, e := range d.Entities {
			s.own[e.Text] = true
			if o := s.objects[e.Text]; o != nil && e.Dims != nil {
				o.rank = len(e.Dims)
			}
		}
		return
	}
	of := f.typeNamed(s, d.Type.Of)
	if of == nil {
		return
	}
	for _, e := range d.Entities {
		delete(s.own, e.Text)
		rank := len(d.Dims)
		if e.Dims != nil {
			rank = len(e.Dims)
		}
		s.objects[e.Text] = &object{derived: of, name: e.Text, rank: rank}
		for _, l := range of.leaves() {
			if d.Attrs&syntax.AttrPointer != 0 && l.Declare.Attrs&syntax.AttrAllocatable != 0 {
				f.fail(e.Pos, "a pointer to its component", "a POINTER to the derived type %s, whose component %s is ALLOCATABLE: legal, but not in the subset", of.name, l.Text)
				break
			}
			if l.Declare.Attrs&(syntax.AttrAllocatable|syntax.AttrPointer) != 0 && (rank > 0 || len(l.dims) > len(l.component.dims())) {
				f.fail(e.Pos, "a variable that is no array", "an array of the derived type %s, whose component %s is ALLOCATABLE or a POINTER: legal, but not in the subset", of.name, l.Text)
				break
			}
		}
	}
}

// object finds a variable of a derived type.
func (s *scope) object(name string) *object {
	for ; s != nil; s = s.host {
		if o := s.objects[name]; o != nil {
			return o
		}
		if s.own[name] {
			return nil
		}
	}
	return nil
}

// definition finds a derived type by its name, as a constructor has it.
func (s *scope) definition(name string) *definition {
	for ; s != nil; s = s.host {
		if d := s.types[name]; d != nil {
			return d
		}
	}
	return nil
}
