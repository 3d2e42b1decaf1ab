package modules

import (
	"whorl/visual/network"
	"whorl/visual/view"
)

// smooth takes moving means.
func smooth() *network.Module {
	return &network.Module{
		Name: "smooth", Title: "Smooth", Doc: "the mean of each number and its neighbours in the row",
		Class: network.Transform, In: matrixIn, Out: network.Grid,
		Params: []view.Param{{Name: "columns", Label: "Neighbours", Doc: "number of columns on each side", Default: int64(2), Min: 0, Max: 10_000}},
		Run: func(c *network.Call) (any, error) {
			m := c.Matrix("matrix")
			n, cols := int(c.Params.Int("columns")), m.Cols.Len()
			sums := make([]float64, cols+1)
			last := -1
			return m.Map(func(row, col int, _ float64) float64 {
				if row != last {
					last = row
					for i, x := range m.Row(row) {
						sums[i+1] = sums[i] + x
					}
				}
				from, end := max(col-n, 0), min(col+n+1, cols)
				return (sums[end] - sums[from]) / float64(end-from)
			}), nil
		},
	}
}
