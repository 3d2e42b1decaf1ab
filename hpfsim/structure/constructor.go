package structure

import (
	"fmt"
	"strings"

	"whorl/hpfsim/syntax"
)

// built returns the place of the value of a constructor or a function, nil for other calls.
func (f *flattener) built(e *syntax.Apply) *place {
	if d := f.definition(e.Text); d != nil {
		t := f.temporaryOf(d, e.Pos)
		f.construct(t, e)
		return t
	}
	if d := f.typeOf(e); d != nil {
		n := syntax.Name{Text: f.spoken(e.Text, e.Args), Pos: e.Pos}
		if f.valueOf(e).pointer {
			return f.target(d, &syntax.Apply{Name: n, Args: f.arguments(e.Text, e.Args)}, 0)
		}
		return f.called(d, n, e.Text, e.Args)
	}
	return nil
}

// composed returns the values of the components of a constructor, or of an array constructor of constructors, by path. It returns nil for other
// expressions.
func (f *flattener) composed(x syntax.Expr) map[string]syntax.Expr {
	d := f.typeOf(x)
	if d == nil {
		return nil
	}
	switch e := x.(type) {
	case *syntax.Paren:
		return f.composed(e.X)
	case *syntax.Apply:
		if f.object(e.Text) != nil || f.definition(e.Text) != d {
			return nil
		}
		out := map[string]syntax.Expr{}
		f.initialize(&place{derived: d, pos: e.Pos}, e, func(to, value syntax.Expr) {
			out[to.(*syntax.Var).Text] = value
		}, func(to *place, value syntax.Expr) {
			for path, v := range f.parts(value) {
				out[to.name+path] = v
			}
		})
		return out
	case *syntax.Constructor:
		out := map[string]syntax.Expr{}
		items := f.listed(e.Items)
		for _, l := range d.leaves() {
			if len(l.dims) > 0 {
				f.fail(e.Pos, "components without dimensions", "an array constructor of the derived type %s, whose component %s is an array: legal, but not in the subset", d.name, l.Text)
				return out
			}
			c := &syntax.Constructor{Pos: e.Pos}
			for _, i := range items {
				c.Items = append(c.Items, i[l.path])
			}
			out[l.path] = c
		}
		return out
	}
	return nil
}

// parts returns the components of a value of a derived type by path.
func (f *flattener) parts(x syntax.Expr) map[string]syntax.Expr {
	if all := f.composed(x); all != nil {
		return all
	}
	out := map[string]syntax.Expr{}
	if p := f.value(x); p != nil {
		for _, l := range p.derived.leaves() {
			out[l.path] = p.leaf(l)
		}
	}
	return out
}

// listed returns the components of the items of an array constructor.
func (f *flattener) listed(items []syntax.Expr) []map[string]syntax.Expr {
	var out []map[string]syntax.Expr
	for _, x := range items {
		d, ok := x.(*syntax.ImpliedDo)
		if !ok {
			out = append(out, f.parts(x))
			continue
		}
		f.fixedTo("in an implied loop", func() {
			all := map[string]syntax.Expr{}
			for _, i := range f.listed(d.Items) {
				for path, v := range i {
					loop, _ := all[path].(*syntax.ImpliedDo)
					if loop == nil {
						loop = &syntax.ImpliedDo{Pos: d.Pos, Control: f.control(d.Control)}
						all[path] = loop
					}
					loop.Items = append(loop.Items, v)
				}
			}
			out = append(out, all)
		})
	}
	return out
}

// uses reports whether some values read a variable or its components.
func uses(values map[string]syntax.Expr, name string) bool {
	found := false
	for _, v := range values {
		mapped(v, func(x syntax.Expr) (syntax.Expr, bool) {
			switch e := x.(type) {
			case *syntax.Var:
				found = found || strings.HasPrefix(e.Text, name+"%")
			case *syntax.Apply:
				found = found || strings.HasPrefix(e.Text, name+"%")
			}
			return nil, false
		})
	}
	return found
}

