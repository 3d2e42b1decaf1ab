package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"whorl/internal/figures"
)

// WriteJSON writes the comparison as one object: what all runs have in common, and the runs.
func (c *Comparison) WriteJSON(w io.Writer) error {
	r := &c.Base
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Program string   `json:"program"`
		Args    []string `json:"args"`
		Goal    string   `json:"goal"`
		Machine string   `json:"machine"`
		Network string   `json:"network"`
		Seed    uint64   `json:"seed"`
		Runs    []Cell   `json:"runs"`
	}{r.Program, append([]string{}, r.Args...), r.Goal, r.Machine, r.Network, r.Seed, c.Cells})
}

// WriteCSV writes a line of headings, which say the units, and a line for each run. What is not known is empty.
func (c *Comparison) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{
		"policy", "pes", "outcome", "time_ns", "speedup", "efficiency", "reductions", "suspensions", "messages", "bytes", "idle_share", "threads",
	}}
	for i := range c.Cells {
		x := &c.Cells[i]
		number := func(n int64) string { return strconv.FormatInt(n, 10) }
		lines = append(lines, []string{
			x.Policy, strconv.Itoa(x.PEs), x.Outcome, number(x.TimeNs), decimal(x.Speedup, 4, ""), decimal(x.Efficiency, 4, ""),
			number(x.Reductions), number(x.Suspensions), number(x.Messages), number(x.Bytes), decimal(x.IdleShare, 4, ""), number(x.Threads),
		})
	}
	return out.WriteAll(lines)
}

// WriteTable writes the comparison for a person: a line for each run, policies apart.
func (c *Comparison) WriteTable(w io.Writer) error {
	lines := [][]string{{"policy", "PEs", "time", "speed-up", "efficiency", "reductions", "suspensions", "messages", "bytes", "idle"}}
	threads := slices.ContainsFunc(c.Cells, func(x Cell) bool { return x.Threads > 0 })
	if threads {
		lines[0] = []string{"policy", "PEs", "time", "speed-up", "efficiency", "threads", "messages", "bytes", "idle"}
	}
	for i := range c.Cells {
		x := &c.Cells[i]
		name := x.Policy
		if i%len(c.PEs) > 0 {
			name = ""
		} else if i > 0 && len(c.PEs) > 1 {
			lines = append(lines, nil)
		}
		line := []string{name, figures.Count(int64(x.PEs)), figures.Duration(x.TimeNs), decimal(x.Speedup, 2, "-"), percent(x.Efficiency)}
		if threads {
			line = append(line, figures.Count(x.Threads))
		} else {
			line = append(line, figures.Count(x.Reductions), figures.Count(x.Suspensions))
		}
		line = append(line, figures.Count(x.Messages), figures.Count(x.Bytes), percent(x.IdleShare))
		if x.Outcome != Done.String() {
			line = append(line, x.Outcome)
		}
		lines = append(lines, line)
	}
	var b strings.Builder
	for _, fact := range c.facts() {
		fmt.Fprintf(&b, "%s\n", fact)
	}
	b.WriteString("\n")
	writeColumns(&b, lines)
	_, err := io.WriteString(w, b.String())
	return err
}

// facts are what all runs have in common, in lines.
func (c *Comparison) facts() []string {
	r := &c.Base
	program := strings.Join(append([]string{r.Program}, r.Args...), " ")
	if r.Goal != "" {
		program += " --goal " + Quoted(r.Goal)
	}
	machine := r.Machine
	if r.Mode == Live {
		machine = "real cores"
	}
	return []string{program, joined(machine, r.Network) + ", seed " + strconv.FormatUint(r.Seed, 10)}
}

// writeColumns writes lines of columns: the first and anything beyond the headings flush left, the rest flush right.
func writeColumns(b *strings.Builder, lines [][]string) {
	widths := make([]int, len(lines[0]))
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

// decimal is x with so many digits behind the point, or what stands for nothing.
func decimal(x *float64, digits int, none string) string {
	if x == nil {
		return none
	}
	return strconv.FormatFloat(*x, 'f', digits, 64)
}

func percent(x *float64) string {
	if x == nil {
		return "-"
	}
	return strconv.FormatFloat(*x*100, 'f', 1, 64) + " %"
}
