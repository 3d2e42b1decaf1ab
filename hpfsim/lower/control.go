package lower

import (
	"whorl/hpfsim/syntax"
)

func (l *lowerer) do(s *syntax.Do, head Stat, labels map[int]bool) Stmt {
	out := &Do{Stat: head, Name: s.Name, End: Stat{Pos: s.End}}
	switch {
	case s.While != nil:
		out.Cond = l.scalar(s.While, syntax.LogicalType, "the condition")
	case s.Count != nil:
		out.Var = l.symbol(s.Count.Var)
		if out.Var.Boxed {
			l.fail(s.Count.Var.Pos, "a variable of its own", "the variable of a loop, %s, shares its storage with others: legal Fortran, but not in the subset", out.Var.Name)
			return nil
		}
		if !reals.Contains(out.Var.Type.Base) || out.Var.Rank() > 0 || out.Var.Class != Variable {
			l.fail(s.Count.Var.Pos, "an integer variable", "the variable of a loop is %v", out.Var.Type)
			return nil
		}
		bound := func(e syntax.Expr) Expr {
			x := l.expr(e)
			if x == nil || x.Rank() > 0 || !reals.Contains(x.Type().Base) {
				if x != nil {
					l.fail(e.Position(), "a number", "a bound of a loop is %s", described(x))
				}
				return l.convert(l.integer(1, e.Position()), out.Var.Type)
			}
			return l.convert(x, out.Var.Type)
		}
		out.Lo, out.Hi = bound(s.Count.Lo), bound(s.Count.Hi)
		if s.Count.Step != nil {
			out.Step = bound(s.Count.Step)
			if c, ok := out.Step.(*Const); ok && c.I == 0 && c.F == 0 {
				l.fail(s.Count.Step.Position(), "another step", "a loop with a step of 0 does not end")
			}
		}
	}
	if s.Independent != nil {
		out.Parallel = l.independent(s.Independent)
	}
	l.loops = append(l.loops, s.Name)
	out.Body = l.block(s.Body, labels)
	l.loops = l.loops[:len(l.loops)-1]
	if p := out.Parallel; p != nil {
		p.Private = append(p.Private, onceIn(out.Body)...)
	}
	return out
}

// independent resolves the names of an INDEPENDENT directive.
func (l *lowerer) independent(s *syntax.Independent) *Parallel {
	p := &Parallel{Promised: true, Concurrent: s.Concurrent}
	for _, n := range s.New {
		p.Private = append(p.Private, l.clause(n)...)
	}
	for _, n := range s.Reduction {
		p.Reduction = append(p.Reduction, l.clause(n)...)
	}
	return p
}

// clause resolves a variable of NEW or REDUCTION. It reports other names and returns none.
func (l *lowerer) clause(n syntax.Name) []*Symbol {
	s := l.symbol(n)
	if s.Class == Variable {
		return []*Symbol{s}
	}
	if s.Class != Unusable {
		l.fail(n.Pos, "a variable", "%s in a clause of INDEPENDENT is not a variable", n.Text)
	}
	return nil
}

func (l *lowerer) leaveLoop(kind Leaving, name string, head Stat) Stmt {
	found := name == "" && len(l.loops) > 0
	for _, n := range l.loops {
		found = found || n == name
	}
	if label := l.behind[name]; !found && kind == Exit && name != "" && label > 0 {
		return &Goto{Stat: head, Labels: []int{label}}
	}
	if !found {
		what := [...]string{Cycle: "CYCLE", Exit: "EXIT"}[kind]
		if name == "" {
			l.fail(head.Pos, "a loop around it", "%s is not within a loop", what)
		} else {
			l.fail(head.Pos, "the name of a loop around it", "%s names %s, which is not a loop around it", what, name)
		}
		return nil
	}
	return &Leave{Stat: head, Kind: kind, Name: name}
}

func (l *lowerer) selectCase(s *syntax.Select, head Stat, labels map[int]bool) Stmt {
	out := &Select{Stat: head, Value: l.expr(s.Value)}
	if out.Value == nil {
		return nil
	}
	t := out.Value.Type()
	if out.Value.Rank() > 0 || t.Floating() || t.Base == syntax.ComplexType {
		l.fail(s.Value.Position(), "an integer, characters or a logical", "the value of SELECT CASE is %s", described(out.Value))
		return nil
	}
	value := func(e syntax.Expr) Expr {
		if e == nil {
			return nil
		}
		x := l.expr(e)
		if x == nil {
			return nil
		}
		if _, ok := x.(*Const); !ok || x.Type().Base != t.Base {
			l.fail(e.Position(), "a constant that is "+t.String(), "a value of a CASE is %s", described(x))
			return nil
		}
		return x
	}
	for _, c := range s.Cases {
		k := Case{Default: c.Default}
		for _, r := range c.Ranges {
			k.Ranges = append(k.Ranges, Range{value(r.Lo), value(r.Hi)})
		}
		k.Body = l.block(c.Body, labels)
		out.Cases = append(out.Cases, k)
	}
	return out
}

func (l *lowerer) where(s *syntax.Where, head Stat, labels map[int]bool) Stmt {
	out := &Where{Stat: head}
	for _, a := range s.Arms {
		var mask Expr
		if a.Mask != nil {
			mask = l.expr(a.Mask)
			if mask != nil && (mask.Rank() == 0 || mask.Type().Base != syntax.LogicalType) {
				l.fail(a.Mask.Position(), "an array of logicals", "the mask of a WHERE is %s", described(mask))
			}
		}
		out.Masks = append(out.Masks, mask)
		l.within++
		out.Bodies = append(out.Bodies, l.block(a.Body, labels))
		l.within--
	}
	return out
}

func (l *lowerer) forall(s *syntax.Forall, head Stat, labels map[int]bool) Stmt {
	out := &Forall{Stat: head, Promised: s.Independent != nil}
	if p := s.Independent; p != nil && len(p.New)+len(p.Reduction) > 0 {
		l.fail(head.Pos, "INDEPENDENT alone", "NEW and REDUCTION are for loops, but a FORALL follows")
	}
	for _, c := range s.Indices {
		v := l.symbol(c.Var)
		if v.Type.Base != syntax.IntegerType || v.Rank() > 0 {
			l.fail(c.Var.Pos, "an integer variable", "an index of a FORALL is %v", v.Type)
			return nil
		}
		out.Vars = append(out.Vars, v)
		out.Los = append(out.Los, l.intExpr(c.Lo, "a bound of an index"))
		out.His = append(out.His, l.intExpr(c.Hi, "a bound of an index"))
		var step Expr
		if c.Step != nil {
			step = l.intExpr(c.Step, "the step of an index")
		}
		out.Step = append(out.Step, step)
	}
	if s.Mask != nil {
		out.Mask = l.scalar(s.Mask, syntax.LogicalType, "the mask of a FORALL")
	}
	l.within++
	defer func() { l.within-- }()
	out.Body = l.block(s.Body, labels)
	return out
}
