package inspect

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/derive/labels"
	"whorl/tracer/query"
	"whorl/tracer/report"
)

// profileFlags are the flags of tables of a profile.
type profileFlags struct {
	by, metric, processes     string
	focus, ignore, show, hide string
	labels                    labels.Query
	rows                      int
	cumulative                bool
	format                    string
}

// add adds the flags to a command whose rows have some kinds.
func (p *profileFlags) add(cmd *cobra.Command, kinds []string) {
	f := cmd.Flags()
	if p.by = kinds[0]; len(kinds) > 1 {
		f.StringVar(&p.by, "by", p.by, "a row for each `kind`: "+strings.Join(kinds, ", "))
		command.Complete(cmd, "by", kinds)
	}
	f.IntVarP(&p.rows, "rows", "n", 20, "print at most this `number` of rows, or of functions with their lines; without the flag, CSV and JSON have all")
	f.BoolVar(&p.cumulative, "cum", false, "sort by inclusive values")
	f.StringVar(&p.format, "format", "table", "`format`: table, csv or json")
	f.StringVar(&p.metric, "metric", "", "count this `metric`; by default that which the profile names, or the first with values")
	f.StringVar(&p.processes, "processes", "", "count these processes only: a `list` of numbers and ranges, such as 0-31,64")
	f.StringVar(&p.focus, "focus", "", "count calling contexts with a function or a file that matches the regular `expression`")
	f.StringVar(&p.ignore, "ignore", "", "do not count calling contexts with a function or a file that matches the regular `expression`")
	f.StringVar(&p.show, "show", "", "leave functions out of the contexts unless they or their files match the regular `expression`")
	f.StringVar(&p.hide, "hide", "", "leave functions out of the contexts if they or their files match the regular `expression`; their callers get their values")
	f.StringVar(&p.labels.Focus, "tagfocus", "", "count samples with a label that matches an `expression`: key=value, key:value, or a range such as 4kb:64kb")
	f.StringVar(&p.labels.Ignore, "tagignore", "", "do not count samples with a label that matches the `expression`")
	f.StringVar(&p.labels.Root, "tagroot", "", "let the labels of these `keys` call the functions: a row for each value, with all that its samples took")
	f.StringVar(&p.labels.Leaf, "tagleaf", "", "let functions call the labels of these `keys`: a row for each value, with what its samples took")
	command.Complete(cmd, "format", profileFormats)
}

// query checks the flags, and returns the query.
func (p *profileFlags) query(kinds []string) (q report.ProfileQuery, err error) {
	if err := command.OneOf("format", p.format, profileFormats); err != nil {
		return q, err
	}
	if err := command.OneOf("kind of row", p.by, kinds); err != nil {
		return q, err
	}
	q = report.ProfileQuery{By: p.by, Metric: p.metric, Processes: p.processes, Labels: p.labels}
	for _, x := range []struct {
		flag, text string
		to         **regexp.Regexp
	}{{"focus", p.focus, &q.Focus}, {"ignore", p.ignore, &q.Ignore}, {"show", p.show, &q.Show}, {"hide", p.hide, &q.Hide}} {
		if *x.to, err = expression(x.flag, x.text); err != nil {
			return q, err
		}
	}
	return q, nil
}

// expression parses the regular expression of a flag, nil for "".
func expression(flag, text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	re, err := query.Exact(text)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	return re, nil
}

// A profileTable is a table of a profile.
type profileTable interface {
	Cut(n int) (left int)
	WriteTable(w io.Writer, left int) error
	WriteCSV(w io.Writer) error
	WriteJSON(w io.Writer) error
}

// write writes a table in the format of the flags.
func (p *profileFlags) write(cmd *cobra.Command, t profileTable) error {
	rows := p.rows
	if p.format != "table" && !cmd.Flags().Changed("rows") {
		rows = 0
	}
	left := t.Cut(rows)
	switch p.format {
	case "json":
		return t.WriteJSON(cmd.OutOrStdout())
	case "csv":
		return t.WriteCSV(cmd.OutOrStdout())
	}
	return t.WriteTable(cmd.OutOrStdout(), left)
}

// run returns the function that runs a command: it opens the trace, and writes the table that table makes of it.
func (p *profileFlags) run(kinds []string, reading **traces.Reading, table func(cmd *cobra.Command, name string, trace tracer.Source, q report.ProfileQuery) (profileTable, error)) func(*cobra.Command, []string) error {
	return command.Interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
		q, err := p.query(kinds)
		if err != nil {
			return err
		}
		trace, err := (*reading).OpenWhole(cmd, args...)
		if err != nil {
			return err
		}
		defer trace.Close()
		t, err := table(cmd, traces.Title(args), trace, q)
		if err != nil {
			return err
		}
		return p.write(cmd, t)
	})
}

