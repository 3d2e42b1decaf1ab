package mapping

import (
	"fmt"
	"slices"
)

// A Grid is an arrangement of processors. First holds the lower bounds of its dimensions; nil means 1 for each.
type Grid struct {
	Name  string
	Shape []int
	First []int
}

func (g *Grid) first(d int) int {
	if g.First == nil {
		return 1
	}
	return g.First[d]
}

// Size returns the number of processors.
func (g *Grid) Size() int {
	n := 1
	for _, s := range g.Shape {
		n *= s
	}
	return n
}

// Rank returns the number of the processor at coordinates that begin at 0.
func (g *Grid) Rank(at []int) int {
	rank := 0
	for d := len(at) - 1; d >= 0; d-- {
		rank = rank*g.Shape[d] + at[d]
	}
	return rank
}

// Coordinate returns the coordinate of processor rank in dimension d.
func (g *Grid) Coordinate(rank, d int) int {
	for _, s := range g.Shape[:d] {
		rank /= s
	}
	return rank % g.Shape[d]
}

// A Template is an index space with its distribution. Axis holds the dimension of the grid for each dimension, -1 for
// none.
type Template struct {
	Name   string
	Grid   *Grid
	Spread []Spread
	Axis   []int
}

// A Format is the distribution of a dimension as a program declares it. Size is 0 if it is not given. Values are those of
// GEN_BLOCK and INDIRECT.
type Format struct {
	Kind   Kind
	Size   int
	Values []int
}

// NewTemplate distributes an index space with bounds lo and hi over a grid. It takes a format for each dimension. The
// number of formats that are not collapsed equals the number of dimensions of the grid.
func NewTemplate(name string, lo, hi []int, formats []Format, grid *Grid) (*Template, error) {
	if len(formats) != len(lo) {
		return nil, fmt.Errorf("%s has %d dimensions, and its distribution %d", name, len(lo), len(formats))
	}
	spread := 0
	for _, f := range formats {
		if f.Kind != Collapsed {
			spread++
		}
	}
	if spread != len(grid.Shape) {
		return nil, fmt.Errorf("%d dimensions of %s are distributed, but %s has %d", spread, name, grid.Name, len(grid.Shape))
	}
	t := &Template{Name: name, Grid: grid, Spread: make([]Spread, len(lo)), Axis: make([]int, len(lo))}
	axis := 0
	for d, f := range formats {
		p := 1
		t.Axis[d] = -1
		if f.Kind != Collapsed {
			p, t.Axis[d] = grid.Shape[axis], axis
			axis++
		}
		var err error
		if f.Kind == GenBlock || f.Kind == Indirect {
			t.Spread[d], err = NewTabled(f.Kind, lo[d], hi[d], p, f.Values, grid.first(t.Axis[d]))
		} else {
			t.Spread[d], err = NewSpread(f.Kind, lo[d], hi[d], p, f.Size)
		}
		if err != nil {
			return nil, fmt.Errorf("dimension %d of %s: %w", d+1, name, err)
		}
	}
	return t, nil
}

// A Follow aligns a dimension of an array with its template: index i with index Stride*i + Offset of dimension Dim.
// Dim is -1 for a collapsed dimension.
type Follow struct{ Dim, Stride, Offset int }

// Replicated is the fixed index of an array that is replicated along a dimension of the template.
const Replicated = int(^uint(0)>>1) * -1

// An Array is the mapping of an array: the alignment of its dimensions with those of a template, and for each other
// dimension of the template the index that the array is at, or Replicated.
type Array struct {
	Template *Template
	Follow   []Follow
	Fixed    []int // by dimension of the template; ignored for those that a dimension of the array is aligned with
	follower []int // by dimension of the template: the dimension of the array, -1 for none
}

// NewArray returns the mapping of an array with bounds lo and hi. It returns an error if an index is aligned with an index
// outside of the template.
func NewArray(t *Template, lo, hi []int, follow []Follow, fixed []int) (*Array, error) {
	a := &Array{t, follow, fixed, make([]int, len(t.Spread))}
	for d := range a.follower {
		a.follower[d] = -1
	}
	for d, f := range follow {
		if f.Dim < 0 {
			continue
		}
		if a.follower[f.Dim] >= 0 {
			return nil, fmt.Errorf("dimensions %d and %d follow the same dimension %d of %s", a.follower[f.Dim]+1, d+1, f.Dim+1, t.Name)
		}
		if f.Stride == 0 {
			return nil, fmt.Errorf("dimension %d follows %s with a stride of 0", d+1, t.Name)
		}
		a.follower[f.Dim] = d
		if lo[d] > hi[d] {
			continue
		}
		for _, i := range []int{lo[d], hi[d]} {
			if at, s := f.Stride*i+f.Offset, t.Spread[f.Dim]; at < s.Lo || at > s.Hi {
				return nil, fmt.Errorf("index %d of dimension %d is aligned with index %d of %s, whose dimension %d runs from %d to %d", i, d+1, at, t.Name, f.Dim+1, s.Lo, s.Hi)
			}
		}
	}
	for d, s := range t.Spread {
		if a.follower[d] < 0 && fixed[d] != Replicated && (fixed[d] < s.Lo || fixed[d] > s.Hi) {
			return nil, fmt.Errorf("index %d of %s is outside of its dimension %d, which runs from %d to %d", fixed[d], t.Name, d+1, s.Lo, s.Hi)
		}
	}
	return a, nil
}

