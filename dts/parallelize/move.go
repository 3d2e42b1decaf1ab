package parallelize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whorl/dts/parallelize/effects"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// A moved statement assigns results to local variables and may run later.
type moved struct {
	sets  []*types.Var    // variables that it assigns
	needs []*types.Var    // variables that it reads, except in arguments of its calls
	names map[string]bool // all identifiers in it
}

// movable returns the effects of s if it may run after scope, which is s or a loop around it. Otherwise it returns why s
// may not.
func (p *plan) movable(s, scope ast.Stmt, calls []*call) (*moved, string) {
	m := &moved{names: map[string]bool{}}
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			m.names[id.Name] = true
		}
		c, ok := n.(*ast.CallExpr)
		return !ok || p.callAt(c) == nil || !slices.Contains(calls, p.callAt(c))
	})
	var right []ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok {
				return nil, "its result goes to memory (" + p.r.source(l) + ") that others may read at once"
			}
			if id.Name == "_" {
				continue
			}
			v := p.local(id)
			if v == nil {
				return nil, "its result goes to " + id.Name + ", which is not a local variable of " + p.title()
			}
			if p.addressed(v) {
				return nil, "the address of " + id.Name + " is taken, or a function literal uses it"
			}
			m.sets = append(m.sets, v)
			if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
				m.needs = append(m.needs, v)
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
			if v, ok := p.r.pkg.TypesInfo.Defs[id].(*types.Var); ok {
				if p.addressed(v) {
					return nil, "the address of " + id.Name + " is taken, or a function literal uses it"
				}
				m.sets = append(m.sets, v)
			}
		}
		right = spec.Values
	case *ast.ReturnStmt:
		return nil, "its result is returned at once"
	case *ast.ExprStmt:
		if c, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && len(calls) == 1 && c == calls[0].expr && calls[0].f.inPlace {
			return m, ""
		}
		return nil, "its result is not kept"
	default:
		return nil, "its result is needed at once"
	}
	if len(m.sets) == 0 {
		return nil, "its result is not kept"
	}
	for _, e := range right {
		if why := p.later(e, s, scope, calls, m); why != "" {
			return nil, why
		}
	}
	return m, ""
}

// later returns why an expression cannot be evaluated later, "" if it can. It may contain the calls, constants and
// variables whose changes are all visible in f.
func (p *plan) later(e ast.Expr, s, scope ast.Stmt, calls []*call, m *moved) (why string) {
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
			if !p.plain(n) {
				why = "the same expression calls " + p.r.source(n.Fun)
			}
			for _, x := range p.operands(n) {
				if why == "" && !p.private(x, s, scope, calls) {
					why = sprintf("the same expression contains %s, and others may use the memory of %s", p.r.source(n), p.r.source(x))
				}
			}
		case *ast.Ident:
			switch obj := p.r.pkg.TypesInfo.Uses[n].(type) {
			case *types.Var:
				if obj.IsField() {
					return true
				}
				if p.local(n) == nil || p.addressed(obj) {
					why = "the same expression uses " + n.Name + ", which others may change"
					return false
				}
				m.needs = append(m.needs, obj)
			}
		case *ast.BinaryExpr:
			if p.mayPanic(n) {
				why = "the same expression contains " + p.r.source(n) + ", which may panic"
			}
		case *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr, *ast.TypeAssertExpr, *ast.FuncLit, *ast.CompositeLit:
			why = "the same expression contains " + p.r.source(n.(ast.Expr)) + ", which is evaluated in place"
		case *ast.SelectorExpr:
			if _, ok := p.r.pkg.TypesInfo.TypeOf(n.X).(*types.Basic); !ok && p.r.pkg.TypesInfo.Selections[n] != nil {
				why = "the same expression contains " + p.r.source(n) + ", which is evaluated in place"
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW || n.Op == token.AND {
				why = "the same expression contains " + p.r.source(n) + ", which is evaluated in place"
			}
		}
		return why == ""
	})
	return why
}

