package structure

import (
	"maps"
	"slices"

	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// A definition is a derived type.
type definition struct {
	name       string
	pos        syntax.Pos
	components []*component
	complete   bool   // its components are known
	linked     bool   // pointers of components, or values of functions, lead to its objects
	pool       string // the name of the pool that holds its objects; "" for none
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

// define enters the name of a derived type.
func (f *flattener) define(s *scope, t *syntax.TypeDef) {
	if s.types[t.Text] != nil {
		f.fail(t.Pos, "another name", "the derived type %s is defined already", t.Text)
		return
	}
	s.types[t.Text] = &definition{name: t.Text, pos: t.Pos}
}

// complete finds the components of a derived type.
func (f *flattener) complete(s *scope, t *syntax.TypeDef) {
	d := s.types[t.Text]
	if d.complete {
		return
	}
	f.all = append(f.all, d)
	for _, c := range t.Components {
		x := &component{Declare: c, Entity: c.Entities[0]}
		if d.find(x.Text) != nil {
			f.fail(x.Pos, "another name", "%s has two components %s", t.Text, x.Text)
			continue
		}
		if c.Type.Base != syntax.StructureType {
			x.settle(f.constants(s.unit))
			d.components = append(d.components, x)
			continue
		}
		switch of := f.typeNamed(s, c.Type.Of); {
		case of == nil:
			continue
		case c.Attrs&leads != 0:
			of.linked = true
			x.derived = of
		case !of.complete:
			f.fail(c.Type.Of.Pos, "a derived type that is defined before, or a POINTER", "there is no derived type %s", of.name)
			continue
		default:
			x.derived = of
		}
		d.components = append(d.components, x)
	}
	if len(t.Components) == 0 {
		f.fail(t.Pos, "a component, as in INTEGER :: K", "the derived type %s has no components", t.Text)
	}
	d.complete = true
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

// definition finds a derived type by its name, as a constructor has it.
func (s *scope) definition(name string) *definition {
	for ; s != nil; s = s.host {
		if d := s.types[name]; d != nil {
			return d
		}
	}
	return nil
}
