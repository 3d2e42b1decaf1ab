package modules

import (
	"math"

	"whorl/visual/network"
	"whorl/visual/view"
)

// normalise divides by the largest number.
func normalise() *network.Module {
	return &network.Module{
		Name: "normalise", Title: "Normalise", Doc: "each number as a share of the largest one, or of the sum, of all, of its row or of its column",
		Class: network.Transform, In: matrixIn, Out: network.Grid,
		Params: []view.Param{
			{Name: "of", Label: "Of", Doc: "what the numbers are shares of", Default: "maximum", Choices: []string{"maximum", "sum"}},
			{Name: "within", Label: "Within", Doc: "where the largest number or the sum is taken", Default: "all", Choices: []string{"all", "row", "column"}},
		},
		Run: func(c *network.Call) (any, error) {
			m := c.Matrix("matrix")
			whole := map[int]float64{}
			part := func(row, col int) int {
				switch c.Params.Text("within") {
				case "row":
					return row
				case "column":
					return col
				}
				return 0
			}
			cols := max(m.Cols.Len(), 1)
			for i, x := range m.Values {
				k := part(i/cols, i%cols)
				if c.Params.Text("of") == "sum" {
					whole[k] += math.Abs(x)
				} else {
					whole[k] = max(whole[k], math.Abs(x))
				}
			}
			out := m.Map(func(row, col int, x float64) float64 {
				if w := whole[part(row, col)]; w > 0 {
					return x / w
				}
				return 0
			})
			out.Unit, out.Shares = "", true
			out.Title = "share of the " + c.Params.Text("of") + " of " + m.Title
			return out, nil
		},
	}
}
