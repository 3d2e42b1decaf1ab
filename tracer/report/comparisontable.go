package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer"
)

// A column is a number of a comparison in tables, CSV and JSON. The key names the unit.
type column struct {
	number  Number
	key     string
	heading string
	format  func([]float64) []string // of all cells
	digits  int                      // in CSV
	spread  bool                     // tables have the confidence interval beside it
}

var columns = []column{
	{ElapsedTime, "time_ns", "time", times, 0, true},
	{BestSpeedup, "speedup", "speedup", decimals, 4, true},
	{OwnSpeedup, "own_speedup", "own", decimals, 4, true},
	{SpeedupEfficiency, "efficiency", "efficiency", shares, 4, false},
	{ParallelEfficiency, "parallel_efficiency", "parallel", shares, 4, false},
	{LoadBalance, "load_balance", "balance", shares, 4, false},
	{SerialisationFactor, "serialisation", "serialisation", shares, 4, false},
	{TransferFactor, "transfer", "transfer", shares, 4, false},
	{ReductionCount, "reductions", "reductions", counts, 0, false},
	{SuspensionCount, "suspensions", "suspensions", counts, 0, false},
	{ThreadCount, "threads", "threads", counts, 0, false},
	{MessageCount, "messages", "messages", counts, 0, false},
	{ByteCount, "bytes", "bytes", counts, 0, false},
	{IdleShare, "idle_share", "idle", shares, 4, false},
	{LeastTime, "least_time_ns", "bound", times, 0, false},
	{AboveLeast, "above_least", "above bound", shares, 4, false},
}

// further are the columns that only the tables of viewers have. They follow the speedups there.
var further = []column{
	{WorkTime, "work_ns", "work", times, 0, true},
	{SpanTime, "span_ns", "span", times, 0, true},
}

// Key returns the name of the number in CSV and JSON, which ends in its unit if it has one.
func (n Number) Key() string {
	for _, c := range slices.Concat(columns, further) {
		if c.number == n {
			return c.key
		}
	}
	return ""
}

// A Column is a number of all cells in the table of a viewer.
type Column struct {
	Number  Number
	Heading string
	Share   bool     // the numbers are shares of a whole
	Texts   []string // of the cells, with half of the confidence interval after ± if there are several seeds; "" if unknown
}

// Columns returns the columns of the numbers that any cell knows and that suit the program.
func (c *Comparison) Columns() []Column {
	var out []Column
	all := slices.Insert(slices.Clone(columns), slices.IndexFunc(columns, func(col column) bool { return col.number == ParallelEfficiency }), further...)
	for _, col := range all {
		if !c.shows(col.number) || !slices.ContainsFunc(c.Cells, func(x Cell) bool { return x.Numbers[col.number].Known }) {
			continue
		}
		share := col.number == SpeedupEfficiency || col.number == IdleShare || col.number >= ParallelEfficiency && col.number <= TransferFactor
		means, halves := c.texts(&col)
		for i := range means {
			switch x := &c.Cells[i]; {
			case !x.Numbers[col.number].Known:
				means[i] = ""
			case x.Runs > 1 && col.spread:
				means[i] = strings.TrimSpace(means[i]) + " ± " + strings.TrimSpace(halves[i])
			default:
				means[i] = strings.TrimSpace(means[i])
			}
		}
		out = append(out, Column{col.number, col.heading, share, means})
	}
	return out
}

// texts formats a number of all cells, and half of its confidence interval, in the same units.
func (c *Comparison) texts(col *column) (means, halves []string) {
	var numbers []float64
	for i := range c.Cells {
		numbers = append(numbers, c.Cells[i].Numbers[col.number].Mean)
	}
	for i := range c.Cells {
		numbers = append(numbers, c.Cells[i].Numbers[col.number].Half)
	}
	texts := col.format(numbers)
	return texts[:len(c.Cells)], texts[len(c.Cells):]
}

func times(ns []float64) []string {
	whole := make([]int64, len(ns))
	for i, x := range ns {
		whole[i] = int64(x + 0.5)
	}
	return figures.Durations(whole)
}

func each(xs []float64, format func(x float64) string) []string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = format(x)
	}
	return texts
}

func decimals(xs []float64) []string {
	return each(xs, func(x float64) string { return figures.Fixed(x, 2) })
}

func shares(xs []float64) []string {
	return each(xs, func(x float64) string { return figures.Share(x, 1) })
}

func counts(xs []float64) []string {
	digits := 0
	if slices.ContainsFunc(xs, func(x float64) bool { return x != float64(int64(x)) }) {
		digits = 1
	}
	return each(xs, func(x float64) string { return figures.Fixed(x, digits) })
}

