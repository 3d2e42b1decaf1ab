// Package textio reads and writes values as Fortran's input and output statements do: list-directed or by a format,
// from and to the text of records.
//
// The package handles values, their types and formats, independent of programs, machines and files (package unit). It writes lists in the layout
// of gfortran.
package textio

import "whorl/hpfsim/lower"

// A Datum is one value of a list of input or output.
type Datum struct {
	Value lower.Value
	Type  lower.Type
}
