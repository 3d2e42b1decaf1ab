package lower

import (
	"strings"

	"whorl/hpfsim/syntax"
)

// holds makes an array an array of arrays: each element holds an array, or a scalar, that is ALLOCATABLE or a POINTER.
func (l *lowerer) holds(s *Symbol, h *syntax.Held) {
	s.Holds = &Symbol{
		Name: s.Name, Pos: s.Pos, Type: s.Type, Length: s.Length, Deferred: s.Deferred, typed: true, Allocatable: true, Pointer: h.Attrs&syntax.AttrPointer != 0,
		Shared: h.Attrs&syntax.AttrPointer != 0, Target: true, Leads: s.Leads, Bounds: make([]Bound, h.Rank), Boxed: h.Rank == 0,
	}
	if s.Holds.Boxed {
		s.Holds.Bounds = []Bound{{}}
	}
	s.Deferred = false
}

// selected resolves the array in an element of an array of arrays. Each reference has a symbol of its own, which a run looks up.
func (l *lowerer) selected(e *syntax.Selected) Expr {
	slot, ok := l.expr(e.Holder).(*Element)
	if !ok || slot.N > 0 || slot.Sym.Holds == nil {
		return nil // reported
	}
	s := *slot.Sym.Holds
	s.Pos, s.Unit, s.Index, s.Slot = e.Pos, l.unit, len(l.unit.Symbols), slot
	l.unit.Symbols = append(l.unit.Symbols, &s)
	if e.Args == nil {
		return l.ref(&s, e.Pos)
	}
	return l.element(&s, &syntax.Apply{Name: e.Name, Args: e.Args})
}

// held returns the symbol of a component that is ALLOCATABLE or a POINTER. It reports others and returns nil.
func (l *lowerer) held(x syntax.Expr) *Symbol {
	if r, ok := entire(l.expr(x)).(*Ref); ok && r.Sym.Allocatable {
		return r.Sym
	}
	return nil
}

// writeSlot writes an array that an element of an array of arrays holds.
func writeSlot(b *strings.Builder, s *Symbol) {
	name := strings.ToLower(s.Name)
	switch at := strings.LastIndex(name, "%"); {
	case s.Slot == nil:
		b.WriteString(name)
	case s.Slot.Sym.Pool != nil:
		write(b, s.Slot)
	default:
		b.WriteString(name[:at])
		subscripts(b, s.Slot.Subs)
		b.WriteString(name[at:])
	}
}
