package modules

import (
	"fmt"

	"whorl/visual/network"
	"whorl/visual/view"
)

// rowsFilter keeps some rows of a matrix: the detail of PerfVisS, around its largest number or from a row on.
func rowsFilter() *network.Module {
	return &network.Module{
		Name: "rows", Title: "Rows", Doc: "consecutive rows of a matrix, from a row or around the one with the largest number",
		Class: network.Filter, In: []network.Port{{Name: "matrix", Type: network.Grid}}, Out: network.Grid,
		Params: []view.Param{
			{Name: "first", Label: "First row", Doc: "the first row, counted from 1; 0 puts the row with the largest number into the middle", Default: int64(0), Min: 0, Max: 1 << 31},
			{Name: "count", Label: "Number of rows", Doc: "how many rows", Default: int64(40), Min: 1, Max: 1 << 20},
		},
		Run: func(c *network.Call) (any, error) {
			m := c.Matrix("matrix")
			n, count := m.Rows.Len(), int(c.Params.Int("count"))
			first := int(c.Params.Int("first")) - 1
			if first >= n {
				return nil, fmt.Errorf("the matrix has %d rows, row %d is none of them", n, first+1)
			}
			if first < 0 {
				hottest := 0
				for i, x := range m.Values {
					if x > m.Values[hottest] {
						hottest = i
					}
				}
				first = max(hottest/max(m.Cols.Len(), 1)-count/2, 0)
			}
			var rows []int
			for r := first; r < min(first+count, n); r++ {
				rows = append(rows, r)
			}
			return m.Pick(rows), nil
		},
	}
}