// halfKey returns the key of the half of a confidence interval.
func (c *column) halfKey() string { return c.key + "_ci95" }

// WriteJSON writes the comparison as one object. Each key names its unit, and unknown numbers are null. With several seeds each number is a mean
// and has a second one, half the length of its confidence interval.
func (c *Comparison) WriteJSON(w io.Writer) error {
	type object struct {
		Program string           `json:"program"`
		Args    []string         `json:"args"`
		Goal    string           `json:"goal"`
		Machine string           `json:"machine"`
		Network string           `json:"network"`
		Seed    uint64           `json:"seed"`
		Seeds   int              `json:"seeds"`
		Note    string           `json:"note,omitempty"`
		Policy  *string          `json:"best_policy"`
		BestNs  *float64         `json:"best_time_ns"`
		Runs    []map[string]any `json:"runs"`
	}
	o := object{Program: c.Program, Args: c.Args, Goal: c.Goal, Machine: c.Machine, Network: c.Network, Seed: c.Seed, Seeds: c.Seeds, Note: c.Note}
	if c.Best.TimeNs > 0 {
		o.Policy, o.BestNs = known(c.Best.Policy), &c.Best.TimeNs
	}
	for i := range c.Cells {
		x := &c.Cells[i]
		run := map[string]any{"policy": known(x.Policy), "pes": x.PEs, "outcome": x.Outcome, "done": x.Runs}
		if x.Err != "" {
			run["error"] = x.Err
		}
		for _, col := range columns {
			e := x.Numbers[col.number]
			run[col.key] = nil
			if e.Known {
				run[col.key] = e.Mean
			}
			if c.Seeds > 1 {
				run[col.halfKey()] = nil
				if x.Runs > 1 && e.Known {
					run[col.halfKey()] = e.Half
				}
			}
		}
		o.Runs = append(o.Runs, run)
	}
	return WriteJSON(w, o)
}

