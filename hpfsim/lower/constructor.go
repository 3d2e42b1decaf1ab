package lower

import "whorl/hpfsim/syntax"

func (l *lowerer) constructor(e *syntax.Constructor) Expr {
	x := &List{typed: typed{Integer, 1, e.Pos}}
	left, good := maxUnrolled, true
	for _, i := range e.Items {
		if l.fixed {
			good = l.unroll(x, i, &left) && good
		} else if y := l.item(i); y != nil {
			x.Items = append(x.Items, y)
		} else {
			good = false
		}
	}
	if !good {
		return nil
	}
	if e.Type != nil {
		return l.typedList(x, e.Type)
	}
	if len(x.Items) == 0 {
		l.fail(e.Pos, "a value", "an array constructor is empty")
		return nil
	}
	x.T = itemType(x.Items[0])
	for _, y := range x.Items[1:] {
		t := itemType(y)
		switch {
		case t.Numeric() && x.T.Numeric():
			x.T = wider(x.T, t)
		case t.Base != x.T.Base:
			l.fail(y.Position(), "a value that is "+x.T.String(), "a value that is %v among others", t)
			return nil
		}
	}
	for i, y := range x.Items {
		if _, ok := y.(*Loop); !ok {
			x.Items[i] = l.convert(y, x.T)
		}
	}
	return x
}

// typedList converts the items of an array constructor to the type that it names.
func (l *lowerer) typedList(x *List, t *syntax.Type) Expr {
	if t.Base == syntax.StructureType {
		l.fail(t.Pos, "values of the type without its name", "an array constructor with the derived type %s: legal, but not in the subset", t.Of.Text)
		return nil
	}
	of, length := l.typeOf(t)
	n := int64(-1)
	if of.Base == syntax.CharacterType {
		c, ok := length.(*Const)
		if !ok {
			l.fail(t.Pos, "a constant length", "the length of the characters in an array constructor is not constant: legal, but not in the subset")
			return nil
		}
		n = max(c.I, 0)
	}
	x.T = of
	return x.converted(l, of, n)
}

func (x *List) converted(l *lowerer, t Type, length int64) Expr {
	for i, y := range x.Items {
		if x.Items[i] = l.itemAs(y, t, length); x.Items[i] == nil {
			return nil
		}
	}
	return x
}

// itemAs converts an item of an array constructor. Characters are padded or cut to a length.
func (l *lowerer) itemAs(y Expr, t Type, length int64) Expr {
	if d, ok := y.(*Loop); ok {
		for i := range d.Items {
			if d.Items[i] = l.itemAs(d.Items[i], t, length); d.Items[i] == nil {
				return nil
			}
		}
		d.T = t
		return d
	}
	of := y.Type()
	switch {
	case of.Numeric() && t.Numeric():
		return l.convert(y, t)
	case of.Base != t.Base:
		l.fail(y.Position(), "a value that is "+t.String(), "a value that is %v among others", of)
		return nil
	case t.Base == syntax.CharacterType:
		pos := y.Position()
		blanks := &Const{typed{Character, 0, pos}, Value{S: pad("", int(min(length, maxInitial)))}}
		whole := fold(&Binary{typed{Character, y.Rank(), pos}, syntax.Concat, y, blanks})
		return l.reduced(&Substring{typed: typed{Character, y.Rank(), pos}, X: whole, Lo: l.integer(1, pos), Hi: l.integer(length, pos)})
	}
	return y
}

func itemType(e Expr) Type {
	if d, ok := e.(*Loop); ok && len(d.Items) > 0 {
		return itemType(d.Items[0])
	}
	return e.Type()
}

// item resolves an expression or an implied loop.
func (l *lowerer) item(e syntax.Expr) Expr {
	d, ok := e.(*syntax.ImpliedDo)
	if !ok {
		return l.expr(e)
	}
	x := &Loop{typed: typed{Integer, 1, d.Pos}, Var: l.symbol(d.Var)}
	if x.Var.Type.Base != syntax.IntegerType || x.Var.Rank() > 0 {
		l.fail(d.Var.Pos, "an integer variable", "the variable of a loop is %v", x.Var.Type)
		return nil
	}
	x.Lo, x.Hi = l.intExpr(d.Lo, "a bound of a loop"), l.intExpr(d.Hi, "a bound of a loop")
	if d.Step != nil {
		x.Step = l.intExpr(d.Step, "the step of a loop")
	}
	for _, i := range d.Items {
		y := l.item(i)
		if y == nil {
			return nil
		}
		x.Items = append(x.Items, y)
	}
	x.T = itemType(x)
	return x
}
