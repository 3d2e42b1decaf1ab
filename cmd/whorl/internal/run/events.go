package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/fetch"
	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

// isGo reports whether a command is the go command with one of some verbs.
func isGo(args []string, verbs ...string) bool {
	return len(args) > 1 && tool(args) == "go" && slices.Contains(verbs, args[1])
}

// writesTrace reports whether a program is known to write a trace.
func writesTrace(args []string) bool {
	return isGo(args, "test", "build", "install") || bazelCommand(args) > 0
}

// ownFile returns the flag with which a command that is known to write a trace names a file for it, "" for none.
func ownFile(args []string) string {
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case arg == "-args" || arg == "--args" || arg == "--":
			return ""
		case arg[:min(1, len(arg))] != "-":
		case name == "trace" && isGo(args, "test"), name == "debug-actiongraph" && isGo(args, "build", "install"), name == "profile" && bazelCommand(args) > 0:
			return "-" + name
		}
	}
	return ""
}

// events records the trace that a program writes itself.
func (r *recorder) events(cmd *cobra.Command, dir string, args []string) error {
	file := filepath.Join(dir, "trace")
	run := exec.Command(args[0], traced(r.traceFlag, args, dir, file)...)
	if r.traceEnv != "" {
		run.Env = append(os.Environ(), r.traceEnv+"="+file)
	}
	ended, err := execute(cmd, run, args[0])
	if err != nil {
		return err
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		return afterProgram(ended, fmt.Errorf("%s has written no trace", args[0]), "")
	}
	var w files.Writer
	err = open.Write(&w, r.out, func(rec tracer.Recorder) error {
		return r.convert(cmd, file, &titled{Recorder: rec, args: args})
	})
	return afterProgram(ended, err, "the trace until then is in "+r.out)
}

// traced returns the arguments with which a program writes its trace to a file. go test leaves the program of the tests in dir; go build writes the
// graph of its actions, and Bazel its profile.
func traced(flag string, args []string, dir, file string) []string {
	if flag != "" {
		return append([]string{flag + "=" + file}, args[1:]...)
	}
	switch {
	case isGo(args, "test"):
		return append([]string{"test", "-trace=" + file, "-o=" + filepath.Join(dir, "tests"), "-count=1"}, args[2:]...)
	case isGo(args, "build", "install"):
		return append([]string{args[1], "-debug-actiongraph=" + file}, args[2:]...)
	}
	if at := bazelCommand(args); at > 0 {
		return slices.Insert(slices.Clone(args[1:]), at, "--profile="+file)
	}
	return args[1:]
}

// convert reads the trace of a program.
func (r *recorder) convert(cmd *cobra.Command, file string, rec *titled) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	missing, err := open.Stream(rec.args[0], in, rec, r.reading)
	if err != nil {
		return err
	}
	r.report(cmd, missing, rec)
	return nil
}

// report says what was recorded.
func (r *recorder) report(cmd *cobra.Command, missing string, rec *titled) {
	if missing != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: missing: %s\n", r.out, missing)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s; whorl view %s\n", r.out, figures.Counted(int64(rec.pes), "processor"), r.out)
}

// server records what a server writes. Its trace is complete up to the moment that it has sent.
func (r *recorder) server(cmd *cobra.Command, url string) error {
	in, err := fetch.Open(cmd.Context(), url)
	if err != nil {
		return command.Interrupted(cmd, err)
	}
	defer in.Close()
	record := func() error {
		w, err := open.Create(r.out)
		if err != nil {
			return err
		}
		rec := &titled{Recorder: w, args: []string{url}}
		missing, err := open.Stream(url, in, rec, r.reading)
		if closed := w.Close(); closed != nil {
			return errors.Join(err, files.CannotWrite(r.out, closed))
		}
		if cmd.Context().Err() != nil {
			return command.WithTrace(command.ErrInterrupted, r.out)
		}
		if unknown := new(open.UnknownFormatError); errors.As(err, &unknown) {
			_ = os.Remove(r.out) // it is empty
			return err
		}
		if err != nil {
			return command.Exit(command.ExitFailed, command.WithTrace(err, r.out))
		}
		r.report(cmd, missing, rec)
		return nil
	}
	if !r.open {
		return record()
	}
	window, err := findWindow()
	if err != nil {
		if failed := record(); failed != nil {
			return failed
		}
		return viewTraces(cmd, []string{r.out})
	}
	v, err := startViewer(window)
	if err != nil {
		return err
	}
	defer v.Close()
	var ended error
	s := session.Follow(experiment.Run{Program: url}, r.out, func(context.Context) (tracer.Outcome, error) {
		ended = record()
		return command.OutcomeOf(ended), ended
	})
	_, err = v.show(cmd, s, experiment.Run{Program: url})
	<-s.Done()
	return cmp.Or(ended, err)
}