// operands returns the operands of a conversion or a builtin whose memory it reads or writes.
func (f *body) operands(c *ast.CallExpr) []ast.Expr {
	info := f.info
	if len(c.Args) == 0 {
		return nil
	}
	first := c.Args[0]
	if info.Types[c.Fun].IsType() {
		if effects.ReadsOperand(info.TypeOf(first), info.TypeOf(c)) {
			return []ast.Expr{first}
		}
		return nil
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	switch {
	case !ok || !info.Types[c.Fun].IsBuiltin():
	case id.Name == "append" && c.Ellipsis.IsValid() && effects.Leads(info.TypeOf(c.Args[1])):
		return c.Args
	case id.Name == "append", id.Name == "len" && effects.CountsEntries(info.TypeOf(first)), id.Name == "cap" && effects.CountsEntries(info.TypeOf(first)):
		return c.Args[:1]
	}
	return nil
}

// private reports whether the memory of an operand of s is not used between the calls and the end of scope. Such an operand is nil, or one of the
// calls or the operand itself allocates its memory, or it is a slice and the code in between uses only its length.
func (p *plan) private(e ast.Expr, s, scope ast.Stmt, calls []*call) bool {
	info := p.r.pkg.TypesInfo
	if info.Types[e].IsNil() {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := p.local(e)
		return v != nil && p.onlyTaken(v, scope, s)
	case *ast.CallExpr:
		if c := p.callAt(e); c != nil && slices.Contains(calls, c) {
			return p.r.analysis.Effects[c.f.ssa].Fresh[0]
		}
		if info.Types[e.Fun].IsType() {
			return info.Types[e.Args[0]].IsNil()
		}
		return p.plain(e) // an append, whose operands are examined too
	}
	return false
}

// joinPlace returns the statement before which the moved one must run, or nil and the last statement of the block if
// it may run at the block's end. It also reports whether there is work up to that place, and returns the conditions
// under which that work may run beside the calls.
func (p *plan) joinPlace(list []ast.Stmt, i int, m *moved, calls []*call) (before, end ast.Stmt, work bool, conditions []string) {
	for _, s := range list[i+1:] {
		barred, new := p.bars(s, m, calls)
		if barred || len(new) > 0 && !checkable(list[i], calls) {
			return s, nil, work, conditions
		}
		for _, c := range new {
			if !slices.Contains(conditions, c) {
				conditions = append(conditions, c)
			}
		}
		work = work || p.works(s)
	}
	return nil, list[len(list)-1], work, conditions
}

// checkable reports whether the new program can choose between a fork and a call in a statement: nothing else depends on
// it.
func checkable(s ast.Stmt, calls []*call) bool {
	_, ok := s.(*ast.ExprStmt)
	return ok && len(calls) == 1 && calls[0].f.obj.Signature().Results().Len() == 0
}

// bars reports whether s must see the results: it uses a variable, shadows a name, leaves the block, or has visible
// effects while the calls may still fail.
func (p *plan) bars(s ast.Stmt, m *moved, calls []*call) (barred bool, conditions []string) {
	if declares(s, m.names) || leaves(s) {
		return true, nil
	}
	for _, v := range m.sets {
		if p.mentions(s, v) {
			return true, nil
		}
	}
	for _, v := range m.needs {
		if p.assigns(s, v) {
			return true, nil
		}
	}
	why, conditions := p.disturbs(s.Pos(), s.End(), calls)
	return why != "", conditions
}

// disturbs returns how a range of the code conflicts with calls that run at the same time, "" if it does not or if the
// conditions hold.
func (p *plan) disturbs(from, to token.Pos, calls []*call) (why string, conditions []string) {
	if why := p.disturbed(from, to, calls); why != "" {
		return why, nil
	}
	return p.apart(from, to, calls)
}

func (p *plan) disturbed(from, to token.Pos, calls []*call) string {
	e := p.region(from, to)
	for _, c := range calls {
		g := p.r.analysis.Effects[c.f.ssa]
		switch {
		case e.Acts != nil && c.f.inPlace:
			return sprintf("%s works in place, and what runs beside it %s%s", c.f.title(), e.Acts.What, p.r.analysis.Where(e.Acts))
		case e.Acts != nil && g.Reads != nil:
			return sprintf("%s %s, and what runs beside it %s%s", c.f.title(), g.Reads.What, e.Acts.What, p.r.analysis.Where(e.Acts))
		case e.Acts != nil && g.Panics != nil:
			return sprintf("%s may panic, and what runs beside it %s%s", c.f.title(), e.Acts.What, p.r.analysis.Where(e.Acts))
		case e.Panics != nil && p.r.analysis.Recover.IsValid():
			return sprintf("what runs beside it may panic (it %s%s), and recover in %s would miss a join", e.Panics.What, p.r.analysis.Where(e.Panics), p.r.place(p.r.analysis.Recover))
		}
	}
	return ""
}

// region returns the effects of a range of the code. It includes instructions without a position.
func (p *plan) region(from, to token.Pos) *effects.Effects {
	l := p.r.analysis.During(p.ssa, from, to)
	for _, b := range p.ssa.Blocks {
		for _, in := range b.Instrs {
			if pos := in.Pos(); !pos.IsValid() && !silent(in) || from <= pos && pos < to {
				l.Instruction(in)
			}
		}
	}
	return l.Effects
}

// silent instructions have no position and no visible effect; the SSA compiler inserts them for variables and loops.
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

// unsafeBeside returns why the calls of a statement cannot run at the same time, "" if they can. The rest of the
// statement must not show whether it runs before or after the calls.
func (p *plan) unsafeBeside(s ast.Stmt, calls []*call) (why string) {
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
			c := p.callAt(n)
			if p.plain(n) || c != nil && c.f.fit {
				return true
			}
			if !holdsAll(n) { // a call that receives all their results comes after them
				why = "the same statement calls " + p.r.source(n.Fun)
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
	if why == "" && p.r.analysis.Recover.IsValid() {
		if e := p.region(head.Pos(), head.End()); e.Panics != nil {
			why = sprintf("the statement may panic, and recover in %s would miss a join", p.r.place(p.r.analysis.Recover))
		}
	}
	return why
}
