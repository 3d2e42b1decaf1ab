// Package query is a small typed language for expressions over the things of a trace: events, tasks, or the rows of a table.
//
// A condition selects rows, a measure computes a number of each row:
//
//	pe in 3..7 and procedure ~ /^big/ and time > 2ms
//	time / count
//
// Parse checks the syntax and returns an Expr, which prints itself in a form that parses to the same. Where and Measure compile an Expr for
// rows of a type R. A Schema lists the fields of these rows, each with its type and the function that gets its value from a row, so that
// the package knows neither events nor tables. Events is the schema of the events of a trace.
//
// # Grammar
//
//	expression = and { "or" and }
//	and        = not { "and" not }
//	not        = "not" not | comparison
//	comparison = sum [ ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) sum | "in" members | "~" "/" regexp "/" ]
//	members    = member | "{" member { "," member } "}"
//	member     = sum [ ".." sum ]
//	sum        = product { ( "+" | "-" ) product }
//	product    = factor { ( "*" | "/" ) factor }
//	factor     = "-" factor | number [ unit ] | name | text [ ":" number ] | "subtree" "(" number ")" | "(" expression ")"
//	unit       = "ns" | "us" | "µs" | "ms" | "s"
//
// A text is written in double quotes, as in Go. On the right of a comparison with a field of texts, a name stands for the text that it spells.
// A range includes both ends. Regular expressions are those of package regexp; a slash in them is written \/.
//
// # Types
//
// A number has a dimension: a power of time. Numbers of different dimensions cannot be added or compared, so "time > 2" is an error that
// asks for a unit. Zero has every dimension. Whole numbers are compared exactly, beyond 2^53 too. A field of texts is compared with texts
// and regular expressions when the expression is compiled, once for each text of the field's table, so that a row costs one lookup.
// Values beyond the table match nothing: an expression has to be compiled again when the dictionary of a trace has grown.
//
// A division by zero gives an infinity, or NaN for 0/0, as in Go; NaN is neither equal to nor less than any number.
//
// # Errors
//
// All errors are of type *fault.Error: they have the line and the column, show the line with a caret, and say what was expected or which
// names are near.
package query
