package syntax

// A shadowed is a Shadow whose widths precede its names.
type shadowed struct {
	*Shadow
	widths []Dim
}

// A compound is a statement with the meaning of several: a directive with several attributes, a COMMON statement with several blocks, declarations with
// values between slashes. A unit has its parts.
type compound struct {
	Pos
	parts []Spec
}

// parts returns the statements that a specification stands for.
func parts(s Spec) []Spec {
	if c, ok := s.(*compound); ok {
		return c.parts
	}
	return []Spec{s}
}

// A shape is the attribute DIMENSION of a directive.
type shape struct {
	Pos
	dims []Dim
}

func (p *parser) optionalEntities() []Entity {
	if !letter(p.peek(0)) {
		return nil
	}
	var out []Entity
	for {
		out = append(out, p.entity())
		if !p.is(",") {
			return out
		}
		p.i++
	}
}

// attach gives a directive the names after ::. It returns false if the directive has names already.
func attach(s Spec, es []Entity) bool {
	names := make([]Name, len(es))
	for i, e := range es {
		names[i] = e.Name
	}
	switch s := s.(type) {
	case *Processors:
		if s.Entities != nil {
			return false
		}
		s.Entities = es
	case *Template:
		if s.Entities != nil {
			return false
		}
		s.Entities = es
	case *Dynamic:
		if s.Names != nil {
			return false
		}
		s.Names = names
	case *Inherit:
		if s.Names != nil {
			return false
		}
		s.Names = names
	case *Ranged:
		if s.Names != nil {
			return false
		}
		s.Names = names
	case *Shadow:
		return false // the widths follow the names
	case *shadowed:
		for _, e := range es {
			e.Dims = s.widths
			s.Entities = append(s.Entities, e)
		}
	case *Align:
		return s.Arrays == nil && attachAligned(s, es)
	case *Distribute:
		if s.Arrays != nil {
			return false
		}
		s.Arrays = names
	case *shape:
		for i := range es {
			if es[i].Dims == nil {
				es[i].Dims = s.dims
			}
		}
	}
	return true
}

// attachAligned gives ALIGN the arrays after ::. Their dimensions may follow their names if none precede WITH.
func attachAligned(a *Align, es []Entity) bool {
	at, given := a, a.Source != nil
	for i, e := range es {
		if e.Dims == nil || given {
			a.Arrays = append(a.Arrays, e.Name)
			continue
		}
		source := []AlignDummy{}
		for _, d := range e.Dims {
			switch hi := d.Hi.(type) {
			case *Var:
				source = append(source, hi.Name)
			case *Star:
				source = append(source, Name{"*", hi.Pos})
			case nil:
				source = append(source, Name{":", e.Pos})
			default:
				return false
			}
		}
		if i > 0 {
			at = &Align{Pos: a.Pos, Target: a.Target, Targets: a.Targets}
			a.Others = append(a.Others, at)
		}
		at.Arrays, at.Source = []Name{e.Name}, source
	}
	return len(a.Others) == 0 || len(a.Arrays) == 1
}

func named(s Spec) bool {
	switch s := s.(type) {
	case *Processors:
		return s.Entities != nil
	case *Template:
		return s.Entities != nil
	case *Dynamic:
		return s.Names != nil
	case *Inherit:
		return s.Names != nil
	case *Ranged:
		return s.Names != nil
	case *Shadow:
		return s.Entities != nil
	case *shadowed:
		return s.Entities != nil
	case *Align:
		return s.Arrays != nil
	case *Distribute:
		return s.Arrays != nil
	}
	return true
}
