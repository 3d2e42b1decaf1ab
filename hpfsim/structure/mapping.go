package structure

import "whorl/hpfsim/syntax"

// distribute distributes the components of arrays of derived types. The dimensions of the components are not distributed.
func (f *flattener) distribute(s *syntax.Distribute) []syntax.Spec {
	var out []syntax.Spec
	plain := *s
	plain.Arrays = nil
	for _, n := range s.Arrays {
		o := f.mapped(n, &plain.Arrays)
		if o == nil {
			continue
		}
		for _, l := range o.derived.leaves() {
			x := *s
			x.Arrays = []syntax.Name{{Text: o.name + l.path, Pos: n.Pos}}
			x.Formats = nil
			for range min(len(l.dims), len(l.dims)*len(s.Formats)) { // none without formats
				x.Formats = append(x.Formats, syntax.DistFormat{Kind: syntax.Collapsed, Pos: n.Pos})
			}
			x.Formats = append(x.Formats, s.Formats...)
			out = append(out, &x)
		}
	}
	if len(plain.Arrays) > 0 {
		out = append(out, &plain)
	}
	return out
}

// mapped returns the array of a derived type whose components are mapped. It adds other names to plain and returns nil for them.
func (f *flattener) mapped(n syntax.Name, plain *[]syntax.Name) *object {
	o := f.objects[n.Text]
	if o == nil || f.unmapped(o, n.Pos) {
		*plain = append(*plain, n)
		return nil
	}
	f.mappable(o, n.Pos)
	return o
}

// align aligns the components of arrays of derived types. The dimensions of the components are not distributed.
func (f *flattener) align(s *syntax.Align) []syntax.Spec {
	if o := f.objects[s.Target.Text]; o != nil {
		f.fail(s.Target.Pos, "a template, or an array of another type", "an array of the derived type %s is not a target of ALIGN", o.derived.name)
	}
	var out []syntax.Spec
	for _, a := range append([]*syntax.Align{s}, s.Others...) {
		plain := *a
		plain.Arrays, plain.Others = nil, nil
		for _, n := range a.Arrays {
			o := f.mapped(n, &plain.Arrays)
			if o == nil {
				continue
			}
			for _, l := range o.derived.leaves() {
				x := *a
				x.Arrays, x.Others = []syntax.Name{{Text: o.name + l.path, Pos: n.Pos}}, nil
				source := a.Source
				if source == nil && len(l.dims) > 0 {
					for range o.rank {
						source = append(source, syntax.Name{Text: ":", Pos: n.Pos})
					}
				}
				if source != nil {
					x.Source = nil
					for range l.dims {
						x.Source = append(x.Source, syntax.Name{Text: "*", Pos: n.Pos})
					}
					x.Source = append(x.Source, source...)
				}
				out = append(out, &x)
			}
		}
		if len(plain.Arrays) > 0 {
			out = append(out, &plain)
		}
	}
	return out
}

// mappable reports an array with a component that is ALLOCATABLE or a POINTER.
func (f *flattener) mappable(o *object, pos syntax.Pos) {
	for _, l := range o.derived.leaves() {
		if l.holds(o.rank) != nil {
			f.fail(pos, "an array without a mapping", "a mapped array of the derived type %s, whose component %s is ALLOCATABLE or a POINTER: legal, but not in the subset", o.derived.name, l.Text)
			return
		}
	}
}

// unmapped reports a directive that maps an array whose objects are in a pool.
func (f *flattener) unmapped(o *object, pos syntax.Pos) bool {
	if o.derived.pool == "" {
		return false
	}
	f.fail(pos, "an array of a type to which no pointers lead", "a mapped array of the derived type %s, to which pointers lead: legal, but not in the subset", o.derived.name)
	return true
}
