package parallelize

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"whorl/dts/remark"
)

// A mark is the //dts:fork of a function.
type mark struct {
	pos token.Pos
	// small is the condition under which threads are not worthwhile, in terms of the parameters: the negated
	// condition of the mark ("//dts:fork if n > 20"), or a comparison of a size with the grain. It is "" if there is
	// none.
	small string
}

const (
	directive = "//dts:"
	forkWord  = "fork"
)

// findMarks reads the directives of the file and finds a condition for each mark without one.
func (r *rewriter) findMarks() {
	at := map[*ast.Comment]*function{}
	for _, f := range r.funcs {
		if f.decl.Doc == nil {
			continue
		}
		for _, c := range f.decl.Doc.List {
			at[c] = f
		}
	}
	marked := false
	for _, g := range r.file.Comments {
		for _, c := range g.List {
			rest, ok := strings.CutPrefix(c.Text, directive)
			if !ok {
				continue
			}
			word, cond, _ := strings.Cut(rest, " ")
			if _, ok := remark.Parse(c.Text); ok {
				continue // of a file that was rewritten before
			}
			marked = true
			f := at[c]
			switch {
			case word != forkWord:
				r.fault(c.Pos(), "unknown directive //dts:%s; expected //dts:fork", word)
			case f == nil:
				r.fault(c.Pos(), "//dts:fork belongs in the doc comment of a function with a body")
			case f.obj.Name() == "main" && f.pkgLevel() && r.pkg.Name == "main", f.obj.Name() == "init" && f.pkgLevel():
				r.fault(c.Pos(), "%s cannot be forked", f.obj.Name())
			case f.mark != nil:
				r.fault(c.Pos(), "%s is marked twice", f.obj.Name())
			default:
				f.mark = &mark{pos: c.Pos()}
				r.condition(f, c, strings.TrimSpace(cond))
			}
		}
	}
	if !marked {
		r.fault(r.file.Package, "no function is marked: write //dts:fork as the last line of a function's doc comment")
	}
}

// pkgLevel reports whether f is not a method.
func (f *body) pkgLevel() bool { return f.decl.Recv == nil }

// condition reads the condition of a mark.
func (r *rewriter) condition(f *function, c *ast.Comment, text string) {
	if text == "" {
		size := f.size()
		switch {
		case r.grain <= 0:
		case size != "":
			f.mark.small = size + " < " + constant.MakeInt64(int64(r.grain)).String()
		case f.recursive():
			r.left(c.Pos(), "%s forks calls of any size: no parameter shrinks from call to call; write //dts:fork if CONDITION", f.title())
		}
		return
	}
	cond, ok := strings.CutPrefix(text, "if ")
	at := c.Pos() + token.Pos(strings.Index(c.Text, text))
	if !ok {
		r.fault(at, "expected nothing or \"if CONDITION\" after //dts:fork, got %q", text)
		return
	}
	cond = strings.TrimSpace(cond)
	at = c.Pos() + token.Pos(strings.LastIndex(c.Text, cond))
	expr, err := parser.ParseExpr(cond)
	if err != nil {
		r.fault(at, "the condition %s is not a Go expression", cond)
		return
	}
	// Names are resolved at the beginning of the body, where the parameters are visible but no local variables.
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(r.pkg.Fset, r.pkg.Types, f.decl.Body.Lbrace+1, expr, info); err != nil {
		text := err.Error()
		if e := (types.Error{}); errors.As(err, &e) {
			text = e.Msg
		}
		r.fault(at, "the condition %s: %s", cond, text)
		return
	}
	if b, ok := info.Types[expr].Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		r.fault(at, "the condition %s has type %s, not bool", cond, info.Types[expr].Type)
		return
	}
	f.mark.small = "!(" + cond + ")"
}

// recursive reports whether f calls itself.
func (f *function) recursive() bool { return len(f.selfCalls()) > 0 }

