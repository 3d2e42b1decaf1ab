package modules

import (
	"strconv"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/network"
	"whorl/visual/view"
)

// lines counts by line and PE: the array of PerfVisS, section 2.1.
func lines() *network.Module {
	return &network.Module{
		Name: "lines", Title: "Lines by PEs", Doc: "the ticks, reductions or starts in each source line on each PE, with a row for each line of the files",
		Class: network.Transform, In: traceIn, Out: network.Grid,
		Params: []view.Param{{Name: "metric", Label: "Metric", Doc: "what is counted, as the overview names it; empty is the first", Default: ""}},
		Run: func(c *network.Call) (any, error) {
			p, err := lineprofile.Grow(c.Trace("trace"), nil, c.Tick)
			if err != nil {
				return nil, err
			}
			metric := 0
			if name := c.Params.Text("metric"); name != "" {
				if metric, err = p.Metric(name); err != nil {
					return nil, err
				}
			}
			m := &network.Matrix{Title: "counts", Rows: network.Axis{Name: "line"}, Cols: network.PEs(p.PEs)}
			if len(p.Metrics) == 0 {
				return m, nil
			}
			q := p.Metrics[metric]
			m.Title, m.Unit = q.Name, q.Unit
			table := p.Sum(lineprofile.ByLine, lineprofile.Query{Metric: metric})
			counts := make([]int64, p.PEs)
			for f := range p.Files {
				file := &p.Files[f]
				from, end := table.Lines(int32(f), 1, file.Lines)
				for n := int32(1); n <= file.Lines; n++ {
					clear(counts)
					if from < end && table.Rows[from].Line.Line == n {
						table.Fill(from, counts)
						from++
					}
					m.Rows.Labels = append(m.Rows.Labels, lineName(p, int32(f), n))
					m.Rows.Things = append(m.Rows.Things, view.Selection{Lines: []view.Lines{{File: file.Name, First: n}}})
					for _, count := range counts {
						m.Values = append(m.Values, float64(count)*scale(q.Scale))
					}
				}
			}
			return m, nil
		},
	}
}

// lineName names a line; the file is named only if there are several.
func lineName(p *lineprofile.Profile, file, line int32) string {
	if p.Files[file].Bare {
		if f := p.FunctionAt(lineprofile.Line{File: file, Line: line}); f >= 0 {
			return p.Functions[f].Name
		}
	}
	if len(p.Files) == 1 {
		return strconv.Itoa(int(line))
	}
	return p.Files[file].Name + ":" + strconv.Itoa(int(line))
}

// scale returns the scale of a metric, which 0 leaves as it is.
func scale(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}
