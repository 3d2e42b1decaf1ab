package effects

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// deref records that a pointer may be nil.
func (l *Scanner) deref(p ssa.Value, pos token.Pos) {
	switch p.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr: // addresses of existing memory
	default:
		l.panics(pos, "follows a pointer that may be nil")
	}
}

// hash records that the key of a map may have no hash.
func (l *Scanner) hash(key ssa.Value, pos token.Pos) {
	if comparesInterfaces(key.Type(), 0) {
		l.panics(pos, "uses a key whose type may have no hash")
	}
}

// comparesInterfaces reports whether comparing two values of a type compares interfaces, which panics if their values
// cannot be compared.
func comparesInterfaces(t types.Type, depth int) bool {
	if depth > maxDepth {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return comparesInterfaces(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if comparesInterfaces(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// index records that an index may be out of range.
func (l *Scanner) index(x, index ssa.Value, pos token.Pos) {
	t := x.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
		if _, ok := index.(*ssa.Const); ok {
			l.deref(x, pos)
			return // checked by the compiler
		}
	}
	if _, ok := t.(*types.Array); ok {
		if _, ok := index.(*ssa.Const); ok {
			return
		}
	}
	l.panics(pos, "uses an index that may be out of range")
}

func (l *Scanner) binary(in *ssa.BinOp) {
	switch in.Op {
	case token.QUO, token.REM:
		b, ok := in.Type().Underlying().(*types.Basic)
		if ok && b.Info()&types.IsInteger == 0 {
			return
		}
		if c, ok := in.Y.(*ssa.Const); ok && c.Value != nil && constant.Sign(c.Value) != 0 {
			return
		}
		l.panics(in.Pos(), "divides by a value that may be 0")
	case token.SHL, token.SHR:
		if _, ok := in.Y.(*ssa.Const); ok {
			return
		}
		if b, ok := in.Y.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
			return
		}
		l.panics(in.Pos(), "shifts by a value that may be negative")
	case token.EQL, token.NEQ:
		if comparesInterfaces(in.X.Type(), 0) {
			l.panics(in.Pos(), "compares interfaces")
		}
	}
}
