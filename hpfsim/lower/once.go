package lower

import "whorl/hpfsim/syntax"

// A run evaluates some expressions more than once: subscripts of mapped arrays, for the messages, the value and the owner; bounds of sections; and
// arguments of functions of arrays. A function of the program takes time, and may print or count its calls, so statements before the statement assign
// its value to a variable.

// once moves such calls out of a statement. It returns the statements to execute in its place. Statements within a FORALL stay as they are.
func (l *lowerer) once(s Stmt) []Stmt {
	if l.within > 0 {
		return []Stmt{s}
	}
	switch s := s.(type) {
	case *If:
		return l.onceInConditions(s)
	case *Do:
		if s.Cond != nil {
			l.onceInWhile(s)
		}
	case *Where:
		if callsLater(s) {
			return l.onceInWhere(s)
		}
	case *Associate, *On, *FileStmt:
		return []Stmt{s} // evaluated once
	}
	h := &hoister{lowerer: l, pos: s.Info().Pos}
	h.statement(s)
	return h.followedBy(s)
}

// onceInConditions moves calls out of the conditions of an IF. Those of ELSE IF are evaluated after the conditions before, so they become an IF of
// their own.
func (l *lowerer) onceInConditions(s *If) []Stmt {
	for k, c := range s.Conds {
		h := &hoister{lowerer: l, pos: s.Tests[k].Pos}
		s.Conds[k] = h.expr(c, false)
		if len(h.out) == 0 {
			continue
		}
		if k == 0 {
			rest := *s
			rest.Stat = Stat{Pos: s.Pos}
			return append(l.labelled(s.Stat), append(h.out, l.onceInConditions(&rest)...)...)
		}
		rest := &If{Stat: Stat{Pos: s.Tests[k].Pos}, Conds: s.Conds[k:], Bodies: s.Bodies[k:], Tests: s.Tests[k:]}
		s.Conds, s.Tests = append(s.Conds[:k:k], nil), append(s.Tests[:k:k], Stat{Pos: rest.Pos})
		s.Bodies = append(s.Bodies[:k:k], append(h.out, l.onceInConditions(rest)...))
		break
	}
	return []Stmt{s}
}

// onceInWhile moves calls of the condition of DO WHILE into its body.
func (l *lowerer) onceInWhile(s *Do) {
	h := &hoister{lowerer: l, pos: s.Pos}
	cond := h.expr(s.Cond, false)
	if len(h.out) == 0 {
		return
	}
	s.Cond = nil
	leave := &If{
		Stat: Stat{Pos: s.Pos}, Tests: []Stat{{Pos: s.Pos}}, Conds: []Expr{&Unary{typed{cond.Type(), 0, s.Pos}, syntax.Not, cond}},
		Bodies: [][]Stmt{{&Leave{Stat: Stat{Pos: s.Pos}, Kind: Exit}}},
	}
	s.Body = append(append(h.out, leave), s.Body...)
}

// labelled returns a statement that does nothing with the label of another one, nothing if that has none.
func (l *lowerer) labelled(s Stat) []Stmt {
	if s.Label == 0 {
		return nil
	}
	return []Stmt{&Nothing{Stat{Pos: s.Pos, Label: s.Label}}}
}

// A hoister moves calls of a statement to statements before it.
type hoister struct {
	*lowerer
	pos syntax.Pos
	out []Stmt
}

// followedBy returns the statements that were made, and a statement after them. Its label moves to the first.
func (h *hoister) followedBy(s Stmt) []Stmt {
	if len(h.out) == 0 {
		return []Stmt{s}
	}
	out := append(h.labelled(*s.Info()), h.out...)
	s.Info().Label = 0
	return append(out, s)
}

// statement replaces the expressions of a statement, except those of statements within it and conditions of IF and DO WHILE.
func (h *hoister) statement(s Stmt) {
	switch s := s.(type) {
	case *Assign:
		s.Left, s.Right = h.expr(s.Left, false), h.expr(s.Right, false)
	case *Arithmetic:
		s.Value = h.expr(s.Value, false)
	case *Do:
		s.Lo, s.Hi, s.Step = h.expr(s.Lo, false), h.expr(s.Hi, false), h.expr(s.Step, false)
	case *Select:
		s.Value = h.expr(s.Value, false)
	case *Where: // the other expressions follow the first assignment, which follows the mask
		h.all(s.Masks[:1], false)
		if len(s.Bodies[0]) > 0 && !hasCalls(s.Masks[0]) {
			h.statement(s.Bodies[0][0])
		}
	case *Forall:
		h.all(s.Los, true)
		h.all(s.His, true)
		h.all(s.Step, true)
	case *Goto:
		s.Value = h.expr(s.Value, false)
	case *Subcall:
		h.all(s.Args, false)
	case *Leave:
		s.Value = h.expr(s.Value, false)
	case *Output:
		h.all(s.Items, false)
	case *Input: // the other items follow the transfer of the first
		h.all(s.Items[:min(len(s.Items), 1)], false)
	case *Define:
		s.Value = h.expr(s.Value, false)
	}
}

