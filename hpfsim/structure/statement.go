package structure

import (
	"fmt"
	"slices"

	"whorl/hpfsim/syntax"
)

// statements replaces the derived types in statements.
func (f *flattener) statements(body []syntax.Stmt) []syntax.Stmt {
	var out []syntax.Stmt
	for _, s := range body {
		before := f.before
		f.before = nil
		all := f.statement(s)
		all = append(f.before, all...)
		f.before = before
		if label := s.Label(); label != 0 && len(all) > 0 && all[0] != s {
			for _, x := range all {
				x.(interface{ Relabel(int) }).Relabel(0)
			}
			all[0].(interface{ Relabel(int) }).Relabel(label)
		}
		out = append(out, all...)
	}
	return out
}

// fixedTo calls do, during which no statement can be added before the current one: values of derived types that need this are errors, which name
// where.
func (f *flattener) fixedTo(where string, do func()) {
	was := f.moved
	f.moved = where
	do()
	f.moved = was
}

func (f *flattener) control(c syntax.Control) syntax.Control { return controlMapped(c, f.expr) }

func (f *flattener) statement(s syntax.Stmt) []syntax.Stmt {
	switch s := s.(type) {
	case *syntax.Assign:
		return f.assign(s)
	case *syntax.Scope:
		f.blockConstruct(s)
	case *syntax.Association:
		return f.association(s)
	case *syntax.PointerAssign:
		return f.associate(s)
	case *syntax.Nullify:
		return f.nullify(s)
	case *syntax.If:
		for k := range s.Arms {
			a := &s.Arms[k]
			if k == 0 {
				a.Cond = f.expr(a.Cond)
			} else {
				f.fixedTo("in ELSE IF", func() { a.Cond = f.expr(a.Cond) })
			}
			a.Body = f.statements(a.Body)
		}
	case *syntax.ArithmeticIf:
		s.Value = f.expr(s.Value)
	case *syntax.Do:
		f.independent(s.Independent)
		if s.Count != nil {
			c := f.control(*s.Count)
			s.Count = &c
		}
		f.fixedTo("in DO WHILE", func() { s.While = f.expr(s.While) })
		s.Body = f.statements(s.Body)
	case *syntax.On:
		f.fixedTo("in ON", func() { s.Home = f.expr(s.Home) })
		s.Body = f.statements(s.Body)
	case *syntax.Select:
		s.Value = f.expr(s.Value)
		for k := range s.Cases {
			s.Cases[k].Body = f.statements(s.Cases[k].Body)
		}
	case *syntax.Where:
		f.fixedTo("in WHERE", func() {
			for k := range s.Arms {
				s.Arms[k].Mask = f.expr(s.Arms[k].Mask)
				s.Arms[k].Body = f.statements(s.Arms[k].Body)
			}
		})
	case *syntax.Forall:
		f.independent(s.Independent)
		f.fixedTo("in FORALL", func() {
			for k := range s.Indices {
				s.Indices[k] = f.control(s.Indices[k])
			}
			s.Mask = f.expr(s.Mask)
			s.Body = f.statements(s.Body)
		})
	case *syntax.Entry:
		for _, p := range s.Unit.Params {
			if o := f.object(p.Text); o != nil {
				f.fail(p.Pos, "a procedure of its own", "an argument of an ENTRY has the derived type %s: legal, but not in the subset", o.derived.name)
			}
		}
	case *syntax.Goto:
		s.Value = f.expr(s.Value)
	case *syntax.Call:
		if moved := f.movedHandle(s); moved != nil {
			return moved
		}
		s.Proc.Text, s.Args = f.spoken(s.Proc.Text, s.Args), f.arguments(s.Proc.Text, s.Args)
	case *syntax.Return:
		s.Number = f.expr(s.Number)
	case *syntax.Stop:
		s.Code = f.expr(s.Code)
	case *syntax.Write:
		f.io(&s.IO)
	case *syntax.Read:
		f.io(&s.IO)
	case *syntax.FileStmt:
		s.Unit = f.expr(s.Unit)
		f.specifiers(s.Specs)
		s.Items = f.items(s.Items)
	case *syntax.Allocate:
		return append([]syntax.Stmt{s}, f.allocate(s)...)
	case *syntax.Deallocate:
		f.deallocate(s)
	case *syntax.Redistribute:
		for _, n := range s.Arrays {
			if o := f.object(n.Text); o != nil {
				f.fail(n.Pos, "its components", "REDISTRIBUTE of an array of the derived type %s: legal, but not in the subset", o.derived.name)
			}
		}
	}
	return []syntax.Stmt{s}
}

