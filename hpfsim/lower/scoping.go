package lower

import "whorl/hpfsim/syntax"

// hide makes names free for other variables until restore is called. The names then have their earlier meanings again.
func (l *lowerer) hide(names []string) (restore func()) {
	u := l.unit
	old := map[string]*Symbol{}
	for _, n := range names {
		if _, again := old[n]; !again {
			old[n] = u.names[n]
			delete(u.names, n)
		}
	}
	return func() {
		for n, s := range old {
			if s == nil {
				delete(u.names, n)
			} else {
				u.names[n] = s
			}
		}
	}
}

// blockConstruct resolves a BLOCK. Its variables are variables of the unit that no other statement can name. Those without a
// constant size are allocated where the block begins.
func (l *lowerer) blockConstruct(s *syntax.Scope, labels map[int]bool) []Stmt {
	out := l.begins(s.Position(), s.Label())
	var names []string
	for _, spec := range s.Specs {
		switch spec := spec.(type) {
		case *syntax.Declare:
			for _, e := range spec.Entities {
				if spec.Type != nil || l.unit.names[e.Text] == nil {
					names = append(names, e.Text)
				}
			}
		case *syntax.Parameters, *syntax.Data, *syntax.Advice, *syntax.StatementFunction:
		default:
			l.fail(spec.Position(), "declarations of variables and constants", "this declaration in a BLOCK: legal Fortran, but not in the subset")
			return nil
		}
	}
	if l.unit.container != nil {
		l.fail(s.Pos, "a procedure without ENTRY", "BLOCK in a procedure with ENTRY: legal Fortran, but not in the subset")
		return nil
	}
	u := l.unit
	copies := map[string]*Symbol{}
	for _, c := range s.Copies {
		copies[c.Text] = l.symbol(c.Name)
		names = append(names, c.Text)
	}
	restore := l.hide(names)
	defer restore()
	for _, c := range s.Copies {
		if x := l.copied(c.Name, copies[c.Text]); x != nil && c.Initial {
			out = append(out, &Assign{Stat{Pos: s.Pos}, l.ref(x, s.Pos), l.ref(copies[c.Text], s.Pos)})
		}
	}
	first, boxed := len(u.Symbols), u.boxed
	u.boxed = map[string]bool{}
	l.boxes(u, s.Specs)
	var leading []syntax.Stmt
	for _, spec := range s.Specs {
		if f, ok := spec.(*syntax.StatementFunction); ok {
			leading = append(leading, f.Assignment())
		} else {
			l.spec(spec)
		}
	}
	l.box(u)
	u.boxed = boxed
	for _, spec := range s.Specs {
		if d, ok := spec.(*syntax.Data); ok {
			l.data(d)
		}
	}
	for _, x := range u.Symbols[first:] {
		out = append(out, l.blockVariable(x, s.Pos)...)
	}
	return append(append(out, l.block(leading, labels)...), l.block(s.Body, labels)...)
}

// leavable resolves a construct. If it has a name EXIT may leave it, by a jump to a label behind the construct.
func (l *lowerer) leavable(name string, end syntax.Pos, resolve func() []Stmt) []Stmt {
	if name == "" {
		return resolve()
	}
	const first = 100000 // labels of programs have five digits
	around, label := l.behind[name], first+l.exits
	l.exits++
	l.behind[name] = label
	out := resolve()
	l.behind[name] = around
	return append(out, &Nothing{Stat{Pos: end, Label: label}})
}

// begins returns a statement with the label of a construct, none without one.
func (l *lowerer) begins(pos syntax.Pos, label int) []Stmt {
	if label == 0 {
		return nil
	}
	return []Stmt{&Nothing{Stat{Pos: pos, Label: label}}}
}

// blockVariable returns the statements that prepare a variable of a BLOCK at the beginning of the block.
func (l *lowerer) blockVariable(x *Symbol, pos syntax.Pos) []Stmt {
	l.pointers(x)
	if x.Class != Variable || x.Saved {
		return nil
	}
	if x.Type.Base == syntax.CharacterType && !x.Deferred {
		if _, ok := x.Length.(*Const); !ok {
			l.fail(x.Pos, "a constant length", "the length of the characters of %s in a BLOCK is not constant: legal Fortran, but not in the subset", x.Name)
			return nil
		}
	}
	_, _, constant := constBounds(x)
	switch {
	case x.Pointer:
		return []Stmt{&Associate{Stat: Stat{Pos: pos}, Sym: x}}
	case x.Allocatable:
		return []Stmt{&Deallocate{Stat: Stat{Pos: pos}, Arrays: []*Symbol{x}, Quiet: true}}
	case x.Rank() > 0 && !constant:
		out := []Stmt{&Deallocate{Stat: Stat{Pos: pos}, Arrays: []*Symbol{x}, Quiet: true}}
		out = append(out, &Allocate{Stat: Stat{Pos: pos}, Arrays: []*Symbol{x}, Bounds: [][]Bound{x.Bounds}, Lengths: []Expr{nil}})
		x.Allocatable, x.Bounds = true, make([]Bound, x.Rank())
		return out
	}
	return nil
}

