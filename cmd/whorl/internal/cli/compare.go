package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/report"
	"whorl/visual/glyph"
	"whorl/visual/view"
	"whorl/visual/views"
)

func newCompare() *cobra.Command {
	g := experiment.Grid{Base: experiment.Defaults("")}
	g.Policies = []string{g.Base.Policy}
	pes, format := "1,2,4,8", "table"
	p := picture{color: "time"}
	processes, metric := "", ""
	var reading *reading
	cmd := &cobra.Command{
		Use:   "compare PROGRAM [ARGS] | TRACE TRACE | TRACE --processes LIST",
		Short: "Compare runs on several numbers of PEs and under several policies, or compare traces",
		Long: `Run a program under each policy on each number of PEs, on one machine with one seed, and print for each run: time on the machine, speedup,
efficiency, reductions and suspensions or threads, messages and their bytes, and the share of idle time.

The speedup is the time on 1 PE under the same policy divided by the time of the run; whorl makes the run on 1 PE in any case. The efficiency
is the speedup divided by the number of PEs. CSV and JSON have times in ns and shares from 0 to 1; unknown numbers are empty or null. The
numbers do not depend on the computer, except with --mode live, where PEs are goroutines on its cores and one run follows another.

With --picture, draw the kaleidoscopes of the runs side by side: a column for each number of PEs and a row for each policy, all to one scale;
with --color time a colour means the same instant in all of them.

For two files with traces or profiles, or with --processes for some processes of one file and the rest, compare the calling contexts: in which
contexts does a process of one group spend more or less than one of the other? Values are means over processes. The last column is the
difference as a share of what a process spends in total. Contexts are the same if the names of their procedures are.`,
		Example: `  whorl compare pascal --pes 1,2,4,8,16 --policy on-demand,round-robin
  whorl compare fghc/queens 6 --pes 4,64 --policy all --net mesh2d --format csv
  whorl compare dts/mandelbrot --policy round-robin,on-demand
  whorl compare pascal --pes 1,5 --picture pascal.svg
  whorl compare before.whorl after.whorl
  whorl compare mixture.whorl --processes 80-175`,
		Args:              command.AtLeast("a program"),
		ValidArgsFunction: programs,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.Base.Program, g.Base.Args = args[0], args[1:]
			if err := command.OneOf("format", format, compareFormats); err != nil {
				return err
			}
			if areTraces(args) {
				return compareTraces(cmd, args, processes, metric, format, reading)
			}
			if err := command.RefuseFlags(cmd, "is for traces, and "+args[0]+" is not one", "processes", "metric"); err != nil {
				return err
			}
			if len(g.Policies) == 1 && g.Policies[0] == "all" {
				g.Policies = names(experiment.Policies())
			}
			var err error
			if g.PEs, err = parsePEs(pes); err != nil {
				return err
			}
			if err := p.check(cmd); err != nil {
				return err
			}
			return compare(cmd, g, format, &p)
		},
	}
	f := cmd.Flags()
	f.StringVar(&pes, "pes", pes, "`numbers` of PEs, each 1 to 1,048,576, separated by commas")
	f.StringSliceVar(&g.Policies, "policy", g.Policies, "scheduling `policies`, separated by commas (whorl list policies), or all")
	f.Lookup("policy").DefValue = g.Base.Policy // pflag shows lists in brackets
	goalFlag(cmd, &g.Base)
	modeFlag(cmd, &g.Base)
	machineFlags(cmd, &g.Base)
	f.DurationVar(&g.Base.Limits.Time, "max-time", 0, "stop each run after this much real `time`: 10s, 2m")
	f.Int64Var(&g.Base.Limits.Reductions, "max-reductions", 0, "stop each run after a `number` of reductions, or of forked threads")
	f.StringVar(&format, "format", format, "`format`: table, csv or json")
	f.StringVar(&p.out, "picture", "", "draw the kaleidoscopes side by side in `FILE`.svg or FILE.png")
	f.StringVar(&p.color, "color", p.color, "`quantity` that their colours show: pe, procedure, time or petime")
	f.StringVar(&p.background, "background", "", "`background` of the picture: light or dark")
	f.StringVar(&p.size, "size", "", "`width` x height of the picture in pixels (default to fit)")
	f.StringVar(&processes, "processes", "", "one trace: `processes` to compare with the rest, such as 0-31,64")
	f.StringVar(&metric, "metric", "", "traces: `metric` to compare (default the first that they have)")
	reading = readingFlags(cmd)
	command.Complete(cmd, "policy", append(names(experiment.Policies()), "all"))
	command.Complete(cmd, "format", compareFormats)
	return cmd
}

var compareFormats = []string{"table", "csv", "json"}

// parsePEs reads numbers of PEs separated by commas.
func parsePEs(s string) ([]int, error) {
	var out []int
	for _, part := range strings.Split(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("--pes %s: %s is not a number of PEs; expected numbers separated by commas, as in 1,2,4,8",
				nearest.Quote(s), nearest.Quote(strings.TrimSpace(part)))
		}
		if n < 1 {
			return nil, command.TooSmall("pes", int64(n))
		}
		if err := experiment.CheckPEs(n); err != nil {
			return nil, fmt.Errorf("--pes %s: %w", nearest.Quote(s), err)
		}
		out = append(out, n)
	}
	return out, nil
}