// allDummies is dummies for variables of hosts too.
func (f *flattener) allDummies(names []syntax.Name) []syntax.Name {
	var out []syntax.Name
	for _, n := range names {
		o := f.object(n.Text)
		if o == nil {
			out = append(out, n)
			continue
		}
		for _, name := range o.derived.names(f.variable(o)) {
			out = append(out, syntax.Name{Text: name, Pos: n.Pos})
		}
	}
	return out
}

func (f *flattener) independent(d *syntax.Independent) {
	if d != nil {
		d.New, d.Reduction = f.allDummies(d.New), f.allDummies(d.Reduction)
	}
}

// assign replaces an assignment to a variable of a derived type by one for each component.
func (f *flattener) assign(s *syntax.Assign) []syntax.Stmt {
	left, right := f.typeOf(s.Left), f.typeOf(s.Right)
	if left == nil && right == nil {
		f.changes(s.Left)
		s.Left, s.Right = f.expr(s.Left), f.expr(s.Right)
		return []syntax.Stmt{s}
	}
	const generic = "ASSIGNMENT(=)"
	if sides := operands([]syntax.Expr{s.Left, s.Right}); f.specific(generic, sides) != nil {
		return []syntax.Stmt{&syntax.Call{Head: s.Head, Proc: syntax.Name{Text: f.spoken(generic, sides), Pos: s.Pos}, Args: f.spread(sides)}}
	}
	if left != right {
		named := func(d *definition) string {
			if d == nil {
				return "an intrinsic type"
			}
			return "the derived type " + d.name
		}
		f.fail(s.Pos, named(left), "a variable of %s gets a value of %s", named(left), named(right))
		return nil
	}
	f.changes(s.Left)
	to := f.value(s.Left)
	if to == nil {
		return nil
	}
	if to.many > 1 {
		f.fail(s.Pos, "its rows, one by one", "an assignment to an array of %d dimensions of the derived type %s, to which pointers lead: legal, but not in the subset", to.many, to.derived.name)
		return nil
	}
	var fit []syntax.Stmt // allocates the left side
	values, several := f.composed(s.Right), false
	if _, ok := s.Right.(*syntax.Constructor); ok {
		several = true
	}
	apart := !several && to.array() && slices.ContainsFunc(to.derived.leaves(), func(l leaf) bool { return len(l.dims) > 0 && l.held() == 0 }) // a scalar may be the value of all of an array
	if values == nil || apart || uses(values, to.name) {
		from := f.value(s.Right)
		if from == nil {
			f.fail(s.Right.Position(), "values that are computed before", "an array of the derived type %s is made of itself: legal, but not in the subset", to.derived.name)
			return nil
		}
		if f.allocates(s.Left) && (from.many == to.many) {
			fit = f.fit(s.Head, to, from)
		}
		f.copying = append(f.copying, to.derived)
		out := append(fit, f.copied(s.Head, to, from)...)
		f.copying = f.copying[:len(f.copying)-1]
		return out
	}
	var out []syntax.Stmt
	if f.allocates(s.Left) && to.many == 0 {
		out = f.fit(s.Head, to, to)
	}
	for _, l := range to.derived.leaves() {
		v := values[l.path]
		if v != nil && l.owner() {
			out = append(out, freed(s.Head, f.target(l.derived, to.leaf(l), len(l.component.dims()))))
			continue
		}
		if v != nil && l.held() != 0 {
			out = append(out, f.assignHeld(s.Head, to, l, v, false)...)
			continue
		}
		if v != nil && !several {
			v = to.repeated(l, v)
		}
		if v != nil {
			out = append(out, &syntax.Assign{Head: s.Head, Left: to.leaf(l), Right: v})
		}
	}
	return out
}

// wholes returns the components of a variable of a derived type, and other variables themselves.
func (f *flattener) wholes(x syntax.Expr) []syntax.Expr {
	if !f.structured(x) {
		return []syntax.Expr{f.expr(x)}
	}
	var out []syntax.Expr
	if p := f.value(x); p != nil && p.handles != nil {
		out = append(out, p.handles)
	} else if p != nil {
		for _, l := range p.derived.leaves() {
			out = append(out, p.leaf(l))
		}
	}
	return out
}

