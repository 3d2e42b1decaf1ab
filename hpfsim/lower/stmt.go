package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// body resolves the statements of a unit.
func (l *lowerer) body(u *Unit) {
	labels := map[int]bool{}
	body := slices.Concat(u.leading, u.Unit.Body)
	l.collect(body, labels)
	u.Body = l.block(body, labels)
}

// collect finds the labels of a unit.
func (l *lowerer) collect(body []syntax.Stmt, labels map[int]bool) {
	note := func(s syntax.Stmt) {
		n := s.Label()
		if n == 0 {
			return
		}
		if labels[n] {
			l.fail(s.Position(), "another number", "the label %d is defined twice", n)
		}
		labels[n] = true
	}
	for _, s := range body {
		note(s)
		switch s := s.(type) {
		case *syntax.If:
			for _, a := range s.Arms {
				l.collect(a.Body, labels)
			}
		case *syntax.Do:
			l.collect(s.Body, labels)
		case *syntax.Scope:
			l.collect(s.Body, labels)
		case *syntax.Association:
			l.collect(s.Body, labels)
		case *syntax.On:
			l.collect(s.Body, labels)
		case *syntax.Select:
			for _, c := range s.Cases {
				l.collect(c.Body, labels)
			}
		}
	}
}

func (l *lowerer) block(body []syntax.Stmt, labels map[int]bool) []Stmt {
	var out []Stmt
	own := map[int]bool{}
	for _, s := range body {
		own[s.Label()] = true
	}
	l.open = append(l.open, own)
	defer func() { l.open = l.open[:len(l.open)-1] }()
	for _, s := range body {
		for _, x := range l.several(s, labels) {
			out = append(out, l.once(x)...)
		}
	}
	return out
}

// several resolves a statement that may become several.
func (l *lowerer) several(s syntax.Stmt, labels map[int]bool) []Stmt {
	switch s := s.(type) {
	case *syntax.Allocate:
		return l.allocate(s, Stat{Pos: s.Position(), Label: s.Label()}, labels)
	case *syntax.Scope:
		return l.leavable(s.Name, s.End, func() []Stmt { return l.blockConstruct(s, labels) })
	case *syntax.Association:
		return l.leavable(s.Construct, s.End, func() []Stmt { return l.association(s, labels) })
	case *syntax.Nullify:
		out := l.begins(s.Position(), s.Label())
		for _, p := range s.Pointers {
			if x := l.associate(p, nil, Stat{Pos: s.Position()}); x != nil {
				out = append(out, x)
			}
		}
		return out
	}
	if x := l.stmt(s, labels); x != nil {
		return []Stmt{x}
	}
	return nil
}

// target checks the label of a jump.
func (l *lowerer) target(n int, pos syntax.Pos, labels map[int]bool) int {
	within := func(own map[int]bool) bool { return own[n] }
	switch {
	case n == 0:
	case !labels[n]:
		l.fail(pos, "a label of the program unit", "there is no label %d", n)
	case !slices.ContainsFunc(l.open, within):
		l.fail(pos, "a label outside of it, or a statement within it", "the label %d is within a block, which cannot be entered by a jump", n)
	}
	return n
}

