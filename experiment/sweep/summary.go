package sweep

import (
	"encoding/csv"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"whorl/tracer/report"
)

// A Cell summarises the runs that differ in their seeds alone.
type Cell struct {
	First   *Result                      // of the first seed
	Runs    int                          // that are done
	Total   int                          // of all runs
	Numbers [report.NumNumbers]*Interval // of the runs that are done; nil if unknown
}

// An Interval holds the mean of a number over seeds, and a 95 % bootstrap confidence interval of the mean.
type Interval struct {
	Mean, Low, High float64
	Values          []float64 // one for each seed
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
				c.Numbers[n] = bootstrap(xs)
			}
		}
	}
	return order
}

// resamples is the number of samples with replacement that a bootstrap interval is made of.
const resamples = 2000

// bootstrap returns the mean of some numbers and the interval between the 2.5 % and the 97.5 % quantile of the means of samples with replacement (Efron
// and Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3). The samples are the same in each call.
func bootstrap(xs []float64) *Interval {
	out := &Interval{Mean: mean(xs), Values: xs}
	if out.Low, out.High = out.Mean, out.Mean; slices.Min(xs) == slices.Max(xs) {
		return out
	}
	random := rand.New(rand.NewPCG(1, uint64(len(xs))))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range xs {
			sum += xs[random.IntN(len(xs))]
		}
		means[i] = sum / float64(len(xs))
	}
	slices.Sort(means)
	out.Low, out.High = means[resamples/40], means[resamples-1-resamples/40]
	return out
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
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
			for _, v := range []float64{x.Mean, x.Low, x.High} {
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
