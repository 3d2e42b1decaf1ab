package lower

import (
	"fmt"
	"strings"

	"whorl/hpfsim/mapping"
)

// A CommKind is a pattern of messages.
type CommKind uint8

// The patterns.
const (
	Shift     CommKind = iota // the edges of blocks go to the neighbours
	Broadcast                 // what lies in one place goes to all that need it, in log P steps
	Exchange                  // sections that lie otherwise are sent where they belong
	Gather                    // indices that are only known at run time: inspected, then sent
	Reduce                    // parts are joined in log P steps
)

var commNames = [...]string{"shift", "broadcast", "exchange", "gather", "reduce"}

// String returns the pattern's name.
func (k CommKind) String() string { return commNames[k] }

// A Comm is what a statement, or a loop around it, sends before it computes.
type Comm struct {
	Kind   CommKind
	Array  *Symbol
	Axis   int // of the processors; -1 for all of them
	By     int // a shift's distance, in elements
	Text   string
	Hoist  int // loops out of which it was taken
	Source *Element
}

// String describes the communication as a listing shows it.
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

// A meeting is the index of a template's dimension that a reference meets, as a sum.
type meeting struct {
	sum        affine
	everywhere bool // replicated along it
	unknown    bool // no sum, or not known before the program runs
	spread     mapping.Spread
}

// meetings says, for each axis of the processors, where a reference lies.
func meetings(e *Element, vars map[*Symbol]bool, positions []*Symbol) ([]meeting, bool) {
	m, err := e.Sym.Static()
	if m == nil || err != nil {
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
		case s.At.Rank() > 0:
			sums[d].unknown = true
			section++
		default:
			sum, ok := affineOf(s.At)
			if !ok {
				// An index that does not change within the statement's loops is met in one place, wherever that is.
				sums[d].unknown = dependsOn(s.At, vars)
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

// comms finds what an assignment has to send. Positions of sections stand for the variables of its loops.
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
			if o.Kind == c.Kind && o.Array == c.Array && o.Axis == c.Axis && o.By == c.By && o.Text == c.Text {
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
		switch {
		case target == nil || target.Sym.Place == nil:
			add(Comm{Kind: Broadcast, Array: e.Sym, Axis: -1, Text: text, Source: e})
			return
		case home == nil || !known || len(home) != len(from):
			add(Comm{Kind: Exchange, Array: e.Sym, Axis: -1, Text: text, Source: e})
			return
		}
		for axis := range from {
			f, h := from[axis], home[axis]
			if f.everywhere || f.spread.P == 1 {
				continue
			}
			same := f.spread.Kind == h.spread.Kind && f.spread.M == h.spread.M && f.spread.P == h.spread.P
			switch {
			case f.unknown:
				add(Comm{Kind: Gather, Array: e.Sym, Axis: axis, Text: text, Source: e})
			case h.everywhere || h.unknown:
				add(Comm{Kind: Broadcast, Array: e.Sym, Axis: axis, Text: text, Source: e})
			default:
				d := f.sum.plus(h.sum.times(-1))
				d.offset -= int64(f.spread.Lo - h.spread.Lo)
				switch {
				case len(d.factors) == 0 && same && d.offset == 0:
				case len(f.sum.factors) == 0 && len(h.sum.factors) == 0:
					if f.spread.Owner(int(f.sum.offset)) != h.spread.Owner(int(h.sum.offset)) {
						add(Comm{Kind: Exchange, Array: e.Sym, Axis: axis, Text: text, Source: e})
					}
				case len(d.factors) == 0 && same && f.sum.has(vars) && f.spread.Kind == mapping.Block:
					add(Comm{Kind: Shift, Array: e.Sym, Axis: axis, By: int(d.offset), Text: strings.ToLower(e.Sym.Name), Source: e})
				case !f.sum.has(vars):
					add(Comm{Kind: Broadcast, Array: e.Sym, Axis: axis, Text: text, Source: e})
				default:
					add(Comm{Kind: Exchange, Array: e.Sym, Axis: axis, Text: text, Source: e})
				}
			}
		}
	}
	references(right, visit)
	if target != nil {
		for _, s := range target.Subs {
			references(s.At, visit)
		}
	}
	return out
}

// reductions are the messages of reductions and transformations in an expression.
func reductions(x Expr) []Comm {
	var out []Comm
	walk(x, func(e Expr) {
		c, ok := e.(*Call)
		if !ok || c.Fn.Sort != Reduction && c.Fn.Sort != Transform {
			return
		}
		var array *Symbol
		for _, a := range c.Args {
			references(a, func(r Expr) {
				if w := whole(r); w != nil && w.Sym.Place != nil && array == nil {
					array = w.Sym
				}
			})
		}
		if array == nil {
			return
		}
		kind := Reduce
		if c.Fn.Sort == Transform {
			kind = Exchange
		}
		out = append(out, Comm{Kind: kind, Array: array, Axis: -1, Text: text(c)})
	})
	return out
}
