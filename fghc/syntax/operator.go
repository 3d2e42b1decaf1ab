package syntax

// An Operator is a name that is written between its two arguments, or before its one.
type Operator struct {
	Name     string
	Prefix   bool
	Priority int // 1 to 1200; the arguments of a structure and the elements of a list take up to 999
	Left     int // the highest priority of the left argument, 0 of a prefix operator
	Right    int // the highest priority of the right argument
}

// Operators are all operators, the loosest first. They are those of DEC-10 Prolog and KL1; @ stands outside the comparisons, so that a
// pragma belongs to the whole goal.
var Operators = []Operator{
	{Name: ":-", Priority: 1200, Left: 1199, Right: 1199},
	{Name: "|", Priority: 1100, Left: 1099, Right: 1100},
	{Name: ";", Priority: 1100, Left: 1099, Right: 1100},
	{Name: "->", Priority: 1050, Left: 1049, Right: 1050},
	{Name: ",", Priority: 1000, Left: 999, Right: 1000},
	{Name: "@", Priority: 900, Left: 900, Right: 899},
	{Name: ":=", Priority: 700, Left: 699, Right: 699},
	{Name: "=", Priority: 700, Left: 699, Right: 699},
	{Name: `\=`, Priority: 700, Left: 699, Right: 699},
	{Name: "<", Priority: 700, Left: 699, Right: 699},
	{Name: ">", Priority: 700, Left: 699, Right: 699},
	{Name: "=<", Priority: 700, Left: 699, Right: 699},
	{Name: ">=", Priority: 700, Left: 699, Right: 699},
	{Name: "=:=", Priority: 700, Left: 699, Right: 699},
	{Name: `=\=`, Priority: 700, Left: 699, Right: 699},
	{Name: "+", Priority: 500, Left: 500, Right: 499},
	{Name: "-", Priority: 500, Left: 500, Right: 499},
	{Name: `/\`, Priority: 500, Left: 500, Right: 499},
	{Name: `\/`, Priority: 500, Left: 500, Right: 499},
	{Name: "xor", Priority: 500, Left: 500, Right: 499},
	{Name: "*", Priority: 400, Left: 400, Right: 399},
	{Name: "/", Priority: 400, Left: 400, Right: 399},
	{Name: "<<", Priority: 400, Left: 400, Right: 399},
	{Name: ">>", Priority: 400, Left: 400, Right: 399},
	{Name: "mod", Priority: 400, Left: 400, Right: 399},
	{Name: ":", Priority: 200, Left: 199, Right: 200},
	{Name: "-", Prefix: true, Priority: 200, Right: 200},
	{Name: "+", Prefix: true, Priority: 200, Right: 200},
	{Name: `\`, Prefix: true, Priority: 200, Right: 200},
}

var infixes, prefixes = index(false), index(true)

func index(prefix bool) map[string]Operator {
	m := map[string]Operator{}
	for _, op := range Operators {
		if op.Prefix == prefix {
			m[op.Name] = op
		}
	}
	return m
}
