package calibrate

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"

	"whorl/internal/bootstrap"
	"whorl/internal/figures"
)

// WriteTable writes the costs, and the simulated times of benchmarks beside the live ones.
func (r *Report) WriteTable(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "cost\tlive\t95 %% interval\tsimulated\terror\trounds\tof\n")
	for _, f := range r.Figures {
		simulated, off, interval, rounds := "", "", "", "none"
		if f.Rounds > 0 {
			rounds = figures.Count(int64(f.Rounds))
		}
		if f.Rounds > 1 { // a single value says nothing of its uncertainty
			interval = shortly(f.Live.Low) + " to " + shortly(f.Live.High)
		}
		if f.Part {
			simulated, off = shortly(f.Simulated)+" ns", signed(f.Simulated/f.Live.Value-1)
		}
		doc := f.Doc
		if f.Rounds == 0 {
			doc += " (" + r.unmeasured(f.Name) + ")"
		}
		fmt.Fprintf(tw, "%s\t%s ns\t%s\t%s\t%s\t%s\t%s\n", f.Name, shortly(f.Live.Value), interval, simulated, off, rounds, doc)
	}
	fmt.Fprintf(tw, "\nbenchmark\tPEs\tlive\t95 %% interval\tsimulated\terror\truns\n")
	for i := range r.Rows {
		x := &r.Rows[i]
		share, ok := x.Error()
		if !ok {
			why := x.Err
			if why == "" {
				why = "no time left"
			}
			fmt.Fprintf(tw, "%s\t%d\t%s\n", x.Program, x.PEs, why)
			continue
		}
		times := figures.Durations([]int64{int64(x.Live.Value), int64(x.Live.Low), int64(x.Live.High)})
		interval := ""
		if x.Runs > 1 {
			interval = times[1] + " to " + times[2]
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\t%s\t%d\n", x.Program, x.PEs, times[0], interval, figures.Duration(int64(x.Simulated)), signed(share), x.Runs)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if factor, runs := r.Spread(); runs > 0 {
		_, err := fmt.Fprintf(w, "\nIn half of the %s the simulated and the live time differ by a factor of at most %.2f.\n",
			figures.Counted(int64(runs), "row"), factor)
		return err
	}
	return nil
}

// Spread returns the median of the factors between simulated and live times, whichever is longer, and the number of rows that have both.
func (r *Report) Spread() (factor float64, rows int) {
	var all []float64
	for i := range r.Rows {
		if share, ok := r.Rows[i].Error(); ok {
			all = append(all, math.Exp(math.Abs(math.Log(1+share))))
		}
	}
	if len(all) == 0 {
		return 0, 0
	}
	return bootstrap.Median(all).Value, len(all)
}

// Missing returns the number of rows without a measured time.
func (r *Report) Missing() (n int) {
	for i := range r.Rows {
		if _, ok := r.Rows[i].Error(); !ok && r.Rows[i].Err == "" {
			n++
		}
	}
	return n
}

// signed returns a share as a percentage with its sign.
func signed(share float64) string {
	text := figures.Fixed(100*math.Abs(share), 0)
	switch {
	case text == "0":
		return "0 %"
	case share < 0:
		return "-" + text + " %"
	}
	return "+" + text + " %"
}

var columns = []string{"kind", "name", "pes", "live_ns", "live_low95_ns", "live_high95_ns", "measurements", "simulated_ns", "error", "problem"}

// WriteCSV writes a line of names, a line for each cost and a line for each benchmark on each number of PEs. Unknown numbers are empty, as are the
// intervals of a single measurement; error is the simulated time divided by the live one, less 1.
func (r *Report) WriteCSV(w io.Writer) error {
	number := func(x float64, known bool) string {
		if !known {
			return ""
		}
		return strconv.FormatFloat(x, 'g', 6, 64)
	}
	lines := [][]string{columns}
	for _, f := range r.Figures {
		why := ""
		if f.Rounds == 0 {
			why = r.unmeasured(f.Name)
		}
		lines = append(lines, []string{
			"cost", f.Name, "", number(f.Live.Value, true), number(f.Live.Low, f.Rounds > 1), number(f.Live.High, f.Rounds > 1), strconv.Itoa(f.Rounds),
			number(f.Simulated, f.Part), number(f.Simulated/f.Live.Value-1, f.Part), why,
		})
	}
	for i := range r.Rows {
		x := &r.Rows[i]
		share, ok := x.Error()
		lines = append(lines, []string{
			"benchmark", x.Program, strconv.Itoa(x.PEs), number(x.Live.Value, x.Runs > 0), number(x.Live.Low, x.Runs > 1), number(x.Live.High, x.Runs > 1),
			strconv.Itoa(x.Runs), number(x.Simulated, x.Simulated > 0), number(share, ok), x.Err,
		})
	}
	out := csv.NewWriter(w)
	if slices.ContainsFunc(lines, func(line []string) bool { return out.Write(line) != nil }) {
		return out.Error()
	}
	out.Flush()
	return out.Error()
}
