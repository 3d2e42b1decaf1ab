package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/store"
)

// A Comparison holds runs of one program on one machine with one seed: a run for each policy and each number of PEs.
type Comparison struct {
	Program  string   `json:"program"`
	Args     []string `json:"args"`
	Goal     string   `json:"goal"`
	Mode     string   `json:"-"`
	Machine  string   `json:"machine"`
	Network  string   `json:"network"`
	Seed     uint64   `json:"seed"`
	PEs      []int    `json:"-"`
	Policies []string `json:"-"`
	Cells    []Cell   `json:"runs"` // policy by policy, in the order of Policies and PEs
}

// A Cell is one run of a comparison. In JSON each key names its unit, and unknown numbers are null.
type Cell struct {
	Policy  string `json:"policy"`
	PEs     int    `json:"pes"`
	Outcome string `json:"outcome"` // done, failed, limited or interrupted
	Err     string `json:"error,omitempty"`

	TimeNs      int64    `json:"time_ns"`    // virtual time, or real time of live runs, until the last event
	Speedup     *float64 `json:"speedup"`    // time on 1 PE under the same policy / time
	Efficiency  *float64 `json:"efficiency"` // speedup / PEs
	Reductions  int64    `json:"reductions"`
	Suspensions int64    `json:"suspensions"`
	Messages    int64    `json:"messages"`
	Bytes       int64    `json:"bytes"`      // of the messages
	IdleShare   *float64 `json:"idle_share"` // of the time of all PEs, 0 to 1
	Threads     int64    `json:"threads"`    // including the main thread; 0 for programs that fork none

	Trace *store.Growing `json:"-"` // nil unless traces are kept
}

// Done reports whether the run completed.
func (c *Cell) Done() bool { return c.Outcome == tracer.Done.String() }

// Name returns the policy and the number of PEs: "steal on 4 PEs".
func (c *Cell) Name() string {
	return c.Policy + " on " + figures.Counted(int64(c.PEs), "PE")
}

// Failed returns the cells whose runs did not complete.
func (c *Comparison) Failed() []*Cell {
	var out []*Cell
	for i := range c.Cells {
		if !c.Cells[i].Done() {
			out = append(out, &c.Cells[i])
		}
	}
	return out
}

// WriteJSON writes the comparison as one object.
func (c *Comparison) WriteJSON(w io.Writer) error { return writeJSON(w, c) }

// WriteCSV writes a line of headings, which name the units, and a line for each run. Unknown numbers are empty.
func (c *Comparison) WriteCSV(w io.Writer) error {
	lines := [][]string{{
		"policy", "pes", "outcome", "time_ns", "speedup", "efficiency", "reductions", "suspensions", "messages", "bytes", "idle_share", "threads",
	}}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	for i := range c.Cells {
		x := &c.Cells[i]
		lines = append(lines, []string{
			x.Policy, strconv.Itoa(x.PEs), x.Outcome, number(x.TimeNs), decimal(x.Speedup, 4, ""), decimal(x.Efficiency, 4, ""),
			number(x.Reductions), number(x.Suspensions), number(x.Messages), number(x.Bytes), decimal(x.IdleShare, 4, ""), number(x.Threads),
		})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteTable writes the comparison for people: a line for each run, with an empty line between policies.
func (c *Comparison) WriteTable(w io.Writer) error {
	lines := [][]string{{"policy", "PEs", "time", "speedup", "efficiency", "reductions", "suspensions", "messages", "bytes", "idle"}}
	threads := slices.ContainsFunc(c.Cells, func(x Cell) bool { return x.Threads > 0 })
	if threads {
		lines[0] = []string{"policy", "PEs", "time", "speedup", "efficiency", "threads", "messages", "bytes", "idle"}
	}
	for i := range c.Cells {
		x := &c.Cells[i]
		name := x.Policy
		if i%len(c.PEs) > 0 {
			name = ""
		} else if i > 0 && len(c.PEs) > 1 {
			lines = append(lines, nil)
		}
		line := []string{name, figures.Count(int64(x.PEs)), figures.Duration(x.TimeNs), decimal(x.Speedup, 2, "-"), percent(x.Efficiency, "-")}
		if threads {
			line = append(line, figures.Count(x.Threads))
		} else {
			line = append(line, figures.Count(x.Reductions), figures.Count(x.Suspensions))
		}
		line = append(line, figures.Count(x.Messages), figures.Count(x.Bytes), percent(x.IdleShare, "-"))
		if !x.Done() {
			line = append(line, x.Outcome)
		}
		lines = append(lines, line)
	}
	var b strings.Builder
	program := strings.Join(append([]string{c.Program}, c.Args...), " ")
	if c.Goal != "" {
		program += " --goal " + nearest.Quote(c.Goal)
	}
	machine := c.Machine
	if c.Mode == tracer.Live {
		machine = "real cores"
	}
	fmt.Fprintf(&b, "%s\n%s, seed %d\n\n", program, joined(machine, c.Network), c.Seed)
	writeColumns(&b, lines, len(lines[0]))
	_, err := io.WriteString(w, b.String())
	return err
}

// writeColumns writes lines of texts. The first n columns are as wide as their widest text: the first is flush left, the others are flush right.
// Further texts of a line follow two spaces apart.
func writeColumns(b *strings.Builder, lines [][]string, n int) {
	widths := make([]int, n)
	for _, line := range lines {
		for i := range min(len(line), len(widths)) {
			widths[i] = max(widths[i], utf8.RuneCountInString(line[i]))
		}
	}
	for _, line := range lines {
		text := ""
		for i, s := range line {
			pad := ""
			if i < len(widths) {
				pad = strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			}
			switch {
			case i == 0:
				text = s + pad
			case i < len(widths):
				text += "  " + pad + s
			default:
				text += "  " + s
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