func newTop() *cobra.Command {
	against := ""
	var flags profileFlags
	var reading *traces.Reading
	cmd := &cobra.Command{
		Use:   "top TRACE...",
		Short: "Print the functions or lines of a profile that take most",
		Long: `Print the functions of a trace that take most: the exclusive value of each, which was spent in the function itself, and the inclusive one, which
was also spent in the functions that it called. Recursive calls are counted once. With --by the rows are lines, files, instructions or calling
contexts instead.

For several processes the table also has the least, the mean and the largest value of a process, and the process that has it. With --against it
has the values of two traces and their differences, the largest difference first.

The numbers and the shares are those of go tool pprof -top on the same file.

` + traces.Help,
		Example: "  whorl top cpu.pb.gz\n  whorl top cpu.pb.gz --by line -n 10\n  whorl top new.pb.gz --against old.pb.gz --cum\n  whorl top rank*.pb.gz --focus solve --format csv",
		Args:    command.AtLeast("a trace"),
		RunE: flags.run(report.ProfileRows, &reading, func(cmd *cobra.Command, name string, trace tracer.Source, q report.ProfileQuery) (profileTable, error) {
			if against == "" {
				return report.TopOf([]string{name}, []tracer.Source{trace}, q, flags.cumulative)
			}
			other, err := reading.OpenWhole(cmd, against)
			if err != nil {
				return nil, err
			}
			defer other.Close()
			return report.TopOf([]string{against, name}, []tracer.Source{other, trace}, q, flags.cumulative)
		}),
	}
	reading = traces.Flags(cmd)
	flags.add(cmd, report.ProfileRows)
	cmd.Flags().StringVar(&against, "against", "", "compare with this `trace`, which is A; differences are TRACE minus it")
	return cmd
}

func newTree() *cobra.Command {
	var flags profileFlags
	var reading *traces.Reading
	some := ""
	rows := slices.DeleteFunc(slices.Clone(report.ProfileRows), func(by string) bool { return by == "context" })
	cmd := &cobra.Command{
		Use:   "tree TRACE...",
		Short: "Print the callers and callees of the functions of a profile",
		Long: `Print the callers and callees of the functions of a trace: in each block the callers with their parts of the function's inclusive value, the
function itself, and the functions that it called with theirs. With --peek only the functions whose names match have a block.

The numbers are those of go tool pprof -tree and -peek on the same file.

` + traces.Help,
		Example: "  whorl tree cpu.pb.gz -n 5\n  whorl tree cpu.pb.gz --peek 'solve$'",
		Args:    command.AtLeast("a trace"),
		RunE: flags.run(rows, &reading, func(_ *cobra.Command, name string, trace tracer.Source, q report.ProfileQuery) (profileTable, error) {
			peek, err := expression("peek", some)
			if err != nil {
				return nil, err
			}
			return report.CallersOf(name, trace, q, flags.cumulative, peek)
		}),
	}
	reading = traces.Flags(cmd)
	flags.add(cmd, rows)
	cmd.Flags().StringVar(&some, "peek", "", "print the functions whose names match the regular `expression`")
	return cmd
}

func newAnnotate() *cobra.Command {
	var flags profileFlags
	var reading *traces.Reading
	kinds := []string{"function"}
	cmd := &cobra.Command{
		Use:   "annotate FUNCTION TRACE...",
		Short: "Print the source lines of functions with what each took",
		Long: `Print the source lines of the functions whose names match the regular expression FUNCTION, with the exclusive and the inclusive value of each line,
and the instructions of lines for which the trace has them. Without the text of the source only the lines with values are listed.

The numbers are those of go tool pprof -list on the same file.

` + traces.Help,
		Example: "  whorl annotate 'solve$' cpu.pb.gz\n  whorl annotate main.compute cpu.pb.gz --source ~/src --cum\n  whorl annotate sweep perf.txt --binary ./heat",
		Args:    command.AtLeast("a regular expression for functions", "a trace"),
	}
	reading = traces.Flags(cmd)
	flags.add(cmd, kinds)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		some, err := query.Exact(args[0])
		if err != nil {
			return err
		}
		return flags.run(kinds, &reading, func(_ *cobra.Command, name string, trace tracer.Source, q report.ProfileQuery) (profileTable, error) {
			return report.Annotate(name, trace, q, flags.cumulative, some)
		})(cmd, args[1:])
	}
	return cmd
}

var profileFormats = []string{"table", "csv", "json"}
