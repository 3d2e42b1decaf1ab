package check

import (
	"fmt"
	"slices"

	"whorl/fghc/arith"
	"whorl/fghc/builtin"
	"whorl/fghc/library"
	"whorl/fghc/syntax"
	"whorl/internal/nearest"
)

// kind describes a term in a message.
func kind(t syntax.Term) string {
	switch t := t.(type) {
	case *syntax.Var:
		return "the variable " + t.Name
	case *syntax.Int, *syntax.Float:
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

// text formats a term for a message.
func text(t syntax.Term) string { return syntax.Cut(syntax.Format(t), 40) }

// reserved are the names that cannot be procedures, with their uses.
var reserved = map[syntax.Procedure]string{
	{Name: "otherwise"}:     "separates two clauses of a procedure",
	{Name: "alternatively"}: "separates two clauses of a procedure",
	{Name: "!"}:             "is not part of the language; a clause commits at |",
	{Name: ";", Arity: 2}:   "separates cases in parentheses",
	{Name: "->", Arity: 2}:  "is part of a case in parentheses",
	{Name: "|", Arity: 2}:   "occurs once in a clause, between guard and body",
	{Name: ":-", Arity: 2}:  "occurs once in a clause, between head and guard",
	{Name: ",", Arity: 2}:   "separates goals",
}

// hints are the FGHC equivalents of operators of Prolog.
var hints = map[syntax.Procedure]string{
	{Name: "is", Arity: 2}:    "X := Expression",
	{Name: "==", Arity: 2}:    "X = Y in a guard, which tests and never binds, or X =:= Y for numbers",
	{Name: `\==`, Arity: 2}:   `X \= Y in a guard, or X =\= Y for numbers`,
	{Name: `\+`, Arity: 1}:    "the opposite test, or clauses after otherwise",
	{Name: "//", Arity: 2}:    "X / Y, which is integer division",
	{Name: "-->", Arity: 2}:   "clauses with argument pairs: p(X)-S :- ...",
	{Name: "print", Arity: 1}: "builtin:print(X)",
}

// moduleHints are what KLIC has instead of modules that its users expect.
var moduleHints = map[string]string{
	"random": "generic:new(random_numbers, S, N) for a stream of numbers from 0 to N-1",
}

// head checks the head of a clause. It returns false if the clause belongs to no procedure.
func (c *checker) head(g syntax.Goal) bool {
	pos := g.Term.Position()
	switch g.Term.(type) {
	case *syntax.Atom, *syntax.Compound:
	default:
		c.fault(pos, "an atom or a structure", "%s cannot be the head of a clause", kind(g.Term))
		return false
	}
	c.pragmas(g, "a head has no node and no priority")
	if g.Module != "" {
		c.fault(pos, "the head without its module", "the head of a clause cannot name a module")
	}
	return true
}

// pragmas reports the pragmas of a head or a guard goal.
func (c *checker) pragmas(g syntax.Goal, why string) {
	if g.Node != nil {
		c.fault(g.Node.Position(), "@node(N) after a goal of a body", "%s", why)
	}
	if g.Priority != nil {
		c.fault(g.Priority.Position(), "@priority(N) after a goal of a body", "%s", why)
	}
}

// redefinition reports a procedure with the name and arity of a builtin.
func (c *checker) redefinition(head syntax.Goal, p procedure) {
	name, args := head.Name()
	if b, ok := find("", name, args); ok && (b.Run == nil && b.Body || !b.Body && !letter(name)) {
		c.fault(head.Term.Position(), "another name", "%v is a builtin and cannot be defined", p)
	} else if ok && b.Body {
		c.warn(head.Term.Position(), "another name, if this module also uses the builtin", "%v hides the builtin of that name", p)
	}
	if why, ok := reserved[p.Procedure]; ok {
		c.fault(head.Term.Position(), "another name", "%s cannot be defined: it %s", p.Name, why)
	}
}

func letter(name string) bool { return name != "" && name[0] >= 'a' && name[0] <= 'z' }

// callable reports goals that are not atoms or structures, and reserved names. It returns whether the goal can be called.
func (c *checker) callable(g syntax.Goal) bool {
	switch g.Term.(type) {
	case *syntax.Atom, *syntax.Compound:
	default:
		c.fault(g.Term.Position(), "a goal: an atom or a structure", "%s is not a goal", kind(g.Term))
		return false
	}
	name, args := g.Name()
	if why, ok := reserved[syntax.Procedure{Name: name, Arity: len(args)}]; ok && g.Module == "" {
		c.fault(g.Term.Position(), "a goal", "%s %s", name, why)
		return false
	}
	return true
}

// goal checks a goal of a body or of a query.
func (c *checker) goal(g syntax.Goal) {
	if !c.callable(g) {
		return
	}
	if g.Node != nil {
		if n, ok := g.Node.(*syntax.Int); ok && n.Value < 0 {
			c.fault(n.Pos, "a number of at least 0", "there is no PE %d", n.Value)
		}
		c.expression(g.Node, arith.IntOps, true)
	}
	if g.Priority != nil {
		c.expression(g.Priority, arith.IntOps, true)
	}
	_, args := g.Name()
	if b, ok := c.builtin(g); ok && b.Body {
		c.arguments(b, args)
		return
	}
	p := c.called(g, c.module)
	if c.defined(p) {
		return
	}
	pos := g.Term.Position()
	module := g.Module
	if g.Module != "" && !slices.Contains(c.modules, g.Module) && !slices.Contains(c.library, g.Module) {
		if builtins(g.Module, inBody) == nil {
			known := slices.Concat(c.modules, libraries())
			want := "a goal of this file"
			if len(c.modules) > 0 {
				want = "the module " + c.modules[0]
			}
			want = nearest.Suggest(want, nearest.Names(g.Module, known))
			if hint, ok := moduleHints[g.Module]; ok {
				want = hint
			}
			c.fault(pos, want, "unknown module %s", syntax.FormatName(g.Module))
			return
		}
	}
	if b, ok := c.builtin(g); ok && b.Guard {
		c.fault(pos, "a guard goal, before |", "%v is a test, which a body cannot contain", p)
		return
	}
	if c.arity(pos, p, module, inBody) {
		return
	}
	if hint, ok := hints[p.Procedure]; ok && module == "" {
		c.fault(pos, hint, "unknown procedure %v", p)
		return
	}
	want := "a procedure of the program or a builtin"
	if module != "" {
		want = "a procedure of the module " + syntax.FormatName(module)
	}
	c.fault(pos, nearest.Suggest(want, c.nearestProcedures(p, module)), "unknown procedure %v", p)
}

// libraries returns the distinct modules of the library and of builtins.
func libraries() []string {
	var list []string
	for _, m := range library.All {
		list = append(list, m.Name)
	}
	for i := range builtin.All {
		if m := builtin.All[i].Module; m != "" && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// arity reports a goal with the name of a builtin and a wrong number of arguments.
func (c *checker) arity(pos syntax.Pos, p procedure, library string, admitted func(*builtin.Builtin) bool) bool {
	if c.arities[[2]string{p.module, p.Name}] != nil {
		return false
	}
	titles := ""
	for i := range builtin.All {
		if b := &builtin.All[i]; b.Module == library && b.Name == p.Name && admitted(b) {
			if titles != "" {
				titles += " or "
			}
			titles += b.Title()
		}
	}
	if titles != "" {
		c.fault(pos, titles, "the builtin %s does not take %s", p.Name, arguments(p.Arity))
	}
	return titles != ""
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

// arguments checks the arguments of a builtin that are expressions.
func (c *checker) arguments(b *builtin.Builtin, args []syntax.Term) {
	if b.Run != nil {
		return
	}
	for k, letter := range []byte(b.Args) {
		switch letter {
		case 'x':
			c.expression(args[k], operators(b.Name), b.Body && b.Name != "bigint")
		case 'o':
			if b.Name != "bigint" {
				c.target(args[k], b.Name)
			}
		}
	}
}

// operators returns the operators of the expressions that a builtin takes.
func operators(name string) []arith.Operator {
	if name[0] == '$' {
		return arith.FloatOps
	}
	return arith.IntOps
}

// target checks the left side of := or $:=.
func (c *checker) target(t syntax.Term, op string) {
	if _, ok := t.(*syntax.Var); !ok {
		c.fault(t.Position(), "a variable left of "+op, "%s cannot take a value", kind(t))
	}
}

// expression checks an arithmetic expression. With bits64 its integers must fit in 64 bits.
func (c *checker) expression(t syntax.Term, table []arith.Operator, bits64 bool) {
	floats := &table[0] == &arith.FloatOps[0]
	switch t := t.(type) {
	case *syntax.Var:
		return
	case *syntax.Int:
		if !floats {
			if bits64 && t.Big != "" {
				c.fault(t.Pos, "an integer of 64 bits, or bigint(Expr, X)", "%s is too large", text(t))
			}
			return
		}
	case *syntax.Float:
		if floats {
			return
		}
	case *syntax.Compound:
		op, ok := arith.Lookup(table, t.Name, len(t.Args))
		if !ok {
			var names []string
			for _, op := range table {
				names = append(names, op.Name)
			}
			slices.Sort(names)
			want := nearest.Suggest("an operator of arithmetic", nearest.Names(t.Name, slices.Compact(names)))
			if hint, ok := hints[syntax.Procedure{Name: t.Name, Arity: len(t.Args)}]; ok {
				want = hint
			}
			c.fault(t.Pos, want, "unknown operator %v in an expression%s", syntax.Procedure{Name: t.Name, Arity: len(t.Args)}, ofFloats(floats))
			return
		}
		switch op {
		case arith.ToInt:
			table = arith.FloatOps
		case arith.ToFloat:
			table = arith.IntOps
		}
		for _, arg := range t.Args {
			c.expression(arg, table, bits64)
		}
		return
	}
	if floats {
		c.fault(t.Position(), "a float like 1.0, a variable, an expression, or float(an integer)", "%s has no value here", kind(t))
		return
	}
	c.fault(t.Position(), "an integer, a variable or an expression", "%s has no value", kind(t))
}

func ofFloats(floats bool) string {
	if floats {
		return " of floats"
	}
	return ""
}