// Rebased returns the mapping of the same elements with other lower bounds, for an argument of a procedure. Rebased of nil is nil.
func (a *Array) Rebased(from, to []int) *Array {
	if a == nil || slices.Equal(from, to) {
		return a
	}
	b := *a
	b.Follow = slices.Clone(a.Follow)
	for d := range b.Follow {
		b.Follow[d].Offset += b.Follow[d].Stride * (from[d] - to[d])
	}
	return &b
}

// Identity returns the mapping of an array with the template's bounds that is aligned with it dimension by dimension.
func Identity(t *Template) *Array {
	follow := make([]Follow, len(t.Spread))
	lo, hi := make([]int, len(follow)), make([]int, len(follow))
	for d, s := range t.Spread {
		follow[d] = Follow{d, 1, 0}
		lo[d], hi[d] = s.Lo, s.Hi
	}
	a, _ := NewArray(t, lo, hi, follow, make([]int, len(follow)))
	return a
}

// Owner returns the processor that owns an element. For a replicated element it returns the owner with the least number.
func (a *Array) Owner(index []int) int {
	rank, weight := 0, 1
	axis := 0
	for d, s := range a.Template.Spread {
		if a.Template.Axis[d] < 0 {
			continue
		}
		if at := a.place(d, index); at != Replicated {
			rank += s.Owner(at) * weight
		}
		weight *= a.Template.Grid.Shape[axis]
		axis++
	}
	return rank
}

// Part returns the contribution of index i of dimension d of the array to the number of the owner. The owner of an element is the sum of the
// contributions of all dimensions and of Part(-1, 0), the contribution of the dimensions of the template that no dimension of the array follows.
func (a *Array) Part(d, i int) int {
	rank, weight, axis := 0, 1, 0
	for t, s := range a.Template.Spread {
		if a.Template.Axis[t] < 0 {
			continue
		}
		switch f := a.follower[t]; {
		case f != max(d, -1):
		case f >= 0:
			rank += s.Owner(a.Follow[f].Stride*i+a.Follow[f].Offset) * weight
		case a.Fixed[t] != Replicated:
			rank += s.Owner(a.Fixed[t]) * weight
		}
		weight *= a.Template.Grid.Shape[axis]
		axis++
	}
	return rank
}

// place returns the index of dimension d of the template that an element is aligned with.
func (a *Array) place(d int, index []int) int {
	if f := a.follower[d]; f >= 0 {
		return a.Follow[f].Stride*index[f] + a.Follow[f].Offset
	}
	return a.Fixed[d]
}

// Owned returns the part of a section that processor rank has, as runs for each dimension. The elements are the
// product of the runs. It returns nil if the processor has none.
func (a *Array) Owned(rank int, section []Run) [][]Run {
	t := a.Template
	for d, s := range t.Spread {
		if axis := t.Axis[d]; axis >= 0 && a.follower[d] < 0 && a.Fixed[d] != Replicated && s.Owner(a.Fixed[d]) != t.Grid.Coordinate(rank, axis) {
			return nil
		}
	}
	out := make([][]Run, len(section))
	for d, r := range section {
		f := a.Follow[d]
		if f.Dim < 0 || t.Axis[f.Dim] < 0 {
			if r.Len() == 0 {
				return nil
			}
			out[d] = []Run{r}
			continue
		}
		out[d] = t.Spread[f.Dim].Followed(t.Grid.Coordinate(rank, t.Axis[f.Dim]), f.Stride, f.Offset, r, nil)
		if len(out[d]) == 0 {
			return nil
		}
	}
	return out
}

// Distributed reports whether a dimension of the array is distributed over more than one processor, or the array is
// on some processors only.
func (a *Array) Distributed() bool {
	for d, s := range a.Template.Spread {
		if a.Template.Axis[d] >= 0 && s.P > 1 && (a.follower[d] >= 0 || a.Fixed[d] != Replicated) {
			return true
		}
	}
	return false
}

// Same reports whether elements of two arrays with the same indices have the same owners.
func (a *Array) Same(b *Array) bool {
	if a == b {
		return true
	}
	t, u := a.Template, b.Template
	if t.Grid != u.Grid && !slices.Equal(t.Grid.Shape, u.Grid.Shape) || len(a.Follow) != len(b.Follow) {
		return false
	}
	for axis := range t.Grid.Shape {
		d, e := slices.Index(t.Axis, axis), slices.Index(u.Axis, axis)
		f, g := a.follower[d], b.follower[e]
		s, v := t.Spread[d], u.Spread[e]
		if f != g || !s.Alike(v) {
			return false
		}
		switch {
		case f >= 0:
			x, y := a.Follow[f], b.Follow[g]
			if x.Stride != y.Stride || x.Offset-s.Lo != y.Offset-v.Lo {
				return false
			}
		case a.Fixed[d] == Replicated || b.Fixed[e] == Replicated:
			if a.Fixed[d] != b.Fixed[e] {
				return false
			}
		case s.Owner(a.Fixed[d]) != v.Owner(b.Fixed[e]):
			return false
		}
	}
	return true
}

// Meets returns the index of dimension d of the template that an element is aligned with, or whether it is replicated
// along the dimension.
func (a *Array) Meets(d int, index []int) (at int, everywhere bool) {
	at = a.place(d, index)
	return at, at == Replicated
}

// Alone reports whether no dimension of the array is aligned with dimension d of the template. The array is then at
// one index of it, or replicated.
func (a *Array) Alone(d int) (at int, copies, alone bool) {
	if d < 0 || a.follower[d] >= 0 {
		return 0, false, false
	}
	return a.Fixed[d], a.Fixed[d] == Replicated, true
}
