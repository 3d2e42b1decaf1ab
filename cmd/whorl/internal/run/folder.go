package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/build"
	"whorl/cmd/whorl/internal/command"
	"whorl/dts"
	"whorl/dts/cluster"
	"whorl/dts/launch"
	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
	"whorl/tracer/report"
)

// runFolder builds the Go program of a folder, which uses dts, and runs it on this host. Its dts.Run reads the options of r from the environment. With show, a
// window shows the trace while it grows; without a display a page shows the trace after the run.
func runFolder(cmd *cobra.Command, r experiment.Run, out string, stats, show bool) error {
	if out != "" {
		if err := open.CheckName(out); err != nil {
			return err
		}
	}
	r, err := r.ResolveMachine()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	folder := build.Folder{Path: r.Program, Temp: temp}
	program, err := folder.Build(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return command.Interrupted(cmd, err)
	}
	f := &folderRun{cmd: cmd, run: r, program: program, trace: out, report: filepath.Join(temp, "report")}
	if out == "" && (stats || show) {
		f.trace = filepath.Join(temp, "run.whorl")
	}
	if f.trace != "" {
		// An old file would be taken for the trace of a program that writes none.
		if err := os.Remove(f.trace); err != nil && !os.IsNotExist(err) {
			return files.CannotWrite(f.trace, err)
		}
	}
	var v *viewer
	if show {
		if window, err := findWindow(); err == nil {
			if v, err = startViewer(window); err != nil {
				return err
			}
			defer v.Close()
		}
	}
	begin := time.Now()
	var ended error
	if v != nil {
		f.watched = true
		if ended, err = f.follow(v); errors.Is(err, errNoWindow) && cmd.Context().Err() == nil {
			v, f.watched = nil, false // follow has stopped the program, which runs once more without a window
		} else if err != nil {
			return err
		}
	}
	if v == nil {
		begin = time.Now()
		ended = f.execute(cmd.Context())
	}
	wall := time.Since(begin)
	if stats && files.IsRegular(f.trace) {
		if err := printStats(cmd, new(report.Summary), nil, f.trace, wall); err != nil {
			return err
		}
	}
	if !show || v != nil || !files.IsRegular(f.trace) || cmd.Context().Err() != nil {
		return ended
	}
	return thenShow(cmd, ended, func() error { return viewTraces(cmd, []string{f.trace}) })
}

// A folderRun is a run of the program of a folder.
type folderRun struct {
	cmd     *cobra.Command
	run     experiment.Run
	program string // path of the binary
	trace   string // file, "" for none
	report  string // file where the program reports how it ended
	watched bool   // a viewer reads the trace while it grows
}

// follow executes the program while a viewer shows it. ended is the error of the run, err that of the viewer.
func (f *folderRun) follow(v *viewer) (ended, err error) {
	s := session.Follow(f.run, f.trace, func(ctx context.Context) (tracer.Outcome, error) {
		ended = f.execute(ctx)
		return command.OutcomeOf(ended), ended
	})
	_, err = v.show(f.cmd, s, f.run)
	<-s.Done()
	return ended, err
}

// execute runs the program and returns the error of the run.
func (f *folderRun) execute(ctx context.Context) error {
	child := exec.Command(f.program, append(f.run.Args, f.run.Argv...)...)
	child.Stdin, child.Stdout, child.Stderr = f.cmd.InOrStdin(), f.cmd.OutOrStdout(), f.cmd.ErrOrStderr()
	child.Env = append(os.Environ(), f.environment()...)
	if err := child.Start(); err != nil {
		return err
	}
	gone, looked := make(chan struct{}), make(chan struct{})
	go func() { // the program receives interrupts from the keyboard itself; those sent to whorl alone are passed on
		defer close(looked)
		select {
		case <-ctx.Done():
			_ = child.Process.Signal(os.Interrupt)
		case <-gone:
		}
	}()
	err := child.Wait()
	close(gone)
	<-looked

	report, missing := launch.ReadReport(f.report)
	kept := ""
	if f.trace != "" && filepath.Dir(f.trace) != filepath.Dir(f.report) && files.IsRegular(f.trace) {
		kept = f.trace
	}
	switch {
	case missing == nil && report.Outcome == tracer.Limited:
		return command.Exit(command.ExitLimit, command.WithTrace(errors.New(report.Err), kept))
	case ctx.Err() != nil || missing == nil && report.Outcome == tracer.Interrupted:
		return command.Exit(command.ExitInterrupted, command.WithTrace(command.ErrInterrupted, kept))
	case err != nil:
		status := command.ExitFailed
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() > 0 {
			status = exit.ExitCode()
		}
		return command.Exit(status, fmt.Errorf("%s: %w", f.run.Program, err))
	case missing != nil:
		return command.Exit(command.ExitFailed, errors.New(f.run.Program+" made no run: it never called dts.Run or cluster.Run"))
	}
	return nil
}

// environment returns the variables from which dts.Run reads its options.
func (f *folderRun) environment() []string {
	r := &f.run
	mode := dts.Sim
	if r.Mode == experiment.Live {
		mode = dts.Live
	}
	s := launch.Settings{
		PEs: r.PEs, Policy: r.Policy, Mode: mode, Machine: r.Machine, Network: r.Network, Seed: r.Seed, Watched: f.watched,
		MaxTime: r.Limits.Time, MaxThreads: r.Limits.Reductions, MaxMemory: r.Limits.Memory,
	}
	alone := []string{cluster.EnvJoin + "=", cluster.EnvNode + "=", cluster.EnvListen + "="}
	return slices.Concat(s.Environ(), alone, []string{launch.EnvReport + "=" + f.report, launch.EnvTrace + "=" + f.trace})
}
