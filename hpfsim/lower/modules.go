package lower

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// A visit is the state of a module in the search for circles.
type visit uint8

const (
	unvisited visit = iota
	visiting
	visited
)

// modules puts the modules into the order of their dependencies: a module follows those that it uses. It returns false
// after reporting modules that do not exist, or that use each other in a circle.
func (l *lowerer) modules() bool {
	before := len(l.errs)
	states := map[*Unit]visit{}
	var chain []string // the uses that led to the module
	var enter func(m *Unit)
	enter = func(m *Unit) {
		if states[m] != unvisited {
			return
		}
		states[m] = visiting
		l.uses(m.Unit, func(u *syntax.Use) {
			other := l.module(u)
			if other == nil {
				return
			}
			chain = append(chain, m.Name+" uses "+other.Name)
			if states[other] == visiting {
				first := slices.IndexFunc(chain, func(s string) bool { return strings.HasPrefix(s, other.Name+" ") })
				l.fail(u.Module.Pos, "modules that do not use themselves", "modules use each other in a circle: %s", strings.Join(chain[first:], ", "))
			}
			enter(other)
			chain = chain[:len(chain)-1]
		})
		states[m] = visited
		m.Module = len(l.prog.Modules)
		l.prog.Modules = append(l.prog.Modules, m)
	}
	for _, u := range l.prog.Units {
		switch {
		case u.Kind == syntax.Module:
			enter(u)
		case u.Host == nil:
			l.uses(u.Unit, func(s *syntax.Use) { l.module(s) })
		}
	}
	return len(l.errs) == before
}

// uses calls f for the USE statements of a unit and of the procedures in it.
func (l *lowerer) uses(u *syntax.Unit, f func(*syntax.Use)) {
	for _, s := range u.Specs {
		switch s := s.(type) {
		case *syntax.Use:
			f(s)
		case *syntax.Interface:
			for _, inner := range s.Units {
				l.uses(inner, f)
			}
		}
	}
	for _, inner := range u.Contains {
		l.uses(inner, f)
	}
}

// outsideModules are modules that other compilers provide.
var outsideModules = []string{
	"IEEE_ARITHMETIC", "IEEE_EXCEPTIONS", "IEEE_FEATURES", "MPI", "OMP_LIB",
}

// module finds the module that a statement names. It reports others.
func (l *lowerer) module(s *syntax.Use) *Unit {
	m := l.units[s.Module.Text]
	if m != nil && m.Kind == syntax.Module {
		return m
	}
	if s.Module.Text == hpfLibrary || s.Module.Text == hpfLocalLibrary {
		l.fromLibrary(s)
		return nil
	}
	if slices.Contains(outsideModules, s.Module.Text) {
		l.fail(s.Module.Pos, "", "the module %s is not in the subset", s.Module.Text)
		return nil
	}
	var known []string
	for _, u := range l.prog.Units {
		if u.Kind == syntax.Module {
			known = append(known, u.Name)
		}
	}
	want := "a module of the program, whose file is given as well"
	l.fail(s.Module.Pos, nearest.Suggest(want, nearest.Names(s.Module.Text, known)), "there is no module %s", s.Module.Text)
	return nil
}

// imports makes the names of the modules that a unit uses known in it.
func (l *lowerer) imports(u *Unit) {
	for _, s := range u.Specs {
		if use, ok := s.(*syntax.Use); ok {
			if m := l.units[use.Module.Text]; m != nil && m.Kind == syntax.Module { // others are reported
				l.use(u, m, use)
			}
		}
	}
}

// use makes names of one module known.
func (l *lowerer) use(u, m *Unit, s *syntax.Use) {
	all := m.exports()
	renamed := map[string]bool{}
	for _, r := range s.Names {
		renamed[r.Name.Text] = true
		x := all[r.Name.Text]
		if x == nil {
			x = &Symbol{Name: r.Local.Text, Pos: r.Local.Pos, Class: Unusable, Index: -1}
			l.notExported(m, r.Name, all)
		}
		u.admit(r.Local.Text, x)
	}
	if s.Only {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !renamed[name] {
			u.admit(name, all[name])
		}
	}
}

// notExported reports a name that a module does not have, or keeps for itself.
func (l *lowerer) notExported(m *Unit, n syntax.Name, all map[string]*Symbol) {
	if m.names[n.Text] != nil && m.private(n.Text) {
		l.fail(n.Pos, "a name that is PUBLIC", "%s is PRIVATE in the module %s", n.Text, m.Name)
		return
	}
	want := "a name that it declares"
	l.fail(n.Pos, nearest.Suggest(want, nearest.Names(n.Text, slices.Sorted(maps.Keys(all)))), "the module %s has no name %s", m.Name, n.Text)
}