// associate associates each component of a pointer to a derived type with that of its target.
func (f *flattener) associate(s *syntax.PointerAssign) []syntax.Stmt {
	if !f.structured(s.Left) {
		f.kept(s.Right)
		if a, ok := s.Right.(*syntax.Apply); !ok || a.Text != "NULL" {
			s.Right = f.expr(s.Right)
		}
		s.Left = f.expr(s.Left)
		return []syntax.Stmt{s}
	}
	if f.typeOf(s.Left).pool != "" {
		return f.associateHandles(s)
	}
	to := f.wholes(s.Left)
	if a, ok := s.Right.(*syntax.Apply); ok && a.Text == "NULL" {
		return []syntax.Stmt{&syntax.Nullify{Head: s.Head, Pointers: to}}
	}
	if left, right := f.typeOf(s.Left), f.typeOf(s.Right); left != right {
		f.fail(s.Right.Position(), "a variable of the derived type "+left.name, "the target of a pointer to %s has another type", left.name)
		return nil
	}
	from := f.wholes(s.Right)
	var out []syntax.Stmt
	for k := range min(len(to), len(from)) {
		out = append(out, &syntax.PointerAssign{Head: s.Head, Left: to[k], Right: from[k]})
	}
	return out
}

func (f *flattener) io(s *syntax.IO) {
	s.Unit, s.Dynamic = f.expr(s.Unit), f.expr(s.Dynamic)
	f.specifiers(s.Specs)
	s.Items = f.items(s.Items)
}

func (f *flattener) specifiers(all []syntax.Specifier) {
	for k := range all {
		all[k].Value = f.expr(all[k].Value)
	}
}

// items replaces values of derived types in a list of input or output by their components.
func (f *flattener) items(list []syntax.Expr) []syntax.Expr {
	var out []syntax.Expr
	for _, x := range list {
		if d, ok := x.(*syntax.ImpliedDo); ok {
			f.fixedTo("in an implied loop", func() {
				out = append(out, &syntax.ImpliedDo{Pos: d.Pos, Items: f.items(d.Items), Control: f.control(d.Control)})
			})
			continue
		}
		if !f.structured(x) {
			out = append(out, f.expr(x))
			continue
		}
		if p := f.value(x); p != nil {
			f.shown(p)
			out = append(out, f.each(p)...)
		}
	}
	return out
}

// each returns the components of a value, those of an array element by element.
func (f *flattener) each(p *place) []syntax.Expr {
	if !p.array() {
		var out []syntax.Expr
		for _, l := range p.derived.leaves() {
			out = append(out, p.leaf(l))
		}
		return out
	}
	if _, ok := p.handles.(*syntax.Selected); ok && p.many > 0 {
		f.fail(p.pos, "its elements, one by one", "an array of objects of the type %s, to which pointers lead, in a list: legal, but not in the subset", p.derived.name)
		return nil
	} else if p.many > 0 {
		p = p.numbers()
	}
	subs := p.subs
	if subs == nil {
		subs = sections(p.rank, p.pos)
	}
	k := len(subs) - 1
	for ; ; k-- { // the last dimension varies slowest
		if _, ok := subs[k].Value.(*syntax.Section); ok {
			break
		}
	}
	section := subs[k].Value.(*syntax.Section)
	f.temporary++
	i := syntax.Name{Text: fmt.Sprintf("INDEX%%%d", f.temporary), Pos: p.pos}
	f.added = append(f.added, &syntax.Declare{Pos: p.pos, Type: &syntax.Type{Pos: p.pos, Base: syntax.IntegerType}, Entities: []syntax.Entity{{Name: i}}})
	one := append([]syntax.Arg(nil), subs...)
	one[k].Value = &syntax.Var{Name: i}
	loop := &syntax.ImpliedDo{Pos: p.pos, Items: f.each(f.at(&object{derived: p.derived, name: p.name, rank: p.rank}, one, p.pos))}
	loop.Control = syntax.Control{Var: i, Lo: section.Lo, Hi: section.Hi, Step: section.Step}
	if loop.Lo == nil {
		loop.Lo = f.bound("LBOUND", p, k)
	}
	if loop.Hi == nil {
		loop.Hi = f.bound("UBOUND", p, k)
	}
	return []syntax.Expr{loop}
}

// bound returns a bound of dimension k of an array of a derived type.
func (f *flattener) bound(function string, p *place, k int) syntax.Expr {
	name, own := p.name, 0
	if p.derived.pool == "" {
		l := p.derived.leaves()[0]
		name, own = p.name+l.path, len(l.around())
	}
	whole := &syntax.Var{Name: syntax.Name{Text: name, Pos: p.pos}}
	dim := &syntax.Int{Pos: p.pos, Value: int64(own + k + 1)}
	return &syntax.Apply{Name: syntax.Name{Text: function, Pos: p.pos}, Args: []syntax.Arg{{Value: whole}, {Value: dim}}}
}