// called executes a function whose value has a derived type before the statement.
func (f *flattener) called(d *definition, n syntax.Name, name string, args []syntax.Arg) *place {
	all := f.spread(f.withNulls(name, args))
	t := f.temporaryOf(d, n.Pos)
	if t.handles != nil {
		all = append(all, syntax.Arg{Keyword: valueName, Value: t.handles})
	}
	for _, l := range d.leaves() {
		if t.handles != nil {
			break
		}
		all = append(all, syntax.Arg{Keyword: valueName + l.path, Value: t.leaf(l)})
	}
	f.first(&syntax.Call{Head: syntax.Head{Pos: n.Pos, To: n.Pos}, Proc: n, Args: all}, n.Pos)
	return t
}

// first has a statement executed before the current one.
func (f *flattener) first(s syntax.Stmt, pos syntax.Pos) {
	if f.moved != "" {
		f.fail(pos, "a variable that gets the value before", "a value of a derived type is computed %s: legal, but not in the subset", f.moved)
		return
	}
	f.before = append(f.before, s)
}

// construct assigns the values of a constructor to the components of a place.
func (f *flattener) construct(p *place, e *syntax.Apply) {
	f.initialize(p, e, func(to, value syntax.Expr) {
		if l := p.leafOf(to); l != nil && l.owner() {
			f.first(freed(headAt(e.Pos), f.target(l.derived, to, len(l.component.dims()))), e.Pos)
			return
		} else if l != nil && l.held() != 0 {
			for _, s := range f.assignHeld(headAt(e.Pos), p, *l, value, false) {
				f.first(s, e.Pos)
			}
			return
		}
		f.first(&syntax.Assign{Head: headAt(e.Pos), Left: to, Right: value}, e.Pos)
	}, func(to *place, value syntax.Expr) {
		if from := f.value(value); from != nil {
			for _, s := range f.copied(headAt(e.Pos), to, from) {
				f.first(s, e.Pos)
			}
		}
	})
}

// initialize calls put for each component of an intrinsic type, and each handle, with its value in a constructor, and copied for values of derived types that are no constructors.
func (f *flattener) initialize(p *place, e *syntax.Apply, put func(to, value syntax.Expr), copied func(to *place, value syntax.Expr)) {
	given := map[string]syntax.Expr{}
	for k, a := range e.Args {
		name := a.Keyword
		if name == "" && k < len(p.derived.components) {
			name = p.derived.components[k].Text
		}
		if p.derived.find(name) == nil || given[name] != nil {
			wrong := "too many values"
			if name != "" {
				wrong = "no component " + name + ", or two values for it"
			}
			f.fail(e.Pos, fmt.Sprintf("a value for each of its %d components", len(p.derived.components)), "the constructor of %s has %s", p.derived.name, wrong)
			return
		}
		given[name] = a.Value
	}
	for _, c := range p.derived.components {
		x, n := given[c.Text], len(c.dims())
		if x == nil {
			x = c.Init
		}
		if x == nil && c.handles() {
			x = null(e.Pos)
		}
		switch {
		case c.owner() && !isNull(x):
			f.fail(x.Position(), "an assignment to the component", "a constructor gives %s a value, which is ALLOCATABLE and has a derived type: legal, but not in the subset", c.Text)
		case c.owner(), c.handles() && !c.link() && isNull(x):
			put(p.reference("%"+c.Text, nil, n), null(e.Pos))
		case x == nil:
			f.fail(e.Pos, "a value for each component", "the constructor of %s has no value for %s", p.derived.name, c.Text)
		case c.handles():
			put(p.reference("%"+c.Text, nil, n), f.handle(x, c.derived))
		case c.derived == nil:
			put(p.reference("%"+c.Text, nil, n), f.expr(x))
		default:
			to := &place{derived: c.derived, name: p.name + "%" + c.Text, rank: n + p.rank, subs: p.joined(nil, n), pos: p.pos, many: p.many}
			if inner, ok := x.(*syntax.Apply); ok && f.definition(inner.Text) == c.derived && n == 0 {
				f.initialize(to, inner, put, copied)
			} else {
				copied(to, x)
			}
		}
	}
}

// temporaryOf adds a variable to the unit.
func (f *flattener) temporaryOf(d *definition, pos syntax.Pos) *place {
	f.temporary++
	name := fmt.Sprintf("VALUE%%%d", f.temporary)
	if d.pool != "" {
		return f.localTarget(d, name, pos)
	}
	p := &place{derived: d, name: name, pos: pos}
	f.added = append(f.added, declarations(p.name, pos, d, &syntax.Declare{Pos: pos}, nil)...)
	return p
}
