package check

import (
	"fmt"
	"slices"

	"whorl/fghc/syntax"
	"whorl/internal/nearest"
)

// kind names what a term is, in a message.
func kind(t syntax.Term) string {
	switch t := t.(type) {
	case *syntax.Var:
		return "the variable " + t.Name
	case *syntax.Int:
		return "the number " + text(t)
	case *syntax.Atom:
		return "the atom " + text(t)
	case *syntax.Str:
		return "the string " + text(t)
	case *syntax.List:
		return "a list"
	case *syntax.Vector:
		return "a vector"
	}
	return "the structure " + text(t)
}

// text prints a term for a message.
func text(t syntax.Term) string { return cut(syntax.Format(t), 40) }

// cut shortens a text to a number of characters.
func cut(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "..."
		}
		n++
	}
	return s
}

// head checks what stands before the :- of a clause. It returns false where the clause belongs to no procedure.
func (c *checker) head(g syntax.Goal) (syntax.Procedure, bool) {
	at := g.Term.Pos()
	switch g.Term.(type) {
	case *syntax.Atom, *syntax.Compound:
	default:
		c.fault(at, "an atom or a structure", "%s cannot be the head of a clause", kind(g.Term))
		return syntax.Procedure{}, false
	}
	if g.Node != nil {
		c.fault(g.Node.Pos(), "@node(N) behind a goal of a body", "a head does not run on a PE")
	}
	if g.Module != "" {
		c.fault(at, "the head without its module", "the head of a clause is always of its own module")
	}
	return procedure(g), true
}

// redefinition reports a procedure that has the name and the arity of a builtin.
func (c *checker) redefinition(head syntax.Goal, p syntax.Procedure) {
	for _, table := range [][]Builtin{BodyBuiltins, GuardBuiltins} {
		if _, ok := find(table, p.Name, p.Arity); ok {
			c.fault(head.Term.Pos(), "another name", "%v is a builtin and cannot be defined", p)
			return
		}
	}
	if b, ok := find(reserved, p.Name, p.Arity); ok {
		c.fault(head.Term.Pos(), "another name", "%s cannot be defined: it %s", b.Name, b.Doc)
	}
}

// callable reports a goal that is no atom or structure, or that means something else.
func (c *checker) callable(g syntax.Goal) bool {
	switch g.Term.(type) {
	case *syntax.Atom, *syntax.Compound:
	default:
		c.fault(g.Term.Pos(), "a goal: an atom or a structure", "%s is no goal", kind(g.Term))
		return false
	}
	p := procedure(g)
	if b, ok := find(reserved, p.Name, p.Arity); ok {
		c.fault(g.Term.Pos(), "a goal", "%s %s", b.Name, b.Doc)
		return false
	}
	return true
}

// goal checks a goal of a body or of a query.
func (c *checker) goal(g syntax.Goal) {
	if !c.callable(g) {
		return
	}
	at, p := g.Term.Pos(), procedure(g)
	_, args := g.Name()
	if g.Node != nil {
		if n, ok := g.Node.(*syntax.Int); ok && n.Value < 0 {
			c.fault(n.At, "a number from 0 on", "there is no PE %d", n.Value)
		}
		c.expression(g.Node, true)
	}
	if own := c.modules(); g.Module != "" && !slices.Contains(own, g.Module) {
		want := "a goal of this file"
		if len(own) > 0 {
			want = withNearest("the module "+own[0], nearest.Names(g.Module, own))
		}
		c.fault(at, want, "unknown module %s", syntax.FormatName(g.Module))
		return
	}
	if _, ok := find(BodyBuiltins, p.Name, p.Arity); ok {
		switch p.Name {
		case ":=":
			c.target(args[0])
			c.expression(args[1], true)
		case "bigint":
			c.expression(args[0], false)
		}
		return
	}
	if c.defined(p) {
		return
	}
	if _, ok := find(GuardBuiltins, p.Name, p.Arity); ok {
		c.fault(at, "it in a guard, before |", "%v tests, and a body cannot test", p)
		return
	}
	if c.arity(at, p, BodyBuiltins) {
		return
	}
	c.fault(at, withNearest("a procedure of the program or a builtin", c.nearestProcedures(p)), "unknown procedure %v", p)
}

// modules returns the names of the modules of the file.
func (c *checker) modules() []string {
	var names []string
	for _, m := range c.file.Modules {
		names = append(names, m.Name)
	}
	return names
}

// arity reports a goal that has the name of a builtin, but no builtin's or procedure's number of arguments.
func (c *checker) arity(at syntax.Pos, p syntax.Procedure, table []Builtin) bool {
	if c.arities[p.Name] != nil {
		return false
	}
	for _, b := range table {
		if b.Name == p.Name {
			c.fault(at, fmt.Sprintf("%s/%d", syntax.FormatName(b.Name), b.Arity), "the builtin %s does not take %s", b.Name, arguments(p.Arity))
			return true
		}
	}
	return false
}

func arguments(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "one argument"
	}
	return fmt.Sprint(n, " arguments")
}

// target checks the left side of :=.
func (c *checker) target(t syntax.Term) {
	if _, ok := t.(*syntax.Var); !ok {
		c.fault(t.Pos(), "a variable left of :=", "%s cannot take a value", kind(t))
	}
}

// expression checks an arithmetic expression. In 64 bits its integers have to fit.
func (c *checker) expression(t syntax.Term, bits64 bool) {
	const parts = "an integer, a variable or an expression"
	switch t := t.(type) {
	case *syntax.Var:
	case *syntax.Int:
		if bits64 && t.Big != "" {
			c.fault(t.At, "an integer of 64 bits, or bigint(Expr, X)", "%s is too large", text(t))
		}
	case *syntax.Compound:
		if _, ok := find(Arithmetic, t.Name, len(t.Args)); !ok {
			p := syntax.Procedure{Name: t.Name, Arity: len(t.Args)}
			c.fault(t.At, withNearest("an operator of arithmetic", nearest.Names(t.Name, names(Arithmetic))), "unknown operator %v in an expression", p)
			return
		}
		for _, arg := range t.Args {
			c.expression(arg, bits64)
		}
	default:
		c.fault(t.Pos(), parts, "%s has no value", kind(t))
	}
}
