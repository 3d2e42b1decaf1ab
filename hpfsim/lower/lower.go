package lower

import (
	"fmt"
	"maps"
	"slices"

	"whorl/hpfsim/structure"
	"whorl/hpfsim/syntax"
	"whorl/internal/fault"
	"whorl/internal/nearest"
)

// A lowerer resolves the units of a file. It has a method for each form of the language. Forms contain each other and share the tables of names, so it is
// one type.
type lowerer struct {
	prog   *Program
	unit   *Unit
	units  map[string]*Unit // procedures that all units can call
	loops  []string         // names of the enclosing loops; "" for a loop without a name
	behind map[string]int   // labels behind the enclosing BLOCK and ASSOCIATE constructs with names
	exits  int              // such labels so far
	within int              // the enclosing WHERE and FORALL
	open   []map[int]bool   // labels of the enclosing blocks
	fixed  bool             // the expression must be constant: implied loops are executed
	errs   syntax.Errors

	wrapped  map[string]*Symbol // intrinsic functions that are arguments
	bits     map[*Const]uint64  // constants of bits
	evaluate Evaluator          // computes constant arrays; nil folds scalars only
}

// Lower resolves a file for a number of processors. Evaluate computes constant expressions with arrays; it may be nil
// if there are none. The program cannot run if there are errors. They have no text lines yet (see
// syntax.File.Locate).
func Lower(file *syntax.File, processors int, evaluate Evaluator) (*Program, syntax.Errors) {
	if errs := structure.Flatten(file); errs.Failed() {
		return &Program{File: file}, errs
	}
	l := &lowerer{prog: &Program{File: file, Processors: processors, Blocks: map[string]*Block{}}, units: map[string]*Unit{}, wrapped: map[string]*Symbol{}, behind: map[string]int{}, evaluate: evaluate, bits: map[*Const]uint64{}}
	for _, u := range expanded(file.Units) {
		n := l.declareUnit(u, nil)
		if n.Kind == syntax.BlockData {
			continue
		}
		if other := l.units[n.Name]; other != nil && n.Kind != syntax.Program {
			l.fail(u.Pos, "another name", "%s is defined already, in line %d", n.Name, other.Pos.Line)
		}
		if n.Kind == syntax.Program && l.prog.Main != nil {
			l.fail(u.Pos, "one of them", "there is a main program already, in line %d of %s", l.prog.Main.Pos.Line, l.prog.Main.Pos.File)
		} else if n.Kind == syntax.Program {
			l.prog.Main = n
		} else if l.units[n.Name] == nil {
			l.units[n.Name] = n
		}
	}
	if l.prog.Main == nil && len(file.Units) > 0 {
		l.fail(file.Units[0].Pos, "a main program", "there is no main program")
	}
	if !l.modules() {
		return l.prog, l.errs
	}
	for _, m := range l.prog.Modules {
		l.symbols(m)
	}
	for _, u := range l.prog.Units {
		if u.outermost().Kind != syntax.Module {
			l.unitSymbols(u)
		}
	}
	l.storage()
	for _, u := range l.prog.Units {
		l.unit = u
		l.body(u)
	}
	l.shareEntries()
	for _, u := range l.prog.Units { // the bodies of all procedures are resolved
		l.unit = u
		l.parallelize(u)
		a := &assembler{unit: u}
		a.block(u.Body)
	}
	for _, u := range l.prog.Units {
		l.unit = u
		l.pure(u)
		l.localUses(u)
	}
	return l.prog, l.errs
}

func (l *lowerer) declareUnit(u *part, host *Unit) *Unit {
	n := &Unit{
		Unit: u.Unit, Host: host, hidden: u.hidden, results: u.results, names: map[string]*Symbol{}, used: map[string]*Symbol{}, outside: map[string]*Symbol{}, access: map[string]bool{},
		units: map[string]*Unit{}, assigned: map[string]bool{}, intrinsics: map[string]bool{}, external: map[string]bool{}, boxed: map[string]bool{},
	}
	if u.container != nil {
		n.container = u.container.unit
	}
	u.unit = n
	n.enter(u)
	n.assigns(u.Body)
	n.declares()
	l.prog.Units = append(l.prog.Units, n)
	for _, c := range expanded(u.Contains) {
		if other := n.units[c.Name]; other != nil {
			l.fail(c.Pos, "another name", "%s is defined already, in line %d", c.Name, other.Pos.Line)
		}
		inner := l.declareUnit(c, n)
		n.units[c.Name] = inner
		n.inner = append(n.inner, inner)
	}
	return n
}

