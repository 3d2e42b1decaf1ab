package lower

import (
	"slices"
	"strings"

	"whorl/hpfsim/syntax"
	"whorl/internal/nearest"
)

// interfaceBlock enters the procedures of an interface, and adds those of a generic interface to its generic name.
func (l *lowerer) interfaceBlock(s *syntax.Interface) {
	var of []*Symbol
	for _, u := range s.Units {
		if p := l.declared(u); p != nil {
			of = append(of, p)
		}
	}
	for _, n := range s.Procedures {
		if p := l.specific(n); p != nil {
			of = append(of, p)
		}
	}
	if s.Generic.Text != "" {
		g := l.generic(s.Generic)
		g.merge(of)
	}
}

// generic returns the generic name of the unit, a new one if it has none. It replaces the name of a procedure of the
// unit, and includes a generic of a module that the unit uses.
func (l *lowerer) generic(n syntax.Name) *Symbol {
	old := l.unit.names[n.Text]
	if old != nil && old.Class == Generic {
		return old
	}
	if old != nil && old.Class != Procedure {
		l.fail(n.Pos, "another name", "%s is declared already, in line %d", n.Text, old.Pos.Line)
	}
	g := &Symbol{Name: n.Text, Pos: n.Pos, Class: Generic, Unit: l.unit, Index: -1}
	if used := l.unit.used[n.Text]; used != nil && used.Class == Generic {
		g.Specifics = slices.Clone(used.Specifics)
	}
	l.unit.names[n.Text] = g
	return g
}

// merge adds procedures to a generic name.
func (s *Symbol) merge(of []*Symbol) {
	for _, p := range of {
		if !slices.ContainsFunc(s.Specifics, p.same) {
			s.Specifics = append(s.Specifics, p)
		}
	}
}

// specific finds a procedure that MODULE PROCEDURE names.
func (l *lowerer) specific(n syntax.Name) *Symbol {
	if p := l.unit.units[n.Text]; p != nil { // its name may be generic too
		return procedure(p)
	}
	s := l.lookup(n)
	if s != nil && s.Class == Generic {
		s = s.specific(n.Text)
	}
	if s != nil && s.Class == Procedure && s.Proc != nil {
		return s
	}
	if s == nil || s.Class != Unusable {
		var known []string
		for _, u := range l.unit.inner {
			known = append(known, u.Name)
		}
		l.fail(n.Pos, nearest.Suggest("a procedure of the module", nearest.Names(n.Text, known)), "%s is not a procedure here", n.Text)
	}
	return nil
}

