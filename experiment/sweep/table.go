package sweep

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"whorl/experiment"
	"whorl/internal/files"
	"whorl/sim/machines"
	"whorl/tracer/report"
)

// The names of the tables in the folder of a sweep.
const (
	csvName     = "table.csv"
	parquetName = "table.parquet"
	summaryName = "summary.csv"
)

// A column of a table has texts or numbers. Some may be unknown.
type column struct {
	name   string // ends in the unit of its numbers, if they have one
	unit   string
	text   func(r *Result) string
	whole  func(r *Result) *int64
	number func(r *Result) *float64
}

// columns are the columns of the table of a sweep.
var columns = makeColumns()

// Columns returns the names of the columns of the table of a sweep.
func Columns() (names []string) {
	for i := range columns {
		names = append(names, columns[i].name)
	}
	return names
}

func makeColumns() []column {
	text := func(name string, f func(r *Result) string) column { return column{name: name, text: f} }
	whole := func(name, unit string, f func(r *Result) int64) column {
		return column{name: name, unit: unit, whole: func(r *Result) *int64 { n := f(r); return &n }}
	}
	all := []column{
		text("program", func(r *Result) string { return r.Run.Program }),
		text("arguments", func(r *Result) string { return strings.Join(r.Run.Args, " ") }),
		text("goal", func(r *Result) string { return r.Run.Goal }),
		text("mode", func(r *Result) string {
			if r.Run.Mode == "" {
				return string(experiment.Sim)
			}
			return string(r.Run.Mode)
		}),
		text("machine", func(r *Result) string { return r.simulated(r.Run.Machine) }),
	}
	for _, o := range machines.Options {
		all = append(all, column{name: o.Name + "_ns", unit: "ns", number: func(r *Result) *float64 { return r.Machine[o.Name] }})
	}
	all = append(all,
		text("network", func(r *Result) string { return r.simulated(r.Run.Network) }),
		text("policy", (*Result).Policy),
		whole("pes", "", func(r *Result) int64 { return int64(r.Run.PEs) }),
		whole("seed", "", func(r *Result) int64 { return int64(r.Run.Seed) }), // TOML has no larger numbers
		text("outcome", func(r *Result) string { return r.Outcome }),
		text("error", func(r *Result) string { return r.Err }),
	)
	for _, n := range numbers {
		key := n.Key()
		all = append(all, column{name: key, unit: unitOf(key), number: func(r *Result) *float64 { return r.Numbers[key] }})
	}
	return append(all,
		whole("wall_ns", "ns", func(r *Result) int64 { return r.WallNs }),
		text("trace", func(r *Result) string { return r.Trace }),
		text("command", func(r *Result) string { return r.Run.Command("run.whorl") }),
		text("version", func(r *Result) string { return r.Version }),
	)
}

// unitOf returns the unit of a number by its key.
func unitOf(key string) string {
	switch {
	case strings.HasSuffix(key, "_ns"):
		return "ns"
	case key == "bytes":
		return "B"
	}
	return ""
}

// Results returns the known results in the order of the grid. Speedups are those of runs that differ in policy, PEs and seed alone, against the least
// mean time on 1 PE, as in whorl compare; they are unknown if the grid has no runs on 1 PE.
func (s *Sweep) Results() []*Result {
	var all []*Result
	for _, key := range s.keys {
		if r := s.results[key]; r != nil {
			all = append(all, r)
		}
	}
	compare(all)
	return all
}

// compare computes the speedups of results.
func compare(all []*Result) {
	runs := make([]*report.Run, len(all))
	for i, r := range all {
		runs[i] = r.measured()
	}
	report.Speedups(runs)
	for i, r := range all {
		r.setNumbers(runs[i])
	}
}

// Write writes the tables of the results that are known: table.csv and table.parquet with a row for each run, and summary.csv.
func (s *Sweep) Write() error {
	results := s.Results()
	var w files.Writer
	return errors.Join(
		w.Write(filepath.Join(s.Folder, csvName), func(out io.Writer) error { return writeCSV(out, results) }),
		w.Write(filepath.Join(s.Folder, parquetName), func(out io.Writer) error { return writeParquet(out, results, s.Grid) }),
		w.Write(filepath.Join(s.Folder, summaryName), func(out io.Writer) error { return writeSummary(out, Summarise(results)) }),
	)
}

// writeCSV writes a line of names, and a line for each result. Unknown numbers are empty.
func writeCSV(w io.Writer, results []*Result) error {
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.name
	}
	out := csv.NewWriter(w)
	if err := out.Write(line); err != nil {
		return err
	}
	for _, r := range results {
		for i, c := range columns {
			line[i] = c.csv(r)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csv returns the value of a result in CSV.
func (c *column) csv(r *Result) string {
	switch {
	case c.text != nil:
		return c.text(r)
	case c.whole != nil:
		if n := c.whole(r); n != nil {
			return strconv.FormatInt(*n, 10)
		}
	default:
		if x := c.number(r); x != nil {
			return decimal(*x)
		}
	}
	return ""
}

// decimal formats a number with all its digits, and without an exponent unless it is very large or small.
func decimal(x float64) string {
	if a := math.Abs(x); a >= 1e-6 && a < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
