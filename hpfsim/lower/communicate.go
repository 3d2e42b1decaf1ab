package lower

import (
	"fmt"
	"strings"

	"whorl/hpfsim/mapping"
)

// A CommKind is a pattern of messages.
type CommKind uint8

// The patterns. Their opcodes are documented as in opcode.go.
const (
	Shift     CommKind = iota // v  shift<v>      edges of blocks of v are at the neighbours
	Broadcast                 // v  broadcast<v>  elements of one owner are at all others, in log P steps
	Exchange                  // v  exchange<v>   elements of v are at the owners of others, by a known relation of the indices
	Gather                    // v  gather<v>     the same, by indices known at run time only: inspected, then sent
	Reduce                    // x  reduce<x>     partial results of x are joined, in log P steps
)

var commNames = [...]string{"shift", "broadcast", "exchange", "gather", "reduce"}

// String returns the pattern's name.
func (k CommKind) String() string { return commNames[k] }

// A Comm is the messages of one pattern that a statement, or a loop on its behalf, sends before it computes. Its fields besides Kind, Array, Text,
// Hoist and Loops depend on the pattern:
//
//	Shift      Axis, By, Source
//	Broadcast  Axis, Source, Fixed, Plain
//	Exchange   Source, Home, Turn, Fixed, Plain
//	Gather     Source, Home, Fixed, Plain
//	Reduce     none
type Comm struct {
	Kind   CommKind
	Array  *Symbol
	Text   string   // the operand in the listing
	Hoist  int      // loops that the messages were taken out of
	Loops  []Span   // these loops
	Axis   int      // of the arrangement of processors; -1 for all of it
	By     int      // the distance, in elements
	Source *Element // the elements that are sent
	Home   *Element // its owners receive them; nil for all processors
	Turn   *Turn    // the transformation of CSHIFT, EOSHIFT and TRANSPOSE
	Fixed  bool     // indices are sums of the loops' variables and of values that the loops do not change
	Plain  bool     // indices can be computed ahead of the statement: they call no function of the program
}

// A Span is the range of a loop's variable. Step may be nil.
type Span struct {
	Var          *Symbol
	Lo, Hi, Step Expr
}

// A Turn describes a transformation that moves each element: a shift along a dimension, or a transposition.
type Turn struct {
	By       Expr // distance; nil for TRANSPOSE
	Dim      Expr // dimension, from 1; nil means 1
	Circular bool
}

// same reports whether two Comms, which belong to one statement or were taken out of the same loops, send the same elements.
func (c Comm) same(o Comm) bool {
	if c.Kind != o.Kind || c.Array != o.Array || c.Axis != o.Axis || c.By != o.By || c.Text != o.Text || len(c.Loops) != len(o.Loops) {
		return false
	}
	return c.Home == o.Home || c.Home != nil && o.Home != nil && text(c.Home) == text(o.Home)
}

// String describes the messages as a listing shows them.
func (c Comm) String() string {
	s := fmt.Sprintf("%v %s", c.Kind, strings.ToLower(c.Text))
	if c.Kind == Shift {
		s += fmt.Sprintf(" by %+d along axis %d", c.By, c.Axis+1)
	}
	if c.Hoist > 0 {
		s += fmt.Sprintf(", taken out of %d loop", c.Hoist)
		if c.Hoist > 1 {
			s += "s"
		}
	}
	return s
}

// A meeting is the index of a template's dimension that a reference is aligned with.
type meeting struct {
	sum        affine
	everywhere bool // replicated along the dimension
	unknown    bool // not an affine sum, or known at run time only
	spread     mapping.Spread
}

