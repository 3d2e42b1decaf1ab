package run

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"whorl/cmd/whorl/internal/command"
	"whorl/cmd/whorl/internal/sampler"
	"whorl/internal/figures"
	"whorl/internal/files"
	"whorl/tracer"
	"whorl/tracer/open"

	"github.com/spf13/cobra"
)

// sampled records samples of a program.
func (r *recorder) sampled(cmd *cobra.Command, dir string, args []string) error {
	runtime.LockOSThread() // the sampler follows the programs that this thread starts
	defer runtime.UnlockOSThread()
	s, err := sampler.Program(r.rate)
	if err != nil {
		return err
	}
	defer s.Close()
	var w files.Writer
	var ended *command.StatusError
	err = open.Write(&w, r.out, func(rec tracer.Recorder) error {
		text, err := samplesOf(s, dir, func() (err error) {
			ended, err = execute(cmd, exec.Command(args[0], args[1:]...), args[0])
			return err
		})
		if err != nil {
			return err
		}
		return r.read(cmd, text, &titled{Recorder: rec, args: args})
	})
	return afterProgram(ended, err, "the samples until then are in "+r.out)
}

// attached records samples of a process that runs already, until it ends, an interrupt, or the end of the time that was asked for.
func (r *recorder) attached(cmd *cobra.Command, dir string, args []string) error {
	s, err := sampler.Process(r.pid, r.rate)
	if err != nil {
		return err
	}
	defer s.Close()
	var forTime <-chan time.Time // never, unless a time was asked for
	if cmd.Flags().Changed("for") {
		forTime = time.After(r.length)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "whorl: sampling process %d, %s; Ctrl+C ends the recording\n", r.pid, args[0])
	var w files.Writer
	err = open.Write(&w, r.out, func(rec tracer.Recorder) error {
		text, err := samplesOf(s, dir, func() error {
			select {
			case <-cmd.Context().Done():
			case <-forTime:
			case <-s.Ended():
			}
			return nil
		})
		if err != nil {
			return err
		}
		return r.read(cmd, text, &titled{Recorder: rec, args: args})
	})
	if err == nil && cmd.Context().Err() != nil {
		return command.ErrInterrupted
	}
	return err
}

// samplesOf writes the samples that are taken during work to a file in dir and returns its name.
func samplesOf(s *sampler.Sampler, dir string, work func() error) (text string, err error) {
	f, err := os.Create(filepath.Join(dir, "samples"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	done, written := make(chan struct{}), make(chan error)
	go func() { written <- s.Write(f, done) }()
	err = work()
	close(done)
	if failed := <-written; err == nil {
		err = failed
	}
	return f.Name(), err
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

// read reads a file of samples.
func (r *recorder) read(cmd *cobra.Command, text string, rec *titled) error {
	f, err := os.Open(text)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() == 0 {
		return r.noSamples()
	}
	missing, err := open.Profile("perf", r.out, io.Reader(f), rec, r.reading)
	if err != nil {
		return err
	}
	if missing != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "whorl: %s: %s\n", r.out, missing)
	}
	if rec.pes == 0 {
		return r.noSamples()
	}
	r.report(cmd, "", rec)
	return nil
}

func (r *recorder) noSamples() error {
	return fmt.Errorf("no samples: the program used less processor time than the %s between two samples", figures.Duration(int64(time.Second)/int64(r.rate)))
}

// commandOf returns the arguments of a process that runs.
func commandOf(pid int) ([]string, error) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	b, err := os.ReadFile(filepath.Join(dir, "cmdline"))
	if err != nil {
		return nil, fmt.Errorf("no process has the number %d", pid)
	}
	if len(b) == 0 { // a thread of the kernel
		if b, err = os.ReadFile(filepath.Join(dir, "comm")); err != nil {
			return nil, err
		}
		b = bytes.TrimSuffix(b, []byte("\n"))
	}
	var args []string
	for arg := range bytes.SplitSeq(bytes.TrimRight(b, "\x00"), []byte{0}) {
		args = append(args, string(arg))
	}
	return args, nil
}