// compare makes the runs and prints their numbers.
func compare(cmd *cobra.Command, g experiment.Grid, format string, p *picture) error {
	line := command.NewProgress(cmd.ErrOrStderr())
	c, err := experiment.Compare(cmd.Context(), g, p.out != "", func(over, all int) { line.Say("%d of %d runs are over", over, all) })
	line.Done()
	if err != nil {
		return err
	}
	if err := writeComparison(cmd, c, format); err != nil {
		return err
	}
	if p.out != "" && (cmd.Context().Err() == nil || len(c.Failed()) == 0) { // a picture that cannot be drawn is an error
		if err := command.Await(cmd.Context(), func(w *files.Writer) error { return p.draw(cmd, w, c) }); err != nil {
			return err
		}
	}
	return compared(c)
}

// writeComparison writes a comparison in one of compareFormats.
func writeComparison(cmd *cobra.Command, c interface {
	WriteTable(w io.Writer) error
	WriteCSV(w io.Writer) error
	WriteJSON(w io.Writer) error
}, format string,
) error {
	write := c.WriteTable
	switch format {
	case "csv":
		write = c.WriteCSV
	case "json":
		write = c.WriteJSON
	}
	if err := write(cmd.OutOrStdout()); err != nil {
		return command.Exit(command.ExitFailed, err)
	}
	return nil
}

// compared returns the error for runs that are not done. Its exit status is that of the worst run.
func compared(c *report.Comparison) error {
	failed := c.Failed()
	if len(failed) == 0 {
		return nil
	}
	status := 0
	for _, x := range failed {
		switch x.Outcome {
		case tracer.Interrupted.String():
			status = command.ExitInterrupted
		case tracer.Failed.String():
			if status != command.ExitInterrupted {
				status = command.ExitFailed
			}
		case tracer.Limited.String():
			if status == 0 {
				status = command.ExitLimit
			}
		}
	}
	text := failed[0].Name() + ": " + failed[0].Err
	switch n := len(failed) - 1; {
	case n == 1:
		text += "\n1 other run is not done either"
	case n > 1:
		text += fmt.Sprintf("\n%d other runs are not done either", n)
	}
	return command.Exit(status, errors.New(text))
}

// A picture holds the flags of the picture of a comparison.
type picture struct {
	out, color, background, size string

	kind *view.Kind
	w, h int
}

// check returns an error for wrong flags before anything runs.
func (p *picture) check(cmd *cobra.Command) error {
	p.kind = view.Opening(views.All, view.Compared)
	if p.out == "" {
		return command.RefuseFlags(cmd, "is for a picture: --picture FILE.svg or FILE.png", "color", "background", "size")
	}
	if err := checkPictureName(p.out); err != nil {
		return err
	}
	for name, value := range p.params() {
		param, err := p.kind.Param(name)
		if err == nil {
			_, err = param.Parse(value)
		}
		if err != nil {
			return err
		}
	}
	if p.size == "" {
		return nil
	}
	var err error
	p.w, p.h, err = parseSize(p.size)
	return err
}

func (p *picture) params() map[string]string {
	params := map[string]string{"color": p.color}
	if p.background != "" {
		params["background"] = p.background
	}
	return params
}

// draw writes the kaleidoscopes side by side.
func (p *picture) draw(cmd *cobra.Command, w *files.Writer, c *report.Comparison) error {
	glyphs := glyph.New()
	list, err := comparisonTable(p.kind, c, p.params()).Picture(cmd.Context(), p.w, p.h, glyphs)
	if err != nil {
		return command.InFile(p.out, err)
	}
	return writePicture(cmd, w, p.out, list, glyphs)
}

var colorings = map[string]string{"pe": "PE", "procedure": "procedure", "time": "time", "petime": "PE and time"}

// comparisonTable lays out a comparison: columns are numbers of PEs, rows are policies.
func comparisonTable(kind *view.Kind, c *report.Comparison, params map[string]string) *view.Table {
	t := &view.Table{
		Kind: kind, Params: params, Title: strings.Join(append([]string{c.Program}, c.Args...), " "),
	}
	for _, n := range c.PEs {
		t.Columns = append(t.Columns, figures.Counted(int64(n), "PE"))
	}
	t.Rows = c.Policies
	if len(t.Rows) == 1 {
		t.Rows = []string{""} // a fact below names the policy
	}
	longest := int64(1)
	for i := range c.Cells {
		x := &c.Cells[i]
		longest = max(longest, x.TimeNs)
		cell := view.TableCell{Name: x.Name(), Caption: figures.Duration(x.TimeNs)}
		if x.Speedup != nil {
			cell.Caption += fmt.Sprintf(", speedup %.2f", *x.Speedup)
		}
		if !x.Done() {
			cell.Caption += ", " + x.Outcome
		}
		if x.Trace != nil {
			cell.Source = x.Trace
		}
		t.Cells = append(t.Cells, cell)
	}
	params["timerange"] = strconv.FormatInt(longest, 10)
	t.Subtitle = "Kaleidoscopes by " + colorings[params["color"]] + "; times are those of the simulated machine"
	if len(c.Policies) == 1 {
		t.Facts = append(t.Facts, view.Fact{Label: "Policy", Value: c.Policies[0]})
	}
	t.Facts = append(t.Facts, view.Fact{Label: "Machine", Value: c.Machine}, view.Fact{Label: "Network", Value: c.Network},
		view.Fact{Label: "Seed", Value: strconv.FormatUint(c.Seed, 10)})
	if c.Goal != "" {
		t.Facts = append(t.Facts, view.Fact{Label: "Goal", Value: c.Goal})
	}
	return t
}
