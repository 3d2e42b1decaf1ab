package lower

import (
	"slices"

	"whorl/hpfsim/mapping"
	"whorl/hpfsim/syntax"
)

// kept is the placement of a dummy argument that keeps the mapping of the actual one.
func (l *lowerer) kept(s *Symbol, n syntax.Name) *Placement {
	if s.Dummy == 0 {
		l.fail(n.Pos, "an argument of the procedure", "%s has no mapping to keep: it is not a dummy argument", n.Text)
		return nil
	}
	return &Placement{Pos: n.Pos, Kept: true}
}

// chosen returns the distributions for a DISTRIBUTE that leaves them to the compiler: blocks of the last dimensions, as many as the arrangement of processors has.
func (l *lowerer) chosen(d *syntax.Distribute, s *Symbol, grids map[string]*Grid) []syntax.DistFormat {
	spread := 1
	if d.Onto != nil {
		if g := l.find(d.Onto.Text); g != nil && g.Grid != nil {
			spread = len(g.Grid.Shape)
		}
	} else if len(grids) == 1 {
		for _, g := range grids {
			spread = len(g.Shape)
		}
	}
	out := make([]syntax.DistFormat, s.Rank())
	for k := range out {
		if out[k].Pos = d.Pos; k >= len(out)-spread {
			out[k].Kind = syntax.Block
		}
	}
	return out
}

// table resolves the array of GEN_BLOCK or INDIRECT. It keeps the values if they are constant, and otherwise an expression for the run.
func (l *lowerer) table(p *Placement, m *mapping.Format, f syntax.DistFormat) {
	x := l.expr(f.Size)
	d := len(p.Formats)
	if x == nil {
		m.Kind = mapping.Block
		return
	}
	if x.Rank() != 1 || x.Type().Base != syntax.IntegerType {
		l.fail(f.Size.Position(), "an integer array of one dimension", "the sizes or owners are %s", described(x))
		m.Kind = mapping.Block
		return
	}
	if _, values, ok := l.evaluated(x); ok {
		for _, v := range values {
			m.Values = append(m.Values, int(v.I))
		}
		return
	}
	for len(p.Maps) <= d {
		p.Maps = append(p.Maps, nil)
	}
	p.Maps[d] = x
}

// advice reads the directives that describe the use of mappings: INHERIT, RANGE and SHADOW.
func (l *lowerer) advice(s syntax.Spec) {
	switch s := s.(type) {
	case *syntax.Inherit:
		for _, n := range s.Names {
			if t := l.mapped(n); l.place(t, n) {
				t.Place = l.kept(t, n)
			}
		}
	case *syntax.Ranged:
		for _, n := range s.Names {
			t := l.mapped(n)
			if !t.Dynamic && (t.Place == nil || !t.Place.Kept) {
				l.fail(n.Pos, "DYNAMIC "+n.Text+", or INHERIT "+n.Text, "RANGE is for arrays that may be remapped, and %s is not", n.Text)
				continue
			}
			for _, formats := range s.Formats {
				if len(formats) != t.Rank() {
					l.fail(n.Pos, "one for each dimension", "%s has %d dimensions, but %d distributions", n.Text, t.Rank(), len(formats))
					continue
				}
				kinds := make([]mapping.Kind, len(formats))
				for d, f := range formats {
					kinds[d] = mapping.Kind(f.Kind)
				}
				t.ranges = append(t.ranges, kinds)
			}
		}
	case *syntax.Shadow:
		for _, e := range s.Entities {
			l.shadow(e)
		}
	}
}

// shadow checks the widths of SHADOW, which change nothing here: each processor receives the edges that a statement reads.
func (l *lowerer) shadow(e syntax.Entity) {
	t := l.mapped(e.Name)
	if len(e.Dims) != t.Rank() || t.Rank() == 0 {
		l.fail(e.Pos, "one for each dimension", "%s has %d dimensions, but %d widths of its SHADOW", e.Text, t.Rank(), len(e.Dims))
		return
	}
	for _, d := range e.Dims {
		for _, x := range []syntax.Expr{d.Lo, d.Hi} {
			if x == nil {
				continue
			}
			if v, ok := l.constInt(x, "the width of a SHADOW"); ok && v < 0 {
				l.fail(x.Position(), "0 or more", "a SHADOW of %d elements", v)
			}
		}
	}
}

// inRange checks that RANGE lists the distribution of a remapping.
func (l *lowerer) inRange(s *Symbol, p *Placement, n syntax.Name) {
	if s.ranges == nil || p.Formats == nil {
		return
	}
	ok := slices.ContainsFunc(s.ranges, func(kinds []mapping.Kind) bool {
		return slices.EqualFunc(kinds, p.Formats, func(k mapping.Kind, f mapping.Format) bool { return k == f.Kind })
	})
	if !ok {
		l.fail(n.Pos, "one of them", "the RANGE of %s does not have this distribution", n.Text)
	}
}