func (f *function) selfCalls() (calls []*ast.CallExpr) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && f.r.callee(c) == f {
			calls = append(calls, c)
		}
		return true
	})
	return calls
}

// size returns an expression of the parameters that decreases from call to call: an integer that a call decreases, the
// length of a slice that a call reslices, or the distance of two integers if each call keeps one of them. Without such
// an expression, size returns the length of the only slice, or "".
func (f *function) size() string {
	calls := f.selfCalls()
	sig := f.obj.Type().(*types.Signature)
	if len(calls) == 0 || sig.Variadic() {
		return ""
	}
	params := sig.Params()
	arg := func(c *ast.CallExpr, i int) ast.Expr {
		if i < len(c.Args) {
			return c.Args[i]
		}
		return nil
	}
	all := func(i int, ok func(arg ast.Expr, p *types.Var) bool) bool {
		for _, c := range calls {
			if a := arg(c, i); a == nil || !ok(a, params.At(i)) {
				return false
			}
		}
		return true
	}
	isInt := func(p *types.Var) bool {
		b, ok := p.Type().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0 && p.Name() != "" && p.Name() != "_"
	}
	var slices []string
	for i := range params.Len() {
		p := params.At(i)
		_, isSlice := p.Type().Underlying().(*types.Slice)
		if b, ok := p.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			isSlice = true
		}
		if p.Name() == "" || p.Name() == "_" {
			continue
		}
		if isSlice {
			slices = append(slices, p.Name())
		}
		switch {
		case isInt(p) && all(i, f.isLess):
			return p.Name()
		case isSlice && all(i, f.isPart):
			return "len(" + p.Name() + ")"
		}
	}
	for i := range params.Len() {
		for k := i + 1; k < params.Len(); k++ {
			lo, hi := params.At(i), params.At(k)
			if !isInt(lo) || !isInt(hi) || !types.Identical(lo.Type(), hi.Type()) {
				continue
			}
			low, high := 0, 0
			for _, c := range calls {
				keepsLow, keepsHigh := f.isVariable(arg(c, i), lo), f.isVariable(arg(c, k), hi)
				if keepsLow == keepsHigh {
					low, high = 0, 0
					break
				}
				if keepsLow {
					low++
				} else {
					high++
				}
			}
			if low > 0 && high > 0 {
				return hi.Name() + "-" + lo.Name()
			}
		}
	}
	if len(slices) == 1 {
		return "len(" + slices[0] + ")"
	}
	return ""
}

// isVariable reports whether e is the variable p.
func (f *body) isVariable(e ast.Expr, p *types.Var) bool {
	id, ok := e.(*ast.Ident)
	return ok && f.info.Uses[id] == p
}

// isLess reports whether e is p minus something.
func (f *body) isLess(e ast.Expr, p *types.Var) bool {
	b, ok := ast.Unparen(f.definition(e)).(*ast.BinaryExpr)
	return ok && (b.Op == token.SUB || b.Op == token.QUO || b.Op == token.SHR) && f.isVariable(b.X, p)
}

// isPart reports whether e is a slice of p.
func (f *body) isPart(e ast.Expr, p *types.Var) bool {
	s, ok := ast.Unparen(f.definition(e)).(*ast.SliceExpr)
	return ok && (f.isVariable(s.X, p) || f.isPart(s.X, p))
}

// definition returns e or, for a variable, its definition.
func (f *body) definition(e ast.Expr) ast.Expr {
	id, ok := e.(*ast.Ident)
	if !ok {
		return e
	}
	obj := f.info.Uses[id]
	var def ast.Expr
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == len(a.Rhs) {
			for i, l := range a.Lhs {
				if x, ok := l.(*ast.Ident); ok && obj != nil && f.info.Defs[x] == obj {
					def = a.Rhs[i]
				}
			}
		}
		return def == nil
	})
	if def == nil {
		return e
	}
	return def
}
