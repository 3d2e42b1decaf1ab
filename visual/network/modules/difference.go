package modules

import (
	"fmt"

	"whorl/visual/network"
)

// difference subtracts one matrix from another.
func difference() *network.Module {
	return &network.Module{
		Name: "difference", Title: "Difference", Doc: "the matrix a minus the matrix b, cell by cell",
		Class: network.Transform, Out: network.Grid,
		In: []network.Port{{Name: "a", Type: network.Grid}, {Name: "b", Type: network.Grid}},
		Run: func(c *network.Call) (any, error) {
			a, b := c.Matrix("a"), c.Matrix("b")
			if a.Rows.Len() != b.Rows.Len() || a.Cols.Len() != b.Cols.Len() {
				return nil, fmt.Errorf("a has %d rows and %d columns, b has %d and %d: expected matrices of one size",
					a.Rows.Len(), a.Cols.Len(), b.Rows.Len(), b.Cols.Len())
			}
			if a.Unit != b.Unit || a.Rows.Name != b.Rows.Name || a.Cols.Name != b.Cols.Name {
				return nil, fmt.Errorf("a has %s by %s in %q, b has %s by %s in %q: expected matrices of one kind",
					a.Rows.Name, a.Cols.Name, a.Unit, b.Rows.Name, b.Cols.Name, b.Unit)
			}
			out := a.Map(func(row, col int, x float64) float64 { return x - b.At(row, col) })
			out.Title = "difference of " + a.Title
			return out, nil
		},
	}
}
