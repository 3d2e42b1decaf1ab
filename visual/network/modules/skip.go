package modules

import (
	"whorl/visual/network"
	"whorl/visual/view"
)

// skip leaves out long runs of empty rows (PerfVisS, section 2.2.1).
func skip() *network.Module {
	return &network.Module{
		Name: "skip", Title: "Skip empty", Doc: "leave out runs of more than some consecutive rows that are all 0",
		Class: network.Transform, In: matrixIn, Out: network.Grid,
		Params: []view.Param{{Name: "most", Label: "Empty rows kept", Doc: "the most consecutive empty rows that stay", Default: int64(50), Min: 0, Max: 1 << 31}},
		Run: func(c *network.Call) (any, error) {
			m := c.Matrix("matrix")
			most := int(c.Params.Int("most"))
			var rows, blank []int
			for r := range m.Rows.Len() {
				empty := true
				for _, x := range m.Row(r) {
					empty = empty && x == 0
				}
				if blank = append(blank, r); empty {
					continue
				}
				if len(blank)-1 > most {
					blank = blank[len(blank)-1:]
				}
				rows = append(rows, blank...)
				blank = blank[:0]
			}
			if len(blank) <= most {
				rows = append(rows, blank...)
			}
			return m.Pick(rows), nil
		},
	}
}
