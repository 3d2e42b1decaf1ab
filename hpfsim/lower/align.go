package lower

import (
	"whorl/hpfsim/syntax"
)

func (l *lowerer) alignment(a *syntax.Align, s *Symbol, n syntax.Name) *Placement {
	t := l.mapped(a.Target)
	p := &Placement{Pos: a.Pos, With: t}
	source := a.Source
	targets := a.Targets
	if source == nil && targets != nil { // a missing source means : for each dimension
		for range s.Rank() {
			source = append(source, syntax.Name{Text: ":", Pos: a.Pos})
		}
	}
	if source != nil && targets == nil {
		for range t.Rank() {
			targets = append(targets, syntax.Arg{Value: &syntax.Section{Pos: a.Pos}})
		}
	}
	if source == nil {
		if s.Rank() != t.Rank() {
			l.fail(n.Pos, "as many dimensions", "%s has %d dimensions, but %s has %d", n.Text, s.Rank(), t.Name, t.Rank())
			return nil
		}
		for d := range s.Rank() {
			p.Dims = append(p.Dims, Alignment{Dim: d, Stride: 1, Ordered: true, Whole: true})
		}
		p.Fixed = make([]Fix, t.Rank())
		return p
	}
	if len(source) != s.Rank() || len(targets) != t.Rank() {
		l.fail(n.Pos, "one for each dimension", "%s(%d) and %s(%d) have %d and %d subscripts here", n.Text, s.Rank(), t.Name, t.Rank(), len(source), len(targets))
		return nil
	}
	p.Dims = make([]Alignment, len(source))
	dummies := map[string]int{}
	var colons []int
	for d, name := range source {
		p.Dims[d] = Alignment{Dim: -1}
		switch name.Text {
		case "*":
		case ":":
			colons = append(colons, d)
		default:
			dummies[name.Text] = d
		}
	}
	p.Fixed = make([]Fix, len(targets))
	for d, arg := range targets {
		switch e := arg.Value.(type) {
		case *syntax.Star:
			p.Fixed[d].Everywhere = true
		case *syntax.Section:
			if len(colons) == 0 {
				l.fail(e.Pos, "as many : on both sides", ": of %s has no counterpart", t.Name)
				return nil
			}
			al := Alignment{Dim: d, Stride: 1, Ordered: true, Whole: e.Lo == nil}
			if e.Lo != nil {
				v, _ := l.constInt(e.Lo, "a bound of the target")
				al.Offset = int(v)
			}
			if e.Step != nil {
				v, _ := l.constInt(e.Step, "the step of the target")
				al.Stride = int(v)
			}
			p.Dims[colons[0]] = al
			colons = colons[1:]
		default:
			form, ok := l.alignAffine(e, dummies)
			if !ok {
				l.fail(e.Position(), "a sum, such as 2*i + 1, in one of its variables", "this subscript of %s is too complicated for an alignment", t.Name)
				return nil
			}
			if form.dummy < 0 {
				p.Fixed[d].Index = form.offset
				continue
			}
			if p.Dims[form.dummy].Dim >= 0 || form.stride == 0 {
				l.fail(e.Position(), "each variable once", "a variable of this alignment occurs in several subscripts")
				return nil
			}
			p.Dims[form.dummy] = Alignment{Dim: d, Stride: form.stride, Offset: form.offset}
		}
	}
	if len(colons) > 0 {
		l.fail(a.Pos, "as many : on both sides", ": of %s has no counterpart", n.Text)
		return nil
	}
	return p
}

// An alignForm is stride*dummy + offset; dummy is -1 for a constant.
type alignForm struct{ dummy, stride, offset int }

// alignAffine reads a subscript of an alignment. Its variables are the dummies only.
func (l *lowerer) alignAffine(e syntax.Expr, dummies map[string]int) (alignForm, bool) {
	switch e := e.(type) {
	case *syntax.Paren:
		return l.alignAffine(e.X, dummies)
	case *syntax.Var:
		if d, ok := dummies[e.Text]; ok {
			return alignForm{d, 1, 0}, true
		}
	case *syntax.Unary:
		f, ok := l.alignAffine(e.X, dummies)
		if e.Op == syntax.Sub {
			f.stride, f.offset = -f.stride, -f.offset
		}
		return f, ok && e.Op != syntax.Not
	case *syntax.Binary:
		a, ok1 := l.alignAffine(e.X, dummies)
		b, ok2 := l.alignAffine(e.Y, dummies)
		if !ok1 || !ok2 {
			return a, false
		}
		switch e.Op {
		case syntax.Sub:
			b.stride, b.offset = -b.stride, -b.offset
			fallthrough
		case syntax.Add:
			if a.dummy >= 0 && b.dummy >= 0 && a.dummy != b.dummy {
				return a, false
			}
			return alignForm{max(a.dummy, b.dummy), a.stride + b.stride, a.offset + b.offset}, true
		case syntax.Mul:
			if a.dummy >= 0 {
				a, b = b, a
			}
			return alignForm{b.dummy, a.offset * b.stride, a.offset * b.offset}, a.dummy < 0
		case syntax.Div:
			if a.dummy < 0 && b.dummy < 0 && b.offset != 0 {
				return alignForm{-1, 0, a.offset / b.offset}, true
			}
		}
		return a, false
	}
	x := l.expr(e)
	if c, ok := x.(*Const); ok && c.T.Base == syntax.IntegerType {
		return alignForm{-1, 0, int(c.I)}, true
	}
	return alignForm{}, false
}
