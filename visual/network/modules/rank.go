package modules

import (
	"cmp"
	"math"
	"slices"

	"whorl/visual/network"
	"whorl/visual/view"
)

// rank sorts the rows of a table and keeps the first.
func rank() *network.Module {
	return &network.Module{
		Name: "rank", Title: "Rank", Doc: "the rows of a table with the largest numbers in a column, largest first",
		Class: network.Transform, In: tableIn, Out: network.Tabular,
		Params: []view.Param{
			{Name: "column", Label: "Column", Doc: "name of the column; empty is the first with numbers", Default: ""},
			{Name: "most", Label: "Rows", Doc: "the most rows that stay", Default: int64(20), Min: 1, Max: 1 << 31},
			{Name: "order", Label: "Order", Doc: "which rows come first", Default: "largest", Choices: []string{"largest", "smallest"}},
		},
		Run: func(c *network.Call) (any, error) {
			t := c.Table("table")
			by := slices.IndexFunc(t.Columns, func(c network.Column) bool { return c.Texts == nil })
			if name := c.Params.Text("column"); name != "" {
				var err error
				if by, err = t.Column(name); err != nil {
					return nil, err
				}
			}
			rows := make([]int, t.Len())
			for i := range rows {
				rows[i] = i
			}
			if by >= 0 {
				column := t.Columns[by]
				slices.SortStableFunc(rows, func(a, b int) int {
					if c.Params.Text("order") == "smallest" {
						a, b = b, a
					}
					if column.Texts != nil {
						return cmp.Compare(column.Texts[b], column.Texts[a])
					}
					return cmp.Compare(known(column.Numbers[b]), known(column.Numbers[a]))
				})
			}
			return t.Rows(rows[:min(len(rows), int(c.Params.Int("most")))]), nil
		},
	}
}

// known returns a number, and for a missing one the least.
func known(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(-1)
	}
	return x
}
