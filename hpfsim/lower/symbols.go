package lower

import (
	"fmt"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
)

// symbols declares the names of a module and of the procedures in it.
func (l *lowerer) symbols(u *Unit) {
	l.unitSymbols(u)
	for _, inner := range u.inner {
		l.symbols(inner)
	}
	if u.Kind == syntax.Module {
		l.accessible(u)
	}
}

// unitSymbols declares the names of a unit.
func (l *lowerer) unitSymbols(u *Unit) {
	l.unit = u
	for c := range u.rules {
		u.rules[c] = Real
		if c >= 'I'-'A' && c <= 'N'-'A' {
			u.rules[c] = Integer
		}
	}
	if u.Host != nil {
		u.rules, u.strict = u.Host.rules, u.Host.strict
	}
	for _, s := range u.Specs {
		if im, ok := s.(*syntax.Implicit); ok {
			l.implicitRules(im)
		}
	}
	l.imports(u)
	l.accesses(u)
	for _, inner := range u.inner {
		if s := u.used[inner.Name]; s != nil {
			l.fail(inner.Pos, "another name, or USE with ONLY", "%s is declared here and in the module %s, which this unit uses", inner.Name, s.module())
		}
		u.names[inner.Name] = procedure(inner)
	}
	for i, p := range u.Unit.Params {
		s := l.fresh(p)
		s.Dummy = i + 1
		s.Optional = i >= len(u.Unit.Params)-u.hidden
		u.Params = append(u.Params, s)
	}
	if u.Kind == syntax.Function {
		name := u.Result
		delete(u.names, u.Name)
		s := l.fresh(syntax.Name{Text: name, Pos: u.Pos})
		if u.Type != nil {
			s.Type, s.Length = l.typeOf(u.Type)
			l.leads(s, u.Type)
			s.typed = true
		}
		u.Out = s
	}
	l.boxes(u, u.Specs)
	for _, s := range u.Specs {
		l.spec(s)
	}
	l.box(u)
	l.sameResults(u)
	for _, s := range u.Symbols {
		if u.strict && !s.typed && s.Class == Variable && s.Proc == nil && s.Native == nil && s.Pos.File != "" {
			l.undeclared(syntax.Name{Text: s.Name, Pos: s.Pos})
		}
	}
	l.places(u)
	for _, s := range u.Symbols {
		l.pointers(s)
	}
	for _, s := range u.Specs {
		if d, ok := s.(*syntax.Data); ok {
			l.data(d)
		}
	}
}

// fresh enters a name that must be new.
func (l *lowerer) fresh(n syntax.Name) *Symbol {
	if old := l.unit.names[n.Text]; old != nil && old.Class != Procedure {
		l.fail(n.Pos, "another name", "%s is an argument twice", n.Text)
		return old
	}
	return l.add(n)
}

func (l *lowerer) implicitRules(s *syntax.Implicit) {
	l.unit.strict = s.Rules == nil
	for _, r := range s.Rules {
		t, _ := l.typeOf(r.Type)
		for _, span := range r.Ranges {
			for c := span[0]; c <= span[1]; c++ {
				l.unit.rules[c-'A'] = t
			}
		}
	}
}

// kindsOf lists the kinds of types. COMPLEX*16 has 16 bytes, as its old form says.
var kindsOf = map[syntax.BaseType][]int64{
	syntax.IntegerType: {1, 2, 4, 8}, syntax.LogicalType: {1, 2, 4, 8}, syntax.RealType: {4, 8}, syntax.DoubleType: {8}, syntax.ComplexType: {4, 8, 16},
}

// typeOf resolves a type and the length of characters.
func (l *lowerer) typeOf(t *syntax.Type) (Type, Expr) {
	out := Type{Base: t.Base}
	size := 0
	if t.Kind != nil {
		v, ok := l.constInt(t.Kind, "the kind of a type")
		if !ok {
			v = 4
		}
		size = int(v)
		if kinds := kindsOf[t.Base]; ok && !slices.Contains(kinds, v) {
			l.fail(t.Kind.Position(), "one of "+strings.Trim(fmt.Sprint(kinds), "[]"), "there is no %v of the kind %d", t.Base, v)
		}
	}
	switch t.Base {
	case syntax.IntegerType, syntax.LogicalType:
		out.Size = 4
		if size == 1 || size == 2 || size == 8 {
			out.Size = uint8(size)
		}
	case syntax.RealType:
		if size == 8 {
			out.Base = syntax.DoubleType
		}
	case syntax.ComplexType:
		out.Size = 4
		if size == 8 || size == 16 {
			out.Size = 8
		}
	case syntax.CharacterType:
		return out, l.length(t.Len)
	}
	return out, nil
}

