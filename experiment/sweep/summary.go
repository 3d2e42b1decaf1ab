package sweep

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"whorl/internal/bootstrap"
	"whorl/tracer/report"
)

// A Cell summarises the runs that differ in their seeds alone.
type Cell struct {
	First   *Result                                // of the first seed
	Runs    int                                    // that are done
	Total   int                                    // of all runs
	Numbers [report.NumNumbers]*bootstrap.Interval // of the runs that are done; nil if unknown
}

// Summarise returns the cells of results, in their order.
func Summarise(results []*Result) []*Cell {
	cells, order := map[report.Setting]*Cell{}, []*Cell{}
	values := map[*Cell]*[report.NumNumbers][]float64{}
	for _, r := range results {
		setting := r.measured().Setting
		c := cells[setting]
		if c == nil {
			c = &Cell{First: r}
			cells[setting], order = c, append(order, c)
			values[c] = &[report.NumNumbers][]float64{}
		}
		if c.Total++; !r.Done() {
			continue
		}
		c.Runs++
		for n := range report.NumNumbers {
			if x := r.Numbers[n.Key()]; x != nil {
				values[c][n] = append(values[c][n], *x)
			}
		}
	}
	for _, c := range order {
		for n, xs := range values[c] {
			if len(xs) > 0 {
				x := bootstrap.Mean(xs)
				c.Numbers[n] = &x
			}
		}
	}
	return order
}

// cellColumns returns the columns that tell cells apart: those before the seed.
func cellColumns() []column {
	return columns[:slices.IndexFunc(columns, func(c column) bool { return c.name == "seed" })]
}

// writeSummary writes a line of names, and a line for each cell: its settings, and for each number the mean over seeds and the ends of its interval.
func writeSummary(w io.Writer, cells []*Cell) error {
	var heads []string
	for _, c := range cellColumns() {
		heads = append(heads, c.name)
	}
	heads = append(heads, "runs", "done")
	for n := range report.NumNumbers {
		heads = append(heads, n.Key(), n.Key()+"_low95", n.Key()+"_high95")
	}
	out := csv.NewWriter(w)
	if err := out.Write(heads); err != nil {
		return err
	}
	for _, cell := range cells {
		var line []string
		for _, c := range cellColumns() {
			line = append(line, c.csv(cell.First))
		}
		line = append(line, strconv.Itoa(cell.Total), strconv.Itoa(cell.Runs))
		for _, x := range cell.Numbers {
			if x == nil {
				line = append(line, "", "", "")
				continue
			}
			for _, v := range []float64{x.Value, x.Low, x.High} {
				line = append(line, decimal(v))
			}
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
