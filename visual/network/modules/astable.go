package modules

import "whorl/visual/network"

// asTable makes a table of a matrix.
func asTable() *network.Module {
	return &network.Module{
		Name: "as-table", Title: "As table", Doc: "a matrix as a table, with a column for each of its columns",
		Class: network.Transform, In: matrixIn, Out: network.Tabular,
		Run: func(c *network.Call) (any, error) { return c.Matrix("matrix").Table(), nil },
	}
}

// Inputs of modules that read one trace, matrix or table.
var (
	traceIn  = []network.Port{{Name: "trace", Type: network.Trace}}
	matrixIn = []network.Port{{Name: "matrix", Type: network.Grid}}
	tableIn  = []network.Port{{Name: "table", Type: network.Tabular}}
)
