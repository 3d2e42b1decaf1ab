package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"whorl/experiment"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/report"
	"whorl/visual/glyph"
	"whorl/visual/view"
)

func newCompare() *cobra.Command {
	g := experiment.Grid{Base: experiment.Defaults("")}
	g.Policies = []string{g.Base.Policy}
	pes, format := "1,2,4,8", "table"
	p := picture{color: "time"}
	processes, metric := "", ""
	var reading *open.Options
	cmd := &cobra.Command{
		Use:   "compare PROGRAM [ARGS] | TRACE TRACE | TRACE --processes LIST",
		Short: "Run a program on several numbers of PEs and under several policies, and compare; or compare traces",
		Long: `Run a program under each of the policies on each of the numbers of PEs, all on one machine with one seed, and print what came of it:
time on the machine, speed-up, efficiency, reductions and suspensions or threads, messages and their bytes, and the share of time in which PEs
were idle.

The speed-up is the time on 1 PE under the same policy divided by the time; that run is made even where 1 PE is not asked for. The
efficiency is the speed-up divided by the number of PEs. CSV and JSON have times in ns and shares from 0 to 1, and what is not known is
empty or null. What is printed does not depend on the computer, but with --mode live, where PEs are goroutines on its cores and the runs
follow one another.

With --picture the kaleidoscopes of the runs are drawn side by side: a column for each number of PEs, a row for each policy, all to one
scale, and colours of time stand for the same instants in all of them.

Two files with traces or profiles are compared by their calling contexts, and so are some processes of one and the others, with --processes:
where does a process of the one spend more, or less, than one of the other? Values are means over the processes, and the last column is the
difference as a part of what a process spends in all. Contexts are the same where the names of their procedures are.`,
		Example: `  whorl compare pascal --pes 1,2,4,8,16 --policy on-demand,round-robin
  whorl compare fghc/queens 6 --pes 4,64 --policy all --net mesh2d --format csv
  whorl compare dts/mandelbrot --policy round-robin,on-demand
  whorl compare pascal --pes 1,5 --picture pascal.svg
  whorl compare before.whorl after.whorl
  whorl compare mixture.whorl --processes 80-175`,
		Args:              aProgram,
		ValidArgsFunction: programs,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.Base.Program, g.Base.Args = args[0], args[1:]
			if err := oneOf("format", format, compareFormats); err != nil {
				return err
			}
			if areTraces(args) {
				return compareTraces(cmd, args, processes, metric, format, reading)
			}
			for _, name := range []string{"processes", "metric"} {
				if cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s is for traces, and %s is none", name, args[0])
				}
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
	f.SortFlags = false
	f.StringVar(&pes, "pes", pes, "`numbers` of PEs, each 1 to 1048576, with commas between them")
	f.StringSliceVar(&g.Policies, "policy", g.Policies, "scheduling `policies` with commas between them (whorl list policies), or all")
	f.StringVar(&g.Base.Goal, "goal", "", "`query` to run: of a source file, or instead of a benchmark's own")
	modeFlag(cmd, &g.Base)
	f.StringVar(&g.Base.Machine, "machine", g.Base.Machine, "`machine` (whorl list machines), or a .toml file of that form")
	f.StringVar(&g.Base.Network, "net", "", "`network` (whorl list networks), instead of the machine's own")
	f.Uint64Var(&g.Base.Seed, "seed", g.Base.Seed, "seed of all that is random")
	f.DurationVar(&g.Base.Limits.Time, "max-time", 0, "stop each run after this much real `time`: 10s, 2m")
	f.Int64Var(&g.Base.Limits.Reductions, "max-reductions", 0, "stop each run after so many reductions, or threads that were forked")
	f.StringVar(&format, "format", format, "table, csv or json")
	f.StringVar(&p.out, "picture", "", "draw the kaleidoscopes side by side into `FILE`.svg or FILE.png")
	f.StringVar(&p.color, "color", p.color, "`what` their colours stand for: pe, procedure, time or petime")
	f.StringVar(&p.background, "background", "", "`ground` of the picture: light or dark")
	f.StringVar(&p.size, "size", "", "`width` x height of the picture in pixels; what suits it where this is not given")
	f.StringVar(&processes, "processes", "", "of one trace: the `processes` that are compared with the others, as in 0-31,64")
	f.StringVar(&metric, "metric", "", "of traces: `what` is compared, the first metric that they have where this is not given")
	reading = readingFlags(cmd)
	complete(cmd, "policy", append(names(experiment.Policies()), "all"))
	complete(cmd, "machine", names(experiment.Machines()))
	complete(cmd, "net", names(experiment.Networks()))
	complete(cmd, "format", compareFormats)
	return cmd
}

var compareFormats = []string{"table", "csv", "json"}

// parsePEs reads numbers of PEs with commas between them.
func parsePEs(s string) ([]int, error) {
	var out []int
	for _, part := range strings.Split(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("--pes %s: %s is no number of PEs; expected numbers with commas between them, as in 1,2,4,8",
				nearest.Quote(s), nearest.Quote(strings.TrimSpace(part)))
		}
		if n < 1 || n > experiment.MaxPEs {
			return nil, fmt.Errorf("--pes %s: %d PEs: a machine has 1 to %d", nearest.Quote(s), n, experiment.MaxPEs)
		}
		out = append(out, n)
	}
	return out, nil
}

