package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whorl/dts/parallelize/effects"
)

// A round is a loop whose rounds may run in any order if each of them uses memory of its own.
type round struct {
	f     *plan
	stmt  ast.Stmt
	body  *ast.BlockStmt
	index *types.Var // the number of the round
	value *types.Var // the element of the round, nil if the loop names none
	over  ast.Expr   // the slice of the elements
	names map[ssa.Value]*ast.Ident
}

// overRows plans a loop whose rounds work in place: each writes to the element or the row of its number. It becomes a
// dts.For. It returns false for other loops.
func (p *plan) overRows(s ast.Stmt) bool {
	var works []*call
	for _, c := range p.calls {
		if c.f.inPlace && s.Pos() <= c.expr.Pos() && c.expr.End() <= s.End() {
			works = append(works, c)
		}
	}
	r, bounds := p.roundsOf(s)
	if len(works) == 0 || r == nil {
		return false
	}
	why := r.ordered()
	var conditions []string
	if why == "" {
		why, conditions = r.apart()
	}
	if why != "" {
		for _, c := range works {
			c.refuse("%s", why)
		}
		return false
	}
	l := &loop{stmt: s, each: bounds, conditions: conditions, body: r.body, index: &ast.Ident{Name: r.indexName()}}
	if r.value != nil {
		l.value = sprintf("%s := %s[%s]", r.value.Name(), p.r.source(r.over), l.index.Name)
	}
	p.loops = append(p.loops, l)
	note := ""
	if len(conditions) > 0 {
		note = ", if the slices share no memory"
	}
	for _, c := range works {
		c.done = true
		p.r.parallel(c.expr.Pos(), s, "%s runs in the rounds of a dts.For%s", p.r.source(c.expr), note)
	}
	return true
}

// roundsOf returns a loop over the numbers from 0, and its bounds as arguments of dts.For, nil for any other loop.
func (p *plan) roundsOf(s ast.Stmt) (*round, string) {
	r := &round{f: p, stmt: s, index: p.roundOf(s)}
	if r.index != nil && r.index.Name() == "_" {
		r.index = nil
	}
	switch s := s.(type) {
	case *ast.ForStmt:
		cond, ok := s.Cond.(*ast.BinaryExpr)
		if r.index == nil || !ok || cond.Op != token.LSS || p.rootOf(cond.X) != r.index || !types.Identical(r.index.Type(), types.Typ[types.Int]) || !r.constant(cond.Y, s.Body) {
			return nil, ""
		}
		r.body = s.Body
		return r, "0, " + p.r.source(cond.Y)
	case *ast.RangeStmt:
		r.body, r.over = s.Body, s.X
		if s.Tok == token.ASSIGN || s.Tok == token.ILLEGAL || !p.silentArgument(s.X) {
			return nil, ""
		}
		if id, ok := s.Value.(*ast.Ident); ok && id.Name != "_" {
			r.value = p.local(id)
		}
		switch t := p.r.pkg.TypesInfo.TypeOf(s.X).Underlying().(type) {
		case *types.Slice:
			if r.value == nil || r.constant(s.X, s.Body) {
				return r, "0, len(" + p.r.source(s.X) + ")"
			}
		case *types.Basic:
			if r.index != nil && types.Identical(r.index.Type(), types.Typ[types.Int]) && t.Info()&types.IsInteger != 0 {
				return r, "0, " + p.r.source(s.X)
			}
		}
	}
	return nil, ""
}

// constant reports whether an expression has the same value in each round: it consists of variables that the body does
// not assign, their lengths, and constants.
func (r *round) constant(e ast.Expr, body *ast.BlockStmt) bool {
	f, ok := r.f, true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.SelectorExpr, *ast.FuncLit, *ast.CompositeLit:
			ok = false
		case *ast.CallExpr:
			ok = ok && f.plain(n) && f.silentArgument(n)
		case *ast.Ident:
			if v, isVar := f.r.pkg.TypesInfo.Uses[n].(*types.Var); isVar {
				ok = ok && f.local(n) == v && !f.assigns(body, v) && !f.addressed(v)
			}
		}
		return ok
	})
	return ok
}

// indexName returns the name of the number of the round, a new one if the loop has none.
func (r *round) indexName() string {
	if r.index != nil {
		return r.index.Name()
	}
	return r.f.unique("i")
}