func (h *hoister) all(list []Expr, again bool) {
	for i, x := range list {
		list[i] = h.expr(x, again)
	}
}

// expr returns an expression without the calls that are evaluated again. It changes the expression's parts.
func (h *hoister) expr(x Expr, again bool) Expr {
	switch e := x.(type) {
	case *Element:
		for i := range e.Subs {
			s := &e.Subs[i]
			more := again || e.Sym.Place != nil || e.N > 0
			s.Index, s.Lo, s.Hi, s.Step = h.expr(s.Index, more), h.expr(s.Lo, more), h.expr(s.Hi, more), h.expr(s.Step, more)
		}
	case *Substring:
		e.X, e.Lo, e.Hi = h.expr(e.X, again), h.expr(e.Lo, again), h.expr(e.Hi, again)
	case *Unary:
		e.X = h.expr(e.X, again)
	case *Conv:
		e.X = h.expr(e.X, again)
	case *Binary:
		e.X = h.expr(e.X, again)
		if e.Op == syntax.And || e.Op == syntax.Or {
			h.guarded(e, again)
		} else {
			e.Y = h.expr(e.Y, again)
		}
	case *Call:
		h.all(e.Args, again || e.Fn.Sort != Elemental && e.Fn.Sort != Inquiry)
	case *List:
		h.all(e.Items, again)
	case *Invoke:
		h.all(e.Args, again)
		if again && e.T.Base != syntax.CharacterType && (e.N == 0 || e.Sym.Proc != nil && !e.Sym.Proc.Pure) {
			return h.moved(e)
		}
	}
	return x
}

// guarded moves calls out of the right operand of .AND. and .OR. They are executed where the left operand does not decide.
func (h *hoister) guarded(e *Binary, again bool) {
	before := len(h.out)
	e.Y = h.expr(e.Y, again)
	if len(h.out) == before || e.N > 0 {
		return
	}
	body := append([]Stmt(nil), h.out[before:]...)
	h.out = h.out[:before]
	if hasCalls(e.X) {
		e.X = h.moved(e.X)
	}
	cond := e.X
	if e.Op == syntax.Or {
		cond = &Unary{typed{e.T, 0, e.Pos}, syntax.Not, cond}
	}
	h.out = append(h.out, &If{Stat: Stat{Pos: h.pos}, Tests: []Stat{{Pos: h.pos}}, Conds: []Expr{cond}, Bodies: [][]Stmt{body}})
}

// hasCalls reports whether an expression calls functions of the program or functions of arrays.
func hasCalls(x Expr) bool {
	found := false
	Walk(x, func(e Expr) {
		c, ok := e.(*Call)
		_, invokes := e.(*Invoke)
		found = found || invokes || ok && c.Fn.Sort != Elemental && c.Fn.Sort != Inquiry
	})
	return found
}

// moved assigns the value of an expression to a variable, and returns that. The variable is named as the expression is written, since messages and
// listings show it in its place.
func (h *hoister) moved(x Expr) Expr {
	u := h.unit
	s := &Symbol{Name: text(x), Pos: x.Position(), Unit: u, Index: len(u.Symbols), Type: x.Type(), typed: true, once: true}
	if x.Rank() > 0 {
		s.Bounds, s.Allocatable = make([]Bound, x.Rank()), true
	}
	u.Symbols = append(u.Symbols, s)
	v := &Ref{typed{s.Type, x.Rank(), s.Pos}, s}
	h.out = append(h.out, &Assign{Stat{Pos: h.pos}, v, x})
	return v
}

// onceIn returns the variables of once in statements: each iteration of a loop has its own.
func onceIn(body []Stmt) (all []*Symbol) {
	Statements(body, func(s Stmt) {
		if a, ok := s.(*Assign); ok {
			if r, ok := a.Left.(*Ref); ok && r.Sym.once {
				all = append(all, r.Sym)
			}
		}
	})
	return all
}
