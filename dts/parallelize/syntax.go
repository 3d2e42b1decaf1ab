package parallelize

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A body is the syntax of a function, and answers questions about it.
type body struct {
	decl *ast.FuncDecl
	obj  *types.Func
	info *types.Info
}

// plain reports whether a call is a conversion or a pure builtin.
func (f *body) plain(c *ast.CallExpr) bool {
	tv := f.info.Types[c.Fun]
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

// mayPanic reports whether the operation itself may panic: an integer division or a shift.
func (f *body) mayPanic(b *ast.BinaryExpr) bool {
	info := f.info
	if info.Types[b.Y].Value != nil {
		return false // checked by the compiler
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

// statements returns the list of statements that a node contains, nil if it contains none.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// declares reports whether s shadows one of the names for the statements after it.
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

// local returns the variable of f that id names, nil for any other.
func (f *body) local(id *ast.Ident) *types.Var {
	info := f.info
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

// addressed reports whether others may refer to a variable: its address is taken, or a function literal uses it.
func (f *body) addressed(v *types.Var) (found bool) {
	info := f.info
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
		case *ast.SelectorExpr: // a pointer method called on the variable
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

// rootOf returns the variable that contains an expression, nil if a pointer, slice or map is in between.
func (f *body) rootOf(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.local(e)
	case *ast.SelectorExpr:
		if _, ok := f.info.TypeOf(e.X).Underlying().(*types.Pointer); !ok {
			return f.rootOf(e.X)
		}
	case *ast.IndexExpr:
		if _, ok := f.info.TypeOf(e.X).Underlying().(*types.Array); ok {
			return f.rootOf(e.X)
		}
	}
	return nil
}

// mentions reports whether v occurs in n. A return without results mentions all named results.
func (f *body) mentions(n ast.Node, v *types.Var) (found bool) {
	info := f.info
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

// assigns reports whether s changes v.
func (f *body) assigns(s ast.Stmt, v *types.Var) (found bool) {
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

// leaves reports whether control may leave s other than at its end.
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
				found = found || c.Cond == nil // an endless loop has no end
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

// works reports whether s has enough work for a thread at the same time: a loop or a call.
func (f *body) works(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		case *ast.CallExpr:
			found = found || !f.plain(n) && !f.info.Types[n.Fun].IsBuiltin()
		}
		return !found
	})
	return found
}

// hasBranch reports whether f contains a branch statement of that kind.
func (f *body) hasBranch(tok token.Token) (found bool) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == tok
		return !found
	})
	return found
}