// ordered returns why the rounds have to run in order, apart from the memory that they use; "" if they do not.
func (r *round) ordered() string {
	f := r.f
	if leaves(r.body) {
		return "the loop may end in the middle of a round"
	}
	why := ""
	ast.Inspect(r.body, func(n ast.Node) bool {
		var set []ast.Expr
		switch n := n.(type) {
		case *ast.FuncLit:
			why = "the loop contains a function literal"
		case *ast.AssignStmt:
			set = n.Lhs
		case *ast.IncDecStmt:
			set = []ast.Expr{n.X}
		case *ast.RangeStmt:
			set = []ast.Expr{n.Key, n.Value}
		}
		for _, e := range set {
			if e == nil {
				continue
			}
			if v := f.rootOf(e); v != nil && (v.Pos() < r.body.Pos() || r.body.End() <= v.Pos()) {
				why = v.Name() + " changes from round to round"
			}
		}
		return why == ""
	})
	for _, v := range []*types.Var{r.index, r.value} {
		if v != nil && why == "" && f.addressed(v) {
			why = "the address of " + v.Name() + " is taken"
		}
	}
	if why != "" {
		return why
	}
	l := f.r.analysis.During(f.ssa, r.body.Pos(), r.body.End())
	l.Rounds = true
	f.instructions(func(_ *effects.Zone, _ *effects.Survey, inside bool, in ssa.Instruction) {
		if inside {
			l.Instruction(in)
		}
	}, r.body.Pos(), r.body.End())
	switch e := l.Effects; {
	case e.Acts != nil:
		return sprintf("each round %s%s", e.Acts.What, f.r.analysis.Where(e.Acts))
	case e.Panics != nil && f.r.analysis.Recover.IsValid():
		return sprintf("a round may panic (it %s%s), and recover in %s would miss a join", e.Panics.What, f.r.analysis.Where(e.Panics), f.r.place(f.r.analysis.Recover))
	}
	return ""
}

// A part is the memory of a round: its element of a slice, its row of a slice of slices, or its stretch of a matrix in one slice.
type part struct {
	kind  partKind
	slice ssa.Value
}

type partKind uint8

const (
	shared partKind = iota // no part of its own
	element
	row
	stretch
)

// apart returns why rounds cannot run at the same time because of the memory that they use, "" if they can under the
// conditions that the new program has to check.
func (r *round) apart() (why string, conditions []string) {
	f := r.f
	all, known := f.between(r.body.Pos(), r.body.End())
	if !known {
		return f.title() + " has too many variables to compare the memory that is used", nil
	}
	r.nameValues()
	for _, a := range all {
		if !a.Write || r.private(a) {
			continue
		}
		own := r.partOf(a)
		if own.kind == shared {
			return sprintf("other rounds may use the memory to which it writes: it %s%s", a.What, f.r.analysis.Where(&effects.Cause{Pos: a.Pos})), nil
		}
		if own.kind == row {
			c, ok := r.condition("DisjointRows", own.slice, nil)
			if !ok || slices.ContainsFunc(all, func(b effects.Access) bool { return b.Write && (b.Elem == nil || effects.IsSlice(b.Elem)) }) {
				return "the rows may change from round to round", nil
			}
			conditions = append(conditions, c)
		}
		for _, b := range all {
			if r.private(b) || r.partOf(b) == own || !effects.MayOverlap(a.Elem, b.Elem) || a.Base != b.Base && b.Base != nil && f.disjoint(a, b) {
				continue
			}
			c, ok := r.check(own, b)
			if !ok || !types.Identical(a.Elem, b.Elem) {
				return sprintf("a round may write to memory that others use: it %s%s", b.What, f.r.analysis.Where(&effects.Cause{Pos: b.Pos})), nil
			}
			conditions = append(conditions, c)
		}
	}
	slices.Sort(conditions)
	return "", slices.Compact(conditions)
}

// check returns the condition that parts of all rounds share no memory with an access.
func (r *round) check(own part, b effects.Access) (string, bool) {
	name := "Disjoint"
	if own.kind == row {
		name = "DisjointRows"
	}
	if b.Base == nil || b.Base == own.slice {
		return "", false
	}
	if load, ok := b.Base.(*ssa.UnOp); ok && own.kind == row {
		if x, ok := load.X.(*ssa.IndexAddr); ok && effects.IsSlice(x.X.Type()) && x.X != own.slice { // a row
			return r.condition(name, own.slice, x.X)
		}
	}
	return r.condition(name, own.slice, b.Base)
}

// condition returns a call of a function of package dts that compares two slices, or compares one with nothing.
func (r *round) condition(name string, a, b ssa.Value) (string, bool) {
	x, ok := r.names[a]
	if !ok || name == "DisjointRows" && !plainRows(a) {
		return "", false
	}
	if b == nil {
		return sprintf("%s.%s(%s)", dtsName, name, x.Name), true
	}
	y, ok := r.names[b]
	if !ok || !effects.IsSlice(b.Type()) {
		return "", false
	}
	spread := ""
	if effects.IsSlice(b.Type().Underlying().(*types.Slice).Elem()) {
		if spread = "..."; !plainRows(b) {
			return "", false
		}
	}
	return sprintf("%s.%s(%s, %s%s)", dtsName, name, x.Name, y.Name, spread), true
}

