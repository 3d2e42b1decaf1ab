package syntax

// An Operator is an infix, prefix or postfix operator.
type Operator struct {
	Name     string
	Prefix   bool
	Postfix  bool
	Priority int // 1 to 1200; arguments of structures and elements of lists have at most 999
	Left     int // the highest priority of the left argument, 0 for a prefix operator
	Right    int // the highest priority of the right argument, 0 for a postfix operator
}

// Operators lists all operators by descending priority. They are those of KLIC, ICOT's implementation of KL1, with these differences: @
// has a higher priority than comparisons, so that a pragma applies to the whole goal, and is left-associative, so that a goal can have
// several pragmas; | and the prefix \ are included; words that begin directives (module, public, mode, ...) are not operators.
var Operators = []Operator{
	{Name: ":-", Priority: 1200, Left: 1199, Right: 1199},
	{Name: "-->", Priority: 1200, Left: 1199, Right: 1199},
	{Name: ":-", Prefix: true, Priority: 1200, Right: 1199},
	{Name: "?-", Prefix: true, Priority: 1200, Right: 1199},
	{Name: "|", Priority: 1100, Left: 1099, Right: 1100},
	{Name: ";", Priority: 1100, Left: 1099, Right: 1100},
	{Name: "->", Priority: 1050, Left: 1049, Right: 1050},
	{Name: ",", Priority: 1000, Left: 999, Right: 1000},
	{Name: "@", Priority: 900, Left: 900, Right: 899},
	{Name: `\+`, Prefix: true, Priority: 900, Right: 900},
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
	{Name: `\`, Prefix: true, Priority: 200, Right: 200},
	{Name: "&", Prefix: true, Priority: 200, Right: 199},
	{Name: "++", Postfix: true, Priority: 150, Left: 149},
	{Name: "--", Postfix: true, Priority: 150, Left: 149},
	{Name: "#", Priority: 100, Left: 99, Right: 99},
	{Name: "#", Prefix: true, Priority: 100, Right: 99},
	{Name: "::", Priority: 90, Left: 89, Right: 89},
}

func comparison(name string) Operator {
	return Operator{Name: name, Priority: 700, Left: 699, Right: 699}
}

var infixes, prefixes, postfixes = OperatorTable(false, false), OperatorTable(true, false), OperatorTable(false, true)

// OperatorTable returns the prefix, postfix or (neither) infix operators by name.
func OperatorTable(prefix, postfix bool) map[string]Operator {
	m := map[string]Operator{}
	for _, op := range Operators {
		if op.Prefix == prefix && op.Postfix == postfix {
			m[op.Name] = op
		}
	}
	return m
}

// Loose reports whether name is an infix operator between whole terms, as comparisons are, rather than within expressions.
func Loose(name string) bool {
	op := infixes[name]
	return op.Priority >= 700 && name != ":" && name != "@" && name != ","
}

// Loosest reports whether name is an infix operator between goals or clauses, other than the comma.
func Loosest(name string) bool { return infixes[name].Priority > 1000 }

// Word reports whether name is an operator made of letters.
func Word(name string) bool { return isOperator(name) && classes[name[0]] == classLower }

// Symbol reports whether c can occur in a symbolic name such as :=.
func Symbol(c byte) bool { return classes[c] == classSymbol }
