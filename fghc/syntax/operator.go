package syntax

import (
	"maps"
	"slices"
	"strings"
)

// An Operator is an infix, prefix or postfix operator.
type Operator struct {
	Name     string
	Prefix   bool
	Postfix  bool
	Priority int // 1 to 1200; arguments of structures and elements of lists have at most 999
	Left     int // the highest priority of the left argument, 0 for a prefix operator
	Right    int // the highest priority of the right argument, 0 for a postfix operator
}

// Operators lists all operators by descending priority. They are those of KLIC, ICOT's implementation of KL1, with these differences: the left
// argument of @ may be a comparison, so that a pragma applies to the whole goal; local_operator, a word of directives, and the prefix \ are
// included.
var Operators = []Operator{
	{Name: ":-", Priority: 1200, Left: 1199, Right: 1199},
	{Name: "-->", Priority: 1200, Left: 1199, Right: 1199},
	{Name: ":-", Prefix: true, Priority: 1200, Right: 1199},
	{Name: "?-", Prefix: true, Priority: 1200, Right: 1199},
	directive("implicit"), directive("local_implicit"), directive("local_operator"), directive("mode"), directive("public"), directive("with_macro"),
	{Name: "|", Priority: 1100, Left: 1099, Right: 1100},
	{Name: ";", Priority: 1100, Left: 1099, Right: 1100},
	{Name: "->", Priority: 1050, Left: 1049, Right: 1050},
	{Name: ",", Priority: 1000, Left: 999, Right: 1000},
	{Name: `\+`, Prefix: true, Priority: 900, Right: 900},
	{Name: "spy", Prefix: true, Priority: 900, Right: 900},
	{Name: "nospy", Prefix: true, Priority: 900, Right: 900},
	{Name: ":", Priority: 800, Left: 799, Right: 800},
	comparison(":="), comparison("$:="), comparison("$$:="),
	comparison("="), comparison(`\=`), comparison("=="), comparison(`\==`), comparison("=.."), comparison("is"),
	comparison("<"), comparison(">"), comparison("=<"), comparison(">="), comparison("=:="), comparison(`=\=`),
	comparison("$<"), comparison("$>"), comparison("$=<"), comparison("$<="), comparison("$>="), comparison("$=:="), comparison(`$=\=`),
	comparison("$$<"), comparison("$$>"), comparison("$$=<"), comparison("$$<="), comparison("$$>="), comparison("$$=:="), comparison(`$$=\=`),
	comparison("@<"), comparison("@>"), comparison("@=<"), comparison("@>="),
	comparison("&<"), comparison("&>"), comparison("&=<"), comparison("&<="), comparison("&>="),
	comparison("<="), comparison("=>"), comparison("<=="), comparison("<<="),
	comparison("+="), comparison("-="), comparison("*="), comparison("/="),
	comparison("$+="), comparison("$-="), comparison("$*="), comparison("$/="),
	{Name: "@", Priority: 700, Left: 700, Right: 700},
	{Name: "+", Priority: 500, Left: 500, Right: 499},
	{Name: "-", Priority: 500, Left: 500, Right: 499},
	{Name: `/\`, Priority: 500, Left: 500, Right: 499},
	{Name: `\/`, Priority: 500, Left: 500, Right: 499},
	{Name: "xor", Priority: 500, Left: 500, Right: 499},
	{Name: "-", Prefix: true, Priority: 500, Right: 499},
	{Name: "+", Prefix: true, Priority: 500, Right: 499},
	{Name: "*", Priority: 400, Left: 400, Right: 399},
	{Name: "/", Priority: 400, Left: 400, Right: 399},
	{Name: "//", Priority: 400, Left: 400, Right: 399},
	{Name: "<<", Priority: 400, Left: 400, Right: 399},
	{Name: ">>", Priority: 400, Left: 400, Right: 399},
	{Name: "mod", Priority: 300, Left: 299, Right: 299},
	{Name: "**", Priority: 300, Left: 299, Right: 300},
	{Name: "~", Prefix: true, Priority: 300, Right: 300},
	{Name: "$~", Prefix: true, Priority: 300, Right: 300},
	{Name: "^", Priority: 200, Left: 199, Right: 200},
	complement,
	{Name: "&", Prefix: true, Priority: 200, Right: 199},
	{Name: "++", Postfix: true, Priority: 150, Left: 149},
	{Name: "--", Postfix: true, Priority: 150, Left: 149},
	{Name: "#", Priority: 100, Left: 99, Right: 99},
	{Name: "#", Prefix: true, Priority: 100, Right: 99},
	{Name: "::", Priority: 90, Left: 89, Right: 89},
	{Name: "module", Prefix: true, Priority: 80, Right: 79},
}

// complement is the operator of programs that streams lack.
var complement = Operator{Name: `\`, Prefix: true, Priority: 200, Right: 200}

func directive(name string) Operator {
	return Operator{Name: name, Prefix: true, Priority: 1150, Right: 1149}
}

func comparison(name string) Operator {
	return Operator{Name: name, Priority: 700, Left: 699, Right: 699}
}

// LeftWritten returns the highest priority of a left argument that is written without parentheses. An operator that accepts its own priority
// on both sides groups to the right.
func (o Operator) LeftWritten() int {
	if o.Right == o.Priority {
		return o.Priority - 1
	}
	return o.Left
}

// An OperatorTable holds operators by name. A name can be a prefix, an infix and a postfix operator.
type OperatorTable struct{ prefix, infix, postfix map[string]Operator }

// Standard holds Operators, those of programs.
var Standard = NewOperatorTable(Operators...)

// Streams holds the operators with which a stream begins to read and write terms.
var Streams = Standard.Without(complement)

// NewOperatorTable returns a table of operators. Of two operators of a kind with the same name the latter counts.
func NewOperatorTable(operators ...Operator) *OperatorTable {
	t := &OperatorTable{map[string]Operator{}, map[string]Operator{}, map[string]Operator{}}
	for _, op := range operators {
		t.kind(op)[op.Name] = op
	}
	return t
}

// kind returns the operators that are prefix, infix or postfix as op is.
func (t *OperatorTable) kind(op Operator) map[string]Operator {
	switch {
	case op.Prefix:
		return t.prefix
	case op.Postfix:
		return t.postfix
	}
	return t.infix
}

// With returns a copy of the table with one more operator.
func (t *OperatorTable) With(op Operator) *OperatorTable {
	u := &OperatorTable{maps.Clone(t.prefix), maps.Clone(t.infix), maps.Clone(t.postfix)}
	u.kind(op)[op.Name] = op
	return u
}

// Without returns a copy of the table without the prefix, infix or postfix operator that has the name of op.
func (t *OperatorTable) Without(op Operator) *OperatorTable {
	u := t.With(op)
	delete(u.kind(op), op.Name)
	return u
}

// Uses returns the prefix, infix and postfix operators of a name. The priority of those that do not exist is 0.
func (t *OperatorTable) Uses(name string) (prefix, infix, postfix Operator) {
	return t.prefix[name], t.infix[name], t.postfix[name]
}

// All returns the prefix, the infix and the postfix operators, each sorted by name.
func (t *OperatorTable) All() (kinds [3][]Operator) {
	for k, m := range []map[string]Operator{t.prefix, t.infix, t.postfix} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			kinds[k] = append(kinds[k], m[name])
		}
	}
	return kinds
}

// Type returns the type of an operator, fx, fy, xfx, xfy, yfx, xf or yf.
func (o Operator) Type() string {
	argument := func(most int) string {
		if most == o.Priority {
			return "y"
		}
		return "x"
	}
	switch {
	case o.Prefix:
		return "f" + argument(o.Right)
	case o.Postfix:
		return argument(o.Left) + "f"
	case o.Right == o.Priority:
		return "xfy" // also for @, which accepts its own priority on both sides
	}
	return argument(o.Left) + "fx"
}

// NewOperator returns an operator of a type fx, fy, xfx, xfy, yfx, xf or yf, where f is the operator, x an argument of a lower priority and y an
// argument of at most the same.
func NewOperator(name, kind string, priority int) (op Operator, ok bool) {
	left, right, ok := strings.Cut(kind, "f")
	op = Operator{Name: name, Priority: priority, Prefix: left == "", Postfix: right == ""}
	most := map[string]int{"": 0, "x": priority - 1, "y": priority}
	var known [2]bool
	op.Left, known[0] = most[left]
	op.Right, known[1] = most[right]
	return op, ok && known == [2]bool{true, true} && kind != "f" && kind != "yfy"
}

// Loose reports whether name is an infix operator between whole terms, as comparisons are, rather than within expressions.
func Loose(name string) bool {
	op := Standard.infix[name]
	return op.Priority >= 700 && name != ":" && name != "@" && name != ","
}

// Loosest reports whether name is an infix operator between goals or clauses, other than the comma.
func Loosest(name string) bool { return Standard.infix[name].Priority > 1000 }

// Word reports whether name is an operator made of letters.
func Word(name string) bool { return isOperator(name) && classes[name[0]] == classLower }

// Symbol reports whether c can occur in a symbolic name such as :=.
func Symbol(c byte) bool { return classes[c] == classSymbol }
