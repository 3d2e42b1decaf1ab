package lower

import (
	"fmt"
	"slices"

	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// A Grid is an arrangement of processors that a directive declares.
type Grid = mapping.Grid

// A Placement is the mapping of an array or a template as directives declare it: distributed itself, or aligned with
// another. Bounds may be known at run time only, when Lay makes the mapping.
type Placement struct {
	Pos     syntax.Pos
	Formats []mapping.Format // of a distribution
	Grid    *Grid
	Maps    []Expr  // arrays of GEN_BLOCK and INDIRECT that are known at run time only, by dimension; nil for none
	Kept    bool    // a dummy argument has the mapping of the actual one
	With    *Symbol // the target of an alignment; nil for a distribution
	Dims    []Alignment
	Fixed   []Fix // by dimension of the target
}

// An Alignment aligns a dimension of an array with dimension Dim of the target; Dim is -1 for a collapsed dimension.
// Index i is aligned with Stride*i + Offset. If Ordered is set the first index is aligned with Offset, or with the
// lower bound of the target if Whole is set.
type Alignment struct {
	Dim, Stride, Offset int
	Ordered, Whole      bool
}

// A Fix is the position of an array in a dimension of the target that no dimension of the array is aligned with: an
// index, or everywhere.
type Fix struct {
	Everywhere bool
	Index      int
}

// A Target is the target of an alignment: its bounds and its placement. Lay is the mapping of a target whose placement is Kept; nil means replicated.
type Target struct {
	Lo, Hi []int
	Place  *Placement
	Lay    *mapping.Array
}

// Known returns the placement with the values of its Maps.
func (p *Placement) Known(values func(Expr) []int) *Placement {
	out := *p
	out.Maps, out.Formats = nil, slices.Clone(p.Formats)
	for d, x := range p.Maps {
		if x != nil {
			out.Formats[d].Values = values(x)
		}
	}
	return &out
}

// undistributed is the placement of an array that has a copy on every processor.
func undistributed(s *Symbol, pos syntax.Pos) *Placement {
	return &Placement{Pos: pos, Formats: make([]mapping.Format, s.Rank()), Grid: &Grid{Name: "all processors"}}
}

// Lay makes the mapping of an array with bounds lo and hi; nil means replicated. Around returns the target of an alignment.
func (p *Placement) Lay(name string, lo, hi []int, around func(*Symbol) Target) (*mapping.Array, error) {
	if p.Maps != nil || p.Kept {
		return nil, fmt.Errorf("the distribution of %s is known in its procedure only", name)
	}
	if p.With == nil {
		t, err := mapping.NewTemplate(name, lo, hi, p.Formats, p.Grid)
		if err != nil {
			return nil, err
		}
		return mapping.Identity(t), nil
	}
	target := around(p.With)
	tlo, thi, base := target.Lo, target.Hi, target.Lay
	switch {
	case target.Place == nil:
		return nil, fmt.Errorf("%s is aligned with %s, which is not distributed", name, p.With.Name)
	case !target.Place.Kept:
		var err error
		if base, err = target.Place.Lay(p.With.Name, tlo, thi, around); err != nil {
			return nil, err
		}
	case base == nil:
		return nil, nil
	}
	follow := make([]mapping.Follow, len(lo))
	fixed := append([]int(nil), base.Fixed...)
	through := func(dim, stride, offset int) mapping.Follow {
		f := base.Follow[dim]
		if f.Dim < 0 {
			return mapping.Follow{Dim: -1}
		}
		return mapping.Follow{Dim: f.Dim, Stride: f.Stride * stride, Offset: f.Stride*offset + f.Offset}
	}
	for d, a := range p.Dims {
		follow[d] = mapping.Follow{Dim: -1}
		if a.Dim < 0 {
			continue
		}
		stride, offset := a.Stride, a.Offset
		if a.Ordered {
			first := a.Offset
			if a.Whole {
				first = tlo[a.Dim]
			}
			offset = first - stride*lo[d]
		}
		if lo[d] <= hi[d] {
			for _, i := range []int{lo[d], hi[d]} {
				if at := stride*i + offset; at < tlo[a.Dim] || at > thi[a.Dim] {
					return nil, fmt.Errorf("index %d of dimension %d of %s is aligned with index %d of %s, whose dimension %d runs from %d to %d",
						i, d+1, name, at, p.With.Name, a.Dim+1, tlo[a.Dim], thi[a.Dim])
				}
			}
		}
		follow[d] = through(a.Dim, stride, offset)
	}
	for d, f := range p.Fixed {
		if base.Follow[d].Dim < 0 {
			continue
		}
		to := base.Follow[d]
		switch {
		case f.Everywhere:
			fixed[to.Dim] = mapping.Replicated
		default:
			fixed[to.Dim] = to.Stride*f.Index + to.Offset
		}
	}
	return mapping.NewArray(base.Template, lo, hi, follow, fixed)
}

// places reads the mapping directives of a unit.
func (l *lowerer) places(u *Unit) {
	grids := map[string]*Grid{}
	for _, s := range u.Specs {
		switch s := s.(type) {
		case *syntax.Processors:
			for _, e := range s.Entities {
				grids[e.Text] = l.grid(e)
			}
		case *syntax.Template:
			for _, e := range s.Entities {
				t := l.ownSymbol(e.Name)
				t.Class, t.typed = TemplateName, true
				l.shape(t, l.bounds(e.Dims), e.Pos)
			}
		}
	}
	for _, s := range u.Specs {
		if d, ok := s.(*syntax.Dynamic); ok {
			for _, n := range d.Names {
				t := l.mapped(n)
				switch {
				case t.Unit != nil && t.Unit != u:
					l.fail(n.Pos, "the directive in "+t.Unit.Name, "%s is DYNAMIC here, but %s declares it", n.Text, t.Unit.Name)
				case t.Block != nil:
					l.fail(n.Pos, "an array that is not in COMMON", "%s is in COMMON, whose arrays cannot be DYNAMIC", n.Text)
				}
				t.Dynamic = true
			}
		}
	}
	for _, s := range u.Specs {
		if d, ok := s.(*syntax.Distribute); ok {
			for _, n := range d.Arrays {
				if t := l.mapped(n); l.place(t, n) {
					t.Place = l.distribution(d, t, n, grids)
				}
			}
		}
	}
	for _, s := range u.Specs {
		l.advice(s)
	}
	for _, s := range u.Specs {
		a, ok := s.(*syntax.Align)
		if !ok {
			continue
		}
		for _, a := range append([]*syntax.Align{a}, a.Others...) {
			for _, n := range a.Arrays {
				if t := l.mapped(n); l.place(t, n) {
					t.Place = l.alignment(a, t, n)
				}
			}
		}
	}
	for _, s := range u.Symbols {
		for with, n := s.Place, 0; with != nil && with.With != nil; with, n = with.With.Place, n+1 {
			if n > len(u.Symbols) {
				l.fail(s.Place.Pos, "", "%s is aligned with itself through other arrays", s.Name)
				s.Place = nil
				break
			}
		}
	}
	var free []*Symbol
	for _, s := range u.Symbols {
		if t := s.root(); t != s { // its last target is not mapped: the array is replicated
			free = append(free, s)
		}
	}
	for _, s := range free {
		s.Place = nil
	}
	for _, s := range u.Symbols {
		if s.Dynamic && s.Place == nil && s.Rank() > 0 { // replicated until it is remapped
			s.Place = undistributed(s, s.Pos)
		}
		if s.Place != nil {
			l.provable(s)
		}
	}
	switch {
	case u.Local:
		l.localUnit(u)
	case u.Serial:
		l.serialUnit(u)
	}
}

// Moves reports whether an array may be remapped, by itself or with a target.
func (s *Symbol) Moves() bool {
	for t := s; t != nil; t = t.Place.With {
		if t.Dynamic {
			return true
		}
		if t.Place == nil {
			break
		}
	}
	return false
}

// root returns the last target of a symbol if that is not mapped, and else the symbol.
func (s *Symbol) root() *Symbol {
	t := s
	for t.Place != nil && t.Place.With != nil {
		t = t.Place.With
	}
	if t.Place != nil {
		return s
	}
	return t
}

// localUnit removes the mappings from an HPF_LOCAL subroutine, where a processor has its own elements only. The
// mappings of arguments describe the caller's arrays (Outer).
func (l *lowerer) localUnit(u *Unit) {
	if u.Kind == syntax.Function {
		l.fail(u.Pos, "a subroutine", "functions that are EXTRINSIC(HPF_LOCAL) are legal, but not in the subset")
	}
	for _, s := range u.Symbols {
		switch {
		case s.Place != nil && s.Dummy == 0 && s.Class == Variable:
			l.fail(s.Place.Pos, "arguments", "%s is mapped, but is a local variable of %s, which is HPF_LOCAL", s.Name, u.Name)
		}
		s.Place, s.Outer = nil, s.Place
	}
}

// serialUnit reports mapped variables of an HPF_SERIAL subroutine, which runs on one processor.
func (l *lowerer) serialUnit(u *Unit) {
	if u.Kind == syntax.Function {
		l.fail(u.Pos, "a subroutine", "functions that are EXTRINSIC(HPF_SERIAL) are legal, but not in the subset")
	}
	for _, s := range u.Symbols {
		if s.Place != nil {
			l.fail(s.Place.Pos, "no mapping", "%s is mapped in %s, which is HPF_SERIAL and runs on one processor", s.Name, u.Name)
			s.Place = nil
		}
	}
}

// place reports whether a symbol can be mapped, and adds an error if not.
func (l *lowerer) place(s *Symbol, n syntax.Name) bool {
	switch {
	case s.Class == Unusable:
	case s.Class == Variable && s.Rank() == 0:
		l.fail(n.Pos, "an array or a template", "%s is mapped, but is a scalar", n.Text)
	case s.Class != Variable && s.Class != TemplateName:
		l.fail(n.Pos, "an array or a template", "%s is mapped, but is neither", n.Text)
	case s.Unit != l.unit:
		l.fail(n.Pos, "the directive in "+s.Unit.Name, "%s is mapped here, but %s declares it", n.Text, s.Unit.Name)
	case s.Place != nil:
		l.fail(n.Pos, "one mapping", "%s is mapped already, in line %d", n.Text, s.Place.Pos.Line)
	default:
		return true
	}
	return false
}

// mapped finds the array or template that a directive names.
func (l *lowerer) mapped(n syntax.Name) *Symbol {
	if s := l.lookup(n); s != nil {
		return s
	}
	s := l.add(n)
	s.typed = true
	l.fail(n.Pos, "an array or a template that is declared", "the directive names %s, which is not declared", n.Text)
	s.Bounds = []Bound{{l.integer(1, n.Pos), l.integer(1, n.Pos)}}
	return s
}

func (l *lowerer) distribution(d *syntax.Distribute, s *Symbol, n syntax.Name, grids map[string]*Grid) *Placement {
	if d.Kept {
		return l.kept(s, n)
	}
	p := &Placement{Pos: d.Pos}
	if d.Formats == nil {
		plain := *d
		plain.Formats = l.chosen(d, s, grids)
		d = &plain
	}
	if len(d.Formats) != s.Rank() {
		l.fail(n.Pos, "one for each dimension", "%s has %d dimensions, but %d distributions", n.Text, s.Rank(), len(d.Formats))
		return nil
	}
	spread := 0
	for _, f := range d.Formats {
		m := mapping.Format{Kind: mapping.Kind(f.Kind)}
		if f.Kind >= syntax.GenBlock {
			l.table(p, &m, f)
		} else if f.Size != nil {
			v, ok := l.constInt(f.Size, "the size of a block")
			if ok && v < 1 {
				l.fail(f.Size.Position(), "1 or more", "blocks of %d elements", v)
			}
			m.Size = int(max(v, 1))
		}
		if f.Kind != syntax.Collapsed {
			spread++
		}
		p.Formats = append(p.Formats, m)
	}
	if spread == 0 {
		return nil // replicated
	}
	if d.Onto != nil {
		g := l.lookup(*d.Onto)
		if g == nil || g.Class != GridName {
			l.fail(d.Onto.Pos, "a name of PROCESSORS", "%s is not an arrangement of processors", d.Onto.Text)
			return nil
		}
		p.Grid = g.Grid
		if len(p.Grid.Shape) != spread {
			l.fail(d.Onto.Pos, fmt.Sprintf("an arrangement of %d dimensions", spread), "%d dimensions of %s are distributed, and %s has %d", spread, n.Text, p.Grid.Name, len(p.Grid.Shape))
			return nil
		}
		return p
	}
	for _, g := range grids { // the only arrangement of the program, if it fits
		if len(grids) == 1 && len(g.Shape) == spread {
			p.Grid = g
			return p
		}
	}
	p.Grid = standard(l.prog.Processors, spread)
	return p
}
