// Package cli is the command line of Whorl: a file for each command, all of them functions of arguments and streams, so that tests call
// what users call.
//
// Answers go to standard output and everything else to standard error. A command returns its error and never prints it; Main prints it
// and turns it into the exit status. An error that says nothing else is bad usage or bad input: one clear line, with the nearest known
// names where a name was not known.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"unicode"

	"whorl/dts/parallelize"
	"whorl/fghc/report"
	"whorl/internal/fault"
	"whorl/internal/files"
)

// The exit statuses of whorl.
const (
	exitDone        = 0
	exitFailed      = 1   // the program failed (a deadlock, a goal that failed, an error at run time), or an answer could not be written
	exitUsage       = 2   // bad usage or bad input
	exitLimit       = 3   // stopped by a limit
	exitInterrupted = 130 // stopped by Ctrl-C, as shells count it
)

// A statusError is an error with an exit status of its own.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// Main runs whorl with args, which do not hold the name of the program, and returns the exit status. An interrupt from the keyboard ends
// a run early and in good order; a second one ends whorl at once.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop()
	}()

	broken := make(chan os.Signal, 1)
	signal.Notify(broken, writeSignals...)
	defer signal.Stop(broken)

	out := &watchedWriter{w: stdout}
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	status := statusOf(err)
	if lost := out.lost(); lost != nil {
		if !errors.Is(lost, syscall.EPIPE) { // a reader such as head that has seen enough
			fmt.Fprintln(stderr, "whorl: "+files.CannotFinish("standard output", lost).Error())
		}
		if status != exitInterrupted {
			status = exitFailed
		}
		if errors.Is(err, lost) {
			return status
		}
	}
	if err != nil {
		complain(stderr, err)
	}
	return status
}

// complain tells an error to the user.
func complain(stderr io.Writer, err error) {
	text := harmless(err.Error())
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

// harmless is a text that does not steer the terminal, whatever the names and sources in it hold.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// statusOf is the exit status of a command that returned err.
func statusOf(err error) int {
	var own *statusError
	var output *files.OutputError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &own):
		return own.status
	case errors.As(err, &output):
		return exitFailed
	}
	return exitUsage
}

// A watchedWriter remembers the first error, so that an answer that was not written whole never counts as done.
type watchedWriter struct {
	w   io.Writer
	err atomic.Pointer[error] // a command that was interrupted may still be writing
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if err != nil {
		w.err.CompareAndSwap(nil, &err)
	}
	return n, err
}

// lost is the first error, nil for none.
func (w *watchedWriter) lost() error {
	if err := w.err.Load(); err != nil {
		return *err
	}
	return nil
}
