// Package structure replaces derived types in the source of a program. Each component of a variable becomes a variable of its own, named as the
// program writes it. A component of an array of a derived type becomes an array whose first dimensions are those of the component. Later steps know
// no derived types: they map, distribute and compile these variables like all others.
//
// Objects to which components lead are in pools (pool.go), and a reference to one of them is an integer. In an array, a component that is ALLOCATABLE
// or a POINTER is an array of arrays (held.go).
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
)

// An object is a variable of a derived type.
type object struct {
	derived *definition
	name    string
	rank    int
	attrs   syntax.Attr
	intent  string
	alias   *place  // the place that a name of ASSOCIATE stands for; nil for other names
	origin  *object // the object of a module that the name stands for; nil for others
	global  string  // the variable of the module of pools that holds the handles; "" for none
}

// A scope holds the names of a unit that concern derived types.
type scope struct {
	unit     *syntax.Unit
	host     *scope
	types    map[string]*definition
	objects  map[string]*object
	own      map[string]bool           // names that the unit declares as something else, which hide those of the host
	values   map[string]result         // functions whose value has a derived type
	generics map[string][]*syntax.Unit // procedures of generic names
	params   []string                  // arguments, as they were declared
	saved    bool                      // all variables keep their values
	result
}

// A result is the value of a function.
type result struct {
	result  *definition // its derived type; nil for others
	pointer bool
}

// A flattener replaces the derived types of a program. It has a method for each form that may contain a component.
type flattener struct {
	units    map[string]*syntax.Unit
	visiting map[*syntax.Unit]bool // modules whose constants are being looked for
	all      []*definition         // in the order of the source
	statics  []syntax.Spec         // variables of the module of pools
	start    []syntax.Stmt         // statements that make them
	scopes   map[*syntax.Unit]*scope
	errs     syntax.Errors
	*scope                               // of the current unit
	found    map[syntax.Expr]*definition // derived types of expressions

	before    []syntax.Stmt   // to execute before the current statement
	moved     string          // why nothing can be executed before the current expression; "" if it can
	temporary int             // number of variables that were added to the unit
	added     []syntax.Spec   // their declarations
	locals    []syntax.Pooled // variables of the unit whose targets end with a call
	early     []syntax.Pooled // those of them that exist when the call begins
	copying   []*definition   // types whose objects the assignment that is being replaced copies
	sequence  bool            // elements of arrays that are arguments may be the beginnings of arrays
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
		f.pools()
		for _, u := range file.Units {
			f.rewrite(u)
		}
		f.withPools(file)
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
		unit: u, host: host, types: map[string]*definition{}, objects: map[string]*object{}, own: map[string]bool{}, values: map[string]result{},
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
		}
	}
	for _, spec := range u.Specs {
		switch spec := spec.(type) {
		case *syntax.TypeDef:
			f.complete(s, spec)
		case *syntax.Declare:
			f.objectsOf(s, spec)
		}
	}
	if u.Kind == syntax.Function {
		if u.Type != nil {
			f.objectsOf(s, &syntax.Declare{Pos: u.Pos, Type: u.Type, Entities: []syntax.Entity{{Name: syntax.Name{Text: u.Result, Pos: u.Pos}}}})
		}
		if o := s.objects[u.Result]; o != nil {
			s.result = result{o.derived, o.attrs&syntax.AttrPointer != 0}
			if s.pointer {
				o.derived.linked = true
			} else {
				o.name = valueName
			}
			if o.rank > 0 {
				f.fail(u.Pos, "a subroutine", "the value of the function %s is an array of a derived type: legal, but not in the subset", u.Name)
			}
		}
	}
	for _, c := range u.Contains {
		if r := f.declared(c, s).result; r.result != nil {
			s.values[c.Name] = r
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
			x := *o
			x.name = local
			if x.origin == nil {
				x.origin = o
			}
			s.objects[local] = &x
		}
		name, local = strings.ToUpper(name), strings.ToUpper(local)
		if g := m.generics[name]; g != nil {
			s.generics[local] = append(s.generics[local], g...)
		}
		if r, ok := m.values[name]; ok {
			s.values[local] = r
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

// objectsOf enters the variables that a declaration gives a derived type.
func (f *flattener) objectsOf(s *scope, d *syntax.Declare) {
	if d.Type == nil || d.Type.Base != syntax.StructureType {
		for _, e := range d.Entities {
			s.own[e.Text] = true
			if o := s.objects[e.Text]; o != nil {
				o.attrs |= d.Attrs
				if d.Intent != "" {
					o.intent = d.Intent
				}
				if e.Dims != nil {
					o.rank = len(e.Dims)
				}
			}
		}
		s.saved = s.saved || len(d.Entities) == 0 && d.Attrs&syntax.AttrSave != 0
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
		o := &object{derived: of, name: e.Text, rank: rank, attrs: d.Attrs, intent: d.Intent}
		if e.Init != nil {
			o.attrs |= syntax.AttrSave
		}
		s.objects[e.Text] = o
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
