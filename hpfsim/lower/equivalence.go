package lower

import (
	"fmt"

	"whorl/hpfsim/syntax"
)

// boxes notes the names in EQUIVALENCE and those that are ALLOCATABLE, TARGET or POINTER, and for each whether others may share its storage. A scalar
// among them becomes an array of one element: later steps compare its storage with that of others, as for arrays, and it may be absent.
func (l *lowerer) boxes(u *Unit, specs []syntax.Spec) {
	for _, s := range specs {
		switch s := s.(type) {
		case *syntax.Equivalence:
			for _, set := range s.Sets {
				for _, x := range set {
					u.boxed[nameOf(x).Text] = true
				}
			}
		case *syntax.Declare:
			for _, e := range s.Entities {
				if s.Attrs&(syntax.AttrAllocatable|syntax.AttrTarget) != 0 {
					u.boxed[e.Text] = u.boxed[e.Text] || s.Attrs&(syntax.AttrTarget|syntax.AttrPointer) != 0
				}
			}
		}
	}
}

// box makes arrays of the scalars that boxes has noted, after all declarations.
func (l *lowerer) box(u *Unit) {
	for _, s := range u.Symbols {
		if s.Deferred && !s.Allocatable {
			l.fail(s.Pos, "ALLOCATABLE", "the length of the characters of %s is deferred, but it is not allocatable", s.Name)
		}
		shared, named := u.boxed[s.Name]
		if s.Class != Variable || !named || u.names[s.Name] != s {
			continue
		}
		s.Shared = shared
		switch {
		case s.Rank() > 0:
		case s.Allocatable:
			s.Boxed, s.Bounds = true, []Bound{{}}
		default:
			s.Boxed, s.Bounds = true, []Bound{{l.integer(1, s.Pos), l.integer(1, s.Pos)}}
		}
	}
}

// dimensions returns the number of dimensions that a variable has in the program.
func (s *Symbol) dimensions() int {
	if s.Boxed {
		return 0
	}
	return s.Rank()
}

// content returns the scalar in an array of one element.
func (s *Symbol) content(pos syntax.Pos) *Element {
	return &Element{typed{s.Type, 0, pos}, s, []Sub{{Index: &Const{typed{Integer, 0, pos}, Value{I: 1}}}}}
}

// nameOf returns the variable of an expression that is a variable, an element or a substring.
func nameOf(x syntax.Expr) syntax.Name {
	switch x := x.(type) {
	case *syntax.Var:
		return x.Name
	case *syntax.Apply:
		return x.Name
	case *syntax.Selected:
		return x.Name
	case *syntax.Substring:
		return nameOf(x.X)
	}
	return syntax.Name{Pos: x.Position()}
}

// A sharer is a variable that shares the storage of others by EQUIVALENCE. It begins at bytes after the variable with, or
// after the beginning of its block if with is nil.
type sharer struct {
	sym, with *Symbol
	offset    int64
}

// An overlay is variables whose storage EQUIVALENCE lays over each other, with the bytes at which they begin.
type overlay struct {
	members []*Symbol
	offsets map[*Symbol]int64
}

// equivalences lays the variables of EQUIVALENCE statements over each other: in the block of one of them that is in COMMON,
// or in a block of their own.
func (l *lowerer) equivalences(u *Unit) {
	l.unit = u
	var all []*overlay
	of := map[*Symbol]*overlay{}
	for _, spec := range u.Specs {
		e, ok := spec.(*syntax.Equivalence)
		if !ok {
			continue
		}
		if u.Pure || u.Recursive {
			l.fail(e.Pos, "a procedure that is neither", "EQUIVALENCE in a procedure that is PURE or RECURSIVE: legal Fortran, but not in the subset")
			continue
		}
		for _, set := range e.Sets {
			var first *Symbol
			var begin int64 // of the shared byte in the first variable
			for _, x := range set {
				s, at, ok := l.shared(x)
				if !ok {
					continue
				}
				if of[s] == nil {
					of[s] = &overlay{[]*Symbol{s}, map[*Symbol]int64{s: 0}}
					all = append(all, of[s])
				}
				if first == nil {
					first, begin = s, at
					continue
				}
				a, b := of[first], of[s]
				by := a.offsets[first] + begin - at - b.offsets[s]
				if a == b && by != 0 {
					l.fail(x.Position(), "one place for each variable", "EQUIVALENCE gives %s two places", s.Name)
				}
				if a == b {
					continue
				}
				for _, m := range b.members {
					a.members = append(a.members, m)
					a.offsets[m] = b.offsets[m] + by
					of[m] = a
				}
				b.members = nil
			}
		}
	}
	n := 0
	for _, o := range all {
		if len(o.members) > 0 {
			n++
			l.overlay(u, o, n)
		}
	}
}