// meetings returns the position of a reference along each axis of the processors. Positions of sections are
// variables. It returns false if the mapping is known at run time only.
func meetings(e *Element, vars map[*Symbol]bool, positions []*Symbol) ([]meeting, bool) {
	m, err := e.Sym.Static()
	if m == nil || err != nil || e.Sym.Moves() {
		return nil, false
	}
	sums := make([]meeting, len(e.Subs))
	section := 0
	for d, s := range e.Subs {
		switch {
		case s.Section:
			lo, step := affine{offset: int64(boundLo(e.Sym, d))}, int64(1)
			ok := true
			if s.Lo != nil {
				lo, ok = affineOf(s.Lo)
			}
			if s.Step != nil {
				c, isConst := s.Step.(*Const)
				if ok = ok && isConst; isConst {
					step = c.I
				}
			}
			if !ok || section >= len(positions) {
				sums[d].unknown = true
			} else {
				sums[d].sum = lo.plus(affine{factors: map[*Symbol]int64{positions[section]: step}})
			}
			section++
		case s.Index.Rank() > 0:
			sums[d].unknown = true
			section++
		default:
			sum, ok := affineOf(s.Index)
			if !ok {
				// An index that does not change within the loops is at one position, represented by a new variable.
				sums[d].unknown = dependsOn(s.Index, vars)
				sum = affine{factors: map[*Symbol]int64{{Name: "?"}: 1}}
			}
			sums[d].sum = sum
		}
	}
	t := m.Template
	out := make([]meeting, len(t.Grid.Shape))
	for dim, axis := range t.Axis {
		if axis < 0 {
			continue
		}
		out[axis].spread = t.Spread[dim]
		found := false
		for d, f := range m.Follow {
			if f.Dim == dim {
				x := sums[d]
				x.sum = x.sum.times(int64(f.Stride)).plus(affine{offset: int64(f.Offset)})
				x.spread = t.Spread[dim]
				out[axis], found = x, true
			}
		}
		if !found {
			if m.Fixed[dim] == mapping.Replicated {
				out[axis].everywhere = true
			} else {
				out[axis].sum = affine{offset: int64(m.Fixed[dim])}
			}
		}
	}
	return out, true
}

func boundLo(s *Symbol, d int) int {
	if c, ok := s.Bounds[d].Lo.(*Const); ok {
		return int(c.I)
	}
	return 1
}

// comms returns the messages that an assignment needs. The positions in sections take the role of loop variables.
func comms(left, right Expr, parallel map[*Symbol]bool) []Comm {
	target := whole(left)
	var positions []*Symbol
	vars := map[*Symbol]bool{}
	for s := range parallel {
		vars[s] = true
	}
	for d := range left.Rank() {
		p := &Symbol{Name: fmt.Sprintf("#%d", d+1)}
		positions = append(positions, p)
		vars[p] = true
	}
	var home []meeting
	if target != nil {
		home, _ = meetings(target, vars, positions)
	}
	var out []Comm
	add := func(c Comm) {
		for _, o := range out {
			if o.same(c) {
				return
			}
		}
		out = append(out, c)
	}
	visit := func(x Expr) {
		e := whole(x)
		if e == nil || e.Sym.Place == nil {
			return
		}
		text := text(x)
		from, known := meetings(e, vars, positions)
		all := Comm{Kind: Exchange, Array: e.Sym, Axis: -1, Text: text, Source: e, Home: target, Fixed: regular(e) && regular(target), Plain: plain(e) && plain(target)}
		switch {
		case target == nil || target.Sym.Place == nil:
			all.Kind, all.Home = Broadcast, nil
			add(all)
			return
		case home == nil || !known || len(home) != len(from):
			add(all)
			return
		}
		var some []Comm // one for each axis
		whole := false  // a single exchange or gather replaces them
		for axis := range from {
			f, h := from[axis], home[axis]
			if f.everywhere || f.spread.P == 1 {
				continue
			}
			same := f.spread.Alike(h.spread)
			switch {
			case f.unknown || h.unknown:
				all.Kind, whole = Gather, true
			case h.everywhere:
				some = append(some, Comm{Kind: Broadcast, Array: e.Sym, Axis: axis, Text: text, Source: e})
			default:
				d := f.sum.plus(h.sum.times(-1))
				d.offset -= int64(f.spread.Lo - h.spread.Lo)
				switch {
				case len(d.factors) == 0 && same && d.offset == 0:
				case len(f.sum.factors) == 0 && len(h.sum.factors) == 0:
					whole = whole || f.spread.Owner(int(f.sum.offset)) != h.spread.Owner(int(h.sum.offset))
				case len(d.factors) == 0 && same && f.sum.contains(vars) && f.spread.Kind == mapping.Block:
					some = append(some, Comm{Kind: Shift, Array: e.Sym, Axis: axis, By: int(d.offset), Text: strings.ToLower(e.Sym.Name), Source: e})
				case !f.sum.contains(vars):
					some = append(some, Comm{Kind: Broadcast, Array: e.Sym, Axis: axis, Text: text, Source: e})
				default:
					whole = true
				}
			}
		}
		if whole {
			some = []Comm{all}
		}
		for _, c := range some {
			add(c)
		}
	}
	references(right, visit)
	if target != nil && target.Sym.Place != nil {
		Walk(right, func(x Expr) {
			if c, ok := x.(*Call); ok && c.local() {
				for _, a := range c.Args {
					references(a, visit)
				}
			}
		})
	}
	if target != nil {
		for _, s := range target.Subs {
			references(s.Index, visit)
		}
	}
	return out
}

