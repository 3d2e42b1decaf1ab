// Package command holds the parts that the commands of whorl share: errors with an exit status, work that Ctrl-C interrupts, progress on the terminal, and
// errors in flags and arguments.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"whorl/dts/parallelize"
	"whorl/fghc/report"
	"whorl/internal/fault"
	"whorl/internal/files"
	"whorl/internal/nearest"
	"whorl/tracer"
)

// The exit statuses of whorl.
const (
	ExitDone        = 0
	ExitFailed      = 1   // the program failed (a deadlock, a goal that failed, an error at run time), or the result could not be written
	ExitUsage       = 2   // bad usage or bad input
	ExitLimit       = 3   // stopped by a limit
	ExitInterrupted = 130 // stopped by Ctrl-C, as shells count it
)

// A StatusError is an error with an exit status.
type StatusError struct {
	Status int
	Err    error
}

func (e *StatusError) Error() string { return e.Err.Error() }
func (e *StatusError) Unwrap() error { return e.Err }

// Exit returns a *StatusError.
func Exit(status int, err error) *StatusError { return &StatusError{status, err} }

// ErrInterrupted is the error of a command that Ctrl-C ended.
var ErrInterrupted = Exit(ExitInterrupted, errors.New("interrupted"))

// StatusOf returns the exit status of a command that returned err. An error without a status means bad usage or bad input.
func StatusOf(err error) int {
	var own *StatusError
	var output *files.OutputError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &own):
		return own.Status
	case errors.As(err, &output):
		return ExitFailed
	}
	return ExitUsage
}

// OutcomeOf returns the outcome of a run that ended with an error of a command.
func OutcomeOf(err error) tracer.Outcome {
	switch StatusOf(err) {
	case ExitDone:
		return tracer.Done
	case ExitLimit:
		return tracer.Limited
	case ExitInterrupted:
		return tracer.Interrupted
	}
	return tracer.Failed
}

// Complain prints an error, after "whorl: " unless it begins with a place in a source.
func Complain(stderr io.Writer, err error) {
	text := Printable(err.Error())
	if !located(err) {
		text = "whorl: " + text
	}
	fmt.Fprintln(stderr, text)
}

// located reports whether the text of an error begins with a place in a source, or is a list of such places.
func located(err error) bool {
	var (
		source  fault.Errors
		one     *fault.Error
		runtime *report.Error
		inGo    *parallelize.Error
	)
	return errors.As(err, &source) || errors.As(err, &one) || errors.As(err, &runtime) || errors.As(err, &inGo)
}

// Printable replaces control characters, which names and sources may contain and which would control the terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// An Output keeps the first write error, so that a command whose output was not written does not succeed.
type Output struct {
	W   io.Writer
	err atomic.Pointer[error] // an interrupted command may still be writing
}

func (o *Output) Write(p []byte) (int, error) {
	n, err := o.W.Write(p)
	if err != nil {
		o.err.CompareAndSwap(nil, &err)
	}
	return n, err
}

// Err returns the first write error, nil for none.
func (o *Output) Err() error {
	if err := o.err.Load(); err != nil {
		return *err
	}
	return nil
}

// Interruptible returns the function of a command that runs f and that Ctrl-C ends at once.
func Interruptible(f func(cmd *cobra.Command, args []string, w *files.Writer) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return Await(cmd.Context(), func(w *files.Writer) error { return f(cmd, args, w) })
	}
}

// Await returns the error of f. As soon as ctx is done it removes the incomplete files of f and returns the *StatusError that is the cause of ctx,
// or else ErrInterrupted. It waits for f only as long as f may need to remove its temporary files: f may be in a call that does not end, such as
// opening a pipe without a writer.
func Await(ctx context.Context, f func(w *files.Writer) error) error {
	var w files.Writer
	var err error
	done := make(chan struct{})
	go func() {
		err = f(&w)
		close(done)
	}()
	select {
	case <-done:
		if err == nil || ctx.Err() == nil {
			return err
		}
	case <-ctx.Done():
		w.Abandon()
		select {
		case <-done:
		case <-time.After(100 * time.Millisecond):
		}
	}
	if own := (*StatusError)(nil); errors.As(context.Cause(ctx), &own) { // a limit
		return own
	}
	return ErrInterrupted
}

// Interrupted returns ErrInterrupted in place of err after Ctrl-C.
func Interrupted(cmd *cobra.Command, err error) error {
	if cmd.Context().Err() != nil {
		return ErrInterrupted
	}
	return err
}

// WithTrace adds to the error of a run that was stopped the file of its trace, "" for none.
func WithTrace(err error, path string) error {
	if path == "" {
		return err
	}
	return fmt.Errorf("%w; the trace until then is in %s", err, path)
}

// InFile adds the name of a file to an error in it.
func InFile(path string, err error) error {
	if err == nil || path == "-" {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// OneOf returns an error unless value is known.
func OneOf(kind, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return nearest.Unknown(kind, value, known)
}
