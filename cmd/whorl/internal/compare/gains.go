package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/tracer/report"
)

// A ranking holds what a program gains if parts of it take less time, the largest gains first.
type ranking struct {
	run     experiment.Run
	kind    string // replays or runs
	elapsed int64  // ns of the program as it is
	gains   []*experiment.Gain
}

// WriteTable writes the gains for people.
func (k *ranking) WriteTable(w io.Writer) error {
	r := k.run
	fmt.Fprintf(w, "%s on %s under %s takes %s\n%s\ngain if a part takes less time:\n\n", strings.Join(append([]string{r.Program}, r.Args...), " "), figures.Counted(int64(r.PEs), "PE"), r.Policy, figures.Duration(k.elapsed), k.kind)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range experiment.Savings {
		fmt.Fprintf(tw, "-%s\t", figures.Share(s, 0))
	}
	fmt.Fprint(tw, "at best\t  part\n")
	for _, g := range k.gains {
		for _, t := range g.Elapsed {
			text := "-"
			if t >= 0 {
				text = figures.Share(float64(k.elapsed-t)/float64(max(1, k.elapsed)), 1)
			}
			fmt.Fprintf(tw, "%s\t", text)
		}
		least := "-"
		if g.Least > 0 {
			least = figures.Duration(g.Least)
		}
		fmt.Fprintf(tw, "%s\t  %s %s\n", least, g.Kind, command.Printable(g.Name))
	}
	return tw.Flush()
}

// lessKey returns the key of the time of the program when a share of the time of a part is saved.
func lessKey(saving float64) string { return fmt.Sprintf("time_less_%d_ns", int(100*saving)) }

// WriteCSV writes a line of headings, which name the units, and a line for each part. Unknown times are empty.
func (k *ranking) WriteCSV(w io.Writer) error {
	number := func(n int64, known bool) string {
		if !known {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	heads := []string{"kind", "name", "work_ns", "count", "time_ns"}
	for _, s := range experiment.Savings {
		heads = append(heads, lessKey(s))
	}
	lines := [][]string{append(heads, "least_time_ns")}
	for _, g := range k.gains {
		line := []string{g.Kind, g.Name, number(g.Work, g.Computes()), number(g.Count, !g.Computes()), number(k.elapsed, true)}
		for _, t := range g.Elapsed {
			line = append(line, number(t, t >= 0))
		}
		lines = append(lines, append(line, number(g.Least, g.Least > 0)))
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteJSON writes the gains as one object. Keys name the units, and unknown numbers are null.
func (k *ranking) WriteJSON(w io.Writer) error {
	number := func(n int64, known bool) *int64 {
		if !known {
			return nil
		}
		return &n
	}
	r := k.run
	o := struct {
		Program string           `json:"program"`
		Args    []string         `json:"args"`
		PEs     int              `json:"pes"`
		Policy  string           `json:"policy"`
		Machine string           `json:"machine"`
		Network string           `json:"network"`
		Seed    uint64           `json:"seed"`
		Note    string           `json:"note"`
		TimeNs  int64            `json:"time_ns"`
		Parts   []map[string]any `json:"parts"`
	}{r.Program, append([]string{}, r.Args...), r.PEs, r.Policy, r.Machine, r.Network, r.Seed, k.kind, k.elapsed, []map[string]any{}}
	for _, g := range k.gains {
		part := map[string]any{
			"kind": g.Kind, "name": g.Name, "work_ns": number(g.Work, g.Computes()), "count": number(g.Count, !g.Computes()), "least_time_ns": number(g.Least, g.Least > 0),
		}
		for i, t := range g.Elapsed {
			part[lessKey(experiment.Savings[i])] = number(t, t >= 0)
		}
		o.Parts = append(o.Parts, part)
	}
	return report.WriteJSON(w, o)
}
