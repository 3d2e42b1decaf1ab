package structure

import (
	"whorl/hpfsim/syntax"
)

// A leaf is a component of an intrinsic type or a pointer to an object in a pool, or a component of such a component, and so on.
type leaf struct {
	*component
	path string       // %A%B
	dims []syntax.Dim // first its own, then those of the components around it
	init syntax.Expr  // the default value; nil for none
}

// value returns the default value of the leaf for a variable with dimensions, nil for none. An array of values is repeated for each element of the variable.
func (l leaf) value(dims []syntax.Dim) syntax.Expr {
	x := l.init
	if x == nil || len(l.component.dims()) == 0 || scalar(x) {
		return x
	}
	pos := x.Position()
	number := func(n int) syntax.Expr { return &syntax.Int{Pos: pos, Value: int64(n)} }
	rank := len(l.component.dims())
	for k, d := range append(l.dims[rank:len(l.dims):len(l.dims)], dims...) {
		if d.Hi == nil {
			return nil
		}
		n := d.Hi
		if d.Lo != nil {
			n = &syntax.Binary{OpPos: pos, Op: syntax.Add, X: &syntax.Binary{OpPos: pos, Op: syntax.Sub, X: d.Hi, Y: &syntax.Paren{Pos: pos, X: d.Lo}}, Y: number(1)}
		}
		x = &syntax.Apply{Name: syntax.Name{Text: "SPREAD", Pos: pos}, Args: []syntax.Arg{{Value: x}, {Value: number(rank + k + 1)}, {Value: n}}}
	}
	return x
}

// scalar reports whether a default value of an array is the value of each element.
func scalar(x syntax.Expr) bool {
	switch e := x.(type) {
	case *syntax.Constructor, *syntax.Apply:
		return false
	case *syntax.Paren:
		return scalar(e.X)
	}
	return true
}

// leaves returns the leaves of a type.
func (d *definition) leaves() []leaf {
	var out []leaf
	for _, c := range d.components {
		if c.derived == nil || c.handles() {
			out = append(out, leaf{c, "%" + c.Text, c.dims(), c.Init})
			continue
		}
		for _, l := range c.derived.leaves() {
			out = append(out, leaf{l.component, "%" + c.Text + l.path, append(l.dims[:len(l.dims):len(l.dims)], c.dims()...), l.init})
		}
	}
	return out
}

// kind returns the type of the leaf. A pointer is an integer, the handle of its target.
func (l leaf) kind() *syntax.Type {
	if l.handles() {
		return l.derived.handle(l.Pos)
	}
	return l.Declare.Type
}

// handle returns the type of handles of objects of the type.
func (d *definition) handle(pos syntax.Pos) *syntax.Type {
	return &syntax.Type{Pos: pos, Base: syntax.IntegerType, Of: syntax.Name{Text: d.pool + "%%", Pos: pos}}
}

// names returns the variables that stand for a variable of the type.
func (d *definition) names(name string) []string {
	if d.pool != "" {
		return []string{name}
	}
	var out []string
	for _, l := range d.leaves() {
		out = append(out, name+l.path)
	}
	return out
}

// A place is a value of a derived type in memory: a variable, an element or a section of an array, or a component of one.
type place struct {
	derived *definition
	name    string
	rank    int          // dimensions of the name
	subs    []syntax.Arg // nil for the whole
	pos     syntax.Pos
	handles syntax.Expr // of objects in a pool; nil for others
	many    int         // dimensions of handles
}

// sections is the subscripts of a whole array.
func sections(n int, pos syntax.Pos) []syntax.Arg {
	out := make([]syntax.Arg, n)
	for k := range out {
		out[k].Value = &syntax.Section{Pos: pos}
	}
	return out
}

// joined returns the subscripts of a component of a rank, followed by those of the place around it.
func (p *place) joined(subs []syntax.Arg, rank int) []syntax.Arg {
	if subs == nil && p.subs == nil {
		return nil
	}
	if subs == nil {
		subs = sections(rank, p.pos)
	}
	rest := p.subs
	if rest == nil {
		rest = sections(p.rank, p.pos)
	}
	return append(subs[:len(subs):len(subs)], rest...)
}

// reference returns a component of an intrinsic type.
func (p *place) reference(path string, subs []syntax.Arg, rank int) syntax.Expr {
	n := syntax.Name{Text: p.name + path, Pos: p.pos}
	if all := p.joined(subs, rank); all != nil {
		return &syntax.Apply{Name: n, Args: all}
	}
	return &syntax.Var{Name: n}
}

// leaf returns a leaf of the place.
func (p *place) leaf(l leaf) syntax.Expr {
	if l.held() != 0 {
		return p.part(l.path, len(l.around()), nil)
	}
	return p.reference(l.path, nil, len(l.dims))
}

// array reports whether the place has several values.
func (p *place) array() bool { return p.dimensions() > 0 }

// begin returns the first element of a leaf of an element of an array.
func (p *place) begin(l leaf) syntax.Expr {
	subs := []syntax.Arg{}
	if l.held() != 0 {
		return p.leaf(l)
	}
	for _, d := range l.dims {
		if d.Hi == nil {
			return p.leaf(l)
		}
		lo := d.Lo
		if lo == nil {
			lo = &syntax.Int{Pos: p.pos, Value: 1}
		}
		subs = append(subs, syntax.Arg{Value: lo})
	}
	return p.reference(l.path, subs, len(l.dims))
}

// dimensions returns the number of dimensions of the place.
func (p *place) dimensions() int {
	if p.subs == nil {
		return p.rank
	}
	n := p.many
	for _, a := range p.subs {
		if _, ok := a.Value.(*syntax.Section); ok {
			n++
		}
	}
	return n
}

// repeated returns the array value of a leaf, repeated for each element of a place. The dimensions of the place come after those of the leaf.
func (p *place) repeated(l leaf, x syntax.Expr) syntax.Expr {
	if len(l.dims) == 0 {
		return x
	}
	for k := range p.dimensions() {
		dim := syntax.Arg{Value: &syntax.Int{Pos: p.pos, Value: int64(len(l.dims) + k + 1)}}
		n := &syntax.Apply{Name: syntax.Name{Text: "SIZE", Pos: p.pos}, Args: []syntax.Arg{{Value: p.leaf(l)}, dim}}
		x = &syntax.Apply{Name: syntax.Name{Text: "SPREAD", Pos: p.pos}, Args: []syntax.Arg{{Value: x}, dim, {Value: n}}}
	}
	return x
}
