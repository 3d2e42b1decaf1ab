package check

// A Builtin is a goal or an operator that the language defines.
type Builtin struct {
	Name  string
	Arity int
	Doc   string
}

// GuardBuiltins are the goals that a guard may hold. They test or compute, and never bind a variable of the caller.
var GuardBuiltins = []Builtin{
	{"true", 0, "holds"},
	{"wait", 1, "the argument is no variable any more"},
	{"integer", 1, "the argument is an integer"},
	{"atom", 1, "the argument is an atom, [] among them"},
	{"list", 1, "the argument is a list of at least one element"},
	{"atomic", 1, "the argument is an integer, an atom or a string"},
	{"=", 2, "the arguments are equal; variables that occur here first stand for parts of the other side"},
	{`\=`, 2, "the arguments differ"},
	{"<", 2, "the value of the left expression is less"},
	{">", 2, "the value of the left expression is greater"},
	{"=<", 2, "the value of the left expression is less or equal"},
	{">=", 2, "the value of the left expression is greater or equal"},
	{"=:=", 2, "the values of the expressions are equal"},
	{`=\=`, 2, "the values of the expressions differ"},
	{":=", 2, "the variable, which occurs here first, is the value of the expression"},
}

// BodyBuiltins are the goals that a body may hold beside calls of procedures.
var BodyBuiltins = []Builtin{
	{"true", 0, "does nothing"},
	{"=", 2, "makes the arguments equal"},
	{":=", 2, "makes the variable equal to the value of the expression, in 64 bits; overflow is an error"},
	{"bigint", 2, "bigint(Expr, X) makes X equal to the value of the expression, in as many digits as it takes"},
}

// Arithmetic are the operators of an expression. Its other parts are integers and variables.
var Arithmetic = []Builtin{
	{"+", 2, "sum"},
	{"-", 2, "difference"},
	{"*", 2, "product"},
	{"/", 2, "quotient without its fraction"},
	{"mod", 2, "remainder"},
	{`/\`, 2, "bitwise and"},
	{`\/`, 2, "bitwise or"},
	{"xor", 2, "bitwise exclusive or"},
	{"<<", 2, "shifted to the left"},
	{">>", 2, "shifted to the right"},
	{"-", 1, "negative"},
	{"+", 1, "the value itself"},
	{`\`, 1, "bitwise complement"},
}

// reserved are names that mean something else than a procedure.
var reserved = []Builtin{
	{"otherwise", 0, "stands alone between two clauses of a procedure"},
	{"alternatively", 0, "is not part of the language"},
	{"!", 0, "is not part of the language; a clause commits at |"},
	{";", 2, "is not part of the language; write a clause for each case"},
	{"->", 2, "is not part of the language; write a clause for each case"},
	{"|", 2, "stands once in a clause, between guard and body"},
	{":-", 2, "stands once in a clause, between head and guard"},
	{",", 2, "stands between goals"},
}

// find returns the builtin of a table with a name and an arity.
func find(table []Builtin, name string, arity int) (Builtin, bool) {
	for _, b := range table {
		if b.Name == name && b.Arity == arity {
			return b, true
		}
	}
	return Builtin{}, false
}

// names returns the names of the builtins of a table, each once.
func names(table []Builtin) []string {
	var list []string
	seen := map[string]bool{}
	for _, b := range table {
		if !seen[b.Name] {
			seen[b.Name] = true
			list = append(list, b.Name)
		}
	}
	return list
}
