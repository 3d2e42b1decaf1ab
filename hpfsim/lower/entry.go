package lower

import (
	"slices"

	"whorl/hpfsim/syntax"
)

// expanded returns units with those that begin at their ENTRY statements. Such a unit has the statements of the whole
// unit, and jumps to its ENTRY first.
func expanded(units []*syntax.Unit) []*part {
	var out []*part
	for _, u := range units {
		first := &part{Unit: u}
		out = append(out, first)
		all := []*part{first}
		for _, s := range u.Body {
			e, ok := s.(*syntax.Entry)
			if !ok {
				continue
			}
			n := *e.Unit
			n.Specs, n.Body, n.Contains, n.End, n.Formats = u.Specs, u.Body, u.Contains, u.End, u.Formats
			all = append(all, &part{Unit: &n, entry: e, container: first})
		}
		if len(all) > 1 {
			first.Unit = new(syntax.Unit)
			*first.Unit = *u
			together(all)
			out = append(out, all[1:]...)
		}
	}
	return out
}

// A part is a unit, or the part of a unit that is executed from an ENTRY on.
type part struct {
	*syntax.Unit
	unit      *Unit         // resolved
	entry     *syntax.Entry // nil for the unit itself
	container *part         // the unit of an ENTRY
	hidden    int           // number of arguments at the end that only the other parts have
	results   []*syntax.Unit
}

// together gives each part of a unit the arguments of the other parts, which its calls do not pass, and the names of their results.
func together(all []*part) {
	own := make([][]syntax.Name, len(all))
	for i, p := range all {
		own[i] = p.Params
	}
	for i, p := range all {
		p.Params = slices.Clone(own[i])
		for k, names := range own {
			for _, n := range names {
				known := slices.ContainsFunc(p.Params, func(o syntax.Name) bool { return o.Text == n.Text })
				if k != i && !known {
					p.Params = append(p.Params, n)
					p.hidden++
				}
			}
			if k != i && p.Kind == syntax.Function {
				p.results = append(p.results, all[k].Unit)
			}
		}
	}
}

// enter makes a call of an ENTRY begin there.
func (u *Unit) enter(p *part) {
	if e := p.entry; e != nil {
		u.leading = append(u.leading, &syntax.Goto{Head: syntax.Head{Pos: e.Position(), To: e.To}, Labels: []int{e.Label()}})
	}
}

// sameResults makes the results of the other entries of a function names for its own, if they have the same type.
func (l *lowerer) sameResults(u *Unit) {
	for _, other := range u.results {
		n := syntax.Name{Text: other.Result, Pos: other.Pos}
		s := u.names[n.Text]
		if s == u.Out {
			continue
		}
		if s == nil {
			s = l.add(n)
			s.typed = true
			if other.Type != nil {
				s.Type, s.Length = l.typeOf(other.Type)
			}
		}
		if s.Class == Variable && s.Type == u.Out.Type && s.Rank() == u.Out.Rank() {
			u.names[n.Text] = u.Out
		}
	}
}

// shareEntries gives the variables of a unit and of its entries one storage, which outlives calls: statements of one
// use what those of another have assigned. Variables with a size that depends on arguments, and those of PURE and
// RECURSIVE procedures, do so only with SAVE or an initial value.
func (l *lowerer) shareEntries() {
	for _, u := range l.prog.Units {
		if u.container == nil {
			continue
		}
		for _, s := range u.Symbols {
			t := u.container.names[s.Name]
			if t == nil || s.Class != Variable || t.Class != Variable || s.Dummy > 0 || t.Dummy > 0 || s.Block != nil || s == u.Out || t == u.container.Out || t.Unit != u.container || s.Type != t.Type {
				continue
			}
			_, _, constant := constBounds(s)
			if !u.Pure && !u.Recursive && constant && s.Type.Base != syntax.CharacterType || s.Saved && t.Saved {
				s.Saved, t.Saved = true, true
				s.Twin = t
			}
		}
	}
}
