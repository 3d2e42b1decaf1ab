package parallelize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// A moved statement is an assignment of results to local variables, which may be done later.
type moved struct {
	sets  map[*types.Var]bool // what it assigns
	needs map[*types.Var]bool // what it reads beside the arguments of its calls
	names map[string]bool     // all that it is written with, there
}

// movable says whether s may be done later than where it stands, or why not.
func (f *function) movable(s ast.Stmt, calls []*call) (*moved, string) {
	m := &moved{map[*types.Var]bool{}, map[*types.Var]bool{}, map[string]bool{}}
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			m.names[id.Name] = true
		}
		c, ok := n.(*ast.CallExpr)
		return !ok || f.callAt(c) == nil || !slices.Contains(calls, f.callAt(c))
	})
	var right []ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok {
				return nil, "its result goes into memory (" + f.r.source(l) + "), where others may look for it at once"
			}
			if id.Name == "_" {
				continue
			}
			v := f.local(id)
			if v == nil {
				return nil, "its result goes to " + id.Name + ", which is no variable of " + f.title()
			}
			if f.addressed(v) {
				return nil, "the address of " + id.Name + " is taken, or a function literal uses it"
			}
			m.sets[v] = true
			if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
				m.needs[v] = true
			}
		}
		right = s.Rhs
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR || len(d.Specs) != 1 {
			return nil, "it is declared together with others"
		}
		spec := d.Specs[0].(*ast.ValueSpec)
		for _, id := range spec.Names {
			if v, ok := f.r.pkg.TypesInfo.Defs[id].(*types.Var); ok {
				if f.addressed(v) {
					return nil, "the address of " + id.Name + " is taken, or a function literal uses it"
				}
				m.sets[v] = true
			}
		}
		right = spec.Values
	case *ast.ReturnStmt:
		return nil, "its result is returned at once"
	case *ast.ExprStmt:
		return nil, "its result is not kept"
	default:
		return nil, "its result is needed at once"
	}
	if len(m.sets) == 0 {
		return nil, "its result is not kept"
	}
	for _, e := range right {
		if why := f.later(e, calls, m); why != "" {
			return nil, why
		}
	}
	return m, ""
}

// later says why an expression cannot be evaluated later, "" when it can: it is made of the calls, of constants and of variables that
// change only where one sees it.
func (f *function) later(e ast.Expr, calls []*call, m *moved) (why string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if why != "" {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			for _, c := range calls {
				if c.expr == n {
					return false
				}
			}
			if !f.plain(n) {
				why = "the same expression calls " + f.r.source(n.Fun)
			}
		case *ast.Ident:
			switch obj := f.r.pkg.TypesInfo.Uses[n].(type) {
			case *types.Var:
				if obj.IsField() {
					return true
				}
				if f.local(n) == nil || f.addressed(obj) {
					why = "the same expression uses " + n.Name + ", which others may change"
					return false
				}
				m.needs[obj] = true
			}
		case *ast.BinaryExpr:
			if f.mayPanic(n) {
				why = "the same expression holds " + f.r.source(n) + ", which may panic"
			}
		case *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr, *ast.TypeAssertExpr, *ast.FuncLit, *ast.CompositeLit:
			why = "the same expression holds " + f.r.source(n.(ast.Expr)) + ", which is evaluated in place"
		case *ast.SelectorExpr:
			if _, ok := f.r.pkg.TypesInfo.TypeOf(n.X).(*types.Basic); !ok && f.r.pkg.TypesInfo.Selections[n] != nil {
				why = "the same expression holds " + f.r.source(n) + ", which is evaluated in place"
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW || n.Op == token.AND {
				why = "the same expression holds " + f.r.source(n) + ", which is evaluated in place"
			}
		}
		return why == ""
	})
	return why
}

// joinPlace finds the statement before which the moved one has to be done, nil where that is the end of the block behind the given last
// statement, and whether there is anything to compute until then.
func (f *function) joinPlace(list []ast.Stmt, i int, m *moved, calls []*call) (before, end ast.Stmt, work bool) {
	for _, s := range list[i+1:] {
		if f.bars(s, m, calls) {
			return s, nil, work
		}
		work = work || f.works(s)
	}
	return nil, list[len(list)-1], work
}