// shared returns the variable of an item of EQUIVALENCE, and the offset of the shared byte in it.
func (l *lowerer) shared(x syntax.Expr) (*Symbol, int64, bool) {
	n := nameOf(x)
	s := l.unit.names[n.Text]
	switch {
	case n.Text == "":
		l.fail(n.Pos, "a variable, an element or a substring", "EQUIVALENCE of an expression")
		return nil, 0, false
	case s == nil || s.Class != Variable:
		l.fail(n.Pos, "a variable of this unit", "%s in EQUIVALENCE is not a variable", n.Text)
		return nil, 0, false
	case s.Dummy > 0 || s == l.unit.Out || s.Allocatable:
		l.fail(n.Pos, "another variable", "%s in EQUIVALENCE is an argument, the value of a function or ALLOCATABLE", n.Text)
		return nil, 0, false
	case s.Place != nil || s.Dynamic:
		l.fail(n.Pos, "an array without a mapping", "%s in EQUIVALENCE is a mapped array: legal, but not in the subset", n.Text)
		return nil, 0, false
	}
	lo, hi, constant := constBounds(s)
	most, few := volume(lo, hi)
	if !constant || !few {
		l.fail(n.Pos, "constant bounds", "%s in EQUIVALENCE has no constant size, or more than 2**40 elements", n.Text)
		return nil, 0, false
	}
	each := s.bytes()
	text := s.Type.Base == syntax.CharacterType
	if each == 0 {
		l.fail(n.Pos, "a constant length", "%s in EQUIVALENCE has no constant length", n.Text)
		return nil, 0, false
	}
	switch x := x.(type) {
	case *syntax.Apply:
		if sec, ok := substringOf(x); ok && text && s.Boxed {
			at, ok := l.firstOf(sec.Lo, s)
			return s, at, ok
		}
		if len(x.Args) == 1 && s.Rank() > 1 { // an element by its place, as in FORTRAN 77
			i, ok := l.constInt(x.Args[0].Value, "a subscript in EQUIVALENCE")
			if ok && (i < 1 || i > most) {
				l.fail(x.Args[0].Value.Position(), fmt.Sprintf("1 to %d", most), "%s has no element %d", n.Text, i)
				ok = false
			}
			return s, (i - 1) * each, ok
		}
		if len(x.Args) != s.dimensions() {
			l.fail(n.Pos, "one for each dimension", "%s has %d dimensions, but %d subscripts", n.Text, s.dimensions(), len(x.Args))
			return nil, 0, false
		}
		at, ok := l.dataPlace(s, x, nil)
		return s, int64(at) * each, ok
	case *syntax.Substring:
		_, at, ok := l.shared(x.X)
		if !ok || !text {
			return nil, 0, false
		}
		first, ok := l.firstOf(x.Lo, s)
		return s, at + first, ok
	}
	return s, 0, true
}

func substringOf(x *syntax.Apply) (*syntax.Section, bool) {
	if len(x.Args) != 1 {
		return nil, false
	}
	s, ok := x.Args[0].Value.(*syntax.Section)
	return s, ok
}

// firstOf returns the place of the first character of a substring of a variable, from 0.
func (l *lowerer) firstOf(lo syntax.Expr, s *Symbol) (int64, bool) {
	if lo == nil {
		return 0, true
	}
	v, ok := l.constInt(lo, "a bound of a substring")
	if ok && (v < 1 || v > s.bytes()) {
		l.fail(lo.Position(), fmt.Sprintf("1 to %d", s.bytes()), "%s has no character %d", s.Name, v)
		ok = false
	}
	return v - 1, ok
}

// bytes returns the size of an element, 0 if it is not known before the run.
func (s *Symbol) bytes() int64 {
	if s.Type.Base != syntax.CharacterType {
		return int64(s.Type.Bytes())
	}
	if c, ok := s.Length.(*Const); ok {
		return max(c.I, 1)
	}
	return 0
}

// overlay gives variables that share storage their block.
func (l *lowerer) overlay(u *Unit, o *overlay, n int) {
	var common *Symbol
	low := o.offsets[o.members[0]]
	for _, m := range o.members {
		low = min(low, o.offsets[m])
		switch {
		case m.Block == nil:
		case common == nil:
			common = m
		default:
			l.fail(m.Pos, "one of them in COMMON", "%s and %s are both in COMMON, and share storage by EQUIVALENCE: legal Fortran, but not in the subset", common.Name, m.Name)
			return
		}
	}
	var b *Block
	if common != nil {
		b = common.Block
	} else {
		owner := u
		if u.container != nil {
			owner = u.container // the variables of an ENTRY are those of its unit
		}
		key := fmt.Sprintf("%v%%%d", owner.Pos, n)
		if b = l.prog.Blocks[key]; b == nil {
			b = &Block{}
			l.prog.Blocks[key] = b
		}
	}
	for _, m := range o.members {
		if m == common {
			continue
		}
		s := sharer{sym: m, with: common, offset: o.offsets[m] - low}
		if common != nil {
			s.offset = o.offsets[m] - o.offsets[common]
		}
		m.Block, m.Saved = b, true
		b.sharers = append(b.sharers, s)
	}
}