func (l *lowerer) stmt(s syntax.Stmt, labels map[int]bool) Stmt {
	head := Stat{Pos: s.Position(), Label: s.Label()}
	switch s := s.(type) {
	case *syntax.Assign:
		return l.assign(s, head)
	case *syntax.PointerAssign:
		return l.associate(s.Left, s.Right, head)
	case *syntax.If:
		out := &If{Stat: head}
		for _, a := range s.Arms {
			var cond Expr
			if a.Cond != nil {
				cond = l.scalar(a.Cond, syntax.LogicalType, "the condition")
			}
			out.Conds = append(out.Conds, cond)
			out.Tests = append(out.Tests, Stat{Pos: a.Pos})
			out.Bodies = append(out.Bodies, l.block(a.Body, labels))
		}
		return out
	case *syntax.ArithmeticIf:
		out := &Arithmetic{Stat: head}
		if out.Value = l.expr(s.Value); out.Value != nil && (out.Value.Rank() > 0 || !reals.Contains(out.Value.Type().Base)) {
			l.fail(s.Value.Position(), "a number", "the value of an arithmetic IF is %s", described(out.Value))
		}
		for i, n := range []int{s.Negative, s.Zero, s.Positive} {
			out.Labels[i] = l.target(n, s.Pos, labels)
		}
		return out
	case *syntax.Do:
		return l.do(s, head, labels)
	case *syntax.On:
		return l.on(s, head, labels)
	case *syntax.Select:
		return l.selectCase(s, head, labels)
	case *syntax.Where:
		return l.where(s, head, labels)
	case *syntax.Forall:
		return l.forall(s, head, labels)
	case *syntax.Goto:
		out := &Goto{Stat: head}
		for _, n := range s.Labels {
			out.Labels = append(out.Labels, l.target(n, s.Pos, labels))
		}
		if s.Value != nil {
			out.Value = l.scalar(s.Value, syntax.IntegerType, "the value of a computed GO TO")
		}
		return out
	case *syntax.Continue:
		return &Nothing{head}
	case *syntax.Call:
		return l.call(s, head, labels)
	case *syntax.Return:
		out := &Leave{Stat: head, Kind: Return}
		if s.Number != nil {
			if out.Value = l.scalar(s.Number, syntax.IntegerType, "the number of a return"); l.unit.Returns == 0 {
				l.fail(s.Number.Position(), "RETURN alone, or * among the arguments", "%s has no alternate return", l.unit.Name)
			}
		}
		return out
	case *syntax.Entry:
		return &Nothing{head}
	case *syntax.Stop:
		out := &Leave{Stat: head, Kind: Stop, Failed: s.Failed}
		if s.Code != nil {
			out.Value = l.expr(s.Code)
		}
		return out
	case *syntax.Cycle:
		return l.leaveLoop(Cycle, s.Name, head)
	case *syntax.Exit:
		return l.leaveLoop(Exit, s.Name, head)
	case *syntax.Write:
		return &Output{Stat: head, Controls: l.controls(&s.IO, "WRITE", head.Pos, labels), Items: l.items(s.Items)}
	case *syntax.Read:
		out := &Input{Stat: head, Controls: l.controls(&s.IO, "READ", head.Pos, labels), Items: l.items(s.Items)}
		for _, x := range out.Items {
			if _, loop := x.(*Loop); !loop && !definable(x) {
				l.fail(x.Position(), "a variable", "an item of READ is not a variable")
			}
		}
		return out
	case *syntax.FileStmt:
		return l.fileStmt(s, head, labels)
	case *syntax.Deallocate:
		out := &Deallocate{Stat: head, Targets: l.targets(s.Targets), Quiet: s.Quiet}
		for _, c := range s.Components {
			if a := l.held(c); a != nil {
				out.Arrays = append(out.Arrays, a)
			}
		}
		for _, n := range s.Arrays {
			if a := l.symbol(n); l.allocatable(a, n) {
				out.Arrays = append(out.Arrays, a)
			}
		}
		out.Status, out.Message = l.status(s.Stat, s.Message)
		return out
	case *syntax.Realign:
		var arrays []syntax.Name
		aligns := map[string]*syntax.Align{}
		for _, a := range append([]*syntax.Align{s.Align}, s.Others...) {
			arrays = append(arrays, a.Arrays...)
			for _, n := range a.Arrays {
				aligns[n.Text] = a
			}
		}
		return l.remap(head, arrays, func(t *Symbol, n syntax.Name) *Placement { return l.alignment(aligns[n.Text], t, n) })
	case *syntax.Redistribute:
		grids := map[string]*Grid{}
		for _, g := range l.unit.Symbols {
			if g.Grid != nil {
				grids[g.Name] = g.Grid
			}
		}
		return l.remap(head, s.Arrays, func(t *Symbol, n syntax.Name) *Placement { return l.distribution(s.Distribute, t, n, grids) })
	}
	return nil
}

// scalar resolves an expression that must be a scalar of a type.
func (l *lowerer) scalar(e syntax.Expr, t syntax.BaseType, what string) Expr {
	x := l.expr(e)
	if x != nil && (x.Rank() > 0 || x.Type().Base != t) {
		l.fail(e.Position(), t.String(), "%s is %s", what, described(x))
		x = nil
	}
	if x == nil {
		return &Const{typed: typed{Type{Base: t, Size: 4}, 0, e.Position()}}
	}
	return x
}

func (l *lowerer) assign(s *syntax.Assign, head Stat) Stmt {
	if c, ok := s.Left.(*syntax.Component); ok && l.part(c) == nil {
		return nil
	}
	s = partly(s)
	left, right := l.left(s.Left), l.expr(s.Right)
	if left == nil || right == nil {
		return nil
	}
	a, b := left.Type(), right.Type()
	alike := right.Rank() == 0 || right.Rank() == left.Rank()
	if !alike || a.Numeric() != b.Numeric() || !a.Numeric() && a.Base != b.Base {
		if call := l.assignment(head, left, right); call != nil {
			return call
		}
	}
	switch {
	case !alike:
		l.fail(s.Pos, "", "%s gets a value that is %s", described(left), described(right))
		return nil
	case a.Numeric() != b.Numeric() || !a.Numeric() && a.Base != b.Base:
		l.fail(s.Pos, a.String(), "a variable that is %v gets a value that is %v", a, b)
		return nil
	}
	right = l.convert(right, a)
	if s := defining(head, left, right); s != nil {
		return s
	}
	if s := l.elementwise(head, left, right); s != nil {
		return s
	}
	return &Assign{head, left, right}
}