// admit makes an entity of a module known under a name. Different entities of one name are an error where the name
// is used.
func (u *Unit) admit(name string, s *Symbol) {
	old := u.used[name]
	switch {
	case old == nil:
		u.used[name] = s
	case old.Class == Generic && s.Class == Generic:
		both := *old
		both.Specifics = slices.Clone(old.Specifics)
		both.merge(s.Specifics)
		u.used[name] = &both
	case !old.same(s):
		u.used[name] = &Symbol{
			Name: name, Class: Unusable, Index: -1,
			why: fmt.Sprintf("%s is a name of the module %s and of the module %s", name, old.module(), s.module()),
		}
	}
}

// same reports whether two symbols are one entity.
func (s *Symbol) same(t *Symbol) bool { return s == t || s.Proc != nil && s.Proc == t.Proc }

// module returns the name of the module that declares a symbol.
func (s *Symbol) module() string {
	switch {
	case s.Unit != nil:
		return s.Unit.Name
	case s.Proc != nil && s.Proc.Host != nil:
		return s.Proc.Host.Name
	}
	return "another"
}

// exports returns the names that a module makes known where it is used.
func (u *Unit) exports() map[string]*Symbol {
	out := map[string]*Symbol{}
	for name, s := range u.used {
		if !u.private(name) {
			out[name] = s
		}
	}
	for name, s := range u.names {
		if !u.private(name) && s.declared() {
			out[name] = s
		}
	}
	return out
}

// declared reports whether a declaration names a symbol. The others are variables of implied loops.
func (s *Symbol) declared() bool {
	return s.Class != Variable || s.typed || s.spec != nil || s.Block != nil || s.Initial != nil
}

// private reports whether a module keeps a name for itself.
func (u *Unit) private(name string) bool {
	private, ok := u.access[name]
	if !ok {
		return u.access[""]
	}
	return private
}

// accesses reads PUBLIC and PRIVATE. The access of "" is that of names without their own.
func (l *lowerer) accesses(u *Unit) {
	set := func(n syntax.Name, private bool) {
		if was, ok := u.access[n.Text]; ok && was != private {
			l.fail(n.Pos, "one of them", "%s is PUBLIC and PRIVATE", n.Text)
		}
		u.access[n.Text] = private
	}
	for _, s := range u.Specs {
		switch s := s.(type) {
		case *syntax.Access:
			for _, n := range s.Names {
				set(n, s.Private)
			}
			if s.Names == nil {
				u.access[""] = s.Private
			}
		case *syntax.Declare:
			for _, e := range s.Entities {
				if s.Attrs&(syntax.AttrPublic|syntax.AttrPrivate) != 0 {
					set(e.Name, s.Attrs&syntax.AttrPrivate != 0)
				}
			}
		}
	}
}

// accessible reports names in PUBLIC and PRIVATE statements that the module does not have.
func (l *lowerer) accessible(u *Unit) {
	for _, s := range u.Specs {
		a, ok := s.(*syntax.Access)
		if !ok {
			continue
		}
		for _, n := range a.Names {
			if u.names[n.Text] == nil && u.used[n.Text] == nil {
				known := slices.Concat(slices.Sorted(maps.Keys(u.names)), slices.Sorted(maps.Keys(u.used)))
				l.fail(n.Pos, nearest.Suggest("a name that it declares or uses", nearest.Names(n.Text, known)), "the module %s has no name %s", u.Name, n.Text)
			}
		}
	}
}

// Used returns the names of the variables of modules that the unit uses, in their order.
func (u *Unit) Used() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(u.used)) {
		if u.UsedAs(name) != nil {
			out = append(out, name)
		}
	}
	return out
}

// UsedAs returns the variable of a module that a name stands for in the unit, nil for none.
func (u *Unit) UsedAs(name string) *Symbol {
	if s := u.used[name]; s != nil && s.Class == Variable {
		return s
	}
	return nil
}

// NameOf returns the name of a variable in the unit, which is another one than its own after USE with =>.
func (u *Unit) NameOf(s *Symbol) string {
	for v := u; v != nil; v = v.Host {
		for _, name := range v.Used() {
			if v.used[name] == s {
				return name
			}
		}
	}
	return s.Name
}

// localUses reports variables of modules in an HPF_LOCAL procedure: each processor would have its own.
func (l *lowerer) localUses(u *Unit) {
	if !u.Local {
		return
	}
	reported := map[*Symbol]bool{}
	check := func(s *Symbol, pos syntax.Pos) {
		if s.Class == Variable && s.Unit.Kind == syntax.Module && !reported[s] {
			reported[s] = true
			l.fail(pos, "an argument, or a variable of its own", "%s is a variable of the module %s, and %s is HPF_LOCAL: legal, but not in the subset", s.Name, s.Unit.Name, u.Name)
		}
	}
	Statements(u.Body, func(s Stmt) {
		Expressions(s, func(x Expr) {
			Walk(x, func(e Expr) {
				switch e := e.(type) {
				case *Ref:
					check(e.Sym, e.Pos)
				case *Element:
					check(e.Sym, e.Pos)
				}
			})
		})
	})
}
