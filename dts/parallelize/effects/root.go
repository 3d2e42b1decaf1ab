package effects

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A root is the origin of the memory that a value refers to.
type root struct {
	made   bool  // made by the function, other than a variable whose address is not taken
	params []int // passed in: parameters and, numbered after them, captured variables
	other  bool  // any other origin
}

func (a root) join(b root) root {
	return root{a.made || b.made, append(a.params, b.params...), a.other || b.other}
}

// shared reports whether callers or others may refer to the memory.
func (a root) shared() bool { return a.other || len(a.params) > 0 }

// root follows a pointer, slice, map or composite value to the origin of its memory.
func (l *Scanner) root(v ssa.Value) root { return l.trace(v, map[ssa.Value]bool{}) }

func (l *Scanner) trace(v ssa.Value, seen map[ssa.Value]bool) root {
	if !Leads(v.Type()) || seen[v] {
		return root{}
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc:
		return root{made: v.Heap && l.makes(v)}
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return root{made: l.makes(v.(ssa.Instruction))}
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return root{}
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Slice, *ssa.ChangeType, *ssa.ChangeInterface,
		*ssa.MakeInterface, *ssa.SliceToArrayPointer, *ssa.TypeAssert:
		return l.trace(*v.(ssa.Instruction).Operands(nil)[0], seen) // X, the first operand of each
	case *ssa.Convert:
		if b, ok := v.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return root{made: true} // a string is copied to a slice
		}
		if Leads(v.X.Type()) {
			return l.trace(v.X, seen)
		}
	case *ssa.Phi:
		all := root{}
		for _, e := range v.Edges {
			all = all.join(l.trace(e, seen))
		}
		return all
	case *ssa.Parameter:
		for i, p := range l.fn.Params {
			if p == v {
				return root{params: []int{i}}
			}
		}
	case *ssa.FreeVar:
		for i, p := range l.fn.FreeVars {
			if p == v {
				return root{params: []int{len(l.fn.Params) + i}}
			}
		}
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return l.content(a, seen)
		}
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Call:
			return l.result(t, v.Index, seen)
		case *ssa.TypeAssert:
			return l.trace(t.X, seen)
		}
	case *ssa.Call:
		return l.result(v, 0, seen)
	}
	return root{other: true}
}

// content returns the root of a variable in memory, if all stores to it are known.
func (l *Scanner) content(a *ssa.Alloc, seen map[ssa.Value]bool) root {
	all := root{}
	var visit func(addr ssa.Value)
	visit = func(addr ssa.Value) {
		for _, ref := range *addr.Referrers() {
			switch ref := ref.(type) {
			case *ssa.Store:
				if ref.Addr != addr {
					all.other = true // the address itself is stored
				} else {
					all = all.join(l.trace(ref.Val, seen))
				}
			case *ssa.UnOp, *ssa.DebugRef:
			case *ssa.FieldAddr:
				visit(ref)
			case *ssa.IndexAddr:
				visit(ref)
			default:
				all.other = true
			}
		}
	}
	visit(a)
	return all
}

// result returns the root of a result of a call.
func (l *Scanner) result(c *ssa.Call, i int, seen map[ssa.Value]bool) root {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			return root{made: true}.join(l.trace(c.Call.Args[0], seen))
		}
		return root{other: true}
	}
	callee := Callee(c.Common())
	if callee == nil {
		return root{other: true}
	}
	if e := l.a.Effects[callee]; e != nil && e.Fresh[i] || e == nil && harmless(callee) && callee.Pkg.Pkg.Path() == "strings" {
		return root{made: true}
	}
	return root{other: true}
}

// Leads reports whether values of the type share memory with their copies. Strings do not count, since they are never
// written.
func Leads(t types.Type) bool { return leadsWithin(t, 0) }

// maxDepth bounds the nesting of types that is examined.
const maxDepth = 20

func leadsWithin(t types.Type, depth int) bool {
	if depth > maxDepth {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Array:
		return leadsWithin(t.Elem(), depth+1)
	case *types.Struct:
		for i := range t.NumFields() {
			if leadsWithin(t.Field(i).Type(), depth+1) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for i := range t.Len() {
			if leadsWithin(t.At(i).Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// named describes the memory of v to the user.
func named(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Global:
		return "the variable " + v.Name()
	case *ssa.Parameter:
		return "the memory that " + v.Name() + " refers to"
	case *ssa.FreeVar:
		return "the variable " + v.Name() + " of the function around it"
	case *ssa.Alloc:
		if v.Comment != "" {
			return "the variable " + v.Comment
		}
	case *ssa.FieldAddr:
		if s, ok := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct); ok {
			return "the field " + s.Field(v.Field).Name()
		}
	case *ssa.IndexAddr:
		return "an element of " + base(v.X)
	case *ssa.UnOp:
		return named(v.X)
	case *ssa.Slice:
		return named(v.X)
	}
	return "shared memory"
}

// base returns the name of an indexed value.
func base(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.Global:
		return v.Name()
	case *ssa.UnOp:
		return base(v.X)
	case *ssa.Slice:
		return base(v.X)
	}
	return "a shared slice"
}