// specific returns the procedure of a generic name that has the name itself, nil if there is none.
func (s *Symbol) specific(name string) *Symbol {
	for _, p := range s.Specifics {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// specifics returns the procedures of a generic name in the unit and its hosts.
func (l *lowerer) specifics(name string) []*Symbol {
	var out []*Symbol
	for u := l.unit; u != nil; u = u.Host {
		s := l.named(u, name)
		if s == nil {
			continue
		}
		if s.Class != Generic {
			break
		}
		out = append(out, s.Specifics...)
	}
	return out
}

// choose returns the procedure whose arguments have the types, kinds and ranks of the values: if there is none, an
// ELEMENTAL one for arrays.
func (l *lowerer) choose(of []*Symbol, args []syntax.Arg, values []Expr) *Symbol {
	for _, elemental := range []bool{false, true} {
		for _, p := range of {
			if l.takes(p.Proc, args, values, elemental) {
				return p
			}
		}
	}
	return nil
}

// takes reports whether arguments have the types, kinds and ranks that a procedure declares. An ELEMENTAL procedure
// takes arrays for scalars if elemental is set.
func (l *lowerer) takes(p *Unit, args []syntax.Arg, values []Expr, elemental bool) bool {
	if p == nil || elemental && !p.Elemental {
		return false
	}
	before := len(l.errs)
	out, ok := l.arrange(p.Name, p.Pos, args, values, p.dummies(), p.requires)
	if l.errs = l.errs[:before]; !ok {
		return false
	}
	for i, d := range p.Params[:min(len(p.Params), len(out))] {
		x := out[i]
		switch {
		case x == nil:
		case isProcedure(x) != (d.Class == Procedure):
			return false
		case d.Class == Procedure:
		case x.Type() != d.Type, x.Rank() != d.dimensions() && !(elemental && d.dimensions() == 0):
			return false
		}
	}
	return true
}

// noSpecific reports a call of a generic name that none of its procedures fits.
func (l *lowerer) noSpecific(pos syntax.Pos, what string, of []*Symbol, values []Expr) {
	given := make([]string, len(values))
	for i, x := range values {
		if given[i] = described(x); isProcedure(x) {
			given[i] = "a procedure"
		}
	}
	want := make([]string, 0, len(of))
	for _, p := range of {
		want = append(want, p.signature())
	}
	l.fail(pos, strings.Join(want, " or "), "%s has no procedure for (%s)", what, strings.Join(given, "; "))
}

// signature writes a procedure with the types of its arguments.
func (s *Symbol) signature() string {
	if s.Proc == nil {
		return s.Name
	}
	var args []string
	for _, d := range s.Proc.Params[:min(len(s.Proc.Params), len(s.Proc.dummies()))] {
		text := d.Type.String()
		if d.Class == Procedure {
			text = "a procedure"
		} else if d.dimensions() > 0 {
			text += "(" + strings.Repeat(":,", d.dimensions()-1) + ":)"
		}
		args = append(args, text)
	}
	return s.Name + "(" + strings.Join(args, ", ") + ")"
}

// invokeGeneric resolves a call of a generic function. If no procedure fits, an intrinsic function of the name may.
func (l *lowerer) invokeGeneric(e *syntax.Apply) Expr {
	values, ok := l.actuals(e.Args)
	if !ok {
		return nil
	}
	of := l.specifics(e.Text)
	if p := l.choose(of, e.Args, values); p != nil {
		return l.invokeWith(p, e.Pos, e.Args, values)
	}
	if fn := l.intrinsicNamed(e.Text); fn != nil && fn.Sort != Subroutine {
		return l.intrinsic(fn, e)
	}
	l.noSpecific(e.Pos, "the generic function "+e.Text, of, values)
	return nil
}

// defined resolves an operator of the program.
func (l *lowerer) defined(e *syntax.Defined) Expr {
	operands := []syntax.Expr{e.Y}
	if e.X != nil {
		operands = []syntax.Expr{e.X, e.Y}
	}
	values := make([]Expr, len(operands))
	for i, o := range operands {
		if values[i] = l.expr(o); values[i] == nil {
			return nil
		}
	}
	if x, ok := l.overloaded(e.Op, e.OpPos, values...); ok {
		return x
	}
	of := l.specifics("OPERATOR(" + e.Op + ")")
	if of == nil {
		l.fail(e.OpPos, "INTERFACE OPERATOR("+e.Op+")", "there is no operator %s", e.Op)
		return nil
	}
	l.noSpecific(e.OpPos, "the operator "+e.Op, of, values)
	return nil
}

// overloaded resolves an operator by the functions of its generic interface. It returns false if none fits.
func (l *lowerer) overloaded(op string, pos syntax.Pos, values ...Expr) (Expr, bool) {
	args := make([]syntax.Arg, len(values))
	p := l.choose(l.specifics("OPERATOR("+op+")"), args, values)
	if p == nil {
		return nil, false
	}
	for i, x := range values { // operands are values
		values[i] = l.value(x)
	}
	return l.invokeWith(p, pos, args, values), true
}

// assignment resolves an assignment between types that only an interface ASSIGNMENT(=) allows. It returns nil if there
// is none for them.
func (l *lowerer) assignment(head Stat, left, right Expr) Stmt {
	values := []Expr{left, right}
	args := make([]syntax.Arg, len(values))
	p := l.choose(l.specifics("ASSIGNMENT(=)"), args, values)
	if p == nil || p.Proc.Kind != syntax.Subroutine {
		return nil
	}
	values[1] = l.value(right)
	values, ok := l.against(p.Proc, head.Pos, args, values)
	if !ok {
		return nil
	}
	return &Subcall{Stat: head, Proc: p, Args: values}
}

// value returns an expression as a value that a procedure cannot change.
func (l *lowerer) value(x Expr) Expr {
	if !definable(x) {
		return x
	}
	return &Conv{typed{x.Type(), x.Rank(), x.Position()}, x}
}