// copied declares a variable like another.
func (l *lowerer) copied(n syntax.Name, like *Symbol) *Symbol {
	if like.Class != Variable || like.Allocatable || like.Place != nil || like.Boxed {
		l.fail(n.Pos, "a scalar or an array that is neither ALLOCATABLE nor mapped", "%s is an index or in LOCAL of DO CONCURRENT", n.Text)
		return nil
	}
	s := &Symbol{Name: n.Text, Pos: n.Pos, Unit: l.unit, Index: len(l.unit.Symbols), Type: like.Type, Length: like.Length, Bounds: like.Bounds, typed: true}
	l.unit.Symbols = append(l.unit.Symbols, s)
	l.unit.names[n.Text] = s
	return s
}

// association resolves an ASSOCIATE. A name for a variable is another name of it, a name for an element or a section is a pointer to it, and a name
// for a value is a variable with the value.
func (l *lowerer) association(s *syntax.Association, labels map[int]bool) []Stmt {
	out := l.begins(s.Position(), s.Label())
	var symbols []*Symbol
	var names []string
	for i, n := range s.Names {
		x := l.expr(s.Values[i])
		if x == nil {
			return nil
		}
		sym, stmts := l.associated(n, x)
		if sym == nil {
			return nil
		}
		symbols, names = append(symbols, sym), append(names, n.Text)
		out = append(out, stmts...)
	}
	restore := l.hide(names)
	defer restore()
	for i, n := range names {
		l.unit.names[n] = symbols[i]
	}
	return append(out, l.block(s.Body, labels)...)
}

// associated returns the variable for a name of ASSOCIATE, and the statements that associate it.
func (l *lowerer) associated(n syntax.Name, x Expr) (*Symbol, []Stmt) {
	u, head := l.unit, Stat{Pos: n.Pos}
	if r, ok := entire(x).(*Ref); ok && r.Sym.Class == Variable {
		return r.Sym, nil
	}
	s := &Symbol{Name: n.Text, Pos: n.Pos, Unit: u, Index: len(u.Symbols), Type: x.Type(), typed: true, Bounds: make([]Bound, x.Rank())}
	add := func() { u.Symbols = append(u.Symbols, s) }
	if e, ok := x.(*Element); ok && e.Sym.Class == Variable && !e.vector() {
		if e.Sym.Place != nil || e.Sym.Dynamic {
			l.fail(n.Pos, "the whole array, or an array without a mapping", "%s is part of a mapped array in ASSOCIATE: legal, but not in the subset", n.Text)
			return nil, nil
		}
		e.Sym.Shared = true
		s.Pointer, s.Allocatable, s.Shared = true, true, true
		if s.Intent = e.Sym.Intent; s.Intent != "IN" {
			s.Intent = ""
		}
		if x.Rank() == 0 {
			s.Boxed, s.Bounds = true, []Bound{{}}
		}
		add()
		return s, []Stmt{&Associate{Stat: head, Sym: s, Target: x}}
	}
	if _, ok := x.(*Substring); ok && definable(x) {
		l.fail(n.Pos, "a variable or an element", "%s is part of a text in ASSOCIATE: legal Fortran, but not in the subset", n.Text)
		return nil, nil
	}
	s.Intent = "IN" // a value cannot be assigned to
	s.Deferred = x.Type().Base == syntax.CharacterType
	switch {
	case x.Rank() > 0:
		s.Allocatable = true
		add()
		return s, []Stmt{&Assign{head, &Ref{typed{s.Type, s.Rank(), n.Pos}, s}, x}}
	case s.Deferred:
		s.Boxed, s.Allocatable, s.Bounds = true, true, []Bound{{}}
		add()
		return s, []Stmt{&Define{head, s, x}}
	}
	add()
	return s, []Stmt{&Assign{head, &Ref{typed{s.Type, 0, n.Pos}, s}, x}}
}

// vector reports whether a subscript is a vector.
func (e *Element) vector() bool {
	for _, s := range e.Subs {
		if !s.Section && s.Index.Rank() > 0 {
			return true
		}
	}
	return false
}
