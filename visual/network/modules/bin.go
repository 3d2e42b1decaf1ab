package modules

import (
	"whorl/visual/network"
	"whorl/visual/view"
)

// bin joins consecutive rows (PerfVisS, section 2.2.1: the maximum keeps hot spots visible, the sum their extent).
func bin() *network.Module {
	return &network.Module{
		Name: "bin", Title: "Bin", Doc: "consecutive rows joined into one, which has their maximum or their sum in each column",
		Class: network.Transform, In: matrixIn, Out: network.Grid,
		Params: []view.Param{
			{Name: "rows", Label: "Rows of a bin", Doc: "number of rows that become one", Default: int64(4), Min: 1, Max: 1 << 31},
			{Name: "by", Label: "By", Doc: "maximum or sum", Default: "maximum", Choices: []string{"maximum", "sum"}},
		},
		Run: func(c *network.Call) (any, error) {
			m := c.Matrix("matrix")
			size, sum := int(c.Params.Int("rows")), c.Params.Text("by") == "sum"
			out := *m
			out.Rows = network.Axis{Name: m.Rows.Name}
			out.Values = nil
			for from := 0; from < m.Rows.Len(); from += size {
				end := min(from+size, m.Rows.Len())
				label := m.Rows.Labels[from]
				if end-from > 1 {
					label += "–" + m.Rows.Labels[end-1]
				}
				out.Rows.Labels = append(out.Rows.Labels, label)
				if m.Rows.Things != nil {
					var s view.Selection
					for _, t := range m.Rows.Things[from:end] {
						s = together(s, t)
					}
					out.Rows.Things = append(out.Rows.Things, s)
				}
				for col := range m.Cols.Len() {
					x := m.At(from, col)
					for r := from + 1; r < end; r++ {
						if sum {
							x += m.At(r, col)
						} else {
							x = max(x, m.At(r, col))
						}
					}
					out.Values = append(out.Values, x)
				}
			}
			return &out, nil
		},
	}
}

// together returns the selection of two things of one kind.
func together(s, t view.Selection) view.Selection {
	if n := len(s.Lines); n > 0 && len(t.Lines) == 1 && s.Lines[n-1].File == t.Lines[0].File && s.Lines[n-1].End()+1 == t.Lines[0].First {
		s.Lines = append(s.Lines[:n-1:n-1], view.Lines{File: s.Lines[n-1].File, First: s.Lines[n-1].First, Last: t.Lines[0].End()})
	} else {
		s.Lines = append(s.Lines[:n:n], t.Lines...)
	}
	s.PEs = append(s.PEs[:len(s.PEs):len(s.PEs)], t.PEs...)
	s.Codes = append(s.Codes[:len(s.Codes):len(s.Codes)], t.Codes...)
	return s
}