// local reports whether the owner of a mapped operand of a reduction has all elements that are joined: each section is along a dimension that is not distributed.
func (c *Call) local() bool {
	if c.Fn.Sort != Reduction {
		return false
	}
	local, mapped := true, false
	for _, a := range c.Args {
		references(a, func(x Expr) {
			e := whole(x)
			if e == nil || e.Sym.Place == nil {
				return
			}
			mapped = true
			for d, s := range e.Subs {
				vector := s.Section || s.Index.Rank() > 0
				local = local && !(vector && e.Sym.spread(d))
			}
		})
	}
	return local && mapped
}

// plain reports whether the indices of a reference can be computed without calling a function of the program.
func plain(e *Element) bool {
	ok := true
	if e != nil {
		Walk(e, func(x Expr) {
			_, call := x.(*Invoke)
			ok = ok && !call
		})
	}
	return ok
}

// regular reports whether all indices of a reference are affine sums.
func regular(e *Element) bool {
	if e == nil {
		return true
	}
	for _, s := range e.Subs {
		if s.Section {
			continue
		}
		if _, ok := affineOf(s.Index); !ok {
			return false
		}
	}
	return true
}

// spans returns the ranges of loops, for messages that are taken out of them.
func spans(nest []*Do) []Span {
	var out []Span
	for _, d := range nest {
		out = append(out, Span{d.Var, d.Lo, d.Hi, d.Step})
	}
	return out
}

// Mentions reports whether an expression contains a variable.
func Mentions(x Expr, v *Symbol) bool {
	found := false
	Walk(x, func(e Expr) {
		r, ok := e.(*Ref)
		found = found || ok && r.Sym == v
	})
	return found
}

// turned describes a shift or a transposition. It returns nil for other transformations.
func turned(c *Call) *Turn {
	switch c.Fn.Op {
	case OpCshift, OpEoshift:
		if c.Args[1].Rank() > 0 {
			return nil
		}
		t, dim := &Turn{By: c.Args[1], Circular: c.Fn.Op == OpCshift}, 3
		if t.Circular {
			dim = 2
		}
		if dim < len(c.Args) {
			t.Dim = c.Args[dim]
		}
		return t
	case OpTranspose:
		return &Turn{}
	}
	return nil
}

// reductions returns the messages of reductions and transformations in an expression. Its value is for the owners of
// left, or for all processors if left is nil.
func reductions(left, x Expr) []Comm {
	var out []Comm
	Walk(x, func(e Expr) {
		c, ok := e.(*Call)
		if !ok || c.Fn.Sort != Reduction && c.Fn.Sort != Transform {
			return
		}
		if home := whole(left); home != nil && home.Sym.Place != nil && c.local() {
			return // its operands are elements that the owner has or receives
		}
		var source *Element
		for _, a := range c.Args {
			references(a, func(r Expr) {
				if w := whole(r); w != nil && w.Sym.Place != nil && source == nil {
					source = w
				}
			})
		}
		if source == nil {
			return
		}
		m := Comm{Kind: Reduce, Array: source.Sym, Axis: -1, Text: text(c)}
		if c.Fn.Sort == Transform {
			m.Kind = Exchange
			if home := whole(left); home != nil && home.Rank() == c.Rank() && source.Rank() == c.Rank() && home.Sym.Place != nil {
				if m.Turn = turned(c); m.Turn != nil {
					m.Source, m.Home, m.Plain = source, home, plain(source) && plain(home)
				}
			}
		}
		out = append(out, m)
	})
	return out
}