// length resolves the length of characters: 1 by default, nil for an assumed length.
func (l *lowerer) length(e syntax.Expr) Expr {
	switch e := e.(type) {
	case nil:
		return l.integer(1, syntax.Pos{})
	case *syntax.Star, *syntax.Section: // assumed, or deferred
		return nil
	default:
		return l.intExpr(e, "the length of characters")
	}
}

// spec enters the symbols of a specification.
func (l *lowerer) spec(s syntax.Spec) {
	switch s := s.(type) {
	case *syntax.Declare:
		l.declare(s)
	case *syntax.Parameters:
		for i, n := range s.Names {
			l.constant(l.ownSymbol(n), s.Values[i])
		}
	case *syntax.Common:
		l.common(s)
	case *syntax.Pool:
		l.pool(s)
	case *syntax.Equivalence:
		for _, set := range s.Sets {
			for _, x := range set {
				if n := nameOf(x); n.Text != "" {
					l.ownSymbol(n)
				}
			}
		}
	case *syntax.Namelist:
		l.namelist(s)
	case *syntax.Interface:
		l.interfaceBlock(s)
	case *syntax.StatementFunction:
		l.statementFunction(s)
	case *syntax.Like:
		l.like(s)
	}
}

// ownSymbol returns the symbol of a name in this unit, a new one if only a module or the unit around has the name.
func (l *lowerer) ownSymbol(n syntax.Name) *Symbol {
	s := l.unit.names[n.Text]
	switch {
	case s == nil || s.Class == Procedure:
		return l.add(n)
	case s.Class == Generic:
		l.fail(n.Pos, "another name", "%s is a generic name, in line %d", n.Text, s.Pos.Line)
		defer func() { l.unit.names[n.Text] = s }()
		return l.add(n)
	}
	return s
}

func (l *lowerer) declare(d *syntax.Declare) {
	var t Type
	var length Expr
	if d.Type != nil {
		t, length = l.typeOf(d.Type)
	}
	shared := l.bounds(d.Dims)
	for _, e := range d.Entities {
		if proc := l.named(l.unit, e.Text); proc != nil && proc.Class == Procedure && l.unit.used[e.Text] == nil && e.Dims == nil && e.Init == nil && !(proc.subroutine() && d.Type != nil) {
			if d.Type != nil { // the type of a function of the program
				if proc.Length = length; e.Len != nil {
					proc.Length = l.length(e.Len)
				}
			}
			continue
		}
		if d.Attrs&syntax.AttrIntrinsic != 0 {
			l.unit.intrinsics[e.Text] = true
		}
		if d.Attrs&(syntax.AttrExternal|syntax.AttrIntrinsic) != 0 && d.Type == nil {
			l.outsideProcedure(e.Name, d.Attrs)
			continue
		}
		s := l.ownSymbol(e.Name)
		if d.Attrs&syntax.AttrExternal != 0 && intrinsics[e.Text] == nil {
			if s.Class = Procedure; s.Dummy == 0 {
				l.fail(e.Pos, "the procedure itself", "the external procedure %s is not in the program", e.Text)
			}
		}
		if s.spec != nil && d.Type != nil && s.typed {
			l.fail(e.Pos, "one declaration", "%s has a type already", e.Text)
		}
		s.spec = d
		if d.Type != nil {
			s.Type, s.Length, s.typed = t, length, true
			l.leads(s, d.Type)
			if e.Len != nil {
				s.Length = l.length(e.Len)
			}
			_, deferred := d.Type.Len.(*syntax.Section)
			s.Deferred = deferred && e.Len == nil
		}
		switch {
		case e.Dims != nil:
			l.shape(s, l.bounds(e.Dims), e.Pos)
		case shared != nil:
			l.shape(s, shared, e.Pos)
		}
		if d.Holds != nil {
			l.holds(s, d.Holds)
		}
		s.Allocatable = s.Allocatable || d.Attrs&syntax.AttrAllocatable != 0
		s.Pointer = s.Pointer || d.Attrs&syntax.AttrPointer != 0
		s.Target = s.Target || d.Attrs&syntax.AttrTarget != 0
		s.Saved = s.Saved || d.Attrs&syntax.AttrSave != 0
		s.Protected = s.Protected || d.Attrs&syntax.AttrProtected != 0
		if d.Attrs&syntax.AttrValue != 0 {
			if s.ByValue = true; s.Dummy == 0 {
				l.fail(e.Pos, "a dummy argument", "%s is VALUE, but is not an argument", e.Text)
			}
		}
		s.Optional = s.Optional || d.Attrs&syntax.AttrOptional != 0
		if d.Intent != "" {
			s.Intent = d.Intent
			if s.Dummy == 0 {
				l.fail(e.Pos, "a dummy argument", "%s has an INTENT, but is not an argument", e.Text)
			}
		}
		switch {
		case d.Attrs&syntax.AttrParameter != 0 && e.Init == nil:
			l.fail(e.Pos, "= and a value", "the constant %s has no value", e.Text)
		case d.Attrs&syntax.AttrParameter != 0:
			l.constant(s, e.Init)
		case e.Init != nil:
			l.initial(s, e.Init)
		}
	}
	if len(d.Entities) == 0 && d.Attrs == syntax.AttrSave {
		for _, s := range l.unit.Symbols {
			s.Saved = s.Class == Variable && s.Dummy == 0
		}
	}
}