// compare carries the runs out and prints what came of them.
func compare(cmd *cobra.Command, g experiment.Grid, format string, p *picture) error {
	line := newProgress(cmd.ErrOrStderr())
	c, err := experiment.Compare(cmd.Context(), g, p.out != "", func(over, all int) { line.say("%d of %d runs are over", over, all) })
	line.done()
	if err != nil {
		return err
	}
	write := map[string]func() error{
		"table": func() error { return c.WriteTable(cmd.OutOrStdout()) },
		"csv":   func() error { return c.WriteCSV(cmd.OutOrStdout()) },
		"json":  func() error { return c.WriteJSON(cmd.OutOrStdout()) },
	}
	if err := write[format](); err != nil {
		return &statusError{exitFailed, err}
	}
	if p.out != "" && (cmd.Context().Err() == nil || len(c.Failed()) == 0) { // a picture that is not drawn is no success
		if err := await(cmd.Context(), func(w *files.Writer) error { return p.draw(cmd, w, c) }); err != nil {
			return err
		}
	}
	return compared(c)
}

// compared turns the runs that are not done into an error with its exit status: that of the worst of them.
func compared(c *report.Comparison) error {
	failed := c.Failed()
	if len(failed) == 0 {
		return nil
	}
	status := 0
	for _, x := range failed {
		switch x.Outcome {
		case tracer.Interrupted.String():
			status = exitInterrupted
		case tracer.Failed.String():
			if status != exitInterrupted {
				status = exitFailed
			}
		case tracer.Limited.String():
			if status == 0 {
				status = exitLimit
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
	return &statusError{status, errors.New(text)}
}

// A picture is what to draw of a comparison.
type picture struct {
	out, color, background, size string

	kind *view.Kind
	w, h int
}

// check finds what is wrong with the wishes for the picture before anything runs.
func (p *picture) check(cmd *cobra.Command) error {
	var err error
	if p.kind, err = findView("kaleidoscope"); err != nil {
		return err
	}
	if p.out == "" {
		for _, name := range []string{"color", "background", "size"} {
			if cmd.Flags().Changed(name) {
				return fmt.Errorf("--%s is for a picture: --picture FILE.svg or FILE.png", name)
			}
		}
		return nil
	}
	if ext := filepath.Ext(p.out); ext != ".svg" && ext != ".png" {
		return fmt.Errorf("%s: pictures are written as FILE.svg or FILE.png, not %s", p.out, nearest.Quote(ext))
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
	if p.size != "" {
		p.w, p.h, err = parseSize(p.size)
	}
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
		return inFile(p.out, err)
	}
	return writePicture(cmd, w, p.out, list, glyphs)
}

var colorings = map[string]string{"pe": "PE", "procedure": "procedure", "time": "time", "petime": "PE and time"}

// comparisonTable lays a comparison out: columns are numbers of PEs, rows are policies.
func comparisonTable(kind *view.Kind, c *report.Comparison, params map[string]string) *view.Table {
	t := &view.Table{
		Kind: kind, Params: params, Title: strings.Join(append([]string{strings.TrimPrefix(c.Program, "fghc/")}, c.Args...), " "),
	}
	for _, n := range c.PEs {
		heading := figures.Count(int64(n)) + " PEs"
		if n == 1 {
			heading = "1 PE"
		}
		t.Columns = append(t.Columns, heading)
	}
	t.Rows = c.Policies
	if len(t.Rows) == 1 {
		t.Rows = []string{""} // it is said below
	}
	longest := int64(1)
	for i := range c.Cells {
		x := &c.Cells[i]
		longest = max(longest, x.TimeNs)
		cell := view.TableCell{Name: x.Name(), Caption: figures.Duration(x.TimeNs)}
		if x.Speedup != nil {
			cell.Caption += fmt.Sprintf(", speed-up %.2f", *x.Speedup)
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