// plainRows reports whether a value is a slice of slices whose type has no name, as DisjointRows requires.
func plainRows(v ssa.Value) bool {
	t, ok := v.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	_, ok = types.Unalias(t.Elem()).(*types.Slice)
	return ok
}

// nameValues finds the variables from outside the loop that its body uses.
func (r *round) nameValues() {
	r.names = map[ssa.Value]*ast.Ident{}
	for _, b := range r.f.ssa.Blocks {
		for _, in := range b.Instrs {
			d, ok := in.(*ssa.DebugRef)
			if !ok || d.IsAddr {
				continue
			}
			id, ok := d.Expr.(*ast.Ident)
			if !ok || id.Pos() < r.stmt.Pos() || r.stmt.End() <= id.Pos() {
				continue
			}
			if v := r.f.local(id); v != nil && (v.Pos() < r.stmt.Pos() || r.stmt.End() <= v.Pos()) {
				r.names[d.X] = id
			}
		}
	}
}

// is reports whether a value is that of a variable of the round.
func (r *round) is(x ssa.Value, v *types.Var) bool {
	if v == nil || x.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*x.Referrers(), func(in ssa.Instruction) bool {
		d, ok := in.(*ssa.DebugRef)
		if !ok || d.IsAddr {
			return false
		}
		id, ok := d.Expr.(*ast.Ident)
		return ok && r.body.Pos() <= id.Pos() && id.Pos() < r.body.End() && r.f.local(id) == v
	})
}

// private reports whether an access uses memory that the round makes.
func (r *round) private(a effects.Access) bool {
	if a.Base == nil {
		return false
	}
	o := origin(a.Base)
	return r.f.isMade(o) && r.body.Pos() <= o.Pos() && o.Pos() < r.body.End()
}

// partOf returns the part of the round's memory that holds an access.
func (r *round) partOf(a effects.Access) part {
	if a.Base == nil {
		return part{}
	}
	if x, ok := a.In.(*ssa.IndexAddr); ok && r.is(x.Index, r.index) && r.names[x.X] != nil {
		return part{element, x.X}
	}
	if cut, ok := a.Slice.(*ssa.Slice); ok && a.Within && r.names[cut.X] != nil && r.stretch(cut) {
		return part{stretch, cut.X}
	}
	if load, ok := a.Base.(*ssa.UnOp); ok && a.Within {
		if x, ok := load.X.(*ssa.IndexAddr); ok && r.names[x.X] != nil && (r.is(x.Index, r.index) || r.is(load, r.value)) {
			return part{row, x.X}
		}
	}
	return part{}
}

// stretch reports whether a slice is x[i*w : (i+1)*w] or x[i*w : i*w+w] for the number i of the round.
func (r *round) stretch(cut *ssa.Slice) bool {
	low, ok := cut.Low.(*ssa.BinOp)
	if !ok || low.Op != token.MUL {
		return false
	}
	width := low.Y
	if r.is(low.Y, r.index) {
		width = low.X
	} else if !r.is(low.X, r.index) {
		return false
	}
	if _, fixed := width.(*ssa.Const); !fixed && r.names[width] == nil {
		return false
	}
	same := func(v ssa.Value) bool {
		c, ok1 := v.(*ssa.Const)
		w, ok2 := width.(*ssa.Const)
		return v == width || ok1 && ok2 && c.Int64() == w.Int64()
	}
	high, ok := cut.High.(*ssa.BinOp)
	if !ok {
		return false
	}
	next := func(v ssa.Value) bool {
		sum, ok := v.(*ssa.BinOp)
		if !ok || sum.Op != token.ADD || !r.is(sum.X, r.index) {
			return false
		}
		one, ok := sum.Y.(*ssa.Const)
		return ok && one.Int64() == 1
	}
	first := func(v ssa.Value) bool {
		b, ok := v.(*ssa.BinOp)
		return v == low || ok && b.Op == token.MUL && (r.is(b.X, r.index) && same(b.Y) || r.is(b.Y, r.index) && same(b.X))
	}
	switch high.Op {
	case token.MUL:
		return next(high.X) && same(high.Y) || next(high.Y) && same(high.X)
	case token.ADD:
		return first(high.X) && same(high.Y) || first(high.Y) && same(high.X)
	}
	return false
}