// shape sets the dimensions of a symbol.
func (l *lowerer) shape(s *Symbol, b []Bound, pos syntax.Pos) {
	if s.Bounds != nil {
		l.fail(pos, "dimensions in one place", "%s has dimensions already", s.Name)
		return
	}
	s.Bounds = b
	for d, x := range b {
		if x.Hi == nil && s.Dummy == 0 {
			s.Allocatable = s.Allocatable || x.Lo == nil
		}
		if star, ok := x.Hi.(*assumed); ok && (s.Dummy == 0 || d < len(b)-1) {
			l.fail(star.Pos, "the last dimension of an argument", "an assumed size (*) is not allowed here")
			b[d].Hi = l.integer(1, star.Pos)
		}
	}
}

// assumed is the upper bound of an assumed size.
type assumed struct{ typed }

// IsAssumed reports whether an upper bound is an assumed size, *.
func IsAssumed(x Expr) bool {
	_, ok := x.(*assumed)
	return ok
}

// bounds resolves dimensions.
func (l *lowerer) bounds(dims []syntax.Dim) []Bound {
	if dims == nil {
		return nil
	}
	out := make([]Bound, len(dims))
	for i, d := range dims {
		if d.Lo != nil {
			out[i].Lo = l.intExpr(d.Lo, "a bound")
		}
		switch hi := d.Hi.(type) {
		case nil:
		case *syntax.Star:
			out[i].Hi = &assumed{typed{Integer, 0, hi.Pos}}
		default:
			out[i].Hi = l.intExpr(hi, "a bound")
			if out[i].Lo == nil {
				out[i].Lo = l.integer(1, hi.Position())
			}
		}
	}
	return out
}

const maxInitial = 1 << 22 // elements of an array with initial values

func (l *lowerer) statementFunction(f *syntax.StatementFunction) {
	if s := l.find(f.Text); s != nil && s.Unit != l.unit && s.Class == Variable && s.Rank() > 0 {
		l.unit.leading = append(l.unit.leading, f.Assignment())
		return
	}
	s := l.ownSymbol(f.Name)
	s.Class = StatementFunction
	s.Func = &Func{open: true}
	defer func() { s.Func.open = false }()
	hidden := map[string]*Symbol{}
	for _, p := range f.Params {
		hidden[p.Text] = l.unit.names[p.Text]
		q := &Symbol{Name: p.Text, Pos: p.Pos, Type: l.symbol(p).Type, Unit: l.unit, Index: len(l.unit.Symbols)}
		l.unit.Symbols = append(l.unit.Symbols, q)
		q.typed = true
		l.unit.names[p.Text] = q
		s.Func.Params = append(s.Func.Params, q)
	}
	if x := l.expr(f.Value); x != nil {
		s.Func.Value = l.convert(x, s.Type)
	}
	for name, old := range hidden {
		if old == nil {
			delete(l.unit.names, name)
		} else {
			l.unit.names[name] = old
		}
	}
}
