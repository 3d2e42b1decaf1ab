package lower

import (
	"cmp"
	"maps"
	"slices"

	"whorl/hpfsim/syntax"
)

// A Block is a block of COMMON, or variables that share storage by EQUIVALENCE.
type Block struct {
	Name     string
	Members  []*Symbol // of all units that have it, in their order
	Segments []Segment
	sharers  []sharer // variables that share the storage of members
}

// A Segment is storage that variables of a block share: in all units those that overlap in the block, however a unit
// divides it.
type Segment struct {
	Type     Type
	Length   int // length of characters
	Elements int
}

// common enters the variables of a block.
func (l *lowerer) common(c *syntax.Common) {
	b := l.prog.Blocks[c.Block]
	if b == nil {
		b = &Block{Name: c.Block}
		l.prog.Blocks[c.Block] = b
	}
	for _, e := range c.Entities {
		s := l.ownSymbol(e.Name)
		if s.Block != nil || s.Dummy > 0 {
			l.fail(e.Pos, "a variable that is not", "%s is in COMMON already, or an argument", e.Text)
			continue
		}
		if e.Dims != nil {
			l.shape(s, l.bounds(e.Dims), e.Pos)
		}
		s.Block, s.Saved = b, true
		b.Members = append(b.Members, s)
	}
}

// A stretch is the bytes of a block that a variable occupies.
type stretch struct {
	sym      *Symbol
	from, to int64
	each     int64 // bytes of an element
}

// storage lays the COMMON blocks out as Fortran does: the variables of a unit follow each other. Units may divide the
// storage differently as long as the same types are in the same places. Mapped arrays must be declared and mapped
// alike.
func (l *lowerer) storage() {
	for _, u := range l.prog.Units {
		l.equivalences(u)
	}
	l.unit = nil
	for _, name := range slices.Sorted(maps.Keys(l.prog.Blocks)) {
		b := l.prog.Blocks[name]
		all := l.stretches(b)
		slices.SortStableFunc(all, func(x, y stretch) int { return cmp.Compare(x.from, y.from) })
		var first stretch // the one that begins the segment
		end := int64(-1)
		for _, x := range all {
			if x.from >= end {
				b.Segments = append(b.Segments, Segment{Type: x.sym.Type, Length: length(x)})
				first, end = x, x.to
			} else if !l.agree(b, first, x) {
				continue
			}
			end = max(end, x.to)
			k := len(b.Segments) - 1
			x.sym.Segment, x.sym.Start = k, int((x.from-first.from)/x.each)
			b.Segments[k].Elements = int((end - first.from) / x.each)
		}
	}
}

// length returns the length of characters, 0 for other types.
func length(x stretch) int {
	if x.sym.Type.Base != syntax.CharacterType {
		return 0
	}
	return int(x.each)
}

// stretches computes the bytes that the variables of a block occupy in their units.
func (l *lowerer) stretches(b *Block) []stretch {
	var out []stretch
	at := int64(0)
	for i, s := range b.Members {
		if i > 0 && b.Members[i-1].Unit != s.Unit {
			at = 0
		}
		lo, hi, ok := constBounds(s)
		n, few := volume(lo, hi)
		ok = ok && few
		x := stretch{sym: s, each: int64(s.Type.Bytes())}
		align := min(x.each, 8)
		if s.Type.Base == syntax.CharacterType {
			c, known := s.Length.(*Const)
			if ok = ok && known; ok {
				x.each = max(c.I, 1)
			}
			align = 1
		}
		if !ok || s.Allocatable {
			l.fail(s.Pos, "bounds that are constant", "%s is in COMMON, but its size is not constant", s.Name)
			continue
		}
		x.from = (at + align - 1) / align * align
		x.to = x.from + n*x.each
		at = x.to
		out = append(out, x)
	}
	return append(out, l.sharing(b, out)...)
}

// volume returns the number of elements between constant bounds, and false if there are more than 2**40.
func volume(lo, hi []int) (int64, bool) {
	const most = 1 << 40
	n := int64(1)
	for d := range lo {
		extent := int64(max(hi[d]-lo[d]+1, 0))
		if extent > most/max(n, 1) {
			return 0, false
		}
		n *= extent
	}
	return n, true
}

// sharing returns the bytes of the variables that share the storage of a block by EQUIVALENCE, and makes them members of it.
func (l *lowerer) sharing(b *Block, of []stretch) []stretch {
	var out []stretch
	for _, x := range b.sharers {
		b.Members = append(b.Members, x.sym)
		lo, hi, _ := constBounds(x.sym)
		n, _ := volume(lo, hi)
		begin := int64(0)
		for _, o := range of {
			if o.sym == x.with {
				begin = o.from
			}
		}
		s := stretch{sym: x.sym, from: begin + x.offset, each: x.sym.bytes()}
		s.to = s.from + n*s.each
		if s.from < 0 {
			l.fail(x.sym.Pos, "an element that is not before it", "by EQUIVALENCE %s begins before its block of COMMON", x.sym.Name)
			continue
		}
		out = append(out, s)
	}
	return out
}

// agree reports whether a variable may share storage with the one that begins the segment. If not, it reports an error.
func (l *lowerer) agree(b *Block, first, x stretch) bool {
	s, t := x.sym, first.sym
	switch same := x.from == first.from && x.to == first.to; {
	case s.Shared && (s.Type != t.Type || x.each != first.each || (x.from-first.from)%x.each != 0):
		l.fail(s.Pos, "variables of one type, with elements of one size", "%s shares storage with %s of %s by EQUIVALENCE, which is another type or has elements of another size: legal Fortran, but not in the subset",
			s.Name, t.Name, t.Unit.Name)
		return false
	case s.Type != t.Type, x.each != first.each, (x.from-first.from)%x.each != 0:
		l.fail(s.Pos, "the same types in the same places", "%s of COMMON /%s/ shares storage with %s of %s, which is another type: legal Fortran, but not in the subset",
			s.Name, b.Name, t.Name, t.Unit.Name)
		return false
	case (s.Place != nil) != (t.Place != nil) || s.Place != nil && !same:
		l.fail(s.Pos, "the same declaration and the same mapping in all units", "%s of COMMON /%s/ shares storage with %s of %s, and one of them is mapped",
			s.Name, b.Name, t.Name, t.Unit.Name)
		return false
	}
	return true
}