// left resolves the left side of an assignment.
func (l *lowerer) left(e syntax.Expr) Expr {
	x := l.expr(e)
	if x == nil {
		return nil
	}
	if !definable(x) {
		l.fail(e.Position(), "a variable", "this is not a variable and cannot be assigned to")
		return nil
	}
	switch s := assigned(x); {
	case s == nil:
	case s.Intent == "IN":
		l.fail(e.Position(), "INTENT(INOUT)", "%s is an argument with INTENT(IN) and cannot be assigned to", s.Name)
	case s.Protected && s.Unit != l.unit.outermost():
		l.fail(e.Position(), "a procedure of the module", "%s is PROTECTED in the module %s and cannot be assigned to here", s.Name, s.Unit.Name)
	}
	return x
}

// assigned returns the variable that an assignment to an expression changes.
func assigned(x Expr) *Symbol {
	switch x := x.(type) {
	case *Ref:
		return x.Sym
	case *Element:
		return x.Sym
	case *Substring:
		return assigned(x.X)
	}
	return nil
}

func (l *lowerer) call(s *syntax.Call, head Stat, labels map[int]bool) Stmt {
	for _, n := range s.Labels {
		l.target(n, s.Pos, labels)
	}
	args, ok := l.actuals(s.Args)
	if !ok {
		return nil
	}
	p := l.lookup(s.Proc)
	if p != nil && p.Class == Unusable {
		return nil
	}
	if p != nil && p.Dummy > 0 && p.Class == Variable && !p.typed {
		p.Class = Procedure
	}
	if p != nil && p.Class == Generic {
		of := l.specifics(s.Proc.Text)
		p = l.choose(of, s.Args, args)
		if fn := l.intrinsicNamed(s.Proc.Text); p == nil && (fn == nil || fn.Sort != Subroutine) {
			l.noSpecific(s.Pos, "the generic subroutine "+s.Proc.Text, of, args)
			return nil
		}
	}
	if p == nil || p.Class != Procedure {
		fn := l.intrinsicNamed(s.Proc.Text)
		if fn == nil || fn.Sort != Subroutine {
			l.unknownSubroutine(s.Proc)
			return nil
		}
		if args, ok = l.intrinsicArgs(fn, s.Pos, s.Args, args); !ok || !l.checkArgs(fn, args) {
			return nil
		}
		return &Subcall{Stat: head, Native: fn, Args: args}
	}
	l.inParentheses(s.Args, args)
	if p.Proc != nil {
		if p.Proc.Kind != syntax.Subroutine {
			l.fail(s.Pos, "a subroutine", "CALL of %s, which is a function", p.Name)
			return nil
		}
		if args, ok = l.against(p.Proc, s.Pos, s.Args, args); !ok {
			return nil
		}
		if n := p.Proc.Returns; n != len(s.Labels) {
			l.fail(s.Pos, "a label for each", "%s has %d alternate returns, but %d labels are given", p.Name, n, len(s.Labels))
			return nil
		}
	}
	return &Subcall{Stat: head, Proc: p, Args: args, Labels: s.Labels}
}

func (l *lowerer) items(list []syntax.Expr) []Expr {
	var out []Expr
	for _, e := range list {
		if x := l.item(e); x != nil {
			out = append(out, x)
		}
	}
	return out
}

// remap resolves REALIGN and REDISTRIBUTE.
func (l *lowerer) remap(head Stat, names []syntax.Name, to func(*Symbol, syntax.Name) *Placement) Stmt {
	out := &Remap{Stat: head}
	for _, n := range names {
		s := l.mapped(n)
		if !s.Dynamic {
			l.fail(n.Pos, "DYNAMIC "+n.Text, "%s is remapped, but is not DYNAMIC", n.Text)
			continue
		}
		before := len(l.errs)
		p := to(s, n)
		switch {
		case p == nil && len(l.errs) == before: // no dimension is distributed
			p = undistributed(s, n.Pos)
		case p != nil:
			l.inRange(s, p, n)
		}
		out.Arrays, out.To = append(out.Arrays, s), append(out.To, p)
	}
	return out
}