// outermost returns the unit that is not in another: the unit itself, its host or the host of its host.
func (u *Unit) outermost() *Unit {
	for u.Host != nil {
		u = u.Host
	}
	return u
}

func (l *lowerer) fail(pos syntax.Pos, want, format string, args ...any) {
	l.report(&syntax.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want})
}

func (l *lowerer) warn(pos syntax.Pos, want, format string, args ...any) {
	l.report(&syntax.Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Want: want, Severity: fault.Warning})
}

// report adds an error. The statements of a unit with ENTRY are resolved several times, and reported once.
func (l *lowerer) report(e *syntax.Error) {
	again := func(o *syntax.Error) bool { return o.Pos == e.Pos }
	if l.unit == nil || l.unit.container == nil || !slices.ContainsFunc(l.errs, again) {
		l.errs = append(l.errs, e)
	}
}

// lookup finds a name in the unit, in the modules that it uses, or in the unit that contains it. It returns nil for an
// undeclared name, and reports a name that two modules have.
func (l *lowerer) lookup(n syntax.Name) *Symbol {
	s := l.find(n.Text)
	if s != nil && s.why != "" {
		l.fail(n.Pos, "ONLY, or another name for one of them, as in USE M, X1 => "+n.Text, "%s", s.why)
	}
	return s
}

// find finds a name as lookup does, and reports nothing.
func (l *lowerer) find(name string) *Symbol {
	assigned, called := false, false
	for u := l.unit; u != nil; u = u.Host {
		if s := u.own(name); s != nil {
			return s
		}
		assigned, called = assigned || u.assigned[name], called || u.calls(name)
		if u.Host == nil {
			return l.procedureOf(u, name, assigned, called)
		}
	}
	return nil
}

// named finds a name in a unit itself: among its own names, those that it uses, and the procedures of the program.
func (l *lowerer) named(u *Unit, name string) *Symbol {
	if s := u.own(name); s != nil || u.Host != nil {
		return s
	}
	return l.procedureOf(u, name, u.assigned[name], u.calls(name))
}

// own returns the symbol of a name that a unit declares or uses, nil for other names.
func (u *Unit) own(name string) *Symbol {
	if s := u.names[name]; s != nil {
		return s
	}
	return u.used[name]
}

// procedureOf returns the symbol of a procedure of the program in a unit. It enters one when it is first looked up, and
// returns nil for other names. A name that is assigned is a variable, and so is that of a function that is not called.
func (l *lowerer) procedureOf(u *Unit, name string, assigned, called bool) *Symbol {
	p := l.units[name]
	if p == nil || !p.Kind.Executable() || assigned || p.Kind == syntax.Function && (!called || p == u && p.Result == p.Name) {
		return nil
	}
	if u.outside[name] == nil {
		u.outside[name] = procedure(p)
	}
	return u.outside[name]
}

// symbol finds a name. It declares a new name by the rules of IMPLICIT.
func (l *lowerer) symbol(n syntax.Name) *Symbol {
	if s := l.lookup(n); s != nil {
		return s
	}
	return l.implicit(n)
}

// implicit declares a variable by its first letter.
func (l *lowerer) implicit(n syntax.Name) *Symbol {
	s := l.add(n)
	s.Type = l.unit.rules[n.Text[0]-'A']
	if l.unit.strict {
		l.undeclared(n)
	}
	return s
}

// undeclared reports a name that is not declared under IMPLICIT NONE, and suggests others.
func (l *lowerer) undeclared(n syntax.Name) {
	var known []string
	for u := l.unit; u != nil; u = u.Host {
		for _, s := range u.Symbols {
			if s.Name != n.Text {
				known = append(known, s.Name)
			}
		}
		known = append(known, slices.Sorted(maps.Keys(u.used))...)
	}
	want := "a declaration, since there is IMPLICIT NONE"
	l.fail(n.Pos, nearest.Suggest(want, nearest.Names(n.Text, known)), "%s is not declared", n.Text)
}

// add enters a new symbol into the unit.
func (l *lowerer) add(n syntax.Name) *Symbol {
	if s := l.unit.used[n.Text]; s != nil && s.Class != Unusable {
		l.fail(n.Pos, "another name, or USE with ONLY", "%s is declared here and in the module %s, which this unit uses", n.Text, s.module())
	}
	s := &Symbol{Name: n.Text, Pos: n.Pos, Unit: l.unit, Index: len(l.unit.Symbols)}
	s.Type = l.unit.rules[n.Text[0]-'A']
	l.unit.Symbols = append(l.unit.Symbols, s)
	l.unit.names[n.Text] = s
	return s
}
