package run

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/traces"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"
)

func newRecord() *cobra.Command {
	r := &recorder{}
	cmd := &cobra.Command{
		Use:   "record [flags] -- COMMAND [ARGS]",
		Short: "Sample a program while it runs and write a trace",
		Long: `Run a program and the programs that it starts under perf of Linux, which samples each of their threads at regular intervals, and write a trace
of the samples: functions, source lines, instructions and calling contexts, with a processor for each thread.

Source lines and inlined functions need the tables that compilers write with -g. Complete stacks need frame pointers
(-fno-omit-frame-pointer), which Go always keeps. The exit status is 1 if that of the program is not 0.`,
		Example: "  whorl record -o heat.whorl -- ./heat 4000\n  whorl record -F 4999 --processor process -o make.whorl -- make -j4\n  whorl view heat.whorl",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Exactly("a command to run, as in whorl record -- ./heat 4000")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd, args) },
	}
	f := cmd.Flags()
	f.SetInterspersed(false)
	f.IntVarP(&r.rate, "frequency", "F", 997, "`samples` for each second that a thread runs")
	f.StringVarP(&r.out, "output", "o", "", "trace to write, `FILE`.whorl (default COMMAND.whorl)")
	traces.ProfileFlags(cmd, &r.reading)
	return cmd
}

// A recorder records a program.
type recorder struct {
	rate    int
	out     string
	reading open.Options
	perf    string // its path
}

// scriptArgs are arguments of perf script for the fields that whorl reads. whorl finds inlined functions itself, faster than perf with addr2line.
var scriptArgs = []string{"script", "--header", "--no-inline", "--show-mmap-events", "-F", "comm,pid,tid,cpu,time,event,period,ip,sym,symoff,dso"}

func (r *recorder) run(cmd *cobra.Command, args []string) error {
	if r.out == "" {
		r.out = filepath.Base(args[0]) + ".whorl"
		if _, err := os.Lstat(r.out); err == nil {
			return fmt.Errorf("%s exists already: choose another file with -o", r.out)
		}
	}
	if err := open.CheckName(r.out); err != nil {
		return err
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return fmt.Errorf("%s: no such command", args[0])
	}
	dir, err := os.MkdirTemp("", "whorl")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := r.find(dir); err != nil {
		return err
	}
	var w files.Writer
	var ended *command.StatusError
	err = open.Write(&w, r.out, func(rec tracer.Recorder) error {
		data := filepath.Join(dir, "perf.data")
		if ended, err = r.sample(cmd, data, args); err != nil {
			return err
		}
		return r.read(cmd, data, &titled{Recorder: rec, args: args})
	})
	switch {
	case ended == nil:
		return err
	case err != nil:
		return command.Exit(ended.Status, fmt.Errorf("%w; %w", ended.Err, err))
	}
	return command.Exit(ended.Status, fmt.Errorf("%w; the samples until then are in %s", ended.Err, r.out))
}

// find finds perf and checks that it can sample.
func (r *recorder) find(dir string) (err error) {
	if r.perf, err = exec.LookPath("perf"); err != nil {
		if runtime.GOOS != "linux" {
			return errors.New("record needs perf, which is part of Linux; whorl also opens profiles of other tools (whorl list formats)")
		}
		return errors.New("record needs perf, which is not installed: it is in the package linux-perf (Debian), linux-tools (Ubuntu) or perf (Fedora, Arch)")
	}
	var said bytes.Buffer
	try := exec.Command(r.perf, append(r.record(filepath.Join(dir, "try.data")), "true")...)
	try.Stderr = &said
	if err := try.Run(); err != nil {
		text := fmt.Sprintf("perf cannot sample here (%v)", err)
		if line := firstLine(said.String()); line != "" {
			text += ": " + line
		}
		if level, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid"); err == nil && os.Geteuid() != 0 {
			if n, err := strconv.Atoi(strings.TrimSpace(string(level))); err == nil && n > 2 {
				text += fmt.Sprintf("; kernel.perf_event_paranoid is %d; sampling your own programs needs at most 2: sysctl kernel.perf_event_paranoid=2", n)
			}
		}
		return errors.New(text)
	}
	return nil
}

// firstLine returns the first line of a text that is neither empty nor a heading.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); strings.Trim(line, ":!") != "" && line != "Error:" {
			return line
		}
	}
	return ""
}

func (r *recorder) record(data string) []string {
	return []string{"record", "-q", "-e", "cpu-clock", "-F", strconv.Itoa(r.rate), "-g", "--sample-cpu", "-o", data, "--"}
}

// sample runs the program under perf. ended is the error of the program; err is set if nothing was recorded. An interrupt from the keyboard
// reaches perf and the program too; the samples until then are kept.
func (r *recorder) sample(cmd *cobra.Command, data string, args []string) (ended *command.StatusError, err error) {
	run := exec.Command(r.perf, append(r.record(data), args...)...)
	run.Stdin, run.Stdout, run.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := run.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.perf, err)
	}
	stop := context.AfterFunc(cmd.Context(), func() { _ = run.Process.Signal(os.Interrupt) })
	err = run.Wait()
	stop()
	exit := (*exec.ExitError)(nil)
	switch {
	case cmd.Context().Err() != nil:
		ended = command.ErrInterrupted
	case errors.As(err, &exit):
		ended = command.Exit(command.ExitFailed, fmt.Errorf("%s has failed (%w)", args[0], exit))
	case err != nil:
		return nil, err
	}
	if info, err := os.Stat(data); err != nil || info.Size() == 0 {
		return nil, errors.New("perf has recorded nothing")
	}
	return ended, nil
}

// read reads the samples, which perf script writes as text.
func (r *recorder) read(cmd *cobra.Command, data string, rec *titled) error {
	var said bytes.Buffer
	script := exec.Command(r.perf, append(scriptArgs, "-i", data)...)
	script.Stderr = &said
	out, err := script.StdoutPipe()
	if err != nil {
		return err
	}
	if err := script.Start(); err != nil {
		return err
	}
	missing, failed := open.Profile("perf", r.out, out, rec, r.reading)
	_, _ = io.Copy(io.Discard, out)
	if err := script.Wait(); err != nil && failed == nil {
		failed = fmt.Errorf("perf script: %s", cmp.Or(firstLine(said.String()), err.Error()))
	}
	if failed != nil {
		return failed
	}
	if missing != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", r.out, missing)
	}
	if rec.pes == 0 {
		return fmt.Errorf("no samples: the program used less processor time than the %s between two samples", figures.Duration(int64(time.Second)/int64(r.rate)))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s; whorl view %s\n", r.out, figures.Counted(int64(rec.pes), "processor"), r.out)
	return nil
}

// A titled recorder adds the command to the metadata, and keeps their number of processors.
type titled struct {
	tracer.Recorder
	args []string
	pes  int
}

func (t *titled) SetMeta(m tracer.Meta) {
	m.Program, m.Args, t.pes = t.args[0], t.args[1:], m.PEs
	t.Recorder.SetMeta(m)
}
