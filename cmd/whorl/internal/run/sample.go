package run

import (
	"bytes"
	"cmp"
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

	"whorl/cmd/whorl/internal/command"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

// scriptArgs are arguments of perf script for the fields that whorl reads. whorl finds inlined functions itself, faster than perf with addr2line.
var scriptArgs = []string{"script", "--header", "--no-inline", "--show-mmap-events", "-F", "comm,pid,tid,cpu,time,event,period,ip,sym,symoff,dso"}

// sampled records samples of a program by perf.
func (r *recorder) sampled(cmd *cobra.Command, dir string, args []string) error {
	if err := r.find(dir); err != nil {
		return err
	}
	var w files.Writer
	var ended *command.StatusError
	err := open.Write(&w, r.out, func(rec tracer.Recorder) (err error) {
		data := filepath.Join(dir, "perf.data")
		if ended, err = r.sample(cmd, data, args); err != nil {
			return err
		}
		return r.read(cmd, data, &titled{Recorder: rec, args: args})
	})
	return afterProgram(ended, err, "the samples until then are in "+r.out)
}

// afterProgram joins the error of the program, with the remains of the recording in left, and err, the error of the recording. Either may be nil.
func afterProgram(ended *command.StatusError, err error, left string) error {
	switch {
	case ended == nil:
		return err
	case err != nil:
		return command.Exit(ended.Status, fmt.Errorf("%w; %w", ended.Err, err))
	}
	return command.Exit(ended.Status, fmt.Errorf("%w; %s", ended.Err, left))
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
	ended, err = execute(cmd, exec.Command(r.perf, append(r.record(data), args...)...), args[0])
	if err != nil {
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
	r.report(cmd, "", rec)
	return nil
}
