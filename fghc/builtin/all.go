package builtin

// All are the builtins.
var All = []Builtin{
	{Name: "true", Guard: true, Body: true, Args: "", Doc: "holds, and does nothing"},
	{Name: "wait", Guard: true, Args: "i", Doc: "the argument is no variable any more"},
	{Name: "integer", Guard: true, Args: "i", Doc: "the argument is an integer"},
	{Name: "atom", Guard: true, Args: "i", Doc: "the argument is an atom, [] among them"},
	{Name: "list", Guard: true, Args: "i", Doc: "the argument is a list of at least one element"},
	{Name: "atomic", Guard: true, Args: "i", Doc: "the argument is an integer or an atom"},
	{Name: "float", Guard: true, Args: "i", Run: isFloat, Doc: "the argument is a floating-point number"},
	{Name: "=", Guard: true, Body: true, Args: "--", Doc: "guard: the arguments are equal; body: makes them equal"},
	{Name: `\=`, Guard: true, Args: "ii", Doc: "the principal functors of the arguments differ"},
	{Name: "<", Guard: true, Args: "xx", Doc: "the value of the left expression is less"},
	{Name: ">", Guard: true, Args: "xx", Doc: "the value of the left expression is greater"},
	{Name: "=<", Guard: true, Args: "xx", Doc: "the value of the left expression is less or equal"},
	{Name: ">=", Guard: true, Args: "xx", Doc: "the value of the left expression is greater or equal"},
	{Name: "=:=", Guard: true, Args: "xx", Doc: "the values of the expressions are equal"},
	{Name: `=\=`, Guard: true, Args: "xx", Doc: "the values of the expressions differ"},
	{Name: "$<", Guard: true, Args: "xx", Doc: "of expressions of floats: the value of the left one is less"},
	{Name: "$>", Guard: true, Args: "xx", Doc: "of expressions of floats: the value of the left one is greater"},
	{Name: "$=<", Guard: true, Args: "xx", Doc: "of expressions of floats: the value of the left one is less or equal"},
	{Name: "$>=", Guard: true, Args: "xx", Doc: "of expressions of floats: the value of the left one is greater or equal"},
	{Name: "$=:=", Guard: true, Args: "xx", Doc: "of expressions of floats: the values are equal"},
	{Name: `$=\=`, Guard: true, Args: "xx", Doc: "of expressions of floats: the values differ"},
	{Name: ":=", Guard: true, Body: true, Args: "ox", Doc: "the variable is the value of the expression, in 64 bits; overflow is an error"},
	{Name: "bigint", Body: true, Args: "xo", Doc: "bigint(Expr, X): X is the value of the expression, in as many digits as it takes"},
	{Name: "$:=", Guard: true, Body: true, Args: "ox", Doc: "the variable is the value of the expression of floats"},

	{Name: "vector", Guard: true, Args: "io", Run: vectorSize, Doc: "vector(V, N): V is a vector of N elements"},
	{Name: "new_vector", Body: true, Args: "oi", Run: newVector, Doc: "new_vector(V, N): V is a new vector of N elements 0; N may be a list of the elements"},
	{Name: "vector_element", Guard: true, Body: true, Args: "iio", Run: vectorElement, Doc: "vector_element(V, I, E): E is element I of the vector V, from 0"},
}