// WriteCSV writes a line of headings, which name the units, and a line for each cell. The headings are the same for all comparisons of programs, so
// that files can be put together. Unknown numbers are empty. Each number of several seeds is a mean, and the column after it has half the length of
// its confidence interval.
func (c *Comparison) WriteCSV(w io.Writer) error {
	heads := []string{"program", "args", "goal", "mode", "machine", "network", "seed", "seeds", "policy", "pes", "outcome", "done"}
	for _, col := range columns {
		heads = append(heads, col.key, col.halfKey())
	}
	lines := [][]string{heads}
	for i := range c.Cells {
		x := &c.Cells[i]
		line := []string{
			x.Program, x.Args, x.Goal, x.Mode, x.Machine, x.Network, strconv.FormatUint(x.Seed, 10), strconv.Itoa(x.Total),
			x.Policy, strconv.Itoa(x.PEs), x.Outcome, strconv.Itoa(x.Runs),
		}
		for _, col := range columns {
			e := x.Numbers[col.number]
			mean, half, digits := "", "", col.digits
			if x.Total > 1 {
				digits = max(digits, 2)
			}
			if e.Known {
				mean = strconv.FormatFloat(e.Mean, 'f', digits, 64)
			}
			if e.Known && x.Runs > 1 {
				half = strconv.FormatFloat(e.Half, 'f', digits, 64)
			}
			line = append(line, mean, half)
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Heading returns lines that name the compared groups and the base of speedups and intervals.
func (c *Comparison) Heading() []string {
	program := strings.Join(append([]string{c.Program}, c.Args...), " ")
	if c.Goal != "" {
		program += " --goal " + nearest.Quote(c.Goal)
	}
	machine := c.Machine
	if c.Mode == tracer.Live {
		machine = "real cores"
	}
	seeds := fmt.Sprintf("seed %d", c.Seed)
	if c.Seeds > 1 {
		seeds = fmt.Sprintf("seeds %d to %d", c.Seed, c.Seed+uint64(c.Seeds)-1)
	}
	lines := []string{program, joined(joined(machine, c.Network), seeds)}
	if c.Note != "" {
		lines = append(lines, c.Note)
	}
	if c.Seeds > 1 {
		lines = append(lines, "means over the seeds, ± half of the 95 % confidence interval (Student's t)")
	}
	if slices.Equal(c.Policies, []string{""}) {
		lines = append(lines, "no policy: the program itself says where its work runs")
	}
	if c.Best.TimeNs > 0 {
		best := "speedup: against " + figures.Duration(int64(c.Best.TimeNs+0.5)) + " on 1 PE"
		if c.owns() {
			best += " under " + c.Best.Policy + ", the best time on 1 PE; own: against the time of the same policy on 1 PE"
		}
		lines = append(lines, best)
	} else if slices.ContainsFunc(c.Cells, func(x Cell) bool { return x.Numbers[BestSpeedup].Known }) {
		lines = append(lines, "speedup: against the best time on 1 PE of the same program, arguments, machine, network and mode")
	}
	return lines
}

// owns reports whether a speedup against the same policy differs from one against the best.
func (c *Comparison) owns() bool { return len(c.Policies) > 1 }

// Label returns the policy of a cell, and the other settings that distinguish it from other cells: "steal, mesh2d". It does not
// name the number of PEs.
func (c *Comparison) Label(x *Cell) string {
	parts := []string{x.Policy}
	for _, fact := range []func(s *Setting) string{
		func(s *Setting) string { return s.Program }, func(s *Setting) string { return cmp.Or(s.Args, s.Goal) },
		func(s *Setting) string { return s.Network }, func(s *Setting) string { return s.Machine }, func(s *Setting) string { return s.Mode },
	} {
		own := fact(&x.Setting)
		if slices.ContainsFunc(c.Cells, func(y Cell) bool { return fact(&y.Setting) != own }) {
			parts = append(parts, own)
		}
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// Table returns the numbers for people: headings, and a line for each cell. A policy stands in the first of its lines.
func (c *Comparison) Table() (headings []string, lines [][]string) {
	policies := !slices.Equal(c.Policies, []string{""})
	if policies {
		headings = append(headings, "policy")
	}
	headings = append(headings, "PEs")
	for i := range c.Cells {
		x, line := &c.Cells[i], []string{}
		if policies && (i == 0 || c.Cells[i-1].Policy != x.Policy) {
			line = append(line, x.Policy)
		} else if policies {
			line = append(line, "")
		}
		lines = append(lines, append(line, figures.Count(int64(x.PEs))))
	}
	for _, col := range columns {
		if !c.shows(col.number) {
			continue
		}
		means, halves := c.texts(&col)
		headings = append(headings, col.heading)
		spread := c.Seeds > 1 && col.spread
		if spread {
			headings = append(headings, "±")
		}
		for i := range lines {
			x := &c.Cells[i]
			text, half := "-", "-"
			if x.Numbers[col.number].Known {
				text = means[i]
			}
			if x.Numbers[col.number].Known && x.Runs > 1 {
				half = halves[i]
			}
			if lines[i] = append(lines[i], text); spread {
				lines[i] = append(lines[i], half)
			}
		}
	}
	if len(c.Failed()) == 0 {
		return headings, lines
	}
	headings = append(headings, "outcome")
	for i := range lines {
		x := &c.Cells[i]
		text := x.Outcome
		if c.Seeds > 1 && !x.Done() {
			text += fmt.Sprintf(", %d of %d done", x.Runs, x.Total)
		}
		lines[i] = append(lines[i], text)
	}
	return headings, lines
}

// shows reports whether tables have a column for a number: some are for goals, some for threads.
func (c *Comparison) shows(n Number) bool {
	positive := func(n Number) bool {
		return slices.ContainsFunc(c.Cells, func(x Cell) bool { return x.Numbers[n].Mean > 0 })
	}
	switch n {
	case OwnSpeedup:
		return c.owns()
	case ThreadCount:
		return positive(ThreadCount)
	case ReductionCount, SuspensionCount:
		return !positive(ThreadCount) && positive(ReductionCount)
	case ParallelEfficiency, LoadBalance, SerialisationFactor, TransferFactor:
		return positive(n)
	case LeastTime, AboveLeast:
		return slices.ContainsFunc(c.Cells, func(x Cell) bool { return x.Numbers[n].Known })
	}
	return true
}

// WriteTable writes the comparison for people: a line for each cell, with an empty line between policies.
func (c *Comparison) WriteTable(w io.Writer) error {
	headings, cells := c.Table()
	lines := [][]string{headings}
	for i, line := range cells {
		if i > 0 && len(c.PEs) > 1 && c.Cells[i-1].Policy != c.Cells[i].Policy {
			lines = append(lines, nil)
		}
		lines = append(lines, line)
	}
	if headings[0] == "PEs" { // numbers are flush right
		for i, line := range lines {
			line[0] = fmt.Sprintf("%*s", len(figures.Count(int64(slices.Max(c.PEs))))+1, line[0])
			lines[i] = line
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(c.Heading(), "\n") + "\n\n")
	writeColumns(&b, lines, len(headings))
	_, err := io.WriteString(w, b.String())
	return err
}
