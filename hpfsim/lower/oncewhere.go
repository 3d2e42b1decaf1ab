package lower

import "whorl/hpfsim/syntax"

// callsLater reports whether a WHERE calls functions that are not PURE, after its first mask and its first assignment.
func callsLater(s *Where) bool {
	found := false
	look := func(x Expr) {
		calls(x, func(_ syntax.Pos, callee *Unit) { found = found || !callee.Pure })
	}
	for _, m := range s.Masks[1:] {
		look(m)
	}
	for k, body := range s.Bodies {
		if k == 0 {
			body = body[min(1, len(body)):]
		}
		Statements(body, func(b Stmt) { Expressions(b, look) })
	}
	return found
}

// onceInWhere splits a WHERE into one for each assignment, so that calls are moved to their places between them. The values of the masks are in
// variables.
func (l *lowerer) onceInWhere(s *Where) []Stmt {
	out := l.labelled(s.Stat)
	var rest func() Expr // where no mask so far holds; nil for everywhere
	for k, m := range s.Masks {
		h := &hoister{lowerer: l, pos: s.Pos}
		mask := h.expr(m, false)
		switch {
		case rest != nil && mask == nil:
			mask = rest()
		case rest != nil:
			mask = both(rest(), mask)
		}
		known := h.moved(mask).(*Ref)
		out = append(out, h.out...)
		holds := func() Expr { return &Ref{known.typed, known.Sym} }
		for _, b := range s.Bodies[k] {
			h := &hoister{lowerer: l, pos: b.Info().Pos}
			h.statement(b)
			out = append(append(out, h.out...), &Where{Stat{Pos: b.Info().Pos}, []Expr{holds()}, [][]Stmt{{b}}})
		}
		before := rest
		rest = func() Expr {
			not := &Unary{known.typed, syntax.Not, holds()}
			if before == nil {
				return not
			}
			return both(before(), not)
		}
	}
	return out
}

// both returns x .AND. y.
func both(x, y Expr) Expr { return &Binary{typed{x.Type(), x.Rank(), x.Position()}, syntax.And, x, y} }