// bars says whether s has to see the results: it uses a variable, gives a name another meaning, leaves the block, or does what others may see
// before the calls are known to have ended well.
func (f *function) bars(s ast.Stmt, m *moved, calls []*call) bool {
	if declares(s, m.names) {
		return true
	}
	for v := range m.sets {
		if f.mentions(s, v) {
			return true
		}
	}
	for v := range m.needs {
		if f.assigns(s, v) {
			return true
		}
	}
	return leaves(s) || f.disturbs(s.Pos(), s.End(), calls) != ""
}

// disturbs says in which way the code from one place to another gets in the way of calls that run beside it, "" when it does not.
func (f *function) disturbs(from, to token.Pos, calls []*call) string {
	e := f.region(from, to)
	for _, c := range calls {
		g := f.r.effects[c.f.ssa]
		switch {
		case e.acts != nil && g.reads != nil:
			return sprintf("%s %s, and what runs beside it %s%s", c.f.title(), g.reads.what, e.acts.what, f.r.at(e.acts))
		case e.acts != nil && g.panics != nil:
			return sprintf("%s may panic, and what runs beside it %s%s", c.f.title(), e.acts.what, f.r.at(e.acts))
		case e.panics != nil && f.r.recover.IsValid():
			return sprintf("what runs beside it may panic (it %s%s), and recover in %s would miss a join", e.panics.what, f.r.at(e.panics), f.r.place(f.r.recover))
		}
	}
	return ""
}

// region is what the code from one place to another does. An instruction of which the place is not known is taken to be in it.
func (f *function) region(from, to token.Pos) *effects {
	l := look{r: f.r, fn: f.ssa, e: &effects{writes: map[int]*cause{}}, from: from, to: to}
	for _, b := range f.ssa.Blocks {
		for _, in := range b.Instrs {
			if p := in.Pos(); !p.IsValid() && !silent(in) || from <= p && p < to {
				l.instruction(in)
			}
		}
	}
	return l.e
}

// silent instructions have no place and do nothing that others see: what the compiler of SSA puts in for variables and loops.
func silent(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		_, ok := in.Addr.(*ssa.Alloc)
		return ok
	case *ssa.UnOp, *ssa.BinOp, *ssa.IndexAddr, *ssa.FieldAddr, *ssa.Index, *ssa.Return, *ssa.Range, *ssa.Slice, *ssa.MakeSlice:
		return true
	}
	return false
}

// unsafeBeside says why the calls of a statement cannot run beside each other, "" when they can: what else it evaluates has to be such that
// nobody sees whether it happens before or after them.
func (f *function) unsafeBeside(s ast.Stmt, calls []*call) (why string) {
	holdsAll := func(n ast.Node) bool {
		for _, c := range calls {
			if c.expr.Pos() < n.Pos() || n.End() < c.expr.End() {
				return false
			}
		}
		return true
	}
	var head ast.Node = s
	switch s := s.(type) {
	case *ast.IfStmt:
		head = s.Cond
	case *ast.SwitchStmt:
		head = s.Tag
	case *ast.RangeStmt:
		head = s.X
	}
	ast.Inspect(head, func(n ast.Node) bool {
		if why != "" {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			c := f.callAt(n)
			if f.plain(n) || c != nil && c.f.fit {
				return true
			}
			if !holdsAll(n) { // one that is given all their results comes after them
				why = "the same statement calls " + f.r.source(n.Fun)
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				why = "the same statement receives from a channel"
			}
		case *ast.FuncLit:
			return false
		}
		return true
	})
	if why == "" && f.r.recover.IsValid() {
		if e := f.region(head.Pos(), head.End()); e.panics != nil {
			why = sprintf("the statement may panic, and recover in %s would miss a join", f.r.place(f.r.recover))
		}
	}
	return why
}
