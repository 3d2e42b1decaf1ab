package structure

import (
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// expr returns an expression of an intrinsic type without derived types in it.
func (f *flattener) expr(x syntax.Expr) syntax.Expr {
	return mapped(x, func(x syntax.Expr) (syntax.Expr, bool) {
		switch e := x.(type) {
		case *syntax.Component:
			return f.component(e), true
		case *syntax.Var:
			if o := f.object(e.Text); o != nil {
				f.fail(e.Pos, "a component of it, as in "+e.Text+"%"+o.derived.components[0].Text, "%s has the derived type %s", e.Text, o.derived.name)
				return &syntax.Int{Pos: e.Pos}, true
			}
		case *syntax.Apply:
			return f.apply(e), true
		case *syntax.Unary:
			return f.operation(operator(e.Op.String()), e.Pos, e.X)
		case *syntax.Binary:
			return f.operation(operator(e.Op.String()), e.OpPos, e.X, e.Y)
		case *syntax.Defined:
			if e.X == nil {
				return f.operation(operator(e.Op), e.OpPos, e.Y)
			}
			return f.operation(operator(e.Op), e.OpPos, e.X, e.Y)
		}
		return nil, false
	})
}

func (f *flattener) args(args []syntax.Arg) []syntax.Arg { return argsMapped(args, f.expr) }

// component returns a component of an intrinsic type, or the element of one.
func (f *flattener) component(e *syntax.Component) syntax.Expr {
	if (e.Text == "RE" || e.Text == "IM") && f.value(e.X) == nil { // of a complex number, or reported later
		return &syntax.Component{X: f.expr(e.X), Name: e.Name, Args: e.Args}
	}
	p, c := f.part(e)
	if p == nil {
		return &syntax.Int{Pos: e.Pos}
	}
	if c.derived != nil {
		f.fail(e.Pos, "a component of it", "%s has the derived type %s", e.Text, c.derived.name)
		return &syntax.Int{Pos: e.Pos}
	}
	if p.many > 1 {
		f.fail(e.Pos, "its rows, one by one", "%s of an array of %d dimensions of the derived type %s, to which pointers lead: legal, but not in the subset", e.Text, p.many, p.derived.name)
		return &syntax.Int{Pos: e.Pos}
	}
	subs, n := f.args(e.Args), len(c.dims())
	if c.held() != 0 {
		return f.heldPart(p, c, e, subs)
	}
	if len(subs) == 1 && n == 0 && c.Type.Base == syntax.CharacterType {
		if s, ok := subs[0].Value.(*syntax.Section); ok {
			return &syntax.Substring{X: p.reference("%"+c.Text, nil, 0), Lo: s.Lo, Hi: s.Hi}
		}
	}
	if subs != nil && len(subs) != n {
		f.fail(e.Pos, "as many as it has dimensions", "the component %s has %d dimensions, but %d subscripts are given", e.Text, n, len(subs))
		return &syntax.Int{Pos: e.Pos}
	}
	return p.reference("%"+c.Text, subs, n)
}

// part finds the component that an expression names, and the place around it. It reports others and returns nil.
func (f *flattener) part(e *syntax.Component) (*place, *component) {
	p := f.value(e.X)
	if p == nil {
		f.fail(e.X.Position(), "a variable of a derived type", "this has no component %s", e.Text)
		return nil, nil
	}
	if c := p.derived.find(e.Text); c != nil {
		at := *p
		at.pos = e.X.Position()
		return &at, c
	}
	var known []string
	for _, c := range p.derived.components {
		known = append(known, c.Text)
	}
	f.fail(e.Pos, nearest.Suggest("a component", nearest.Names(e.Text, known)), "the derived type %s has no component %s", p.derived.name, e.Text)
	return nil, nil
}

// value returns the place of an expression of a derived type, nil for others.
func (f *flattener) value(x syntax.Expr) *place {
	switch e := x.(type) {
	case *syntax.Paren:
		return f.value(e.X)
	case *syntax.Var:
		if o := f.object(e.Text); o != nil {
			if o.alias != nil {
				return o.alias
			}
			return f.at(o, nil, e.Pos)
		}
	case *syntax.Apply:
		if o := f.object(e.Text); o != nil {
			if len(e.Args) != o.rank {
				f.fail(e.Pos, "as many as it has dimensions", "%s has %d dimensions, but %d subscripts are given", e.Text, o.rank, len(e.Args))
				return f.at(o, nil, e.Pos)
			}
			if o.alias != nil {
				return f.element(o, e)
			}
			return f.at(o, f.args(e.Args), e.Pos)
		}
		return f.built(e)
	case *syntax.Component:
		return f.inner(e)
	case *syntax.Constructor:
		if d := f.typeOf(e); d != nil {
			f.fail(e.Pos, "an array variable", "an array constructor of the derived type %s outside of assignments and declarations: legal, but not in the subset", d.name)
			return &place{derived: d, name: valueName, pos: e.Pos}
		}
	case *syntax.Unary:
		return f.operated(operator(e.Op.String()), e.Pos, e.X)
	case *syntax.Binary:
		return f.operated(operator(e.Op.String()), e.OpPos, e.X, e.Y)
	case *syntax.Defined:
		if e.X == nil {
			return f.operated(operator(e.Op), e.OpPos, e.Y)
		}
		return f.operated(operator(e.Op), e.OpPos, e.X, e.Y)
	}
	return nil
}

// inner returns the place of a component of a derived type, nil for other components.
func (f *flattener) inner(e *syntax.Component) *place {
	if !f.structured(e) {
		return nil
	}
	p, c := f.part(e)
	if p == nil || c.derived == nil {
		return nil
	}
	subs, n := f.args(e.Args), len(c.dims())
	if subs != nil && len(subs) != n {
		f.fail(e.Pos, "as many as it has dimensions", "the component %s has %d dimensions, but %d subscripts are given", e.Text, n, len(subs))
		subs = nil
	}
	if c.handles() {
		return f.leading(p, c, e, subs)
	}
	return &place{derived: c.derived, name: p.name + "%" + c.Text, rank: n + p.rank, subs: p.joined(subs, n), pos: e.X.Position(), many: p.many}
}

// typeOf returns the derived type of an expression, nil for none. It reports and executes nothing.
func (f *flattener) typeOf(x syntax.Expr) *definition {
	d, known := f.found[x]
	if !known {
		d = f.find(x)
		f.found[x] = d
	}
	return d
}

func (f *flattener) find(x syntax.Expr) *definition {
	switch e := x.(type) {
	case *syntax.Paren:
		return f.typeOf(e.X)
	case *syntax.Var:
		if o := f.object(e.Text); o != nil {
			return o.derived
		}
	case *syntax.Apply:
		if o := f.object(e.Text); o != nil {
			return o.derived
		}
		if d := f.definition(e.Text); d != nil {
			return d
		}
		return f.valueOf(e).result
	case *syntax.Constructor:
		if len(e.Items) == 0 || e.Type != nil && e.Type.Base != syntax.StructureType {
			return nil
		}
		return f.typeOf(e.Items[0])
	case *syntax.ImpliedDo:
		return f.typeOf(e.Items[0])
	case *syntax.Component:
		if d := f.typeOf(e.X); d != nil {
			if c := d.find(e.Text); c != nil {
				return c.derived
			}
		}
	case *syntax.Unary:
		return f.operationType(operator(e.Op.String()), e.X)
	case *syntax.Binary:
		return f.operationType(operator(e.Op.String()), e.X, e.Y)
	case *syntax.Defined:
		if e.X == nil {
			return f.operationType(operator(e.Op), e.Y)
		}
		return f.operationType(operator(e.Op), e.X, e.Y)
	}
	return nil
}

func (f *flattener) structured(x syntax.Expr) bool { return f.typeOf(x) != nil }

func operator(op string) string { return "OPERATOR(" + strings.ToUpper(op) + ")" }

// apply returns an element, or a call with the components of its arguments.
func (f *flattener) apply(e *syntax.Apply) syntax.Expr {
	if f.structured(e) {
		f.fail(e.Pos, "a component of it", "%s has a derived type", e.Text)
		return &syntax.Int{Pos: e.Pos}
	}
	if len(e.Args) > 0 && f.structured(e.Args[0].Value) && slices.Contains([]string{"SIZE", "LBOUND", "UBOUND", "SHAPE", "ALLOCATED", "ASSOCIATED", "PRESENT"}, e.Text) {
		if f.typeOf(e.Args[0].Value).pool != "" {
			return f.inquiry(e)
		}
		args := slices.Clone(e.Args[1:])
		for k := range args {
			if !f.structured(args[k].Value) {
				args[k].Value = f.expr(args[k].Value)
			}
		}
		if p := f.value(e.Args[0].Value); p != nil {
			for _, l := range p.derived.leaves() {
				if len(l.around()) == 0 && (l.held() == 0 || p.rank > 0) {
					if e.Text == "ASSOCIATED" && len(e.Args) == 2 && f.structured(e.Args[1].Value) {
						if t := f.value(e.Args[1].Value); t != nil && t.derived == p.derived {
							args[0].Value = t.leaf(l)
						}
					}
					return &syntax.Apply{Name: e.Name, Args: append([]syntax.Arg{{Value: p.leaf(l)}}, args...)}
				}
			}
			f.fail(e.Pos, "a component without dimensions", "%s of an array of the derived type %s, which has arrays only", e.Text, p.derived.name)
		}
		return &syntax.Int{Pos: e.Pos}
	}
	for _, a := range e.Args {
		if slices.Contains(moving, e.Text) && f.structured(a.Value) && f.procedure(f.scope, e.Text) == nil {
			f.fail(e.Pos, "one of its components", "%s of a value of a derived type: legal, but not in the subset", e.Text)
			return &syntax.Int{Pos: e.Pos}
		}
	}
	return &syntax.Apply{Name: syntax.Name{Text: f.spoken(e.Text, e.Args), Pos: e.Pos}, Args: f.arguments(e.Text, e.Args)}
}

// moving lists the intrinsic functions that return values of derived types.
var moving = []string{"TRANSFER", "CSHIFT", "EOSHIFT", "MERGE", "RESHAPE", "SPREAD", "PACK", "UNPACK", "TRANSPOSE"}

// arguments is spread for a procedure. An array may begin at an element that is an argument (sequence association), so that the first element of a component
// stands for the component; a generic procedure is chosen by the rank of the component.
func (f *flattener) arguments(name string, args []syntax.Arg) []syntax.Arg {
	args = f.withNulls(name, args)
	if f.specific(name, args) != nil {
		return f.spread(args)
	}
	f.sequence = true
	defer func() { f.sequence = false }()
	return f.spread(args)
}

// spread replaces arguments of derived types by their components.
func (f *flattener) spread(args []syntax.Arg) []syntax.Arg {
	if args == nil {
		return nil
	}
	out := []syntax.Arg{}
	for _, a := range args {
		if a.Value == nil || !f.structured(a.Value) {
			out = append(out, syntax.Arg{Keyword: a.Keyword, Value: f.expr(a.Value)})
			continue
		}
		sequence := f.sequence
		f.sequence = false
		p := f.value(a.Value)
		f.sequence = sequence
		if p == nil {
			continue
		}
		if p.handles != nil {
			out = append(out, syntax.Arg{Keyword: a.Keyword, Value: p.handles})
			continue
		}
		for _, l := range p.derived.leaves() {
			key := ""
			if a.Keyword != "" {
				key = a.Keyword + l.path
			}
			x := p.leaf(l)
			if sequence && p.subs != nil && !p.array() {
				x = p.begin(l)
			}
			out = append(out, syntax.Arg{Keyword: key, Value: x})
		}
	}
	return out
}
