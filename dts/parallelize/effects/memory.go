package effects

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// uses reports how the address of an element is used.
func uses(addr ssa.Value) (read, write, escapes bool) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				write = true
			} else {
				escapes = true
			}
		case *ssa.UnOp:
			read = true
		case *ssa.FieldAddr:
			r, w, e := uses(ref)
			read, write, escapes = read || r, write || w, escapes || e
		case *ssa.IndexAddr:
			if ref.X != addr {
				escapes = true
				continue
			}
			r, w, e := uses(ref)
			read, write, escapes = read || r, write || w, escapes || e
		case *ssa.DebugRef:
		default:
			escapes = true
		}
	}
	return read, write, escapes
}

// ofSlice reports whether an address lies in an element of a slice.
func ofSlice(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			if IsSlice(x.X.Type()) {
				return true
			}
			addr = x.X
		default:
			return false
		}
	}
}

// pointed returns the variable of the function that contains an address, nil for other memory, and the type of the memory.
// It returns false for elements of slices, which IndexAddr covers, and for variables to which no one else refers or that
// no slice can contain.
func pointed(addr ssa.Value) (variable ssa.Value, t types.Type, ok bool) {
	pointer, ok := addr.Type().Underlying().(*types.Pointer)
	if !ok { // of a type parameter
		return nil, nil, true
	}
	t = pointer.Elem()
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
			continue
		case *ssa.IndexAddr:
			if IsSlice(x.X.Type()) {
				return nil, nil, false
			}
			addr = x.X
			continue
		case *ssa.Alloc:
			_, plain := x.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Basic)
			return x, t, x.Heap && !plain
		case *ssa.Global:
			_, plain := x.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Basic)
			return nil, t, !plain
		}
		return nil, t, true
	}
}

// MayOverlap reports whether memory of one type can contain memory of the other. Nil is any type.
func MayOverlap(a, b types.Type) bool {
	return a == nil || b == nil || contains(a, b, 0) || contains(b, a, 0)
}

func contains(t, part types.Type, depth int) bool {
	if depth > maxDepth || types.IdenticalIgnoreTags(t.Underlying(), part.Underlying()) {
		return true
	}
	if isTypeParam(t) {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return contains(t.Elem(), part, depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if contains(f.Type(), part, depth+1) {
				return true
			}
		}
	}
	return false
}

// ReadsOperand reports whether a conversion reads memory: that from a slice, or from a type parameter that may be one,
// to a string or an array.
func ReadsOperand(from, to types.Type) bool {
	if !IsSlice(from) && !isTypeParam(from) {
		return false
	}
	switch t := to.Underlying().(type) {
	case *types.Basic:
		return t.Info()&types.IsString != 0
	case *types.Array:
		return true
	}
	return isTypeParam(to) && IsSlice(from)
}

// CountsEntries reports whether the length of a value of type t is in memory that others may write: that of a map, of a
// channel, or of a type parameter that may be one.
func CountsEntries(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Chan:
		return true
	}
	return isTypeParam(t)
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
