package compare

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/formats"
	"whorl/tracer/open"
	"whorl/tracer/report"
)

// programEndings are the endings of programs, which are not traces.
var programEndings = []string{".fghc", ".kl1", ".hpf", ".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".fpp", ".go"}

// areTraces reports whether the arguments of compare are traces or profiles, and not a program: all are files, or one has the ending of a trace.
func areTraces(args []string) bool {
	if slices.Contains(programEndings, strings.ToLower(filepath.Ext(args[0]))) {
		return false
	}
	return slices.ContainsFunc(args, hasTraceEnding) || !slices.ContainsFunc(args, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || info.IsDir()
	})
}

func hasTraceEnding(path string) bool {
	return slices.ContainsFunc(open.Formats(), func(f formats.Format) bool { return strings.HasSuffix(path, f.Ext) })
}

// compareTraces compares the calling contexts of two traces, or of some processes of one trace and the rest.
func compareTraces(cmd *cobra.Command, args []string, processes, metric, format string, reading *traces.Reading) error {
	for _, path := range args {
		if _, err := os.Stat(path); err != nil {
			return traces.NotTrace(path, files.OpenError(path, err))
		}
	}
	switch {
	case len(args) == 1 && processes == "":
		return errors.New("name two traces to compare, or choose processes of one to compare with the rest: --processes 0-31,64")
	case len(args) > 2:
		return errors.New("only two traces can be compared")
	}
	return command.Interruptible(func(cmd *cobra.Command, args []string, _ *files.Writer) error {
		var names [2]string
		var traces [2]tracer.Source
		for k, path := range args {
			trace, err := reading.OpenWhole(cmd, path)
			if err != nil {
				return err
			}
			defer trace.Close()
			names[k], traces[k] = path, trace
		}
		var c *report.ContextComparison
		var err error
		if len(args) == 1 {
			c, err = report.CompareProcesses(traces[0], processes, metric)
		} else {
			c, err = report.CompareRuns(names, traces, metric)
		}
		if err != nil {
			return err
		}
		return writeComparison(cmd, c, format)
	})(cmd, args)
}
