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

// mayPanic says whether the operation itself may: it divides an integer by what may be 0, or shifts by what may be negative.
func (f *function) mayPanic(b *ast.BinaryExpr) bool {
	info := f.r.pkg.TypesInfo
	if info.Types[b.Y].Value != nil {
		return false // the compiler has looked
	}
	basic, ok := info.TypeOf(b.Y).Underlying().(*types.Basic)
	switch b.Op {
	case token.QUO, token.REM:
		return !ok || basic.Info()&types.IsInteger != 0
	case token.SHL, token.SHR:
		return !ok || basic.Info()&types.IsUnsigned == 0
	case token.EQL, token.NEQ:
		return !ok
	}
	return false
}

// declares says whether s gives one of the names another meaning in what follows it.
func declares(s ast.Stmt, names map[string]bool) bool {
	var ids []ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			ids = s.Lhs
		}
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					ids = append(ids, id)
				}
			case *ast.TypeSpec:
				ids = append(ids, spec.Name)
			}
		}
	}
	return slices.ContainsFunc(ids, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name != "_" && names[id.Name]
	})
}

// plain says whether a call is a conversion, or a builtin that only computes.
func (f *function) plain(c *ast.CallExpr) bool {
	tv := f.r.pkg.TypesInfo.Types[c.Fun]
	if tv.IsType() {
		return true
	}
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && tv.IsBuiltin() {
		switch id.Name {
		case "len", "cap", "min", "max", "complex", "real", "imag", "append":
			return true
		}
	}
	return false
}

// local is the variable of f that id names, nil for another.
func (f *function) local(id *ast.Ident) *types.Var {
	info := f.r.pkg.TypesInfo
	obj := info.Uses[id]
	if obj == nil {
		obj = info.Defs[id]
	}
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() || v.Pos() < f.decl.Pos() || v.Pos() >= f.decl.End() {
		return nil
	}
	return v
}

// addressed says whether others may reach a variable: its address is taken, or a function literal uses it.
func (f *function) addressed(v *types.Var) (found bool) {
	info := f.r.pkg.TypesInfo
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if f.mentions(n, v) {
				found = true
			}
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND && f.rootOf(n.X) == v {
				found = true
			}
		case *ast.SliceExpr:
			if _, ok := info.TypeOf(n.X).Underlying().(*types.Array); ok && f.rootOf(n.X) == v {
				found = true
			}
		case *ast.SelectorExpr: // a method of a pointer that is called on the variable
			if s := info.Selections[n]; s != nil && s.Kind() == types.MethodVal && f.rootOf(n.X) == v {
				if isPointer(s.Obj().(*types.Func).Signature().Recv().Type()) && !isPointer(info.TypeOf(n.X)) {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// rootOf is the variable that an expression is a part of, nil where a pointer, slice or map stands between.
func (f *function) rootOf(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.local(e)
	case *ast.SelectorExpr:
		if _, ok := f.r.pkg.TypesInfo.TypeOf(e.X).Underlying().(*types.Pointer); !ok {
			return f.rootOf(e.X)
		}
	case *ast.IndexExpr:
		if _, ok := f.r.pkg.TypesInfo.TypeOf(e.X).Underlying().(*types.Array); ok {
			return f.rootOf(e.X)
		}
	}
	return nil
}

// mentions says whether v stands in n. A return without results stands for all named results.
func (f *function) mentions(n ast.Node, v *types.Var) (found bool) {
	info := f.r.pkg.TypesInfo
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || info.Uses[n] == v || info.Defs[n] == v
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				for r := range f.obj.Signature().Results().Variables() {
					found = found || r == v
				}
			}
		}
		return !found
	})
	return found
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
			return sprintf("%s %s, and what runs beside it %s%s", c.f.title(), g.reads.what, e.acts.what, f.r.at(f, e.acts))
		case e.acts != nil && g.panics != nil:
			return sprintf("%s may panic, and what runs beside it %s%s", c.f.title(), e.acts.what, f.r.at(f, e.acts))
		case e.panics != nil && f.r.recover.IsValid():
			return sprintf("what runs beside it may panic (it %s%s), and recover in %s would miss a join", e.panics.what, f.r.at(f, e.panics), f.r.place(f.r.recover))
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

// assigns says whether s changes v.
func (f *function) assigns(s ast.Stmt, v *types.Var) (found bool) {
	hit := func(e ast.Expr) {
		if e != nil && f.rootOf(e) == v {
			found = true
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				hit(l)
			}
		case *ast.IncDecStmt:
			hit(n.X)
		case *ast.RangeStmt:
			hit(n.Key)
			hit(n.Value)
		}
		return !found
	})
	return found
}

// leaves says whether control may get out of s other than behind its end.
func leaves(s ast.Stmt) (found bool) {
	var visit func(n ast.Node, breaks, continues bool)
	visit = func(n ast.Node, breaks, continues bool) {
		ast.Inspect(n, func(c ast.Node) bool {
			if c == n {
				return true
			}
			switch c := c.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				found = true
			case *ast.CallExpr:
				if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "panic" {
					found = true
				}
			case *ast.BranchStmt:
				switch {
				case c.Tok == token.FALLTHROUGH:
					found = found || !breaks
				case c.Label != nil || c.Tok == token.GOTO:
					found = true
				case c.Tok == token.BREAK:
					found = found || !breaks
				case c.Tok == token.CONTINUE:
					found = found || !continues
				}
			case *ast.ForStmt:
				found = found || c.Cond == nil // behind one without end nothing is done
				visit(c, true, true)
				return false
			case *ast.RangeStmt:
				visit(c, true, true)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				visit(c, true, continues)
				return false
			}
			return !found
		})
	}
	visit(&ast.BlockStmt{List: []ast.Stmt{s}}, false, false)
	return found
}

// works says whether there is enough in s that a thread beside it is worth anything: a loop, or a call.
func (f *function) works(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.CallExpr:
			found = found || !f.plain(n) && !f.r.pkg.TypesInfo.Types[n.Fun].IsBuiltin()
		}
		return !found
	})
	return found
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

// has says whether a branch of that kind stands in f.
func (f *function) has(tok token.Token) (found bool) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == tok
		return !found
	})
	return found
}
